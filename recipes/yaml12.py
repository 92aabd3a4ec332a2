"""Reads YAML by the rules of YAML 1.2, as Pulumi's engine does: `yes` is a word, and a key stands once."""

from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import YAMLError

from recipes.refusals import Refusal


def read_yaml(
    text: str, source: str
) -> Any:  # Any: what a YAML document holds is checked by whoever asked for it
    """The one document in `text`; raises Refusal with the line, but never its content, when it is not YAML."""
    try:
        return YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError) as error:  # ValueError: a date that no calendar has
        mark = getattr(error, "problem_mark", None)
        line = f" (line {mark.line + 1})" if mark else ""
        raise Refusal(
            f"{source} is not valid YAML{line}: {_problem(error)}.\nMend that line and run the command again."
        ) from None


def _problem(error: Exception) -> str:
    if isinstance(error, DuplicateKeyError):
        return "a key stands twice"  # the library's own words repeat both values
    return getattr(error, "problem", None) or "it cannot be read"
