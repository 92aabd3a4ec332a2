"""Kubernetes quantities in their canonical form, as the API server gives them back.

Source: k8s.io/apimachinery/pkg/api/resource, `Quantity.String`: 3072Gi reads back as 3Ti and 0.5 as 500m, which would
show as a change after every refresh.
"""

import re
from fractions import Fraction
from math import ceil

_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_KIBI = 1024
_PATTERN = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E)?")


def amount(text: str) -> Fraction:
    """The exact value of a quantity, in units or bytes; raises ValueError when Kubernetes would refuse it."""
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a quantity")
    number, suffix = Fraction(match.group(1)), match.group(2) or ""
    if suffix in _BINARY:
        return number * _power(_KIBI, _BINARY[suffix])
    return number * _power(10, _DECIMAL[suffix])


def canonical(text: str) -> str:
    """`text` as the API server would write it; raises ValueError when Kubernetes would refuse it."""
    value = amount(text)
    if text.endswith("i") and value >= _KIBI and value.denominator == 1:
        return _in_binary(value.numerator)
    return _in_decimal(value)


def _power(base: int, exponent: int) -> Fraction:
    return Fraction(base**exponent) if exponent >= 0 else Fraction(1, base**-exponent)


def _in_binary(value: int) -> str:
    for suffix, power in reversed(_BINARY.items()):
        if value % 1024**power == 0:
            return f"{value // 1024**power}{suffix}"
    return str(value)


def _in_decimal(value: Fraction) -> str:
    value = Fraction(
        ceil(value * 10**9), 10**9
    )  # nano is the smallest unit; what is less is rounded up to it
    for suffix, power in reversed(_DECIMAL.items()):
        scaled = value / _power(10, power)
        if value and scaled.denominator == 1:
            return f"{scaled}{suffix}"
    return "0"
