"""The commands answer at once and with pip only: they never load Pulumi, nor anything above manifests."""

from tests.unit.operations.commands import python

_PROGRAM = """
import contextlib, io, sys
from operations.cli import app
for command in (["targets"], ["targets", "--json"], ["render", "--stack", "dev"], ["settings"]):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        app(command, standalone_mode=False)
    assert said.getvalue(), f"{command} said nothing"
print("\\n".join(sorted({name.split(".")[0] for name in sys.modules})))
"""
_HEAVY = {"pulumi", "pulumi_kubernetes", "grpc", "components", "stacks", "tools"}


def test_commands_load_neither_pulumi_nor_the_program() -> None:
    answer = python("-c", _PROGRAM)
    assert answer.exit_code == 0, answer.stderr
    loaded = set(answer.stdout.split())
    assert {"operations", "manifests", "settings", "recipes"} <= loaded
    assert not loaded & _HEAVY, (
        "`make render` and `make targets` answer at once, on a machine without Pulumi too"
    )
