"""Where the Hugging Face token goes: into one field of one Secret, as a secret, and nowhere else.

Decides what leaves the program. What the engine keeps of it is for the tests that search its state.
"""

from typing import Any

import pulumi
import pytest

from stacks.config import read_token
from tests.targets import TARGETS
from tests.unit import mocks
from tests.unit.stacks.runs import (
    CANARY,
    CASES,
    FILLED,
    RENDER_CASES,
    Values,
    attempt,
    case_run,
    cluster,
    filled,
    rendered,
    settings_of,
)

OTHER = "canary_of_the_environment"
EXISTING: Values = {"namespace": {"create": False}, "huggingFace": {"source": "existingSecret"}}


def secret_inputs(inputs: object) -> list[str]:
    """Paths of all values that are wrapped as secrets."""
    found: list[str] = []

    def walk(value: Any, path: str) -> None:  # Any: JSON of any depth
        if mocks.is_secret(value):
            found.append(path)
        elif isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, f"{path}.{key}")
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                walk(inner, f"{path}[{index}]")

    walk(inputs, "")
    return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("preview", [True, False], ids=["preview", "up"])
def test_the_token_is_the_one_field_of_the_secret(target: str, preview: bool) -> None:
    secret = case_run(target, preview).only("Secret")
    assert secret.plain == {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "hf-token-secret", "namespace": "kimi-k3"},
        "type": "Opaque",
        "stringData": {"HF_TOKEN": CANARY},
    }
    assert secret_inputs(secret.inputs) == [".stringData"], "the token would stand in the state in clear text"


def test_the_token_is_a_secret_from_the_moment_it_is_read() -> None:
    def program() -> None:
        pulumi.export("token", read_token(settings_of("vllm-gb200-agg")))

    run = mocks.run(program, config={"kimi-k3:hfToken": CANARY}, secrets=["kimi-k3:hfToken"])
    assert mocks.is_secret(run.exports["token"]), "whoever uses it next could write it down in clear text"


@pytest.mark.parametrize("target", TARGETS)
def test_the_token_leaves_the_program_only_through_the_secret(target: str) -> None:
    run = case_run(target)
    assert [r.kind for r in run.registrations if CANARY in f"{r.request}"] == ["Secret"]
    assert CANARY not in f"{run.outputs} {run.logs}"
    assert f"{run.only('Secret').request}".count(CANARY) == 1


@pytest.mark.parametrize("case", CASES)
def test_nothing_but_the_token_is_a_secret(case: str) -> None:
    run = case_run(case)
    wrapped = {r.kind: paths for r in run.resources if (paths := secret_inputs(r.inputs))}
    assert wrapped == ({} if case in RENDER_CASES else {"Secret": [".stringData"]})
    assert not secret_inputs([values for _, values in run.outputs]), "outputs are for everybody to read"


def test_the_secret_is_named_as_the_settings_say() -> None:
    run = cluster("vllm-gb200-agg", {"huggingFace": {"secretName": "my.token"}})
    assert run.only("Secret").plain["metadata"]["name"] == "my.token"
    container = run.only("Job").plain["spec"]["template"]["spec"]["containers"][0]
    assert container["envFrom"] == [{"secretRef": {"name": "my.token"}}]


def test_a_trailing_newline_of_the_token_is_stripped() -> None:
    assert cluster("vllm-gb200-agg", token=f"{CANARY}\n").only("Secret").plain["stringData"] == {
        "HF_TOKEN": CANARY
    }


def test_rotating_the_token_touches_nothing_but_the_secret() -> None:
    before, after = (cluster("sglang-gb200-disagg", token=token) for token in (CANARY, "canary_second"))

    def asked(run: mocks.Run) -> dict[str, tuple[object, ...]]:
        return {r.urn: (r.inputs, r.dependencies, r.provider, r.timeouts) for r in run.registrations}

    changed = [urn for urn, what in asked(before).items() if asked(after)[urn] != what]
    assert changed == [before.only("Secret").urn], "a rotation must never download 1.5 TB again"
    first, second = (run.only("Secret").plain for run in (before, after))
    assert {key for key in first if first[key] != second[key]} == {"stringData"}
    assert before.exports == after.exports


