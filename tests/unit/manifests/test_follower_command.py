"""Follower nodes get their command through a shell: what the operator puts together must come out as it went in.

The quoting is the operator's own rule, ported: a token that holds a space, a quote, a brace, a bracket, `$`, `!`, a
backslash or a backtick is put in double quotes, anything else stays bare. It is wrong for single quotes.
"""

import subprocess

import pytest

from manifests import Manifest
from tests.targets import TARGETS
from tests.unit.manifests.rendered import graph_of, main, workers

_QUOTED = set(" \t\n'\"\\{}[]$!`")
_INJECTED = {
    "vllm": "--distributed-executor-backend mp --nnodes 4 --master-addr leader --master-port 29500 "
    "--node-rank $((GROVE_PCLQ_POD_INDEX + 1)) --headless",
    "sglang": "--dist-init-addr leader:29500 --nnodes 4 --node-rank $((GROVE_PCLQ_POD_INDEX + 1))",
}


def _operator_quoted(token: str) -> str:
    if not set(token) & _QUOTED:
        return token
    for sign in ("\\", '"', "$", "`"):
        token = token.replace(sign, f"\\{sign}")
    return '"' + token.replace("'", "'\"'\"'") + '"'


def _follower_script(command: list[str], injected: str) -> str:
    return f"exec {' '.join(_operator_quoted(token) for token in command)} {injected}"


def _shell(arguments: list[str], script: str) -> subprocess.CompletedProcess[str]:
    environment = {"GROVE_PCLQ_POD_INDEX": "0", "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        ["sh", *arguments],
        input=script,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=60,
    )


def _command(worker: Manifest) -> list[str]:
    return [*main(worker)["command"], *main(worker)["args"]]


@pytest.mark.parametrize("name", TARGETS)
def test_the_shell_of_a_follower_gets_the_args_as_they_are_written(name: str) -> None:
    injected = _INJECTED[name.split("-", maxsplit=1)[0]]
    for worker in workers(graph_of(name)):
        script = _follower_script(_command(worker), injected)
        checked = _shell(["-n"], script)
        assert (checked.returncode, checked.stderr) == (0, ""), (
            f"{worker['name']}: followers crash at their start"
        )
        # `exec` becomes a function that shows its arguments, one a line.
        shown = _shell([], "show() { printf '%s\\n' \"$@\"; }\n" + script.replace("exec ", "show ", 1))
        assert shown.stdout.splitlines() == [
            *_command(worker),
            *injected.replace("$((GROVE_PCLQ_POD_INDEX + 1))", "1").split(),
        ]


def test_a_single_quote_in_an_argument_would_have_been_noticed() -> None:
    assert _shell(["-n"], _follower_script(["python3", "it's"], "")).returncode != 0
