"""Which pods the stand-in operator makes of a graph, and which of them a change replaces."""

import re
from collections.abc import Callable

import pytest

from manifests import Manifest
from tests.stand_in.operator import names
from tests.stand_in.operator.marks import CLAIM_TEMPLATES, GATE, annotations, labels
from tests.stand_in.operator.pods import frontend_services, pods_of
from tests.targets import TARGETS
from tests.unit.stand_in.graphs import component, names_by_component, stored

# Published with the operator: the names that it shortens graphs to.
SETS = {
    "vllm-h200-agg": "kimi-k3-vllm-h200-agg-agentic",
    "vllm-gb200-agg": "kimi-k3-vllm-gb200-agg-a-208e",
    "vllm-gb300-agg": "kimi-k3-vllm-gb300-agg-a-a311",
    "vllm-gb300-disagg": "kimi-k3-vllm-gb300-dis-5ef5",
    "sglang-gb200-agg": "kimi-k3-sglang-gb200-agg-46f5",
    "sglang-gb200-disagg": "kimi-k3-sg-13f9",
    "sglang-gb300-agg": "kimi-k3-sglang-gb300-agg-2f62",
    "sglang-gb300-disagg": "kimi-k3-sg-c88c",
}
# One frontend, and the nodes of the published figures.
COUNTS = {
    "vllm-h200-agg": 1 + 4,
    "vllm-gb200-agg": 1 + 4,
    "vllm-gb300-agg": 1 + 4,
    "vllm-gb300-disagg": 1 + 4,
    "sglang-gb200-agg": 1 + 8,
    "sglang-gb200-disagg": 1 + 12,
    "sglang-gb300-agg": 1 + 4,
    "sglang-gb300-disagg": 1 + 4,
}


@pytest.mark.parametrize("target", TARGETS)
def test_the_set_has_the_name_that_the_operator_gives_it(target: str) -> None:
    assert names.pod_clique_set(stored(target)) == SETS[target]


@pytest.mark.parametrize("target", TARGETS)
def test_every_node_of_every_replica_has_a_pod_of_its_own_name(target: str) -> None:
    pods = pods_of(stored(target))
    assert len({pod["metadata"]["name"] for pod in pods}) == COUNTS[target]


def test_pods_of_a_multinode_role_are_named_as_leader_and_workers_of_their_replica() -> None:
    found = names_by_component(pods_of(stored("sglang-gb200-disagg")))["PrefillWorker"]
    suffix = re.compile(r"-[a-z0-9]{5}$")
    assert sorted(suffix.sub("", name) for name in found) == [
        "kimi-k3-sg-13f9-0-prefillworker-0-prefillworker-ldr",
        *["kimi-k3-sg-13f9-0-prefillworker-0-prefillworker-wkr"] * 3,
        "kimi-k3-sg-13f9-0-prefillworker-1-prefillworker-ldr",
        *["kimi-k3-sg-13f9-0-prefillworker-1-prefillworker-wkr"] * 3,
    ]


def test_a_single_node_role_is_a_clique_of_its_own() -> None:
    (frontend,) = names_by_component(pods_of(stored("vllm-h200-agg")))["Frontend"]
    assert frontend.startswith("kimi-k3-vllm-h200-agg-agentic-0-frontend-")


def test_a_pod_carries_the_operators_labels() -> None:
    pod = pods_of(stored("sglang-gb200-disagg", namespace="models"))[1]
    graph = "kimi-k3-sglang-gb200-disagg-agentic"
    expected = {
        "nvidia.com/dynamo-graph-deployment-name": graph,
        "nvidia.com/dynamo-component": "PrefillWorker",
        "nvidia.com/dynamo-component-type": "prefill",
        "nvidia.com/dynamo-namespace": f"models-{graph}",
        "nvidia.com/selector": f"{graph}-prefillworker",
    }
    assert labels(pod).items() >= expected.items()


def test_the_users_labels_never_win_over_the_operators() -> None:
    graph = stored("vllm-h200-agg")
    template = component(graph, "worker")["podTemplate"]
    template["metadata"] = {"labels": {"nvidia.com/dynamo-component": "other", "team": "models"}}
    worker = pods_of(graph)[-1]
    assert labels(worker)["nvidia.com/dynamo-component"] == "worker"
    assert labels(worker)["team"] == "models"


