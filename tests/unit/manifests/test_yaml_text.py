"""Whatever text goes in comes out again, for YAML 1.1 readers (kubectl, the provider) and 1.2 readers alike."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from manifests.yaml_text import yaml_stream, yaml_text

WORDS = [
    "y", "n", "Y", "N", "yes", "No", "on", "OFF", "true", "False", "null", "~", "", "1e3", "1E3", "0o17",
    "017", "0x1F", "12:30", "1:30:45", "1_000", ".5", ".5e1", "-.5", "+1", "-1", "1.", ".inf", "-.Inf",
    ".NaN", "2024-01-01", "=", "<<", "- a", "a: b", "# a", "a #b", "*", "&a", "!a", "%a", "@a", "`a", "'",
    '"', "{a}", "[a]", "|", ">", " a", "a ", "a\nb", "a\n", "\n", "expandable_segments:True", "tcp://*:20081",
    "0b11", "1e", "1.5.0",
]  # fmt: skip


def _both(text: str) -> tuple[object, object]:
    return yaml.safe_load(text), YAML(typ="safe", pure=True).load(text)


@pytest.mark.parametrize("word", WORDS, ids=[repr(word) for word in WORDS])
def test_a_text_that_looks_like_something_else_stays_text_for_both_readers(word: str) -> None:
    document = {"value": word, "list": [word], "nested": {word or "empty": word}}
    assert _both(yaml_text(document)) == (document, document)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="yYnNoOfFtrue 0123456789.eExXbB_:+-~=<>#&*!|'\"%@`{}[],?\\\n/$", max_size=8))
def test_any_text_means_the_same_to_both_readers(text: str) -> None:
    assert _both(yaml_text({"value": text})) == ({"value": text}, {"value": text})


@pytest.mark.parametrize("value", [True, False, 0, -3, 1048576, 0.88, 0.9, None], ids=repr)
def test_what_is_no_text_is_not_quoted(value: object) -> None:
    for found in _both(yaml_text({"value": value})):
        assert found == {"value": value}
        assert type(found["value"]) is type(value), "an engine would read a word instead of a number or flag"


def test_keys_keep_their_order_and_nothing_is_shared_by_anchors() -> None:
    shared = ["x"]
    assert yaml_text({"b": shared, "a": shared}) == "b:\n  - x\na:\n  - x\n"


def test_a_script_is_readable_in_a_review() -> None:
    assert (
        yaml_text({"args": ["set -eux\nhf download a\n"]})
        == "args:\n  - |\n    set -eux\n    hf download a\n"
    )


def test_documents_are_parted_and_nothing_stands_before_the_first() -> None:
    assert yaml_stream([{"a": 1}, {"b": "y"}]) == 'a: 1\n---\nb: "y"\n'
