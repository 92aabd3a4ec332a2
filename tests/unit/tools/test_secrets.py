"""A secret goes to pulumi on its stdin, and never into a file in the clear, a command line or any output."""

import io
import os
from pathlib import Path

import pytest

from tests.unit.tools.stand_in import StandIn
from tools import set_command
from tools.errors import ToolsError
from tools.set_command import Setting
from tools.stack_room import Request

CANARY = "hf_canary"
PASSPHRASE = {"PULUMI_CONFIG_PASSPHRASE": "strong"}


def request(command: str, stack: str, root: Path, **environ: str) -> Request:
    return Request(command, stack, root, {**os.environ, **environ})


def give_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_secret_is_handed_to_pulumi_on_its_stdin_and_shown_nowhere(
    project: Path, pulumi: StandIn, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    give_stdin(monkeypatch, f"{CANARY}\n")
    set_command.set_config(
        request("set", "prod", project, **PASSPHRASE), Setting("hfToken", None, secret=True)
    )
    assert pulumi.stdin() == CANARY
    assert pulumi.calls()[-1] == "config set --secret --path kimi-k3:hfToken --stack prod"
    shown = capfd.readouterr()
    assert CANARY not in shown.out + shown.err + str(pulumi.calls()) + str(pulumi.environment())


SET_TOKEN = "make set STACK=prod KEY=hfToken SECRET=1"
IN_THE_CLEAR = (
    "kimi-k3:hfToken is a secret: it is not stored in the clear.\n"
    f"Set it with:  {SET_TOKEN}\n"
    "It is asked for, or read from stdin."
)
ON_COMMAND_LINE = (
    "A secret does not belong on a command line: shell history and process list keep it.\n"
    f"Leave VALUE out and run:  {SET_TOKEN}\n"
    "It is asked for, or read from stdin. Rotate a secret that has been typed already."
)
SECRET_REFUSALS: dict[str, tuple[Setting, dict[str, str], str]] = {
    "in the clear": (
        Setting("hfToken", CANARY, secret=False),
        PASSPHRASE,
        IN_THE_CLEAR,
    ),
    "in the clear, full name": (
        Setting("kimi-k3:hfToken", CANARY, secret=False),
        PASSPHRASE,
        IN_THE_CLEAR,
    ),
    "on the command line": (
        Setting("hfToken", CANARY, secret=True),
        PASSPHRASE,
        ON_COMMAND_LINE,
    ),
    "empty": (
        Setting("hfToken", None, secret=True),
        PASSPHRASE,
        f"kimi-k3:hfToken is empty: nothing was set. Give the value:  {SET_TOKEN}",
    ),
}


@pytest.mark.parametrize("case", SECRET_REFUSALS)
def test_a_secret_that_would_leak_or_be_empty_is_refused(
    project: Path, pulumi: StandIn, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    give_stdin(monkeypatch, "\n")
    before = (project / "Pulumi.prod.yaml").read_text()
    setting, environ, words = SECRET_REFUSALS[case]
    with pytest.raises(ToolsError) as refusal:
        set_command.set_config(request("set", "prod", project, **environ), setting)
    assert str(refusal.value) == words
    assert CANARY not in str(refusal.value)
    assert not [call for call in pulumi.calls() if call.startswith("config set")]
    assert (project / "Pulumi.prod.yaml").read_text() == before


def test_no_secret_is_set_behind_an_empty_passphrase(project: Path, pulumi: StandIn) -> None:
    with pytest.raises(ToolsError, match="  make set STACK=prod KEY=hfToken SECRET=1\n"):
        set_command.set_config(request("set", "prod", project), Setting("hfToken", None, secret=True))
    assert pulumi.calls() == []
