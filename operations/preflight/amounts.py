"""Amounts of resources as whole thousandths, so that they add up exactly and fast."""

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from math import ceil

from settings.quantity import amount, canonical

Amounts = Mapping[str, int]
"""Thousandths of a unit or byte, by the name of the resource."""

CPU, MEMORY, DISK, GPU, PODS = "cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "pods"
RESOURCES = (GPU, CPU, MEMORY, DISK)
_THOUSAND = 1000
_KIBI = 1024
_IN_BYTES = (MEMORY, DISK, "storage")


@lru_cache(maxsize=10_000)  # of 50,000 pods most ask for the same
def thousandths(text: str) -> int:
    """A quantity as the API server writes it, an exponent included; 0 for what is none."""
    try:
        return ceil(amount(text) * _THOUSAND)
    except ValueError:
        return _with_exponent(text)


def _with_exponent(text: str) -> int:
    try:
        return ceil(Decimal(text) * _THOUSAND)
    except (InvalidOperation, OverflowError, ValueError):
        return 0


def amounts(quantities: object) -> dict[str, int]:
    """The requests, limits or allocatable of an object."""
    found = quantities if isinstance(quantities, Mapping) else {}
    return {str(name): thousandths(str(text)) for name, text in found.items()}


def total(parts: Iterable[Amounts]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in parts:
        for name, value in part.items():
            found[name] = found.get(name, 0) + value
    return found


def times(part: Amounts, number: int) -> dict[str, int]:
    return {name: value * number for name, value in part.items()}


def most(parts: Iterable[Amounts]) -> dict[str, int]:
    """The largest of each."""
    found: dict[str, int] = {}
    for part in parts:
        for name, value in part.items():
            found[name] = max(found.get(name, 0), value)
    return found


def shown(name: str, value: int) -> str:
    """An amount as people write it: `4`, `700Gi`, `1500m`."""
    if name.rsplit("/", 1)[-1].removeprefix("requests.").removeprefix("limits.") in _IN_BYTES:
        return _in_binary(value // _THOUSAND)
    return canonical(f"{value}m")


def _in_binary(value: int) -> str:
    """Bytes in Gi, or in a smaller unit where that is less than one, with one decimal at most."""
    for suffix, power in (("Gi", 3), ("Mi", 2), ("Ki", 1)):
        if value >= _KIBI**power:
            return f"{value / _KIBI**power:.1f}".removesuffix(".0") + suffix
    return str(value)


def all_shown(found: Amounts) -> str:
    """`4 nvidia.com/gpu, 16 cpu, 700Gi memory`."""
    names = [*(name for name in RESOURCES if name in found), *sorted(set(found) - set(RESOURCES))]
    return ", ".join(f"{shown(name, found[name])} {name}" for name in names)
