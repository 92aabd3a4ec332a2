"""Checks a raw piece of a pod against the types of the Kubernetes client, as a strict API server would."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_PLAIN = {"str": (str, "a text"), "int": (int, "a whole number"), "bool": (bool, "true or false")}
_LIST, _MAPPING = re.compile(r"list\[(.+)\]"), re.compile(r"dict\[str, (.+)\]")

Path = tuple[str | int, ...]


class Mistake(NamedTuple):
    """`inside` leads from the checked value to the mistake; `accepted` says what belongs there."""

    inside: Path
    accepted: str


def mistakes(value: object, kind: str, inside: Path = ()) -> Iterator[Mistake]:
    """Unknown keys, missing ones and values of another type, below `value` of the client's type `kind`."""
    if kind in _PLAIN:
        plain, accepted = _PLAIN[kind]
        if not isinstance(value, plain) or (plain is int and isinstance(value, bool)):
            yield Mistake(inside, accepted)
    elif items := _LIST.fullmatch(kind):
        yield from _of_items(value, items.group(1), inside)
    elif values := _MAPPING.fullmatch(kind):
        yield from _of_values(value, values.group(1), inside)
    elif kind != "object":
        yield from _of_model(value, kind, inside)


def _of_items(value: object, kind: str, inside: Path) -> Iterator[Mistake]:
    if not isinstance(value, list):
        yield Mistake(inside, "a list")
        return
    for index, inner in enumerate(value):
        yield from mistakes(inner, kind, (*inside, index))


def _of_values(value: object, kind: str, inside: Path) -> Iterator[Mistake]:
    if not isinstance(value, Mapping):
        yield Mistake(inside, "a mapping")
        return
    for key, inner in value.items():
        yield from mistakes(inner, kind, (*inside, str(key)))


def _of_model(value: object, kind: str, inside: Path) -> Iterator[Mistake]:
    # Only here: the client takes most of a second to load, and few stacks hold a raw piece of a pod.
    from kubernetes.client import models

    model = getattr(models, kind)
    kinds = {key: model.openapi_types[name] for name, key in model.attribute_map.items()}
    if not isinstance(value, Mapping):
        yield Mistake(inside, f"a mapping with the keys {', '.join(kinds)}")
        return
    for key, inner in value.items():
        if key in kinds:
            yield from mistakes(inner, kinds[key], (*inside, key))
        else:
            yield Mistake((*inside, str(key)), f"the keys {', '.join(kinds)}")
    for name, key in model.attribute_map.items():
        if key not in value and _required(model, name):
            yield Mistake((*inside, key), "a value, since it is required")


def _required(model: type, name: str) -> bool:
    """Whether the client's model refuses to be without `name`."""
    from kubernetes.client import Configuration

    lenient = Configuration()
    lenient.client_side_validation = False
    instance = model(local_vars_configuration=lenient)
    instance.local_vars_configuration = Configuration()
    try:
        setattr(instance, name, None)
    except ValueError:
        return True
    return False
