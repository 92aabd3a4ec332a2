"""YAML 1.2 as the engine reads it, and the texts of what it refuses."""

import pytest

from recipes import Refusal, nearest
from recipes.refusals import redact
from recipes.yaml12 import read_yaml

WORDS = ["yes", "no", "on", "off", "y", "n", "Yes", "NO", "12:30:45", "0o9"]
VALUES = [
    ("true", True),
    ("false", False),
    ("null", None),
    ("~", None),
    ("017", 17),
    ("0o17", 15),
    ("1e3", 1000.0),
]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_that_only_yaml_1_1_takes_for_something_else_stays_a_word(word: str) -> None:
    assert read_yaml(f"wait: {word}", "file") == {"wait": word}


@pytest.mark.parametrize(("text", "value"), VALUES, ids=[text for text, _ in VALUES])
def test_values_of_yaml_1_2_are_read_as_such(text: str, value: object) -> None:
    found = read_yaml(f"value: {text}", "file")["value"]
    assert (found, type(found)) == (value, type(value))


NOT_YAML = [
    pytest.param(
        "a: 1\nb: 2\na: secret-word\n",
        "Pulumi.x.yaml is not valid YAML (line 3): a key stands twice.\n"
        "Mend that line and run the command again.",
        id="duplicate-key",
    ),
    pytest.param(
        "a: {b: secret-word\n",
        "Pulumi.x.yaml is not valid YAML (line 2): expected ',' or '}', but got '<stream end>'.\n"
        "Mend that line and run the command again.",
        id="open-brace",
    ),
    pytest.param(
        "a: secret-word\n\tb: 1\n",
        "Pulumi.x.yaml is not valid YAML (line 2): found character '\\t' that cannot start any token.\n"
        "Mend that line and run the command again.",
        id="tab",
    ),
    pytest.param(
        "a: 1\n---\nb: secret-word\n",
        "Pulumi.x.yaml is not valid YAML (line 2): but found another document.\n"
        "Mend that line and run the command again.",
        id="second-document",
    ),
    pytest.param(
        "a: 2024-13-45\n",
        "Pulumi.x.yaml is not valid YAML: it cannot be read.\nMend that line and run the command again.",
        id="a-date-of-no-calendar",
    ),
    pytest.param(
        "a: !!python/object:os.system secret-word\n",
        "Pulumi.x.yaml is not valid YAML (line 1): could not determine a constructor for the tag "
        "'tag:yaml.org,2002:python/object:os.system'.\nMend that line and run the command again.",
        id="a-tag-that-would-run-code",
    ),
]


@pytest.mark.parametrize(("text", "message"), NOT_YAML)
def test_what_is_not_yaml_is_refused_with_its_line_and_without_its_values(text: str, message: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_yaml(text, "Pulumi.x.yaml")
    assert str(refused.value) == message
    assert "secret-word" not in str(refused.value)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("topolgy", " Did you mean topology?"),
        ("TOPOLOGY", " Did you mean topology?"),
        ("modelcache", " Did you mean modelCache?"),
        ("replicas", ""),
    ],
)
def test_the_nearest_known_word_is_named_only_when_it_is_near(word: str, hint: str) -> None:
    assert nearest(word, ["topology", "modelCache", "gpu"]) == hint


def test_no_refusal_repeats_what_looks_like_a_token() -> None:
    assert redact("a hf_abcDEF-1_2, and more") == "a hf_***, and more"
    refusal = Refusal("first hf_abc", "second hf_def")
    assert (str(refusal), refusal.problems) == (
        "first hf_***\n\nsecond hf_***",
        ("first hf_***", "second hf_***"),
    )
    assert "hf_abc" not in repr(refusal)


def test_the_secrets_usual_name_is_not_taken_for_a_token() -> None:
    assert redact("hf-token-secret") == "hf-token-secret"
