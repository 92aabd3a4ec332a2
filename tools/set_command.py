"""`make set`: puts a value into a stack file. A secret never stands on a command line nor in any output."""

import getpass
import shlex
import sys
from dataclasses import dataclass, replace

from tools.config_path import parse_path
from tools.errors import ToolsError, say
from tools.stack_edit import parse_value, set_value
from tools.stack_file import NAMESPACE, find_stack
from tools.stack_room import Request, open_stack

SECRETS = ("hfToken",)  # keys that are never stored in the clear


@dataclass(frozen=True)
class Setting:
    """`value` is None where it is to be asked for."""

    key: str
    value: str | None
    secret: bool


def set_config(request: Request, setting: Setting) -> None:
    stack_file = find_stack(request.root, request.stack)
    path = parse_path(setting.key)
    if setting.secret:
        _set_secret(request, setting)
        return
    if path.name in SECRETS:
        raise ToolsError(
            f"{path.key} is a secret: it is not stored in the clear.\n"
            f"Set it with:  make set STACK={request.stack} KEY={path.name} SECRET=1\n"
            "It is asked for, or read from stdin."
        )
    text = setting.value if setting.value is not None else _ask(f"{path.key}: ", hidden=False)
    if not text.strip():
        raise ToolsError(
            f"The value for {path.key} is empty: nothing was set. An empty text is VALUE=\"''\"."
        )
    set_value(stack_file.path, path, parse_value(text))
    say(f"{stack_file.path.name}: {setting.key} is set.")


def _set_secret(request: Request, setting: Setting) -> None:
    request = replace(request, detail=f"KEY={shlex.quote(setting.key)} SECRET=1")
    if setting.value is not None:
        raise ToolsError(
            "A secret does not belong on a command line: shell history and process list keep it.\n"
            f"Leave VALUE out and run:  {request.as_typed}\n"
            "It is asked for, or read from stdin. Rotate a secret that has been typed already."
        )
    full = setting.key if ":" in setting.key else f"{NAMESPACE}:{setting.key}"
    stack = open_stack(request, changes=False)
    secret = _ask(f"{full} (not shown): ", hidden=True)
    if not secret:
        raise ToolsError(f"{full} is empty: nothing was set. Give the value:  {request.as_typed}")
    stack.pulumi.demand("config", "set", "--secret", "--path", full, "--stack", request.stack, given=secret)
    say(f"{stack.file.path.name}: {full} is set, encrypted.")


def _ask(prompt: str, hidden: bool) -> str:
    """From the terminal, or all of stdin; without the newline at its end, which no value has."""
    if sys.stdin.isatty():
        return getpass.getpass(prompt) if hidden else input(prompt)
    return sys.stdin.read().rstrip("\r\n")
