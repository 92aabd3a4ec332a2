"""What the settings tests start from: a complete stack, changes laid over it, and the refusal that they lead to."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from manifests import refuse_mistakes, stack_manifests
from recipes import Refusal
from settings import Settings, load_settings, read_stack_file

Values = dict[str, Any]  # Any: whatever a user might write
GONE = object()  # takes a key out


def complete(changes: Mapping[str, object]) -> Values:
    """A stack that passes, with `changes` by dotted key."""
    values: Values = {
        "framework": "vllm",
        "gpu": "gb200",
        "topology": "agg",
        "modelCache": {"storageClassName": "shared-rwx"},
        "cluster": {"context": "prod"},
    }
    for key, value in changes.items():
        group, _, inner = key.partition(".")
        place = values.setdefault(group, {}) if inner else values
        if value is GONE:
            del place[inner or group]
        else:
            place[inner or group] = value
    return values


def overridden(target: str, changes: Mapping[str, Any]) -> Values:  # Any: whatever a user might write
    """A complete stack of `target` with `changes` by dotted path, however deep."""
    framework, gpu, topology = target.split("-")
    values = complete({"framework": framework, "gpu": gpu, "topology": topology})
    for path, value in changes.items():
        *groups, key = path.split(".")
        place = values
        for step in groups:
            place = place.setdefault(step, {})
        place[key] = value
    return values


def stack_text(values: Mapping[str, object]) -> str:
    """A stack file with these values; JSON is YAML, and says which values are texts."""
    return json.dumps({"config": {f"kimi-k3:{key}": value for key, value in values.items()}}, indent=2)


def write(folder: Path, text: str, stack: str = "prod") -> None:
    (folder / f"Pulumi.{stack}.yaml").write_text(text, encoding="utf-8")


def read(folder: Path, values: Mapping[str, object], stack: str = "prod") -> Settings:
    """The settings that a stack file with `values` gives, which are those that the values themselves give."""
    write(folder, stack_text(values), stack)
    settings = read_stack_file(folder, stack)
    assert settings == load_settings(values, stack), "the engine would see other settings than `render`"
    refuse_mistakes(stack_manifests(settings), stack)
    return settings


def refusal(folder: Path, values: Mapping[str, object], stack: str = "prod") -> str:
    """The message for a stack file with `values`; the engine's values lead to the same one."""
    write(folder, stack_text(values), stack)
    with pytest.raises(Refusal) as from_file:
        refuse_mistakes(stack_manifests(read_stack_file(folder, stack)), stack)
    with pytest.raises(Refusal) as from_values:
        refuse_mistakes(stack_manifests(load_settings(values, stack)), stack)
    assert str(from_file.value) == str(from_values.value), "the engine would say something else than `render`"
    return str(from_file.value)


def refusal_of_file(folder: Path, text: str, *changes: str, stack: str = "prod") -> str:
    """The message for a stack file with exactly this text, and `--set` changes over it."""
    write(folder, text, stack)
    with pytest.raises(Refusal) as refused:
        read_stack_file(folder, stack, changes)
    return str(refused.value)
