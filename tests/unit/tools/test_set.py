"""`make set` for plain values: one change in the stack file, and comments, order and quotes as they were."""

import re
from pathlib import Path

import pytest

from tools.config_path import ConfigPath, parse_path
from tools.errors import ToolsError
from tools.set_command import Setting, set_config
from tools.stack_edit import parse_value, set_value
from tools.stack_file import read_mapping
from tools.stack_room import Request

FILE = """\
# vLLM on GB200
encryptionsalt: v1:abc=:def
config:
  kimi-k3:framework: vllm  # or sglang
  # Where the weights are.
  kimi-k3:modelCache:
    storageClassName: "REPLACE ME"  # a ReadWriteMany class
    size: 3000Gi
  kimi-k3:hfToken:
    secure: v1:ciphertext
  pulumi:disable-default-providers: [kubernetes]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "Pulumi.prod.yaml"
    path.write_text(FILE)
    return path


def set_to(path: Path, key: str, value: str) -> None:
    set_config(Request("set", "prod", path.parent), Setting(key, value, secret=False))


def test_only_the_line_of_the_value_changes(file: Path) -> None:
    set_to(file, "modelCache.storageClassName", "fast-rwx")
    assert spaced(file.read_text()) == spaced(FILE.replace("REPLACE ME", "fast-rwx"))


def spaced(text: str) -> str:
    """The comment behind a value keeps its column, not its distance."""
    return re.sub(" +#", " #", text)


def test_lists_and_mappings_keep_the_indent_that_the_file_has(file: Path) -> None:
    for listed in ("    - kubernetes\n    - aws\n", "  - kubernetes\n  - aws\n"):
        wide = "config:\n  pulumi:disable-default-providers:\n" + listed + "  kimi-k3:gpu: h200\n"
        file.write_text(wide)
        set_to(file, "gpu", "gb200")
        assert file.read_text() == wide.replace("h200", "gb200")


@pytest.mark.parametrize("key", ["framework", "kimi-k3:framework", '["framework"]'])
def test_the_namespace_of_the_project_may_be_left_out(file: Path, key: str) -> None:
    set_to(file, key, "sglang")
    assert read_mapping(file)["config"]["kimi-k3:framework"] == "sglang"


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("serving.deploy", "false", {"kimi-k3:serving": {"deploy": False}}),
        ("serving.image", "yes", {"kimi-k3:serving": {"image": "yes"}}),
        ("serving.timeoutSeconds", "7200", {"kimi-k3:serving": {"timeoutSeconds": 7200}}),
        (
            "namespace",
            "{name: team, create: false}",
            {"kimi-k3:namespace": {"name": "team", "create": False}},
        ),
        ("a.b[0].c", "x", {"kimi-k3:a": {"b": [{"c": "x"}]}}),
        ('labels["example.com/team"]', "x", {"kimi-k3:labels": {"example.com/team": "x"}}),
        (
            "pulumi:disable-default-providers[1]",
            "aws",
            {"pulumi:disable-default-providers": ["kubernetes", "aws"]},
        ),
    ],
)
def test_values_are_read_as_yaml_and_missing_places_are_made(
    file: Path, key: str, value: str, expected: dict[str, object]
) -> None:
    set_to(file, key, value)
    config = read_mapping(file)["config"]
    assert {name: config[name] for name in expected} == expected


def test_a_stack_file_without_config_gets_one(file: Path) -> None:
    file.write_text("# nothing yet\n")
    set_value(file, ConfigPath("kimi-k3:gpu", ()), "h200")
    assert read_mapping(file) == {"config": {"kimi-k3:gpu": "h200"}}


def test_a_value_that_is_not_given_is_read_from_stdin(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    monkeypatch.setattr("sys.stdin.read", lambda: "sglang\n", raising=False)
    set_config(Request("set", "prod", file.parent), Setting("framework", None, secret=False))
    assert read_mapping(file)["config"]["kimi-k3:framework"] == "sglang"


UNREADABLE = (
    "KEY={key!r} cannot be read as a path. Accepted: names joined by dots, [0] for a list, "
    '["a.b"] for a name with a dot, with or without `kimi-k3:` before it.\n'
    "For example: KEY=modelCache.storageClassName"
)
REFUSALS = [
    ("", "x", UNREADABLE),
    ("a..b", "x", UNREADABLE),
    (".a", "x", UNREADABLE),
    ("a.", "x", UNREADABLE),
    ("[0]", "x", UNREADABLE),
    ("a[b]", "x", UNREADABLE),
    ("a[0]b", "x", UNREADABLE),
    (":a", "x", UNREADABLE),
    ("gpu", "", "The value for kimi-k3:gpu is empty: nothing was set. An empty text is VALUE=\"''\"."),
    (
        "gpu",
        "[h200",
        (
            "VALUE='[h200' is not YAML: expected ',' or ']', but got '<stream end>'.\n"
            "Put quotes inside the quotes of the shell to make it a text: VALUE='\"...\"'"
        ),
    ),
    (
        "framework.name",
        "x",
        (
            "kimi-k3:framework is 'vllm' in the stack file, not a mapping, so there is no 'name' in it.\n"
            "Set kimi-k3:framework itself, or correct KEY."
        ),
    ),
    (
        "pulumi:disable-default-providers[3]",
        "x",
        "pulumi:disable-default-providers has 1 entries. Accepted: an index from 0 to 1, got 3.",
    ),
]


@pytest.mark.parametrize(("key", "value", "words"), REFUSALS)
def test_a_key_or_value_that_cannot_be_set_is_refused_and_the_file_stays(
    file: Path, key: str, value: str, words: str
) -> None:
    with pytest.raises(ToolsError) as refusal:
        set_to(file, key, value)
    assert str(refusal.value) == words.format(key=key)
    assert file.read_text() == FILE
    assert list(file.parent.iterdir()) == [file]


def test_a_secret_is_not_overwritten_by_a_plain_value(file: Path) -> None:
    with pytest.raises(ToolsError) as refusal:
        set_value(file, parse_path("kimi-k3:hfToken"), "plain")
    assert str(refusal.value) == (
        "kimi-k3:hfToken is a secret in the stack file. To replace it by another one, add SECRET=1."
    )


def test_an_unknown_stack_is_refused(file: Path) -> None:
    with pytest.raises(ToolsError, match="No stack 'none'"):
        set_config(Request("set", "none", file.parent), Setting("gpu", "h200", secret=False))


def test_words_stay_words_and_numbers_numbers() -> None:
    assert [parse_value(text) for text in ("on", "true", "0o17", "3000Gi", "'1'", "null")] == [
        "on",
        True,
        15,
        "3000Gi",
        "1",
        None,
    ]
