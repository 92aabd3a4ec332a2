"""Changes of the published pods that would fail later: each refused with its full message, at preview."""

from pathlib import Path

import pytest
import yaml

from tests.unit.settings.stack_files import Values, overridden, refusal

_ROWS = yaml.safe_load(Path(__file__).with_name("refused_overrides.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", [pytest.param(row, id=row["case"]) for row in _ROWS])
def test_a_change_that_would_fail_later_is_refused_with_the_way_out(tmp_path: Path, row: Values) -> None:
    assert refusal(tmp_path, overridden(row["target"], row["changes"])) == row["message"].rstrip("\n")


def test_there_are_enough_rows_to_call_it_a_table() -> None:
    assert len({row["message"] for row in _ROWS}) == len(_ROWS) >= 60


def test_a_mistake_in_a_role_does_not_hide_another_one(tmp_path: Path) -> None:
    changes = {"roles.worker.env": {"SGLANG_X": "1"}, "roles.Frontend.args.set": {"--http-port": "80"}}
    message = refusal(tmp_path, overridden("vllm-gb300-agg", changes))
    assert "worker has SGLANG_X" in message
    assert "Frontend listens on port 80" in message
