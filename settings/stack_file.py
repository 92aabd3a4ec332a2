"""Reads a stack file as the engine does, and lays `PATH=VALUE` changes over it."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from recipes import Refusal, nearest
from recipes.yaml12 import read_yaml
from settings.loading import load_settings
from settings.model import Settings
from settings.paths import apply, parse_path
from settings.token import plaintext_token

_NAMESPACE = "kimi-k3:"
_TOKEN = "hfToken"  # noqa: S105 - the name of a setting, not a token


def read_stack_file(folder: Path, stack: str, changes: Iterable[str] = ()) -> Settings:
    """The settings of `Pulumi.<stack>.yaml` in `folder`, with `changes` (PATH=VALUE) applied before validation.

    Neither needs nor decrypts the token. Raises Refusal for a missing file, a token in clear text, or any mistake in
    the settings.
    """
    values = _own_values(folder, stack)
    token = values.pop(_TOKEN, None)
    if token not in (None, "") and not _is_secret(token):
        raise Refusal(plaintext_token(stack))
    for change in changes:
        _apply_change(values, change)
    encrypted = [key for key, value in values.items() if _holds_secret(value)]
    if encrypted:
        raise Refusal(*(encrypted_setting(key) for key in encrypted))
    return load_settings({key: _as_engine(value) for key, value in values.items()}, stack)


def stack_names(folder: Path) -> list[str]:
    """Stacks with a file in `folder`, sorted."""
    return sorted(
        path.name.removeprefix("Pulumi.").removesuffix(".yaml") for path in folder.glob("Pulumi.*.yaml")
    )


def encrypted_setting(key: str) -> str:
    """The refusal of an encrypted value where a plain one belongs."""
    return (
        f"kimi-k3:{key} is encrypted.\n"
        "Accepted: plain values; only kimi-k3:hfToken is a secret.\n"
        "Set it again without --secret, so that reviewers can read it."
    )


def _own_values(folder: Path, stack: str) -> dict[str, Any]:  # Any: whatever the user wrote
    path, names = folder / f"Pulumi.{stack}.yaml", stack_names(folder)
    if stack not in names:
        raise Refusal(
            f"There is no stack {stack}: {path.name} is missing.{nearest(stack, names)}\n"
            f"Stack files here: {', '.join(names) or 'none'}.\nName one of these, or write {path.name} first."
        )
    document = read_yaml(_text(path), path.name)
    config = (document or {}).get("config") if isinstance(document or {}, Mapping) else None
    if not isinstance(config, Mapping):
        raise Refusal(
            f"{path.name} has no mapping `config`.\nAccepted: `config:` with kimi-k3: keys below it.\nAdd it."
        )
    return {
        str(key)[len(_NAMESPACE) :]: value for key, value in config.items() if str(key).startswith(_NAMESPACE)
    }


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Refusal(
            f"{path.name} is not text in UTF-8.\nAccepted: YAML in UTF-8.\nSave it in that encoding."
        ) from None


def _apply_change(values: dict[str, Any], change: str) -> None:  # Any: whatever the user wrote
    text, separator, value = change.partition("=")
    if not separator:
        raise Refusal(
            f"--set was given {change!r}.\nAccepted: PATH=VALUE.\n"
            "For example: --set modelCache.storageClassName=shared-rwx"
        )
    path = parse_path(text.removeprefix(_NAMESPACE))
    if path[0] == _TOKEN:
        raise Refusal(
            "--set was given hfToken.\nAccepted: every other setting; commands that take --set need no token, and a "
            "command line is no place for one.\nLeave it out."
        )
    apply(values, path, read_yaml(value, f"The value of --set {text}"))


def _is_secret(value: object) -> bool:
    return isinstance(value, Mapping) and list(value) == ["secure"] and isinstance(value["secure"], str)


def _holds_secret(value: object) -> bool:
    if isinstance(value, Mapping):
        return _is_secret(value) or any(_holds_secret(inner) for inner in value.values())
    return isinstance(value, list) and any(_holds_secret(inner) for inner in value)


def _as_engine(value: object) -> object:
    """A top-level value as the engine hands it over: mappings as they are, scalars as their text."""
    if value is None or isinstance(value, str | Mapping):
        return value
    return json.dumps(value, default=str)
