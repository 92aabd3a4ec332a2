"""What a stack tells after `up`. The values are written down by hand, from the published page.

Decides names, values and that commands work as printed; nothing here is asked of a cluster.
"""

import json
import shlex
import subprocess
from typing import Any

import pytest

from tests.targets import TARGETS
from tests.unit import mocks
from tests.unit.stacks.runs import CASES, Values, case_run, cluster, rendered

LIMITATIONS = [
    "JSON structured decoding can leave non-object top-level output in reasoning_content instead of content",
    (
        "logprobs and stop_token_ids are not supported; they may crash a disaggregated deployment"
        " or leave it in a bad state"
    ),
]
VLLM_FACTS: Values = {
    "target": "vllm-h200-agg",
    "namespace": "kimi-k3",
    "deployed": True,
    "gpus": 32,
    "nodes": 4,
    "precision": "MXFP4 experts, BF16 KV",
    "parallelism": "TP8, PP4",
    "routing": "KV-aware",
    "speculativeDecoding": "none",
    "contextLength": 1048576,
    "publishedPerformance": {
        "concurrency": 4,
        "outputTokensPerSecondPerGpu": 3.54,
        "userTokensPerSecondP50": 39.95,
        "ttftP50Milliseconds": 3660,
    },
    "deviations": "no deviations from the published target",
    "warnings": [],
    "limitations": LIMITATIONS,
}
SGLANG_FACTS: Values = {
    "target": "sglang-gb200-disagg",
    "namespace": "kimi-k3",
    "deployed": True,
    "gpus": 48,
    "nodes": 12,
    "precision": "MXFP4 experts, FP8 KV",
    "parallelism": "Prefill TEP16; decode DCP16 attention, TEP16 MoE",
    "routing": "Load-aware",
    "speculativeDecoding": "DSPARK",
    "contextLength": 1048576,
    "publishedPerformance": {
        "concurrency": 24,
        "outputTokensPerSecondPerGpu": 29.3,
        "userTokensPerSecondP50": 77.9,
        "ttftP50Milliseconds": 3090,
    },
    "deviations": "no deviations from the published target",
    "warnings": [],
    "limitations": LIMITATIONS,
}
SMOKE_TEST = (
    "curl http://localhost:8000/v1/chat/completions -H 'Content-Type: application/json' -d "
    '\'{"model": "moonshotai/Kimi-K3", "messages": [{"role": "user", "content": '
    '"Write a one-sentence readiness check."}], "max_tokens": 64}\''
)
ACCESS = {
    "dynamoGraphDeployment",
    "frontendService",
    "frontendUrl",
    "portForwardCommand",
    "smokeTestCommand",
}


def test_a_vllm_stack_tells_what_is_published_and_how_to_reach_it() -> None:
    assert case_run("vllm-h200-agg").exports == VLLM_FACTS | {
        "dynamoGraphDeployment": "kimi-k3-vllm-h200-agg-agentic",
        "frontendService": "kimi-k3-vllm-h200-agg-agentic-frontend",
        "frontendUrl": "http://kimi-k3-vllm-h200-agg-agentic-frontend.kimi-k3.svc:8000",
        "portForwardCommand": (
            "kubectl --context gpu-cluster port-forward"
            " svc/kimi-k3-vllm-h200-agg-agentic-frontend 8000:8000 -n kimi-k3"
        ),
        "smokeTestCommand": SMOKE_TEST,
    }


def test_a_disaggregated_sglang_stack_tells_what_is_published_and_how_to_reach_it() -> None:
    run = cluster("sglang-gb200-disagg", {"namespace": {"name": "models"}})
    assert run.exports == SGLANG_FACTS | {
        "namespace": "models",
        "dynamoGraphDeployment": "kimi-k3-sglang-gb200-disagg-agentic",
        "frontendService": "kimi-k3-sglang-gb200-disagg-agentic-frontend",
        "frontendUrl": "http://kimi-k3-sglang-gb200-disagg-agentic-frontend.models.svc:8000",
        "portForwardCommand": (
            "kubectl --context gpu-cluster port-forward"
            " svc/kimi-k3-sglang-gb200-disagg-agentic-frontend 8000:8000 -n models"
        ),
        "smokeTestCommand": SMOKE_TEST,
    }


@pytest.mark.parametrize(
    ("target", "facts"), [("vllm-h200-agg", VLLM_FACTS), ("sglang-gb200-disagg", SGLANG_FACTS)]
)
def test_a_stack_that_serves_nothing_names_nothing_to_reach(target: str, facts: Values) -> None:
    assert cluster(target, {"serving": {"deploy": False}}).exports == facts | {"deployed": False}


@pytest.mark.parametrize("case", CASES)
def test_a_preview_tells_what_up_tells(case: str) -> None:
    assert case_run(case, preview=True).exports == case_run(case, preview=False).exports


@pytest.mark.parametrize("case", CASES)
def test_every_stack_that_serves_tells_the_same_kinds_of_things(case: str) -> None:
    assert case_run(case).exports.keys() == VLLM_FACTS.keys() | ACCESS


@pytest.mark.parametrize("target", TARGETS)
def test_totals_are_those_of_the_deployed_workers(target: str) -> None:
    run = case_run(target)
    workers = [c for c in run.only("DynamoGraphDeployment").plain["spec"]["components"] if "multinode" in c]
    nodes = sum(w["replicas"] * w["multinode"]["nodeCount"] for w in workers)
    gpus = sum(
        w["replicas"]
        * w["multinode"]["nodeCount"]
        * int(main_container(w)["resources"]["limits"]["nvidia.com/gpu"])
        for w in workers
    )
    assert (run.exports["gpus"], run.exports["nodes"]) == (gpus, nodes), "a bill nobody expects"


