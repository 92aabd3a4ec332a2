"""The base of all settings models."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Group(BaseModel):
    """Base of all settings: camelCase keys, frozen; errors never repeat what was given (it could be a secret)."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        hide_input_in_errors=True,
    )
