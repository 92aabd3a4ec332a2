"""Preflight on a real API server: one defect of the nodes at a time, with its verdict, words and exit code."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from manifests import Manifest
from tests.cluster.preflight_defects import Defect, How, allocatable, labels, made, spec
from tests.cluster.preflight_room import POOL, Room
from tests.stand_in.control_plane import ControlPlane
from tests.stand_in.nodes import CLIQUE, MACHINES
from tests.stand_in.platform import resource_slice

ONE, TWO, ALL = slice(0, 1), slice(0, 2), slice(0, 4)
TAINT = {"key": "example.com/team", "value": "a", "effect": "NoSchedule"}
RACK, OTHER_RACK = (f"b1d5a9a0-0000-4000-8000-000000000001.{number}" for number in (0, 7))
FREE = "Free those nodes, wait, or add nodes: kubectl describe node NAME shows what runs there"
LABELS = "Correct placement.workers, or label the nodes"


def busy(**requests: str) -> How:
    """Somebody else's pod on the first node."""
    return made(lambda room: room.pod(room.nodes[0], **requests))


@pytest.fixture(scope="module")
def room(cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    found = Room(cluster, tmp_path_factory.mktemp("preflight"))
    found.add(MACHINES["gb200"], 4, "gb200")
    yield found
    found.clean_up()


@contextmanager
def driver_stopped(room: Room) -> Iterator[None]:
    """The first node's slice is gone, as its driver takes it along."""
    name = resource_slice(room.nodes[0])["metadata"]["name"]
    room.client.delete("ResourceSlice", name)
    yield
    room.client.create(resource_slice(room.nodes[0]))


def foreign_domain(room: Room) -> Manifest:
    """Somebody else's ComputeDomain with daemons on another node of the same rack."""
    return {
        "apiVersion": "resource.nvidia.com/v1beta1",
        "kind": "ComputeDomain",
        "metadata": {"name": "another", "namespace": "default"},
        "spec": {
            "numNodes": 0,
            "channel": {"resourceClaimTemplate": {"name": "another-channel"}, "allocationMode": "Single"},
        },
        "status": {"status": "Ready", "nodes": [{"name": "gb200-0"}]},
    }


DEFECTS = {
    "another GPU": Defect(
        "GPU nodes, labels",
        "FAIL",
        "12 nodes have other labels than the workers ask for; 3 nodes are left",
        LABELS,
        labels(ONE, product="NVIDIA-B200"),
    ),
    "another pool": Defect(
        "GPU nodes, labels",
        "FAIL",
        "13 nodes have other labels than the workers ask for; 3 nodes are left",
        LABELS,
        labels(ONE, pool="another"),
    ),
    "a rack that is not there": Defect(
        "GPU nodes, labels",
        "FAIL",
        f"16 nodes have other labels than the workers ask for; cliques seen: {RACK}; 0 nodes are left",
        "Correct placement.clique or placement.workers, or label the nodes",
        changes={"placement.clique": OTHER_RACK},
    ),
    "a product that the cluster does not have": Defect(
        "GPU nodes, product",
        "FAIL",
        "nodes: 16 with NVIDIA-GB200, 4 with NVIDIA-GB300, 4 with NVIDIA-H200",
        "Choose a target for the GPUs that are there, or name the cluster's product with cluster.gpuProduct",
        changes={"cluster.gpuProduct": "NVIDIA-GB200-NVL"},
    ),
    "nodes without a product": Defect(
        "GPU nodes, product",
        "WARN",
        "4 nodes with GPUs have no label nvidia.com/gpu.product",
        "Label them (NVIDIA's GPU feature discovery does), so that their GPUs are known",
        labels(ALL, product=None),
        {"cluster.gpuProduct": "NVIDIA-GB200-NVL", "placement.workers.nodeSelector": {POOL: "$stack"}},
    ),
    "time-slicing": Defect(
        "GPU nodes, sharing",
        "FAIL",
        "GPUs of $node0 are shared by several pods; 3 nodes are left",
        "Switch time-slicing or MPS off on those nodes",
        labels(ONE, sharing="time-slicing"),
    ),
    "a cordoned node": Defect(
        "GPU nodes, ready",
        "FAIL",
        "$node0 cordoned; 3 nodes are left",
        "kubectl uncordon them, or see why they are not ready",
        spec(ONE, {"unschedulable": True}, {"unschedulable": None}),
    ),
    "a taint": Defect(
        "GPU nodes, taints",
        "FAIL",
        "taints keep the workers off 1 nodes: example.com/team=a:NoSchedule; 3 nodes are left",
        "If those nodes are for you: make set STACK=$stack KEY='placement.workers.tolerations[0]' "
        "VALUE='{key: example.com/team, operator: Equal, value: '\"'\"'a'\"'\"', effect: NoSchedule}'",
        spec(ONE, {"taints": [TAINT]}, {"taints": None}),
    ),
    "no clique": Defect(
        "GPU nodes, clique labels",
        "FAIL",
        "$node0 without the label nvidia.com/gpu.clique, where no NVLink channel is given to pods; "
        "3 nodes are left",
        "See that NVIDIA's GPU feature discovery and the fabric work on them",
        labels(ONE, clique=None),
    ),
    "a driver that does not run": Defect(
        "GPU nodes, DRA driver",
        "FAIL",
        "no ResourceSlice of compute-domain.nvidia.com for $node0; 3 nodes are left",
        "See that the kubelet plugin of NVIDIA's DRA driver runs on them",
        driver_stopped,
    ),
    "a node of another ComputeDomain": Defect(
        "GPU nodes, ComputeDomains",
        "FAIL",
        "$node0 belong to another ComputeDomain; 3 nodes are left",
        "Remove that deployment, or wait until its nodes are free",
        labels(ONE, domain="00000000-0000-4000-8000-000000000009"),
    ),
    "another ComputeDomain in the rack": Defect(
        "GPU nodes, second deployment",
        "WARN",
        "default/another has nodes there",
        "Choose another clique with placement.clique, or remove that deployment",
        made(foreign_domain),
    ),
    "a GPU is taken": Defect(
        "GPU nodes, room",
        "FAIL",
        "no room for 1 of worker: 1 of 4 nodes have too little nvidia.com/gpu left ($node0)",
        FREE,
        busy(gpu="1"),
    ),
    "the memory is taken": Defect(
        "GPU nodes, room",
        "FAIL",
        "no room for 1 of worker: 1 of 4 nodes have too little memory left ($node0)",
        FREE,
        busy(memory="1600Gi"),
    ),
    "the processors are taken": Defect(
        "GPU nodes, room",
        "FAIL",
        "no room for 1 of worker: 1 of 4 nodes have too little cpu left ($node0)",
        FREE,
        busy(cpu="130"),
    ),
    "the disk is too small": Defect(
        "GPU nodes, size",
        "FAIL",
        "3 of 4 nodes are large enough for worker; the others lack ephemeral-storage",
        "Use larger nodes, or lower roles.worker.resources",
        allocatable(ONE, "ephemeral-storage", "50Gi"),
    ),
    "more memory than any node has": Defect(
        "GPU nodes, size",
        "FAIL",
        "0 of 4 nodes are large enough for worker; the others lack memory",
        "Use larger nodes, or lower roles.worker.resources",
        changes={"roles": {"worker": {"resources": {"requests": {"memory": "2000Gi"}}}}},
    ),
    "two halves of racks": Defect(
        "GPU nodes, cliques",
        "FAIL",
        f"no clique has room ({RACK}: 2 free nodes, {OTHER_RACK}: 2 free nodes)",
        "Free nodes of one clique, or choose a smaller target",
        labels(TWO, clique=OTHER_RACK),
    ),
    "processors that the images may not be for": Defect(
        "GPU nodes, architecture",
        "WARN",
        "$node0 of NVIDIA-GB200 are not arm64",
        "See that the images are made for them, or keep the workers off with placement.workers",
        labels(ONE, arch="amd64"),
    ),
    "no node for the frontend": Defect(
        "Other nodes, Frontend",
        "FAIL",
        "none of 25 ready nodes has the labels that it asks for",
        "Correct placement.frontend, or label nodes",
        changes={"placement.frontend": {"nodeSelector": {"example.com/pool": "nowhere"}}},
    ),
    "a taint for the download": Defect(
        "Other nodes, model-download",
        "FAIL",
        "all 1 nodes have taints: example.com/team=a:NoSchedule",
        "Add to placement.download.tolerations, or use nodes without these taints",
        spec(ONE, {"taints": [TAINT]}, {"taints": None}),
        {
            "placement.download": {"nodeSelector": {"kubernetes.io/hostname": "$node0"}},
            "placement.workers": {"tolerations": [TAINT], "nodeSelector": {"example.com/pool": "$stack"}},
        },
    ),
    "no room for the frontend": Defect(
        "Other nodes, Frontend",
        "FAIL",
        "none of 4 nodes has enough cpu left for all",
        "Free a node, or add one; nodes without GPUs will do",
        changes={
            "placement.frontend": {"nodeSelector": {"example.com/pool": "$stack"}},
            "roles": {"Frontend": {"resources": {"requests": {"cpu": "140"}}}},
        },
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_nodes_is_told(room: Room, name: str) -> None:
    DEFECTS[name].is_told(room)


def test_nodes_that_fit_are_passed(room: Room) -> None:
    ran = room.run("--json")
    assert (ran.problems(), ran.code) == ([], 0)


def test_racks_of_which_one_has_to_be_chosen_are_told_with_the_choice(room: Room) -> None:
    more = room.add(MACHINES["gb200"], 4, "second")
    for name in more:
        room.label(name, {CLIQUE: OTHER_RACK})
    ran = room.run("--json")
    assert ran.problems() == [
        (
            "GPU nodes",
            "cliques",
            "WARN",
            f"several have free nodes, and none is chosen ({RACK}: 4 free nodes, {OTHER_RACK}: 4 free nodes)",
            f"Choose one: make set STACK={room.name} KEY=placement.clique VALUE={OTHER_RACK}",
        )
    ]
    assert (ran.code, room.run("--strict").code) == (0, 1)
    assert room.run("--json", changes={"placement.clique": RACK}).problems() == []
    room.remove(more)


def test_other_gpus_that_could_take_the_workers_are_told(room: Room) -> None:
    """Without a product in the selector; the room's pool keeps the other nodes of the cluster out."""
    more = room.add(MACHINES["gb300"], 1, "other")
    selector = {"placement.workers.nodeSelector": {POOL: room.name}}
    (found,) = room.run("--json", changes=selector).problems()
    assert found == (
        "GPU nodes",
        "other products",
        "WARN",
        "1 nodes with NVIDIA-GB300 could take the workers too",
        (
            f"Name the product: make set STACK={room.name} "
            "KEY='placement.workers.nodeSelector[\"nvidia.com/gpu.product\"]' VALUE=NVIDIA-GB200"
        ),
    )
    room.remove(more)
