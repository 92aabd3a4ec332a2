"""A cluster that has everything passes; what could not be read is a warning and never more."""

from typing import Any  # Any: settings hold values of several kinds

import pytest

from operations.cluster import Unreadable
from tests.targets import TARGETS
from tests.unit.operations.preflight.clusters import FakeCluster, healthy
from tests.unit.operations.preflight.looked_at import looked_at, problems

FORBIDDEN = Unreadable("HTTP 403: forbidden")
SIZES = {"sglang-gb200-agg": 8, "sglang-gb200-disagg": 12}


@pytest.mark.parametrize("target", TARGETS)
def test_a_healthy_cluster_passes(target: str) -> None:
    assert problems(target, healthy(target.split("-")[1], SIZES.get(target, 4))) == []


@pytest.mark.parametrize("target", TARGETS)
def test_a_node_less_fails(target: str) -> None:
    found = problems(target, healthy(target.split("-")[1], SIZES.get(target, 4) - 1))
    assert [each[:2] for each in found] == [("product", "FAIL")]


def test_without_a_deployment_nothing_about_gpus_is_said() -> None:
    groups = {result.group for result in looked_at("vllm-gb200-agg", _bare(), serving={"deploy": False})}
    assert groups == {"Server", "Other nodes", "Namespace", "Storage", "Rights", "Leftovers"}
    assert problems("vllm-gb200-agg", _bare(), serving={"deploy": False}) == []


def _bare() -> FakeCluster:
    """A cluster without GPUs and without a Dynamo platform."""
    cluster = healthy(number=0)
    cluster.objects["/apis"]["groups"] = []
    cluster.lists["/apis/apps/v1/deployments"] = []
    return cluster


# What cannot be read, and the checks that say so.
UNREADABLE: dict[str, tuple[str, list[str]]] = {
    "version": ("/version", ["version"]),
    "groups": ("/apis", []),
    "nodes": ("/api/v1/nodes", ["nodes"]),
    "pods": ("/api/v1/pods", ["running pods"]),
    "namespace": ("/api/v1/namespaces/kimi-k3", []),
    "deployments": ("/apis/apps/v1/deployments", ["operator"]),
    "device class": ("/apis/resource.k8s.io/v1/deviceclasses", ["device class"]),
    "slices": ("/apis/resource.k8s.io/v1/resourceslices", ["DRA driver"]),
    "storage class": ("/apis/storage.k8s.io", ["storage class"]),
    "claim": ("/api/v1/namespaces/kimi-k3/persistentvolumeclaims", ["claim"]),
    "quotas": ("/api/v1/namespaces/kimi-k3/resourcequotas", ["quota"]),
    "limits": ("/api/v1/namespaces/kimi-k3/limitranges", ["limit ranges"]),
    "graphs": ("/apis/nvidia.com/v1beta1/", ["deployments"]),
    "domains": (
        "/apis/resource.nvidia.com/v1beta1/",
        ["second deployment", "ComputeDomains", "claim template"],
    ),
    "templates": ("/apis/resource.k8s.io/v1/namespaces", ["claim template"]),
    "gangs": ("/apis/grove.io", ["Grove's own ComputeDomains"]),
    "job": ("/apis/batch", ["download"]),
    "kinds": ("/apis/nvidia.com/v1beta1", ["DynamoGraphDeployment", "deployments"]),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_a_warning(name: str) -> None:
    path, checks = UNREADABLE[name]
    cluster = healthy()
    cluster.broken[path] = FORBIDDEN
    found = problems("vllm-gb200-agg", cluster)
    assert {verdict for _, verdict, _ in found} == {"WARN"}
    assert {told for _, _, told in found} == {"could not be read: HTTP 403: forbidden"}
    assert checks == [] or [check for check, _, _ in found] == checks


def test_nothing_that_can_be_read_at_all_is_warnings_only() -> None:
    cluster = healthy()
    cluster.broken["/"] = FORBIDDEN
    settings: dict[str, Any] = {
        "images": {"pullSecrets": ["pull"]},
        "namespace": {"create": False},
        "huggingFace": {"source": "existingSecret"},
        "placement": {"workers": {"priorityClassName": "high"}},
        "serving": {"queue": "team"},
    }
    found = problems("vllm-gb200-agg", cluster, **settings)
    assert {verdict for _, verdict, _ in found} == {"WARN"}
    assert {"token", "pull secret pull", "priority class high", "KAI queue", "jobs.batch"} <= {
        check for check, _, _ in found
    }