@pytest.mark.parametrize("preview", [True, False], ids=["preview", "up"])
def test_an_existing_secret_is_used_by_name_and_the_token_goes_nowhere(preview: bool) -> None:
    run = cluster("sglang-gb200-disagg", EXISTING, environment={"HF_TOKEN": OTHER}, preview=preview)
    assert "Secret" not in run.kinds
    assert CANARY not in run.everything()
    assert OTHER not in run.everything()


def test_an_existing_secret_needs_no_token() -> None:
    assert "DynamoGraphDeployment" in cluster("vllm-gb200-agg", EXISTING, token=None).kinds


@pytest.mark.parametrize("target", ["vllm-h200-agg", "sglang-gb300-disagg"])
def test_a_rendered_stack_lets_no_token_out(target: str) -> None:
    run = rendered(target, environment={"HF_TOKEN": OTHER})
    assert CANARY not in run.everything()
    assert OTHER not in run.everything()


def test_a_rendered_stack_needs_no_token() -> None:
    assert "Job" in rendered("vllm-h200-agg", token=None).kinds


def test_a_rendered_stack_may_name_an_existing_secret_in_a_namespace_of_its_own() -> None:
    run = rendered("vllm-h200-agg", {"huggingFace": {"source": "existingSecret"}}, token=None)
    assert {"Namespace", "Job"} <= run.kinds


ENVIRONMENT = {
    "hugging face": {"HF_TOKEN": OTHER},
    "pulumi": {"PULUMI_CONFIG_KIMI_K3_HFTOKEN": OTHER},
    "pulumi json": {"PULUMI_CONFIG": f'{{"kimi-k3:hfToken": "{OTHER}"}}'},
}


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_a_missing_token_is_not_taken_from_the_environment(name: str) -> None:
    run = attempt("vllm-gb200-agg", FILLED, token=None, environment=ENVIRONMENT[name])
    assert "kimi-k3:hfToken is not set." in str(run.error), "a token that nobody chose would be used"
    assert OTHER not in run.everything()


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_the_environment_does_not_win_over_the_token_of_the_config(name: str) -> None:
    run = cluster("vllm-gb200-agg", environment=ENVIRONMENT[name])
    assert run.only("Secret").plain["stringData"] == {"HF_TOKEN": CANARY}


# tokens that are refused: the message says why without the token
BAD_TOKENS = {
    "inner space": f"{CANARY} x",
    "two lines": f"{CANARY}\n{CANARY}",
    "tab": f"{CANARY}\tx",
    "not ascii": f"{CANARY}\u00e9",
    "control character": f"{CANARY}\x07",
    "a mapping": f'{{"token": "{CANARY} x"}}',
}


@pytest.mark.parametrize("name", BAD_TOKENS)
@pytest.mark.parametrize("secrets", [("hfToken",), ()], ids=["encrypted", "in clear text"])
def test_a_refused_token_is_not_repeated(name: str, secrets: tuple[str, ...]) -> None:
    run = attempt("vllm-gb200-agg", FILLED, token=BAD_TOKENS[name], secrets=secrets)
    assert "kimi-k3:hfToken" in str(run.error)
    assert CANARY not in run.everything()


@pytest.mark.parametrize("group", ["modelCache.storageClassName", "namespace.name", "cluster.context"])
def test_a_token_in_another_setting_is_refused_without_being_repeated(group: str) -> None:
    outer, inner = group.split(".")
    run = attempt("vllm-gb200-agg", filled({outer: {inner: "hf_AbCdEf0123456789"}}))
    assert f"kimi-k3:{group} looks like a Hugging Face token" in str(run.error)
    assert "AbCdEf0123456789" not in run.everything()
