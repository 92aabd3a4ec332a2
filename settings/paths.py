"""Property paths in the syntax of `pulumi config set --path`: `a.b[0]["c.d"]`, read and applied to plain values."""

import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from recipes import Refusal

_STEP = re.compile(r'\.?([^.\[\]"\']+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')

_BARE = re.compile(r"[^.\[\]\"\'\s]+")
_SHELL_SAFE = re.compile(r"[A-Za-z0-9_./:~=@%+,-]*")

Path = list[str | int]


def path_text(path: Sequence[str | int]) -> str:
    """`path` as a person writes it: `roles.worker.env`, `placement.workers.nodeSelector["nvidia.com/gpu.product"]`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _BARE.fullmatch(step):
            text += f".{step}" if text else step
        else:
            escaped = step.replace("\\", "\\\\").replace('"', '\\"')
            text += f'["{escaped}"]'
    return text


def set_command(stack: str, path: Sequence[str | int], value: str = "") -> str:
    """The command that sets `path`, as a shell takes it; without a value it asks for one."""
    command = f"make set STACK={stack} KEY={_quoted(path_text(path))}"
    return f"{command} VALUE={_quoted(value)}" if value else command


def _quoted(text: str) -> str:
    return text if _SHELL_SAFE.fullmatch(text) else shlex.quote(text)


def parse_path(text: str) -> Path:
    """The steps of a path: str for a key, int for a list's index; raises Refusal when it is none."""
    steps: Path = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None or _misplaced_dot(match, position):
            break
        bare, index, quoted = match.groups()
        steps.append(int(index) if index else bare or re.sub(r"\\(.)", r"\1", quoted[1:-1]))
        position = match.end()
    if not steps or position < len(text) or isinstance(steps[0], int):
        raise Refusal(
            f"{text!r} is not a path of a setting.\n"
            'Accepted: keys joined by dots, [0] for an item of a list, ["a.b"] for a key with dots.\n'
            "For example: modelCache.storageClassName"
        )
    return steps


def _misplaced_dot(match: re.Match[str], position: int) -> bool:
    """A dot joins a key to what is before it: never first, never left out between two keys."""
    dotted = match.group(0).startswith(".")
    return dotted if position == 0 else match.group(1) is not None and not dotted


def apply(values: dict[str, Any], path: Path, value: object) -> None:  # Any: plain values of any kind
    """Put `value` at `path` into `values`, making mappings and lists on the way; raises Refusal where it can't go."""
    container: Any = values  # Any: see above
    for step, following in pairwise(path):
        empty: object = [] if isinstance(following, int) else {}
        container = _descend(container, step, empty, path)
    _put(container, path[-1], value, path)


def _descend(
    container: Any, step: str | int, empty: object, path: Path
) -> Any:  # Any: plain values of any kind
    present = _get(container, step)
    if present is None:
        _put(container, step, empty, path)
        return empty
    return present


def _get(container: Any, step: str | int) -> Any:  # Any: plain values of any kind
    if isinstance(step, int):
        return container[step] if isinstance(container, list) and step < len(container) else None
    return container.get(step) if isinstance(container, dict) else None


def _put(container: Any, step: str | int, value: object, path: Path) -> None:  # Any: plain values of any kind
    if isinstance(step, int) and isinstance(container, list) and step <= len(container):
        container[step : step + 1] = [value]
    elif isinstance(step, str) and isinstance(container, dict):
        container[step] = value
    else:
        shown = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
        kind = "list" if isinstance(step, int) else "mapping"
        raise Refusal(
            f"{shown} cannot be set: what stands before {step!r} is not a {kind} with room for it.\n"
            "Accepted: a path through mappings and lists that are there or still empty.\n"
            "Look at the stack file for what stands there now."
        )
