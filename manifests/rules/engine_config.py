"""Keys of SGLang's config file that it would refuse, misread or not know."""

from collections.abc import Iterator, Mapping
from typing import Any

from manifests.rules.rule import Finding, of_role, role_path, rule
from manifests.rules.view import Component, View
from recipes.refusals import Refusal
from recipes.yaml12 import read_yaml

_NAMES = {bool: "true", int: "a whole number", float: "a number", str: "a text"}


def _configured(view: View) -> Iterator[tuple[Component, Mapping[str, Any]]]:  # Any: see Component.config
    for worker in view.workers:
        if worker.config is not None:
            yield worker, worker.config


@rule("config-type", "SGLang: values come from YAML with their types (ai-dynamo/dynamo#5513)")
def _types(view: View) -> Iterator[Finding]:
    for worker, config in _configured(view):
        published = view.published(worker)
        wanted = published.engine_config if published else {}
        for key, value in config.items():
            accepted = _NAMES.get(type(wanted[key]), "") if key in wanted else _spelled(value)
            if accepted and not _is(value, type(wanted[key]) if key in wanted else None):
                yield Finding(
                    f"{worker.name} has {key}: {value!r} in its config file",
                    f"{accepted}, without quotes" if isinstance(value, str) else accepted,
                    role_path(worker.name, "engineConfig", key),
                    str(wanted.get(key, value)) if not isinstance(wanted.get(key), bool) else "true",
                )


def _is(value: object, wanted: type | None) -> bool:
    if wanted is None:
        return False
    if wanted is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is wanted


def _spelled(value: object) -> str:
    """What a text would be without its quotes, if not a text."""
    if not isinstance(value, str):
        return ""
    try:
        meant = read_yaml(value, "value")
    except Refusal:
        return ""
    return "true" if isinstance(meant, bool) else "a number" if isinstance(meant, int | float) else ""


@rule("config-false", "SGLang: false is ignored or refused for a switch (sgl-project/sglang#14085)")
def _false(view: View) -> Iterator[Finding]:
    for worker, config in _configured(view):
        for key, value in config.items():
            if value is False:
                yield Finding(
                    f"{worker.name} has {key}: false in its config file, which SGLang does not read as off",
                    "true, or null to take the key out",
                    role_path(worker.name, "engineConfig", key),
                )


@rule("config-injected", "operator: SGLang gets these on the command line of each node")
def _injected(view: View) -> Iterator[Finding]:
    for worker, config in _configured(view):
        for flag in worker.dialect.injected:
            if flag.removeprefix("--") in config:
                yield Finding(
                    f"{worker.name} has {flag.removeprefix('--')} in its config file, which the operator adds itself",
                    "a node count; the operator derives the rest from it",
                    step=f"Leave {flag.removeprefix('--')} out of {of_role(worker.name, 'engineConfig')}",
                )


@rule("config-flag-only", "SGLang: its YAML reader refuses this switch (Dynamo's Kimi-K3 recipes)")
def _flag_only(view: View) -> Iterator[Finding]:
    for worker, config in _configured(view):
        for key in worker.dialect.only_flags:
            if key in config:
                yield Finding(
                    f"{worker.name} has {key} in its config file, where SGLang refuses it",
                    f"--{key} in its args",
                    role_path(worker.name, "args", "set", f"--{key}"),
                    "true",
                    "Set that instead",
                )


RULES = (_types, _false, _injected, _flag_only)
