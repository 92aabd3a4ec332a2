"""Quantities as the API server gives them back, by apimachinery's rules, written by hand."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from settings.quantity import amount, canonical

CANONICAL = [
    ("3000Gi", "3000Gi"),  # 3000 is no multiple of 1024
    ("3072Gi", "3Ti"),
    ("1024Gi", "1Ti"),
    ("1048576Mi", "1Ti"),
    ("1.5Ti", "1536Gi"),
    ("0.5Gi", "512Mi"),
    ("2.0Ti", "2Ti"),
    ("1.5Ki", "1536"),
    ("1Ki", "1Ki"),
    ("0.5Ki", "512"),  # below 1024 binary and decimal are the same, and decimal is chosen
    ("1000Ki", "1000Ki"),
    ("1025Ki", "1025Ki"),
    ("0.0001Ki", "102400u"),
    ("0Gi", "0"),
    ("1000M", "1G"),
    ("1024M", "1024M"),
    ("3000G", "3T"),
    ("1.5G", "1500M"),
    ("4000000M", "4T"),
    ("1000", "1k"),
    ("16", "16"),
    ("0.5", "500m"),
    (".5", "500m"),
    ("5.", "5"),
    ("1500m", "1500m"),
    ("2000m", "2"),
    ("0.0005", "500u"),
    ("0.1n", "1n"),  # the smallest unit; what is less is rounded up
    ("007", "7"),
    ("0", "0"),
    ("1000E", "1000E"),
]
REFUSED = [
    "",
    "Gi",
    "3000GB",
    "3 Ti",
    " 3Ti",
    "3Ti\n",
    "3ti",
    "3K",
    "3KI",
    "-3Ti",
    "1,5Ti",
    "0x3",
    "1_000",
    "lots",
    "3Gii",
]
SUFFIXES = ["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]

NUMBERS = st.from_regex(r"[0-9]{1,6}(\.[0-9]{1,4})?", fullmatch=True)
NANO = Fraction(1, 10**9)


@pytest.mark.parametrize(("text", "expected"), CANONICAL, ids=[text for text, _ in CANONICAL])
def test_a_quantity_is_written_as_the_api_server_gives_it_back(text: str, expected: str) -> None:
    assert canonical(text) == expected, "every refresh would show a change"


@pytest.mark.parametrize("text", REFUSED, ids=repr)
def test_what_kubernetes_refuses_is_no_quantity(text: str) -> None:
    with pytest.raises(ValueError, match="is not a quantity"):
        canonical(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1Ki", 1024), ("1k", 1000), ("2Ti", 2 * 1024**4), ("2T", 2 * 10**12), ("100m", Fraction(1, 10))],
    ids=["1Ki", "1k", "2Ti", "2T", "100m"],
)
def test_binary_and_decimal_units_are_not_confused(text: str, value: Fraction) -> None:
    assert amount(text) == value


@settings(max_examples=60, deadline=None)
@given(NUMBERS, st.sampled_from(SUFFIXES))
def test_writing_a_quantity_canonically_keeps_its_amount(number: str, suffix: str) -> None:
    before, after = amount(number + suffix), amount(canonical(number + suffix))
    assert after == before or (before < after < before + NANO), (
        "only what is finer than nano is rounded, and up"
    )


@settings(max_examples=60, deadline=None)
@given(NUMBERS, st.sampled_from(SUFFIXES))
def test_the_canonical_form_is_its_own_canonical_form(number: str, suffix: str) -> None:
    once = canonical(number + suffix)
    assert canonical(once) == once


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 10**6), st.sampled_from([("Ki", "Mi"), ("Mi", "Gi"), ("Gi", "Ti"), ("Ti", "Pi")]))
def test_equal_amounts_in_binary_units_are_written_alike(number: int, units: tuple[str, str]) -> None:
    smaller, larger = units
    assert canonical(f"{number * 1024}{smaller}") == canonical(f"{number}{larger}")
