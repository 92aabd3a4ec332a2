"""Turns raw values into Settings, or into one Refusal that names every mistake at once."""

import json
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from recipes import Refusal, nearest
from settings.checks import problems
from settings.model import Settings
from settings.values import is_placeholder

_TOKEN = "hfToken"  # noqa: S105 - the name of a setting, not a token
_SHOWN = 80  # characters of a value that a message repeats
_TOKEN_WORD = re.compile(r"^hf_|(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{8,}")  # a whole value, or inside a longer one


def load_settings(values: Mapping[str, Any], stack: str) -> Settings:  # Any: whatever the user wrote
    """The settings of `stack` from its values, keyed without `kimi-k3:`; `hfToken` is none of them.

    Raises Refusal with every mistake: key, value given, what is accepted, next step.
    """
    known = [field.alias or name for name, field in Settings.model_fields.items()] + [_TOKEN]
    given = {key: value for key, value in values.items() if value is not None and key != _TOKEN}
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
    key = ".".join(path)
    if _TOKEN_WORD.search(value):
        yield (
            f"kimi-k3:{key} looks like a Hugging Face token, which would end up in state and manifests in clear text.\n"
            "Accepted: the token as the encrypted secret kimi-k3:hfToken, and nowhere else.\n"
            "Revoke it at Hugging Face if it was committed, and remove it from this setting."
        )
    if is_placeholder(value):
        yield (
            f"kimi-k3:{key} is still the placeholder {value!r}.\n"
            f"Accepted: your own value.\nSet it: make set STACK={stack} KEY={key}"
        )


def _problem(
    detail: ErrorDetails,
    given: Mapping[str, Any],  # Any: whatever the user wrote
    known: list[str],
    stack: str,
) -> str:
    """The text of one of pydantic's errors; empty where `_never_valid` has said it already."""
    path = [str(part) for part in detail["loc"]]
    key, kind = ".".join(path), detail["type"]
    value = _value_at(given, path)
    command = f"make set STACK={stack} KEY={key}"
    if kind == "extra_forbidden":
        return _unknown(path, known)
    if kind == "missing":
        return (
            f"kimi-k3:{key} is not set, and has no default.\nAccepted: {_accepted(path)}.\nSet it: {command}"
        )
    if isinstance(value, str) and (is_placeholder(value) or _TOKEN_WORD.search(value)):
        return ""
    if kind == "refused":
        context = detail["ctx"]
        return (
            f"kimi-k3:{key} is {context['shown'] or _shown(value)}.\nAccepted: {context['accepted']}.\n"
            f"For example: {command} VALUE={context['example']}"
        )
    return _of_wrong_type(path, value, kind, command)


def _of_wrong_type(path: list[str], value: object, kind: str, command: str) -> str:
    key = ".".join(path)
    if kind == "enum":
        words = _words(path)
        hint = nearest(str(value), words)
        example = next((word for word in words if hint.endswith(f" {word}?")), words[0])
        return (
            f"kimi-k3:{key} is {_shown(value)}.{hint}\nAccepted: {', '.join(words)}.\n"
            f"For example: {command} VALUE={example}"
        )
    keys = _keys(_model_at(path))
    return (
        f"kimi-k3:{key} is {_shown(value)}.\nAccepted: a mapping with the keys {', '.join(keys)}.\n"
        f"Set one of its keys instead: {command}.{keys[0]}"
    )


def _unknown(path: list[str], known: list[str]) -> str:
    accepted = known if len(path) == 1 else _keys(_model_at(path[:-1]))
    return (
        f"kimi-k3:{'.'.join(path)} is not a setting.{nearest(path[-1], accepted)}\n"
        f"Accepted{' in kimi-k3:' + '.'.join(path[:-1]) if path[:-1] else ''}: {', '.join(accepted)}.\n"
        "Correct the key, or remove it."
    )


def _shown(value: object) -> str:
    """How a value is written in a message: on one line, shortened."""
    text = repr(value) if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _value_at(values: Any, path: list[str]) -> Any:  # Any: whatever the user wrote
    for part in path:
        values = values.get(part) if isinstance(values, Mapping) else None
    return values


def _model_at(path: list[str]) -> type[BaseModel]:
    model: type[BaseModel] = Settings
    for part in path:
        annotation = next(f.annotation for n, f in model.model_fields.items() if (f.alias or n) == part)
        choices = [annotation, *get_args(annotation)]
        model = next(c for c in choices if isinstance(c, type) and issubclass(c, BaseModel))
    return model


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _accepted(path: list[str]) -> str:
    model = _model_at(path[:-1])
    description = next(f.description for n, f in model.model_fields.items() if (f.alias or n) == path[-1])
    if description is None:
        return f"a mapping with the keys {', '.join(_keys(_model_at(path)))}"
    words = _words(path)
    return ", ".join(words) if words else description[0].lower() + description[1:]


def _words(path: list[str]) -> list[str]:
    model = _model_at(path[:-1])
    annotation = next(f.annotation for n, f in model.model_fields.items() if (f.alias or n) == path[-1])
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return [str(member) for member in annotation]
    return []
