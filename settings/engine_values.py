"""The kinds of values that an engine takes: flags with their values, and keys of a config file."""

import math
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator

from settings.values import refuse

_FLAG = re.compile(r"--[a-z0-9]+(-[a-z0-9]+)*")
_LIKE_A_FLAG = re.compile(r"--|-[A-Za-z]")
_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FLAG_RULE = "a flag in its long form: '--', lower-case letters, digits and '-', without '=' and its value"

Value = Any  # Any: a flag's value may be JSON of any depth


def _flag(key: object, inside: tuple[str | int, ...]) -> str:
    if isinstance(key, str) and _FLAG.fullmatch(key):
        return key
    return refuse(
        _FLAG_RULE, "", shown=f"{key!r}, which the operator or the engine would not see", inside=inside
    )


def _set(value: object) -> dict[str, Value]:
    if not isinstance(value, Mapping):
        return refuse("a mapping of flags to values", "")
    return {_flag(key, (str(key),)): _flag_value(given, str(key)) for key, given in value.items()}


def _flag_value(value: object, key: str) -> Value:
    """The value as the recipes have it: text, a mapping for JSON, None for a flag without a value."""
    if value is None or value is True:
        return None
    if isinstance(value, int | float) and value is not False and math.isfinite(value):
        return str(value)
    if isinstance(value, str) and _LIKE_A_FLAG.match(value):
        refuse("a value that does not look like a flag itself", "", inside=(key,))
    if isinstance(value, str) or (isinstance(value, Mapping) and value):
        return value
    accepted = "a text, a number, a mapping (passed as JSON), or true for a flag without a value; args.remove drops one"
    return refuse(accepted, "true", inside=(key,))


def _remove(value: object) -> list[str]:
    if not isinstance(value, list):
        return refuse("a list of flags", "")
    return [_flag(flag, (index,)) for index, flag in enumerate(value)]


def _engine_config(value: object) -> dict[str, Value]:
    if not isinstance(value, Mapping):
        return refuse("a mapping of keys to values", "")
    for key, given in value.items():
        if not (isinstance(key, str) and _KEY.fullmatch(key)):
            rule = "a key as SGLang spells its flags, without '--': lower-case letters, digits and '-'"
            refuse(rule, "", shown="no key of SGLang", inside=(str(key),))
        if given is False:
            refuse(
                "true, another value, or null to take the key out; SGLang ignores false", "", inside=(key,)
            )
        if isinstance(given, float) and not math.isfinite(given):
            refuse("a finite number", "", inside=(key,))
    return dict(value)


FlagValues = Annotated[dict[str, Value], BeforeValidator(_set)]
Flags = Annotated[list[str], BeforeValidator(_remove)]
EngineConfig = Annotated[dict[str, Value], BeforeValidator(_engine_config)]
