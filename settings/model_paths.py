"""Walks the settings model by the keys that a stack file writes."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo


def group_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of the keys below a field, or None where it holds a value."""
    candidates = [field.annotation, *get_args(field.annotation)]
    return next((c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)), None)


def is_named(field: FieldInfo) -> bool:
    """Whether the keys below a field are names of the user's choice, each with a group of its own."""
    return group_of(field) is not None and get_origin(field.annotation) is dict


def keys_of(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def model_at(root: type[BaseModel], path: Sequence[str]) -> type[BaseModel]:
    """The group at `path`, which leads through groups only."""
    model, steps = root, list(path)
    while steps:
        field = _field(model, steps.pop(0))
        group = group_of(field)
        if group is None:
            raise LookupError(path)
        model = group
        if steps and is_named(field):
            steps.pop(0)
    return model


def field_at(root: type[BaseModel], path: Sequence[str]) -> FieldInfo:
    return _field(model_at(root, path[:-1]), path[-1])


def words_at(root: type[BaseModel], path: Sequence[str]) -> list[str]:
    """The words that a choice accepts; none for other values."""
    annotation = field_at(root, path).annotation
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return [str(member) for member in kind]
    return []


def value_at(values: Any, path: Sequence[str | int]) -> Any:  # Any: whatever the user wrote
    """What stands at `path`, or None where nothing does."""
    for part in path:
        if isinstance(part, int) and isinstance(values, Sequence) and part < len(values):
            values = values[part]
        else:
            values = values.get(part) if isinstance(values, Mapping) else None
    return values


def _field(model: type[BaseModel], key: str) -> FieldInfo:
    return next(field for name, field in model.model_fields.items() if (field.alias or name) == key)