def main_container(component: Values) -> Values:
    containers: list[Values] = component["podTemplate"]["spec"]["containers"]
    return containers[0]


def test_a_rendered_stack_names_no_context_since_it_has_none() -> None:
    command = rendered("vllm-h200-agg").exports["portForwardCommand"]
    assert shlex.split(command)[:2] == ["kubectl", "port-forward"]


def as_bash_reads(command: str) -> list[str]:
    """The words that a shell makes of `command`, with the home folder `/home/me`."""
    script = (
        f'kubectl() {{ printf "%s\\n" kubectl "$@"; }}; curl() {{ printf "%s\\n" curl "$@"; }}; {command}'
    )
    done = subprocess.run(
        ["bash", "-c", script],
        env={"HOME": "/home/me"},
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    return done.stdout.splitlines()


# settings of `cluster`: the words after `kubectl` up to the command
CONTEXTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "plain": ({"context": "prod"}, ["--context", "prod"]),
    "with spaces and quotes": ({"context": "it's my $HOME; ls"}, ["--context", "it's my $HOME; ls"]),
    "of EKS": (
        {"context": "arn:aws:eks:eu-central-1:1234:cluster/gpu"},
        ["--context", "arn:aws:eks:eu-central-1:1234:cluster/gpu"],
    ),
    "with a kubeconfig": (
        {"context": "prod", "kubeconfig": "/etc/my clusters/prod.yaml"},
        ["--context", "prod", "--kubeconfig", "/etc/my clusters/prod.yaml"],
    ),
    "with a kubeconfig at home": (
        {"context": "prod", "kubeconfig": "~/.kube/prod one"},
        ["--context", "prod", "--kubeconfig", "/home/me/.kube/prod one"],
    ),
}


@pytest.mark.parametrize("name", CONTEXTS)
def test_the_port_forward_works_as_printed_and_on_the_stacks_own_cluster(name: str) -> None:
    settings, words = CONTEXTS[name]
    command = cluster("vllm-h200-agg", {"cluster": settings}).exports["portForwardCommand"]
    service = "svc/kimi-k3-vllm-h200-agg-agentic-frontend"
    assert as_bash_reads(command) == [
        "kubectl",
        *words,
        "port-forward",
        service,
        "8000:8000",
        "-n",
        "kimi-k3",
    ]


def test_the_smoke_test_works_as_printed() -> None:
    words = as_bash_reads(case_run("sglang-gb200-disagg").exports["smokeTestCommand"])
    assert words[:-1] == [
        "curl",
        "http://localhost:8000/v1/chat/completions",
        "-H",
        "Content-Type: application/json",
        "-d",
    ]
    assert json.loads(words[-1]) == {
        "model": "moonshotai/Kimi-K3",
        "messages": [{"role": "user", "content": "Write a one-sentence readiness check."}],
        "max_tokens": 64,
    }


@pytest.mark.parametrize("case", CASES)
def test_no_output_is_a_secret(case: str) -> None:
    assert mocks.unwrap(case_run(case).exports) == case_run(case).exports, "a masked command is of no use"


def test_a_price_tells_what_an_hour_and_a_million_tokens_cost() -> None:
    """By hand: 16 GPUs at 4.50; 62.2 tokens per second and GPU are 223,920 an hour, so 4.50 / 0.22392."""
    told = cluster("vllm-gb300-agg", {"cost": {"pricePerGpuHour": 4.5}}).exports
    assert (told["costPerHour"], told["costPerMillionOutputTokens"]) == (72.0, 20.1)


def test_a_paused_stack_costs_nothing_an_hour() -> None:
    told = cluster("vllm-gb300-agg", {"cost": {"pricePerGpuHour": 4.5}, "serving": {"deploy": False}}).exports
    assert (told["costPerHour"], told["costPerMillionOutputTokens"]) == (0.0, 20.1)


def test_totals_and_cost_follow_the_replicas_of_the_stack() -> None:
    changes = {"roles": {"worker": {"replicas": 3}}, "cost": {"pricePerGpuHour": 2}}
    told = cluster("vllm-h200-agg", changes).exports
    assert (told["gpus"], told["nodes"], told["costPerHour"]) == (96, 12, 192.0)


def test_a_context_length_of_the_stack_is_told_in_place_of_the_published_one() -> None:
    assert cluster("vllm-h200-agg", {"serving": {"contextLength": 65536}}).exports["contextLength"] == 65536


def test_what_is_on_and_has_a_price_is_told_while_it_is_on() -> None:
    run = cluster("sglang-gb300-disagg", {"serving": {"benchmarkMode": True, "canaryHealthCheck": False}})
    assert run.exports["warnings"] == [
        "kimi-k3:serving.canaryHealthCheck is false: liveness no longer covers the generate endpoint.",
        (
            "kimi-k3:serving.benchmarkMode is true: drafts are accepted synthetically and answers are wrong. Turn it "
            "off before anybody uses the deployment."
        ),
    ]
    logged = [text for _, text in run.logs if text.startswith("kimi-k3:")]
    assert logged == run.exports["warnings"], "in `up` too"
    assert run.exports["deviations"] == "3 deviations from the published target"
