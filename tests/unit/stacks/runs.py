"""The stacks under test: the real `__main__.py` with the config of the repository's stack files."""

import functools
import json
import runpy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from settings import Settings, load_settings
from tests.targets import TARGETS
from tests.unit import mocks

ROOT = Path(__file__).parents[3]

# Without the `hf_` that refusals blot out: here nothing may lean on that.
CANARY = "canary_7f3a9c_token"

Values = dict[str, Any]  # Any: config values are JSON of any depth

FILLED: Values = {"modelCache": {"storageClassName": "fast-rwx"}, "cluster": {"context": "gpu-cluster"}}
RENDERED: Values = {
    "modelCache": {"storageClassName": "fast-rwx"},
    "cluster": None,
    "render": {"directory": "rendered/here"},
}
# By name: the stack file, and what is changed in it (None removes a key).
CASES: dict[str, tuple[str, Values]] = {
    "dev": ("dev", {}),
    **{target: (target, FILLED) for target in TARGETS},
    "vllm-h200-agg rendered": ("vllm-h200-agg", RENDERED),
    "sglang-gb300-disagg rendered": ("sglang-gb300-disagg", RENDERED),
}
CLUSTER_CASES = TARGETS
RENDER_CASES = tuple(name for name in CASES if name not in TARGETS)


def merged(values: Values, changes: Values) -> Values:
    """`values` with `changes` laid over them, group by group; None removes."""
    result = dict(values)
    for key, change in changes.items():
        if change is None:
            result.pop(key, None)
        elif isinstance(change, dict):
            result[key] = merged(result.get(key) or {}, change)
        else:
            result[key] = change
    return result


def overlaid(first: Values, then: Values) -> Values:
    """Two sets of changes as one; a None of either still removes."""
    both = {
        key: overlaid(first[key], v) if isinstance(first.get(key), dict) and isinstance(v, dict) else v
        for key, v in then.items()
    }
    return first | both


def filled(changes: Values) -> Values:
    """Changes that fill the placeholders, and these."""
    return overlaid(FILLED, changes)


@functools.cache
def file_config(stack: str) -> Values:
    """`config` of the stack file, with full keys."""
    return dict(yaml.safe_load((ROOT / f"Pulumi.{stack}.yaml").read_text(encoding="utf-8"))["config"])


def own_values(stack: str, changes: Values) -> Values:
    """The `kimi-k3:` values of the stack file, without that prefix, changed."""
    own = {
        key.removeprefix("kimi-k3:"): v for key, v in file_config(stack).items() if key.startswith("kimi-k3:")
    }
    return merged(own, changes)


def settings_of(case: str) -> Settings:
    """The settings of a case, read by the other way: from values instead of Pulumi's config."""
    stack, changes = CASES[case]
    return load_settings(own_values(stack, changes), stack)


def main_program() -> None:
    """The program itself, as the language host runs it."""
    runpy.run_path(str(ROOT / "__main__.py"), run_name="__main__")


def attempt(
    file: str,
    changes: Values | None = None,
    *,
    token: str | None = CANARY,
    secrets: Sequence[str] = ("hfToken",),
    stack: str | None = None,
    foreign: Mapping[str, str] | None = None,
    **how: Any,  # Any: the arguments of mocks.attempt
) -> mocks.Run:
    """Runs the program as stack `stack` with the config of the stack file `file`, changed, and the token as a
    secret; `foreign` are keys of other programs, in full.

    The same question is asked of the program once: tests only look at the answer.
    """
    others = {key: json.dumps(v) for key, v in file_config(file).items() if not key.startswith("kimi-k3:")}
    values = own_values(file, changes or {}) | ({} if token is None else {"hfToken": token})
    own = {f"kimi-k3:{key}": v if isinstance(v, str) else json.dumps(v) for key, v in values.items()}
    config = {**others, **own, **(foreign or {})}
    keys = [f"kimi-k3:{key}" for key in secrets]
    return _once(json.dumps({"stack": stack or file, "config": config, "secrets": keys, **how}))


@functools.cache
def _once(arguments: str) -> mocks.Run:
    return mocks.attempt(main_program, **json.loads(arguments))


def deploy(
    file: str, changes: Values | None = None, **how: Any
) -> mocks.Run:  # Any: the arguments of `attempt`
    """Like `attempt`, for stacks that must deploy."""
    result = attempt(file, changes, **how)
    if result.error is not None:
        raise result.error
    return result


@functools.cache
def case_run(case: str, preview: bool = False) -> mocks.Run:
    """The run of a case."""
    stack, changes = CASES[case]
    return deploy(stack, changes, token=None if stack == "dev" else CANARY, preview=preview)


def cluster(
    target: str, changes: Values | None = None, **how: Any
) -> mocks.Run:  # Any: the arguments of `attempt`
    """A cluster stack of `target` with its placeholders filled, changed."""
    return deploy(target, filled(changes or {}), **how)


def rendered(
    target: str, changes: Values | None = None, **how: Any
) -> mocks.Run:  # Any: the arguments of `attempt`
    """A stack of `target` that writes files, changed."""
    return deploy(target, overlaid(RENDERED, changes or {}), **how)
