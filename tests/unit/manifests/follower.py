"""How the operator starts a follower node, ported: its quoting, and the shell that undoes it.

A token that holds a space, a quote, a brace, a bracket, `$`, `!`, a backslash or a backtick is put in double quotes,
anything else stays bare. It is wrong for single quotes.
"""

import subprocess

_QUOTED = set(" \t\n'\"\\{}[]$!`")
INJECTED = {
    "vllm": "--distributed-executor-backend mp --nnodes 4 --master-addr leader --master-port 29500 "
    "--node-rank $((GROVE_PCLQ_POD_INDEX + 1)) --headless",
    "sglang": "--dist-init-addr leader:29500 --nnodes 4 --node-rank $((GROVE_PCLQ_POD_INDEX + 1))",
}


def operator_quoted(token: str) -> str:
    if not set(token) & _QUOTED:
        return token
    for sign in ("\\", '"', "$", "`"):
        token = token.replace(sign, f"\\{sign}")
    return '"' + token.replace("'", "'\"'\"'") + '"'


def follower_script(command: list[str], injected: str) -> str:
    return f"exec {' '.join(operator_quoted(token) for token in command)} {injected}"


def shell(arguments: list[str], script: str) -> subprocess.CompletedProcess[str]:
    environment = {"GROVE_PCLQ_POD_INDEX": "0", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        ["sh", *arguments],
        input=script,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=60,
    )


def as_the_shell_reads(script: str) -> list[str]:
    """The arguments that the command would get: `exec` becomes a function that shows them, one a line."""
    return shell(
        [], "show() { printf '%s\\n' \"$@\"; }\n" + script.replace("exec ", "show ", 1)
    ).stdout.splitlines()