@pytest.mark.parametrize("target", TARGETS)
def test_pods_wait_behind_the_gate_without_claims_but_with_volumes_and_env(target: str) -> None:
    graph = stored(target)
    for pod in pods_of(graph):
        asked = component(graph, labels(pod)["nvidia.com/dynamo-component"])["podTemplate"]["spec"]
        assert pod["spec"]["schedulingGates"] == [{"name": GATE}]
        assert "resourceClaims" not in pod["spec"]
        assert "claims" not in pod["spec"]["containers"][0]["resources"]
        assert pod["spec"].get("volumes") == asked.get("volumes")
        assert pod["spec"]["containers"][0]["env"] == asked["containers"][0]["env"]


def test_a_pod_says_which_claim_template_it_would_use() -> None:
    frontend, worker = pods_of(stored("vllm-gb200-agg"))[:2]
    assert CLAIM_TEMPLATES not in annotations(frontend)
    channel = "kimi-k3-vllm-gb200-agg-agentic-compute-domain-channel"
    assert annotations(worker)[CLAIM_TEMPLATES] == channel


def test_making_pods_leaves_the_graph_as_it_was() -> None:
    graph = stored("vllm-gb200-agg")
    pods_of(graph)
    assert graph == stored("vllm-gb200-agg")


def test_the_frontend_service_is_the_one_that_clients_are_told() -> None:
    (service,) = frontend_services(stored("vllm-gb200-agg"))
    assert service["metadata"]["name"] == "kimi-k3-vllm-gb200-agg-agentic-frontend"
    assert [(port["port"], port["name"]) for port in service["spec"]["ports"]] == [(8000, "http")]
    frontend = pods_of(stored("vllm-gb200-agg"))[0]
    assert service["spec"]["selector"].items() <= labels(frontend).items()


def _image(graph: Manifest) -> None:
    component(graph, "PrefillWorker")["podTemplate"]["spec"]["containers"][0]["image"] = "registry/x:1.5.1"


def _checksum(graph: Manifest) -> None:
    component(graph, "PrefillWorker")["podTemplate"]["metadata"]["annotations"]["checksum/sglang-config"] = (
        "0"
    )


def _shared_memory(graph: Manifest) -> None:
    component(graph, "PrefillWorker")["sharedMemorySize"] = "32Gi"


@pytest.mark.parametrize("change", [_image, _checksum, _shared_memory])
def test_a_change_replaces_the_pods_of_its_role_only(change: Callable[[Manifest], None]) -> None:
    before, graph = names_by_component(pods_of(stored("sglang-gb200-disagg"))), stored("sglang-gb200-disagg")
    change(graph)
    after = names_by_component(pods_of(graph))
    assert not before.pop("PrefillWorker") & after.pop("PrefillWorker")
    assert before == after


def test_more_replicas_keep_the_pods_that_are_there() -> None:
    graph = stored("sglang-gb200-disagg")
    before = names_by_component(pods_of(graph))["PrefillWorker"]
    component(graph, "PrefillWorker")["replicas"] = 3
    after = names_by_component(pods_of(graph))["PrefillWorker"]
    assert len(after) == 12
    assert before < after


def test_a_restart_replaces_every_pod_once() -> None:
    graph = stored("vllm-h200-agg")
    before = {pod["metadata"]["name"] for pod in pods_of(graph)}
    graph["spec"]["restart"] = {"id": "one"}
    restarted = {pod["metadata"]["name"] for pod in pods_of(graph)}
    assert not before & restarted
    del graph["spec"]["restart"]
    graph["status"] = {"restart": {"observedID": "one", "phase": "Completed"}}
    assert {pod["metadata"]["name"] for pod in pods_of(graph)} == restarted


def test_a_graph_made_anew_under_its_name_shares_no_pod_with_the_old_one() -> None:
    old = {pod["metadata"]["name"] for pod in pods_of(stored("vllm-h200-agg"))}
    assert not old & {pod["metadata"]["name"] for pod in pods_of(stored("vllm-h200-agg", uid="another"))}
