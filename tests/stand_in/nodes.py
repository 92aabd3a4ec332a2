"""Nodes that KWOK plays, with the labels and the room of the machines of the published targets."""

from dataclasses import dataclass
from itertools import count

from manifests import Manifest
from tests.stand_in.client import Client
from tests.stand_in.flags import NODE_ANNOTATION
from tests.stand_in.platform import resource_slice
from tests.stand_in.ports import LOOPBACK
from tests.stand_in.waits import wait_for

GPU = "nvidia.com/gpu"
CLIQUE = "nvidia.com/gpu.clique"
# Of a cluster UUID and a clique, as the GPU operator writes it: nodes of one NVLink domain have the same.
ONE_DOMAIN = "b1d5a9a0-0000-4000-8000-000000000001.0"


@dataclass(frozen=True)
class Machine:
    """One kind of node. GPU 0 is a node for frontends and downloads."""

    arch: str
    gpus: int
    product: str = ""
    clique: str = ""


MACHINES = {
    "cpu": Machine("amd64", 0),
    "h200": Machine("amd64", 8, "NVIDIA-H200"),
    "gb200": Machine("arm64", 4, "NVIDIA-GB200", ONE_DOMAIN),
    "gb300": Machine("arm64", 4, "NVIDIA-GB300", ONE_DOMAIN),
}


def node(machine: Machine, name: str, kubelet_port: int) -> Manifest:
    """A Node that is ready from the start. KWOK answers at the port for its kubelet."""
    room = {"cpu": "144", "memory": "1700Gi", "ephemeral-storage": "2Ti", "pods": "110"}
    if machine.gpus:
        room[GPU] = str(machine.gpus)
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": _labels(machine, name),
            "annotations": dict([NODE_ANNOTATION]),
        },
        "status": {
            "allocatable": room,
            "capacity": room,
            "addresses": [{"type": "InternalIP", "address": LOOPBACK}, {"type": "Hostname", "address": name}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": kubelet_port}},
            "conditions": [
                {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "stand-in"}
            ],
            "nodeInfo": _node_info(machine.arch),
        },
    }


def add_nodes(client: Client, machine: Machine, number: int, prefix: str, kubelet_port: int) -> list[str]:
    """Adds `number` nodes named after the prefix and waits until pods can be placed on them."""
    taken = {each["metadata"]["name"] for each in client.items("Node")}
    free = (name for name in (f"{prefix}-{index}" for index in count()) if name not in taken)
    names = [next(free) for _ in range(number)]
    for name in names:
        client.create(node(machine, name, kubelet_port))
        if machine.clique:
            client.create(resource_slice(name))
    for name in names:
        # The API server taints a new node as not ready, a controller has to have seen that it is.
        wait_for(client, "Node", name, "", lambda found: not found["spec"].get("taints"))
    return names


def _labels(machine: Machine, name: str) -> dict[str, str]:
    labels = {"kubernetes.io/arch": machine.arch, "kubernetes.io/os": "linux", "kubernetes.io/hostname": name}
    if machine.product:
        labels |= {"nvidia.com/gpu.present": "true", "nvidia.com/gpu.product": machine.product}
        labels["nvidia.com/gpu.count"] = str(machine.gpus)
    if machine.clique:
        labels[CLIQUE] = machine.clique
    return labels


def _node_info(arch: str) -> dict[str, str]:
    unknown = (
        "bootID",
        "containerRuntimeVersion",
        "kernelVersion",
        "kubeProxyVersion",
        "machineID",
        "osImage",
    )
    told = {"architecture": arch, "operatingSystem": "linux", "kubeletVersion": "v1.36.3", "systemUUID": ""}
    return dict.fromkeys(unknown, "") | told
