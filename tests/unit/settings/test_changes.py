"""`--set PATH=VALUE`: changes laid over a stack file for one look, in the syntax of `pulumi config set --path`."""

from pathlib import Path
from typing import Any

import pytest

from settings import Settings, read_stack_file
from settings.paths import apply, parse_path
from tests.unit.settings.stack_files import complete, refusal_of_file, stack_text, write


def _changed(folder: Path, *changes: str, **values: object) -> Settings:
    write(folder, stack_text(complete(values)))
    return read_stack_file(folder, "prod", changes)


PATHS: list[tuple[str, list[str | int]]] = [
    ("gpu", ["gpu"]),
    ("serving.image", ["serving", "image"]),
    ("a.b.c", ["a", "b", "c"]),
    ("a[0]", ["a", 0]),
    ("a[12].b", ["a", 12, "b"]),
    ("a[0][1]", ["a", 0, 1]),
    ('a["b.c"]', ["a", "b.c"]),
    ('["a.b"].c', ["a.b", "c"]),
    ('a["b\\"c"]', ["a", 'b"c']),
    ('a["[0]"]', ["a", "[0]"]),
    ('a[""]', ["a", ""]),
    ("with-dash_and9", ["with-dash_and9"]),
]


@pytest.mark.parametrize(("text", "steps"), PATHS, ids=[text for text, _ in PATHS])
def test_a_path_is_read_as_pulumi_reads_it(text: str, steps: list[str | int]) -> None:
    assert parse_path(text) == steps


NO_PATHS = ["", ".", ".a", "a.", "a..b", "a[", "a[]", "a[x]", "a[-1]", "[0]", "[0].a", 'a["b]', "a]b", 'a"b']


@pytest.mark.parametrize("text", NO_PATHS)
def test_what_is_no_path_is_refused(tmp_path: Path, text: str) -> None:
    assert refusal_of_file(tmp_path, stack_text(complete({})), f"{text}=x") == (
        f"{text!r} is not a path of a setting.\n"
        'Accepted: keys joined by dots, [0] for an item of a list, ["a.b"] for a key with dots.\n'
        "For example: modelCache.storageClassName"
    )


APPLIED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [  # Any: plain values of any kind
    ("a", {}, {"a": "new"}),
    ("a", {"a": {"b": 1}}, {"a": "new"}),
    ("a.b", {}, {"a": {"b": "new"}}),
    ("a.b", {"a": {"c": 1}}, {"a": {"c": 1, "b": "new"}}),
    ("a.b", {"a": None}, {"a": {"b": "new"}}),
    ("a[0]", {}, {"a": ["new"]}),
    ("a[0]", {"a": [1, 2]}, {"a": ["new", 2]}),
    ("a[2]", {"a": [1, 2]}, {"a": [1, 2, "new"]}),
    ("a[0].b", {}, {"a": [{"b": "new"}]}),
    ("a[1].b", {"a": [{"b": 1}, {"c": 2}]}, {"a": [{"b": 1}, {"c": 2, "b": "new"}]}),
    ('a["b.c"]', {}, {"a": {"b.c": "new"}}),
]


@pytest.mark.parametrize(
    ("path", "before", "after"), APPLIED, ids=[f"{row[0]}-in-{row[1]}" for row in APPLIED]
)
def test_a_value_is_put_where_its_path_leads(
    path: str, before: dict[str, Any], after: dict[str, Any]
) -> None:  # Any: as above
    apply(before, parse_path(path), "new")
    assert before == after


_NO_ROOM = (
    " with room for it.\nAccepted: a path through mappings and lists that are there or still empty.\n"
    "Look at the stack file for what stands there now."
)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("gpu.name", "gpu.name cannot be set: what stands before 'name' is not a mapping"),
        ("gpu[0]", "gpu[0] cannot be set: what stands before 0 is not a list"),
        ("modelCache[0]", "modelCache[0] cannot be set: what stands before 0 is not a list"),
        ("serving.a[1]", "serving.a[1] cannot be set: what stands before 1 is not a list"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path, path: str, message: str) -> None:
    assert refusal_of_file(tmp_path, stack_text(complete({})), f"{path}=x") == message + _NO_ROOM


