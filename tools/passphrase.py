"""Refuses to make a stack, or to keep a secret, behind a passphrase that is missing or empty."""

from collections.abc import Mapping
from pathlib import Path

from tools.backend import Backend
from tools.errors import ToolsError
from tools.stack_file import StackFile

VALUE = "PULUMI_CONFIG_PASSPHRASE"
FILE = "PULUMI_CONFIG_PASSPHRASE_FILE"
KEPT = "~/.kimi-k3-passphrase"  # where the printed commands keep one


def needs_passphrase(stack_file: StackFile, backend: Backend) -> bool:
    if stack_file.renders:
        return False  # nothing to keep: the empty passphrase is set for these
    if stack_file.secrets_provider:
        return stack_file.secrets_provider == "passphrase"
    return not backend.is_cloud


def refuse_weak_passphrase(
    stack_file: StackFile, backend: Backend, environ: Mapping[str, str], command: str
) -> None:
    """`command` is what the user wanted to run; the refusal repeats it as the last step."""
    if not needs_passphrase(stack_file, backend):
        return
    problem = _problem(environ)
    if problem:
        raise ToolsError(_refusal(stack_file.stack, problem, environ, command))


def _problem(environ: Mapping[str, str]) -> str | None:
    # The CLI's own order: the variable wins over the file, even when it is empty.
    if VALUE in environ:
        return None if environ[VALUE] else f"{VALUE} is set but empty"
    if not environ.get(FILE):
        return f"neither {VALUE} nor {FILE} is set"
    try:
        content = Path(environ[FILE]).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return f"{FILE} names a file that cannot be read: {environ[FILE]}"
    return None if content else f"{FILE} names an empty file: {environ[FILE]}"


def _refusal(stack: str, problem: str, environ: Mapping[str, str], command: str) -> str:
    drop = [f"  unset {VALUE}"] if VALUE in environ else []
    steps = [
        f"  test -s {KEPT} || (umask 077; head -c 24 /dev/urandom | base64 > {KEPT})",
        *drop,
        f"  export {FILE}={KEPT}",
        f"  {command}",
    ]
    return "\n".join(
        [
            f"Stack {stack} keeps its secrets under a passphrase, and {problem}.",
            f"Accepted: a passphrase that is not empty, in {VALUE} or in the file that {FILE} names.",
            "These commands make one, if you have none, and go on:",
            *steps,
            "Keep that file: without it nobody can read the stack's secrets again.",
            "If the stack already has a passphrase, put that one into the file instead.",
        ]
    )
