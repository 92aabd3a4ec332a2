"""Needs, against figures written down from the published page by hand."""

from typing import Any

import pytest

from operations.preflight.derive import needs_of
from operations.preflight.needs import Right
from tests.unit.manifests.rendered import settings_of

GPU, MEMORY = "nvidia.com/gpu", "memory"
# Component, replicas, nodes of each, GPUs and GiB of memory of a node; the product and the processors of the nodes.
WORKERS = {
    "vllm-h200-agg": ([("worker", 1, 4, 8, 700)], "NVIDIA-H200", "amd64"),
    "vllm-gb200-agg": ([("worker", 1, 4, 4, 200)], "NVIDIA-GB200", "arm64"),
    "vllm-gb300-agg": ([("worker", 1, 4, 4, 512)], "NVIDIA-GB300", "arm64"),
    "vllm-gb300-disagg": ([("prefill", 1, 2, 4, 512), ("decode", 1, 2, 4, 512)], "NVIDIA-GB300", "arm64"),
    "sglang-gb200-agg": ([("Worker", 2, 4, 4, 512)], "NVIDIA-GB200", "arm64"),
    "sglang-gb200-disagg": (
        [("PrefillWorker", 2, 4, 4, 512), ("DecodeWorker", 1, 4, 4, 512)],
        "NVIDIA-GB200",
        "arm64",
    ),
    "sglang-gb300-agg": ([("Worker", 2, 2, 4, 512)], "NVIDIA-GB300", "arm64"),
    "sglang-gb300-disagg": (
        [("PrefillWorker", 1, 2, 4, 512), ("DecodeWorker", 1, 2, 4, 512)],
        "NVIDIA-GB300",
        "arm64",
    ),
}
NODES = {
    "vllm-h200-agg": 4,
    "vllm-gb200-agg": 4,
    "vllm-gb300-agg": 4,
    "vllm-gb300-disagg": 4,
    "sglang-gb200-agg": 8,
    "sglang-gb200-disagg": 12,
    "sglang-gb300-agg": 4,
    "sglang-gb300-disagg": 4,
}


@pytest.mark.parametrize("target", WORKERS)
def test_workers_need_whole_nodes_of_the_published_size(target: str) -> None:
    workers, product, architecture = WORKERS[target]
    need = needs_of(settings_of(target), "prod").gpus
    assert need is not None
    assert [
        (
            each.component,
            each.replicas,
            each.pods,
            each.requests[GPU] // 1000,
            each.requests[MEMORY] // 1000 // 1024**3,
        )
        for each in need.workers
    ] == workers
    assert (need.product, need.architecture, need.count) == (product, architecture, NODES[target])
    assert need.domain == ("h200" not in target)
    assert need.together == ("disagg" in target)


def test_a_target_on_h200_needs_no_compute_domain() -> None:
    needs = needs_of(settings_of("vllm-h200-agg"), "prod")
    assert needs.domain is None
    assert [kind.kind for kind in needs.kinds] == ["DynamoGraphDeployment"]
    assert needs.server.oldest == (1, 30, 0)


def test_a_target_with_nvlink_names_its_compute_domain_and_its_template() -> None:
    needs = needs_of(settings_of("sglang-gb300-disagg"), "prod")
    assert needs.domain is not None
    assert needs.domain.name == "kimi-k3-sglang-gb300-disagg-agentic-compute-domain"
    assert needs.domain.template == "kimi-k3-sglang-gb300-disagg-agentic-compute-domain-channel"
    assert sorted(kind.version for kind in needs.kinds) == [
        "nvidia.com/v1beta1",
        "resource.nvidia.com/v1beta1",
    ]


def test_without_a_deployment_nothing_about_gpus_is_needed() -> None:
    needs = needs_of(settings_of("vllm-gb200-agg", serving={"deploy": False}), "prod")
    assert (needs.gpus, needs.domain, needs.orchestrator, list(needs.kinds)) == (None, None, None, [])
    assert [need.component for need in needs.others] == ["model-download"]
    assert needs.cache.claim == "shared-model-cache"


def test_changed_replicas_and_requests_are_needed_as_they_are() -> None:
    roles = {"Worker": {"replicas": 3, "resources": {"requests": {"memory": "600Gi"}}}}
    need = needs_of(settings_of("sglang-gb300-agg", roles=roles), "prod").gpus
    assert need is not None
    assert (need.count, need.workers[0].requests[MEMORY]) == (6, 600 * 1024**3 * 1000)


def test_a_product_of_the_settings_is_looked_for_instead() -> None:
    need = needs_of(settings_of("vllm-h200-agg", cluster={"gpuProduct": "NVIDIA-H200-NVL"}), "prod").gpus
    assert need is not None
    assert need.product == "NVIDIA-H200-NVL"


def test_rights_are_every_verb_that_the_program_uses() -> None:
    found = {need.right for need in needs_of(settings_of("vllm-gb200-agg"), "prod").rights}
    inside = "kimi-k3"
    for verb in ("get", "list", "watch", "create", "patch", "delete"):
        assert Right(verb, "nvidia.com", "dynamographdeployments", inside) in found
        assert Right(verb, "resource.nvidia.com", "computedomains", inside) in found
        assert Right(verb, "batch", "jobs", inside) in found
        assert Right(verb, "", "secrets", inside) in found
    assert Right("create", "", "namespaces", "") in found
    assert Right("watch", "", "events", inside) in found
    assert Right("delete", "", "namespaces", "") not in found, "it is protected"
    assert Right("delete", "", "persistentvolumeclaims", inside) not in found, "it is protected"


def test_rights_on_what_others_keep_are_not_needed() -> None:
    groups: dict[str, Any] = {  # Any: settings hold values of several kinds
        "namespace": {"create": False},
        "modelCache": {"create": False},
        "huggingFace": {"source": "existingSecret"},
    }
    found = {need.right.resource for need in needs_of(settings_of("vllm-h200-agg", **groups), "prod").rights}
    assert found == {"jobs", "dynamographdeployments", "pods", "events"}