def test_a_change_without_a_value_is_refused(tmp_path: Path) -> None:
    assert refusal_of_file(tmp_path, stack_text(complete({})), "serving.wait") == (
        "--set was given 'serving.wait'.\n"
        "Accepted: PATH=VALUE.\n"
        "For example: --set modelCache.storageClassName=shared-rwx"
    )


@pytest.mark.parametrize(
    "path", ["hfToken", "kimi-k3:hfToken", '["hfToken"]', "hfToken.secure", "hfToken[0]"]
)
def test_the_token_cannot_be_given_on_a_command_line(tmp_path: Path, path: str) -> None:
    assert refusal_of_file(tmp_path, stack_text(complete({})), f"{path}=something") == (
        "--set was given hfToken.\n"
        "Accepted: every other setting; commands that take --set need no token, and a command line is no place for "
        "one.\nLeave it out."
    )


def test_a_value_that_is_not_yaml_is_refused_with_its_path(tmp_path: Path) -> None:
    assert refusal_of_file(tmp_path, stack_text(complete({})), "serving={wait: true") == (
        "The value of --set serving is not valid YAML (line 1): expected ',' or '}', but got '<stream end>'.\n"
        "Mend that line and run the command again."
    )


def test_changes_are_checked_as_if_they_stood_in_the_file(tmp_path: Path) -> None:
    assert refusal_of_file(tmp_path, stack_text(complete({})), "gpu=gb400") == (
        "kimi-k3:gpu is 'gb400'. Did you mean gb300?\n"
        "Accepted: h200, gb200, gb300.\n"
        "For example: make set STACK=prod KEY=gpu VALUE=gb300"
    )


def test_changes_fill_placeholders(tmp_path: Path) -> None:
    placeholders = {"modelCache.storageClassName": "<class>", "cluster.context": "<context>"}
    write(tmp_path, stack_text(complete(placeholders)))
    settings = read_stack_file(tmp_path, "prod", ["modelCache.storageClassName=fast", "cluster.context=lab"])
    assert settings.cluster is not None
    assert (settings.model_cache.storage_class_name, settings.cluster.context) == ("fast", "lab")


def test_top_level_keys_and_the_namespace_prefix_are_understood(tmp_path: Path) -> None:
    settings = _changed(tmp_path, "framework=sglang", "kimi-k3:gpu=gb300", "kimi-k3:topology=disagg")
    assert settings.target.name == "sglang-gb300-disagg"


@pytest.mark.parametrize(
    ("value", "meant"),
    [("false", False), ("true", True), ('"false"', False)],
    ids=["a-flag", "another-flag", "the-word-of-a-flag"],
)
def test_a_value_is_read_as_yaml(tmp_path: Path, value: str, meant: bool) -> None:
    assert _changed(tmp_path, f"serving.wait={value}").serving.wait is meant


def test_a_value_may_be_a_whole_group(tmp_path: Path) -> None:
    settings = _changed(tmp_path, "serving={wait: false, timeoutSeconds: 60}")
    assert (settings.serving.wait, settings.serving.timeout_seconds) == (False, 60)


def test_a_value_may_hold_an_equals_sign(tmp_path: Path) -> None:
    settings = _changed(tmp_path, "cluster.context=a=b")
    assert settings.cluster is not None
    assert settings.cluster.context == "a=b"


def test_the_last_change_counts(tmp_path: Path) -> None:
    assert _changed(tmp_path, "namespace.name=one", "namespace.name=two").namespace.name == "two"


@pytest.mark.parametrize("nothing", ["null", "~", ""])
def test_null_takes_a_top_level_key_out(tmp_path: Path, nothing: str) -> None:
    settings = _changed(tmp_path, f"cluster={nothing}", "render={}")
    assert settings.cluster is None
    assert settings.rendering


def test_an_encrypted_setting_may_be_laid_over(tmp_path: Path) -> None:
    write(tmp_path, stack_text(complete({"cluster": {"context": {"secure": "v1:x"}}})))
    settings = read_stack_file(tmp_path, "prod", ["cluster.context=prod"])
    assert settings.cluster is not None
    assert settings.cluster.context == "prod"


def test_a_change_leaves_the_file_alone(tmp_path: Path) -> None:
    _changed(tmp_path, "gpu=gb300")
    assert (tmp_path / "Pulumi.prod.yaml").read_text(encoding="utf-8") == stack_text(complete({}))
