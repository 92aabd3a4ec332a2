"""What is the stack's own is neither in the way nor takes room; what is others' does both."""

from typing import Any  # Any: settings hold values of several kinds

from operations.cluster import Document
from tests.unit.operations.preflight.clusters import NODES, FakeCluster, healthy
from tests.unit.operations.preflight.looked_at import problems

GRAPHS = "/apis/nvidia.com/v1beta1/dynamographdeployments"
DOMAINS = "/apis/resource.nvidia.com/v1beta1/computedomains"
OWN, OTHER = "kimi-k3-vllm-gb200-agg-agentic", "kimi-k3-sglang-gb200-agg-agentic"
FULL = "no room for 4 of worker: 4 of 4 nodes have too little nvidia.com/gpu left (gb200-0, gb200-1, gb200-2, gb200-3)"


def deployed(graph: str = OWN, namespace: str = "kimi-k3", **meta: str) -> FakeCluster:
    """A rack of four nodes on which a deployment has all GPUs."""
    cluster = healthy()
    for index in range(4):
        pod = cluster.add_pod(f"gb200-{index}", namespace, gpu="4", memory="200Gi")
        pod["metadata"]["labels"] = {"nvidia.com/dynamo-graph-deployment-name": graph}
    cluster.lists[GRAPHS] = [{"metadata": {"namespace": namespace, "name": graph, **meta}}]
    cluster.lists[DOMAINS] = [domain(f"{graph}-compute-domain", namespace)]
    for each in cluster.lists[NODES]:
        if each["metadata"]["name"].startswith("gb200"):
            each["metadata"]["labels"]["resource.nvidia.com/computeDomain"] = f"uid-of-{graph}"
    return cluster


def domain(name: str, namespace: str) -> Document:
    graph = name.removesuffix("-compute-domain")
    return {
        "metadata": {"namespace": namespace, "name": name, "uid": f"uid-of-{graph}"},
        "status": {"nodes": [{"name": f"gb200-{index}"} for index in range(4)]},
    }


def test_the_stacks_own_deployment_is_not_in_its_way() -> None:
    assert problems("vllm-gb200-agg", deployed()) == []


def test_the_deployment_that_a_switch_deletes_is_not_in_the_way() -> None:
    assert problems("vllm-gb200-agg", deployed(OTHER)) == [], "the stack owns its namespace"
    kept: dict[str, Any] = {"namespace": {"create": False}}
    found = problems("vllm-gb200-agg", deployed(OTHER), **kept)
    assert ("ComputeDomains", "FAIL") in [each[:2] for each in found], "it may be somebody else's"
    assert not [
        each
        for each in problems("vllm-gb200-agg", deployed(OTHER), "sglang-gb200-agg", **kept)
        if each[0] != "namespace"
    ]


def test_a_stack_that_switches_from_nothing_says_so() -> None:
    found = problems("vllm-gb200-agg", deployed(OTHER), "")
    assert ("ComputeDomains", "FAIL") in [each[:2] for each in found]


def test_a_second_target_beside_the_own_one_keeps_its_room() -> None:
    """Both are there: the other one is no former target of this stack."""
    cluster = deployed(OTHER)
    cluster.lists[GRAPHS].append({"metadata": {"namespace": "kimi-k3", "name": OWN}})
    assert ("ComputeDomains", "FAIL") in [each[:2] for each in problems("vllm-gb200-agg", cluster)]


def test_a_deployment_of_the_same_name_in_another_namespace_is_somebody_elses() -> None:
    cluster = deployed(namespace="theirs")
    (found,) = [each for each in problems("vllm-gb200-agg", cluster) if each[1] == "FAIL"]
    assert found == (
        "ComputeDomains",
        "FAIL",
        (
            "gb200-0, gb200-1, gb200-2, gb200-3 belong to another ComputeDomain "
            f"(theirs/{OWN}-compute-domain); 0 nodes are left"
        ),
    )


def test_pods_without_a_deployment_take_room_even_in_the_own_namespace() -> None:
    cluster = healthy()
    for index in range(4):
        cluster.add_pod(f"gb200-{index}", "kimi-k3", gpu="4")
    assert problems("vllm-gb200-agg", cluster) == [("room", "FAIL", FULL)]


def test_the_own_download_takes_no_room() -> None:
    cluster = healthy(number=4)
    cluster.add_pod("cpu-0", "kimi-k3", cpu="140")["metadata"]["labels"] = {
        "batch.kubernetes.io/job-name": "model-download"
    }
    assert problems("vllm-gb200-agg", cluster) == []


def test_a_deployment_that_is_being_deleted_has_to_end_first() -> None:
    cluster = deployed(deletionTimestamp="2026-01-01T00:00:00Z")
    assert problems("vllm-gb200-agg", cluster) == [
        ("deletions", "FAIL", f"DynamoGraphDeployment {OWN} being deleted")
    ]


def test_ended_pods_take_no_room() -> None:
    cluster = healthy()
    cluster.add_pod("gb200-0", gpu="4")["status"]["phase"] = "Succeeded"
    assert problems("vllm-gb200-agg", cluster) == []
