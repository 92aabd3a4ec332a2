"""Preflight before an `up` of a cluster stack, with stand-ins for it and for the pulumi CLI."""

from pathlib import Path

import pytest

from tests.unit.tools.stand_in import StandIn
from tests.unit.tools.test_stack_commands import PASSPHRASE, request
from tools import stack_commands
from tools.errors import ToolsError

UP = "up --yes --non-interactive --stack prod"
DO = (
    "Accepted: a preflight without a FAIL.\n"
    "Mend what it says, or deploy all the same:  make up STACK=prod SKIP_PREFLIGHT=1"
)


def asked(project: Path) -> list[str]:
    """What preflight was asked for; the watch beside an update is asked as well."""
    path = project / "asked"
    lines = path.read_text().splitlines() if path.exists() else []
    return [line for line in lines if line.startswith("preflight")]


def test_an_up_of_a_cluster_stack_asks_preflight_first(project: Path, pulumi: StandIn) -> None:
    stack_commands.up(request("up", "prod", project, YES="1", KUBECONFIG="/theirs", **PASSPHRASE))
    assert asked(project) == ["preflight --stack prod /theirs"]
    assert pulumi.calls()[-1] == UP


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("1", "Stack prod does not fit its cluster; nothing was changed."),
        ("2", "Stack prod could not be checked against its cluster; nothing was changed."),
        ("3", "Stack prod was not checked: preflight ended with 3; nothing was changed."),
    ],
)
def test_an_up_stops_where_preflight_does_not_pass(
    project: Path, pulumi: StandIn, code: str, told: str
) -> None:
    with pytest.raises(ToolsError) as refusal:
        stack_commands.up(request("up", "prod", project, YES="1", PREFLIGHT_ENDS_WITH=code, **PASSPHRASE))
    assert str(refusal.value) == f"{told}\n{DO}"
    assert not [call for call in pulumi.calls() if call.startswith(("up", "preview"))]


def test_an_interrupted_preflight_ends_the_up(project: Path, pulumi: StandIn) -> None:
    with pytest.raises(KeyboardInterrupt):
        stack_commands.up(request("up", "prod", project, YES="1", PREFLIGHT_ENDS_WITH="130", **PASSPHRASE))
    assert not [call for call in pulumi.calls() if call.startswith(("up", "preview"))]


def test_preflight_is_skipped_on_request(
    project: Path, pulumi: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    skipping = {"YES": "1", "SKIP_PREFLIGHT": "1", "PREFLIGHT_ENDS_WITH": "1", **PASSPHRASE}
    stack_commands.up(request("up", "prod", project, **skipping))
    assert asked(project) == []
    assert "Preflight is skipped (SKIP_PREFLIGHT=1)." in capsys.readouterr().err
    assert pulumi.calls()[-1] == UP


def test_a_stack_that_renders_has_nothing_to_check(project: Path, pulumi: StandIn) -> None:
    stack_commands.up(request("up", "dev", project, PREFLIGHT_ENDS_WITH="1"))
    stack_commands.preview(request("preview", "prod", project, PREFLIGHT_ENDS_WITH="1", **PASSPHRASE))
    assert asked(project) == []
    assert pulumi.calls()[-1] == "preview --stack prod"
