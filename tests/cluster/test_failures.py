"""What is not there or not allowed: each failure names its cause, and the next `up` goes on."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from manifests import Manifest
from tests.cluster.stack import CANARY, GRAPH, SECONDS, ClusterStack
from tests.project import Project
from tests.stand_in.access import allow, service_account_token
from tests.stand_in.control_plane import ControlPlane
from tests.stand_in.definitions import install_crds
from tools.cluster import provide_cluster
from tools.provide import Toolchain

VERBS = ["get", "list", "watch", "create", "patch", "delete"]
# What the operations guide says that a stack needs in its namespace.
NEEDED: list[Manifest] = [
    {"apiGroups": [""], "resources": ["secrets", "persistentvolumeclaims", "configmaps"], "verbs": VERBS},
    {"apiGroups": ["batch"], "resources": ["jobs"], "verbs": VERBS},
    {"apiGroups": ["nvidia.com"], "resources": ["dynamographdeployments"], "verbs": VERBS},
    {"apiGroups": ["resource.nvidia.com"], "resources": ["computedomains"], "verbs": VERBS},
    {"apiGroups": [""], "resources": ["pods", "events"], "verbs": ["get", "list", "watch"]},
]


@pytest.fixture(scope="module")
def bare() -> Iterator[ControlPlane]:
    """An API server that knows neither Dynamo nor ComputeDomains."""
    with ControlPlane(provide_cluster(announce=False)) as made:
        made.client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "stand-in"}})
        yield made


def stack_on(bare: ControlPlane, toolchain: Toolchain, folder: Path, target: str) -> ClusterStack:
    environ = {"KUBECONFIG": str(bare.kubeconfig), "PULUMI_DEBUG_COMMANDS": "true"}
    project = Project(folder / "project", toolchain, environ)
    project.folder.mkdir(parents=True)
    project.prepare()
    stack = ClusterStack.create(project, bare, target, "", "bare")
    stack.change({"cluster.context": bare.context, "modelDownload.wait": False, "serving.wait": False})
    return stack


def test_a_missing_definition_is_named_and_the_next_up_goes_on(
    bare: ControlPlane, toolchain: Toolchain, tmp_path: Path
) -> None:
    """Side by side: the provider tries for a minute before it gives up."""
    missing = {
        "vllm-h200-agg": 'no matches for kind "DynamoGraphDeployment" in version "nvidia.com/v1beta1"',
        "vllm-gb200-agg": 'no matches for kind "ComputeDomain" in version "resource.nvidia.com/v1beta1"',
    }
    stacks = {target: stack_on(bare, toolchain, tmp_path / target, target) for target in missing}
    for stack in stacks.values():
        stack.project.demand("preview", "--stack", stack.name)  # a reviewer's preview needs no operator
    runs = {target: stack.start_up() for target, stack in stacks.items()}
    for target, stack in stacks.items():
        assert stack.status(runs[target], 3 * SECONDS) != 0
        assert missing[target] in stack.output.read_text()
    claims = {
        target: stack.uid("PersistentVolumeClaim", "shared-model-cache") for target, stack in stacks.items()
    }
    install_crds(bare.client)
    for target, stack in stacks.items():
        stack.up()
        assert stack.find(GRAPH, stack.dgd)
        assert stack.uid("PersistentVolumeClaim", "shared-model-cache") == claims[target]


def test_a_closed_port_is_told(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.cluster.add_context("closed", server="https://127.0.0.1:1")
    stack.change({"cluster.context": "closed"})
    stack.project.demand("preview", "--stack", stack.name)  # with nothing deployed, nobody asks the server
    said = stack.fails()
    assert "unreachable" in said
    stack.change({"cluster.context": "stand-in"})
    stack.up()
    stack.is_quiet()


def test_a_server_that_stops_answering_changes_nothing(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.change({"cluster.clusterIdentifier": "training"})
    stack.up()
    stack.cluster.add_context("closed", server="https://127.0.0.1:1")
    stack.change({"cluster.context": "closed", "serving.image": "registry.example.com/vllm:1.5.1"})
    for command in (
        ["up"],
        ["refresh", "--skip-preview"],
        ["destroy", "--exclude-protected", "--skip-preview"],
    ):
        assert "unreachable" in stack.fails(*command)
    stack.change({"cluster.context": "stand-in", "serving.image": None})
    assert stack.up() == []
    stack.is_quiet()


def test_a_context_that_is_not_there_is_named(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.change({"cluster.context": "nowhere"})
    said = stack.fails()
    assert 'context "nowhere" does not exist' in said
    stack.change({"cluster.context": "stand-in"})
    stack.up()
    stack.is_quiet()


def test_rights_in_one_namespace_are_enough_for_a_whole_life(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("sglang-gb300-agg")
    name = stack.namespace
    stack.client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    stack.cluster.add_context(name, service_account_token(stack.client, name))
    allow(stack.client, name, name, NEEDED)
    stack.change({"cluster.context": name, "namespace.create": False})
    stack.up()
    stack.is_quiet()
    stack.project.demand("refresh", "--yes", "--expect-no-changes", "--stack", stack.name)
    assert stack.operations("watch").returncode == 0
    stack.change({"serving.image": "registry.example.com/sglang:1.5.1"})
    stack.up()
    stack.destroy()
    assert stack.left() == {("PersistentVolumeClaim", "shared-model-cache")}


@pytest.mark.parametrize(
    "missing",
    [
        "namespaces",
        "secrets",
        "persistentvolumeclaims",
        "jobs",
        "computedomains",
        "dynamographdeployments",
    ],
)
def test_a_missing_right_is_named_with_its_resource_and_the_next_up_goes_on(
    make_stack: Callable[..., ClusterStack], missing: str
) -> None:
    stack = make_stack("vllm-gb200-agg")
    name = stack.namespace
    if missing != "namespaces":
        stack.client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        stack.change({"namespace.create": False})
        rules = [rule | {"resources": [r for r in rule["resources"] if r != missing]} for rule in NEEDED]
        allow(stack.client, name, name, [rule for rule in rules if rule["resources"]])
    stack.cluster.add_context(name, service_account_token(stack.client, name))
    stack.change({"cluster.context": name, "cluster.clusterIdentifier": "training"})
    said = stack.fails()
    assert "forbidden" in said
    # The provider creates by a server-side apply where it can, and that is a patch.
    assert re.search(f'cannot (create|patch) resource "{missing}"', said)
    assert CANARY not in said
    stack.change({"cluster.context": "stand-in"})
    stack.up()


def test_a_quota_is_named(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": stack.namespace}})
    quota: Manifest = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "little-storage", "namespace": stack.namespace},
        "spec": {"hard": {"requests.storage": "100Gi"}},
    }
    stack.client.create(quota)
    stack.change({"namespace.create": False})
    said = stack.fails()
    assert "exceeded quota: little-storage, requested: requests.storage=3000Gi" in said
    stack.client.delete("ResourceQuota", "little-storage", stack.namespace)
    stack.up()
    stack.is_quiet()


@pytest.mark.needs_current_plugin
def test_an_object_in_the_way_is_refused_and_left_alone(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": stack.namespace}})
    before = stack.uid("Namespace", stack.namespace)
    assert "already exists" in stack.fails()
    assert stack.uid("Namespace", stack.namespace) == before
    stack.change({"namespace.create": False})
    stack.up()
    stack.destroy()
    assert stack.uid("Namespace", stack.namespace) == before
