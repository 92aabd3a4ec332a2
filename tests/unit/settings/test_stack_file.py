"""Reading a stack file as the engine does, and what is refused in one before any setting is looked at."""

import json
from pathlib import Path

import pytest

from recipes import Refusal
from settings import read_stack_file
from settings.stack_file import stack_names
from tests.unit.settings.stack_files import complete, refusal_of_file, stack_text, write

PLAIN = """\
config:
  pulumi:disable-default-providers: [kubernetes]
  aws:region: us-east-1
  kimi-k3:framework: vllm
  kimi-k3:gpu: gb200
  kimi-k3:topology: agg
  kimi-k3:modelCache: {storageClassName: shared-rwx}
  kimi-k3:cluster: {context: prod}
"""
_NO_CONFIG = (
    "Pulumi.prod.yaml has no mapping `config`.\nAccepted: `config:` with kimi-k3: keys below it.\nAdd it."
)
_MEND = "Mend that line and run the command again."

FILES = [
    pytest.param("", _NO_CONFIG, id="empty"),
    pytest.param("# nothing yet\n", _NO_CONFIG, id="only-a-comment"),
    pytest.param("encryptionsalt: v1:x\n", _NO_CONFIG, id="no-config"),
    pytest.param("config:\n", _NO_CONFIG, id="empty-config"),
    pytest.param("config: vllm\n", _NO_CONFIG, id="config-is-a-word"),
    pytest.param("- config\n", _NO_CONFIG, id="a-list"),
    pytest.param("vllm\n", _NO_CONFIG, id="a-word"),
    pytest.param(
        f"{PLAIN}  kimi-k3:gpu: gb300\n",
        f"Pulumi.prod.yaml is not valid YAML (line 9): a key stands twice.\n{_MEND}",
        id="a-key-stands-twice",
    ),
    pytest.param(
        f"{PLAIN}  kimi-k3:serving: {{wait: true, wait: false}}\n",
        f"Pulumi.prod.yaml is not valid YAML (line 9): a key stands twice.\n{_MEND}",
        id="an-inner-key-stands-twice",
    ),
    pytest.param(
        f"{PLAIN}  kimi-k3:serving: {{wait: true\n",
        f"Pulumi.prod.yaml is not valid YAML (line 10): expected ',' or '}}', but got '<stream end>'.\n{_MEND}",
        id="broken",
    ),
    pytest.param(
        f"{PLAIN}  kimi-k3:serving: {{wait: yes}}\n",
        "kimi-k3:serving.wait is 'yes'.\n"
        "Accepted: true or false.\n"
        "For example: make set STACK=prod KEY=serving.wait VALUE=true",
        id="yes-is-a-word",
    ),
    pytest.param(
        f"{PLAIN}  kimi-k3:serving: {{image: {{secure: 'v1:x'}}}}\n",
        "kimi-k3:serving is encrypted.\n"
        "Accepted: plain values; only kimi-k3:hfToken is a secret.\n"
        "Set it again without --secret, so that reviewers can read it.",
        id="a-secret-inside-a-group",
    ),
    pytest.param(
        f"{PLAIN}  kimi-k3:namespace: {{secure: 'v1:x'}}\n  kimi-k3:serving: {{image: [{{secure: 'v1:x'}}]}}\n",
        "kimi-k3:namespace is encrypted.\n"
        "Accepted: plain values; only kimi-k3:hfToken is a secret.\n"
        "Set it again without --secret, so that reviewers can read it.\n\n"
        "kimi-k3:serving is encrypted.\n"
        "Accepted: plain values; only kimi-k3:hfToken is a secret.\n"
        "Set it again without --secret, so that reviewers can read it.",
        id="two-encrypted-groups",
    ),
    pytest.param(
        f"{PLAIN}  kimi-k3:topolgy: disagg\n",
        "kimi-k3:topolgy is not a setting. Did you mean topology?\n"
        "Accepted: framework, gpu, topology, namespace, huggingFace, modelCache, modelDownload, serving, images, hub, "
        "placement, metadata, roles, cost, cluster, render, hfToken.\nCorrect the key, or remove it.",
        id="a-misspelt-key",
    ),
]


@pytest.mark.parametrize(("text", "message"), FILES)
def test_a_stack_file_that_cannot_be_meant_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert refusal_of_file(tmp_path, text) == message


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.prod.yaml").write_bytes(PLAIN.encode("utf-16"))
    with pytest.raises(Refusal) as refused:
        read_stack_file(tmp_path, "prod")
    assert str(refused.value) == (
        "Pulumi.prod.yaml is not text in UTF-8.\nAccepted: YAML in UTF-8.\nSave it in that encoding."
    )


def test_keys_of_others_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path, PLAIN)
    assert read_stack_file(tmp_path, "prod").target.name == "vllm-gb200-agg"


def test_a_missing_stack_file_is_refused_with_those_that_are_there(tmp_path: Path) -> None:
    for stack in ("prod", "dev"):
        write(tmp_path, PLAIN, stack)
    assert stack_names(tmp_path) == ["dev", "prod"]
    with pytest.raises(Refusal) as refused:
        read_stack_file(tmp_path, "prd")
    assert str(refused.value) == (
        "There is no stack prd: Pulumi.prd.yaml is missing. Did you mean prod?\n"
        "Stack files here: dev, prod.\n"
        "Name one of these, or write Pulumi.prd.yaml first."
    )


def test_a_folder_without_stack_files_says_so(tmp_path: Path) -> None:
    with pytest.raises(Refusal) as refused:
        read_stack_file(tmp_path, "prod")
    assert str(refused.value) == (
        "There is no stack prod: Pulumi.prod.yaml is missing.\n"
        "Stack files here: none.\n"
        "Name one of these, or write Pulumi.prod.yaml first."
    )


def test_a_file_outside_the_project_cannot_be_named(tmp_path: Path) -> None:
    write(tmp_path, PLAIN)
    inner = tmp_path / "inner"
    inner.mkdir()
    with pytest.raises(Refusal, match="There is no stack"):
        read_stack_file(inner, "/../../Pulumi.prod")


SCALARS = [
    ("true", "'true'"),
    ("7", "'7'"),
    ("1.10", "'1.1'"),
    ("[sgl]", "'[\"sgl\"]'"),
    ("yes", "'yes'"),
]


@pytest.mark.parametrize(("given", "shown"), SCALARS, ids=[given for given, _ in SCALARS])
def test_a_top_level_value_reaches_the_settings_as_the_text_that_the_engine_hands_over(
    tmp_path: Path, given: str, shown: str
) -> None:
    message = refusal_of_file(tmp_path, PLAIN.replace("framework: vllm", f"framework: {given}"))
    assert message == (
        f"kimi-k3:framework is {shown}.\n"
        "Accepted: vllm, sglang.\n"
        "For example: make set STACK=prod KEY=framework VALUE=vllm"
    )


def test_a_top_level_key_without_a_value_counts_as_not_set(tmp_path: Path) -> None:
    write(tmp_path, f"{PLAIN}  kimi-k3:serving:\n  kimi-k3:render: ~\n")
    assert read_stack_file(tmp_path, "prod").serving.image == "published"


def test_json_is_yaml(tmp_path: Path) -> None:
    text = stack_text(complete({}))
    assert json.loads(text)
    write(tmp_path, text)
    assert read_stack_file(tmp_path, "prod").target.name == "vllm-gb200-agg"
