"""`render`: manifests and nothing else on stdout, everything for a person on stderr."""

from pathlib import Path

import pytest
import yaml

from tests.unit.operations.commands import FILLED, ROOT, operations, python

TARGETS = sorted(path.stem for path in (ROOT / "tests/unit/published").glob("*-*.yaml"))
NOTE = "The token's Secret hf-token-secret is left out; the download Job needs it.\n"


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def _kinds(text: str) -> list[str]:
    return [document["kind"] for document in yaml.safe_load_all(text)]


def test_stdout_holds_the_manifests_and_nothing_else_in_a_process_of_its_own() -> None:
    answer = python("-m", "operations", "render", "--stack", "dev")
    assert (answer.exit_code, answer.stderr) == (0, NOTE)
    assert answer.stdout.startswith("apiVersion: v1\nkind: Namespace\n")
    assert _kinds(answer.stdout) == [
        "Namespace",
        "PersistentVolumeClaim",
        "Job",
        "ComputeDomain",
        "DynamoGraphDeployment",
    ], "`render | kubectl apply -f -` must work"


@pytest.mark.parametrize("stack", TARGETS)
def test_a_target_stack_is_rendered_once_its_placeholders_are_filled_by_set(stack: str) -> None:
    answer = operations("render", "--stack", stack, *FILLED)
    assert (answer.exit_code, answer.stderr) == (0, NOTE)
    assert _kinds(answer.stdout)[-1] == "DynamoGraphDeployment"
    assert f"name: kimi-k3-{stack}-agentic\n" in answer.stdout


def test_a_refusal_leaves_stdout_empty_and_ends_with_1_in_a_process_of_its_own() -> None:
    answer = python("-m", "operations", "render", "-s", "dev", "--set", "topolgy=disagg")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert answer.stderr == (
        "kimi-k3:topolgy is not a setting. Did you mean topology?\n"
        "Accepted: framework, gpu, topology, namespace, huggingFace, modelCache, modelDownload, serving, images, "
        "hub, placement, metadata, roles, cost, cluster, render, hfToken.\nCorrect the key, or remove it.\n"
    ), "no traceback, nothing else"


REFUSED = [
    pytest.param(
        ["--stack", "vllm-h200-agg"],
        "kimi-k3:modelCache.storageClassName is still the placeholder '<a class that can do ReadWriteMany>'.\n"
        "Accepted: your own value.\n"
        "Set it: make set STACK=vllm-h200-agg KEY=modelCache.storageClassName\n\n"
        "kimi-k3:cluster.context is still the placeholder '<a context of your kubeconfig>'.\n"
        "Accepted: your own value.\n"
        "Set it: make set STACK=vllm-h200-agg KEY=cluster.context\n",
        id="placeholders",
    ),
    pytest.param(
        ["--stack", "dev", "--set", "topology=disagg"],
        "No recipe is published for vllm on gb200 (disagg).\n"
        "Published for gb200: vllm agg, sglang agg, sglang disagg. "
        "Published for vllm: h200 agg, gb200 agg, gb300 agg, gb300 disagg.\n"
        "Set kimi-k3:framework, kimi-k3:gpu and kimi-k3:topology to one of these.\n",
        id="unpublished-combination",
    ),
    pytest.param(
        ["--stack", "dev", "--set", "hfToken=hf_CANARYxyz"],
        "--set was given hfToken.\n"
        "Accepted: every other setting; commands that take --set need no token, and a command line is no place for "
        "one.\nLeave it out.\n",
        id="token",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_a_mistake_in_the_settings_is_told_on_stderr(arguments: list[str], message: str) -> None:
    answer = operations("render", *arguments)
    assert (answer.exit_code, answer.stdout, answer.stderr) == (1, "", message)


def test_an_unknown_stack_is_refused_with_the_nearest_one() -> None:
    answer = operations("render", "--stack", "vllm-gb300-dissag")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert answer.stderr.startswith(
        "There is no stack vllm-gb300-dissag: Pulumi.vllm-gb300-dissag.yaml is missing. "
        "Did you mean vllm-gb300-disagg?\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["render"],
        ["render", "--stack"],
        ["render", "--stack", "dev", "--sett", "a=b"],
        ["rendr"],
        ["targets", "--jsn"],
        [],
    ],
    ids=[
        "no-stack",
        "stack-without-value",
        "unknown-option",
        "unknown-command",
        "option-of-targets",
        "nothing",
    ],
)
def test_a_wrong_call_ends_with_2(arguments: list[str]) -> None:
    answer = operations(*arguments)
    assert answer.exit_code == 2
    assert "apiVersion" not in answer.stdout


def test_set_may_be_repeated_and_the_stack_file_stays_as_it_is() -> None:
    before = (ROOT / "Pulumi.dev.yaml").read_text(encoding="utf-8")
    answer = operations(
        "render", "-s", "dev", "--set", "gpu=gb300", "--set", "topology=disagg", "--set", "framework=sglang"
    )
    assert "name: kimi-k3-sglang-gb300-disagg-agentic\n" in answer.stdout
    assert (ROOT / "Pulumi.dev.yaml").read_text(encoding="utf-8") == before


def test_a_warning_stands_on_stderr_before_the_note() -> None:
    answer = operations("render", "-s", "dev", "--set", "modelDownload.enabled=false")
    assert (answer.exit_code, _kinds(answer.stdout)[2]) == (0, "ComputeDomain")
    assert answer.stderr == (
        "Warning: This stack uses existing things (modelDownload.enabled: false) and makes others. If another stack "
        "owns the namespace and its cache, set also: namespace.create: false, huggingFace.source: existingSecret, "
        "modelCache.create: false.\n"
        "The token's Secret hf-token-secret is left out.\n"
    ), "without a download Job nothing needs the Secret"


def test_an_existing_secret_is_named_in_the_note() -> None:
    answer = operations(
        "render", "-s", "dev", "--set", "huggingFace={source: existingSecret, secretName: hub}"
    )
    assert answer.exit_code == 0
    assert answer.stderr.endswith("The token's Secret hub is left out; the download Job needs it.\n")
    assert "name: hub\n" in answer.stdout


def test_an_encrypted_token_is_neither_needed_nor_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "Pulumi.dev.yaml").read_text(encoding="utf-8")
    secret = "  kimi-k3:hfToken:\n    secure: v1:CANARYciphertext\n"
    (tmp_path / "Pulumi.own.yaml").write_text(
        text.replace("config:\n", f"config:\n{secret}"), encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    answer = operations("render", "--stack", "own")
    assert answer.exit_code == 0
    assert "CANARY" not in answer.stdout + answer.stderr
    assert "Secret" not in _kinds(answer.stdout)
