"""Turns raw values into Settings, or into one Refusal that names every mistake at once."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from recipes import Refusal, nearest
from settings.checks import problems
from settings.model import Settings
from settings.model_paths import field_at, keys_of, model_at, value_at, words_at
from settings.paths import path_text, set_command
from settings.values import is_placeholder

_TOKEN = "hfToken"  # noqa: S105 - the name of a setting, not a token
_SHOWN = 80  # characters of a value that a message repeats
_TOKEN_WORD = re.compile(r"^hf_|(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{8,}")  # a whole value, or inside a longer one


def load_settings(values: Mapping[str, Any], stack: str) -> Settings:  # Any: whatever the user wrote
    """The settings of `stack` from its values, keyed without `kimi-k3:`; `hfToken` is none of them.

    Raises Refusal with every mistake: key, value given, what is accepted, next step.
    """
    known = [field.alias or name for name, field in Settings.model_fields.items()] + [_TOKEN]
    given = {key: _sorted(value) for key, value in values.items() if value is not None and key != _TOKEN}
    given.setdefault("modelCache", {})  # so that the message names the key that is missing inside
    if isinstance(given.get("render"), Mapping):
        given["render"] = {"directory": f"rendered/{stack}", **given["render"]}
    found = [text for path, value in _texts(given, ()) for text in _never_valid(path, value, stack)]
    try:
        settings = Settings.model_validate(given)
    except ValidationError as error:
        details = error.errors(include_url=False)
        found += [text for detail in details if (text := _problem(detail, given, known, stack))]
        raise Refusal(*found) from None
    found += problems(settings, stack) if not _unpublished(settings, found) else []
    if found:
        raise Refusal(*found)
    return settings


def _sorted(value: Any) -> Any:  # Any: whatever the user wrote
    """`value` with its keys as sorted texts, as the engine hands mappings over: their order is that of args and env."""
    if isinstance(value, Mapping):
        return {str(key): _sorted(value[key]) for key in sorted(value, key=str)}
    return [_sorted(inner) for inner in value] if isinstance(value, list) else value


def _unpublished(settings: Settings, found: list[str]) -> bool:
    """Whether no target is published for these settings; says so in `found`."""
    try:
        return not settings.target
    except Refusal as refusal:
        found.extend(refusal.problems)
        return True


def _texts(value: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text in the given values, with the keys that lead to it."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, (*path, str(key)))
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, path)
    elif isinstance(value, str):
        yield path, value


def _never_valid(path: tuple[str, ...], value: str, stack: str) -> Iterator[str]:
    """Texts that no setting takes, however well they would pass for a name."""
    key = path_text(path)
    if _TOKEN_WORD.search(value):
        yield (
            f"kimi-k3:{key} looks like a Hugging Face token, which would end up in state and manifests in clear text.\n"
            "Accepted: the token as the encrypted secret kimi-k3:hfToken, and nowhere else.\n"
            "Revoke it at Hugging Face if it was committed, and remove it from this setting."
        )
    if is_placeholder(value):
        yield (
            f"kimi-k3:{key} is still the placeholder {value!r}.\n"
            f"Accepted: your own value.\nSet it: {set_command(stack, path)}"
        )


def _problem(
    detail: ErrorDetails,
    given: Mapping[str, Any],  # Any: whatever the user wrote
    known: list[str],
    stack: str,
) -> str:
    """The text of one of pydantic's errors; empty where `_never_valid` has said it already."""
    path, kind = [str(part) for part in detail["loc"]], detail["type"]
    value = value_at(given, detail["loc"])
    if kind == "extra_forbidden":
        return _unknown(path, known)
    if kind == "missing":
        return (
            f"kimi-k3:{path_text(path)} is not set, and has no default.\nAccepted: {_accepted(path)}.\n"
            f"Set it: {set_command(stack, path)}"
        )
    if isinstance(value, str) and (is_placeholder(value) or _TOKEN_WORD.search(value)):
        return ""
    if kind == "refused":
        return _refused(detail, given, stack)
    return _of_wrong_type(path, value, kind, stack)


def _refused(
    detail: ErrorDetails, given: Mapping[str, Any], stack: str
) -> str:  # Any: whatever the user wrote
    """The text of a value that one of our own kinds refuses."""
    context = detail["ctx"]
    path = [*detail["loc"], *context["inside"]]
    value = value_at(given, path)
    if isinstance(value, str) and _TOKEN_WORD.search(value):
        return ""
    example = context["example"]
    step = (
        f"For example: {set_command(stack, path, example)}"
        if example
        else f"Correct it in Pulumi.{stack}.yaml."
    )
    shown = context["shown"] or _shown(value)
    return f"kimi-k3:{path_text(path)} is {shown}.\nAccepted: {context['accepted']}.\n{step}"


def _of_wrong_type(path: list[str], value: object, kind: str, stack: str) -> str:
    words = words_at(Settings, path) if kind == "enum" else []
    if words:
        hint = nearest(str(value), words)
        example = next((word for word in words if hint.endswith(f" {word}?")), words[0])
        return (
            f"kimi-k3:{path_text(path)} is {_shown(value)}.{hint}\nAccepted: {', '.join(words)}.\n"
            f"For example: {set_command(stack, path, example)}"
        )
    keys = keys_of(model_at(Settings, path))
    return (
        f"kimi-k3:{path_text(path)} is {_shown(value)}.\nAccepted: a mapping with the keys {', '.join(keys)}.\n"
        f"Set one of its keys instead: {set_command(stack, [*path, keys[0]])}"
    )


def _unknown(path: list[str], known: list[str]) -> str:
    accepted = known if len(path) == 1 else keys_of(model_at(Settings, path[:-1]))
    return (
        f"kimi-k3:{path_text(path)} is not a setting.{nearest(path[-1], accepted)}\n"
        f"Accepted{' in kimi-k3:' + path_text(path[:-1]) if path[:-1] else ''}: {', '.join(accepted)}.\n"
        "Correct the key, or remove it."
    )


def _shown(value: object) -> str:
    """How a value is written in a message: on one line, shortened."""
    text = repr(value) if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _accepted(path: list[str]) -> str:
    description = field_at(Settings, path).description
    if description is None:
        return f"a mapping with the keys {', '.join(keys_of(model_at(Settings, path)))}"
    words = words_at(Settings, path)
    return ", ".join(words) if words else description[0].lower() + description[1:]
