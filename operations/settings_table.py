"""The table of all settings, made from the settings model."""

from collections.abc import Iterator
from enum import StrEnum

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from settings import Settings
from settings.model_paths import group_of, is_named

# Not in the model: the token never is inside a group, nor in any settings object.
_TOKEN = (
    "hfToken",
    "none",
    "The Hugging Face token, as an encrypted secret; required with `source: config` on a cluster",
)


def settings_markdown() -> str:
    """A Markdown table: setting, default, what it does."""
    rows = ["| setting | default | what it does |", "| --- | --- | --- |"]
    rows += [f"| `{key}` | {default} | {text} |" for key, default, text in [*_rows(Settings, ""), _TOKEN]]
    return "\n".join(rows) + "\n"


def _rows(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, str, str]]:
    for name, field in model.model_fields.items():
        key = prefix + (field.alias or name)
        group = group_of(field)
        if group:
            yield from _rows(group, f"{key}.<component>." if is_named(field) else f"{key}.")
        else:
            yield key, _default(field), (field.description or "") + _choices(field)


def _default(field: FieldInfo) -> str:
    if field.default_factory is not None or field.default is None:
        return "none"
    if field.default is PydanticUndefined:
        return "required"
    return f"`{str(field.default).lower() if isinstance(field.default, bool) else field.default}`"


def _choices(field: FieldInfo) -> str:
    kind = field.annotation
    if isinstance(kind, type) and issubclass(kind, StrEnum) and field.default is PydanticUndefined:
        return ": " + ", ".join(f"`{member}`" for member in kind)
    return ""
