"""A cluster in memory: documents by their API path, as the one reader would read them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from manifests import Manifest
from operations.cluster import Document, Unreadable
from tests.stand_in.nodes import MACHINES, Machine, node
from tests.stand_in.platform import DEVICE_CLASS, deployment, resource_slice

NODES, PODS = "/api/v1/nodes", "/api/v1/pods"
SLICES = "/apis/resource.k8s.io/v1/resourceslices"
SERVED = {
    "nvidia.com": ["v1beta1"],
    "resource.nvidia.com": ["v1beta1"],
    "resource.k8s.io": ["v1"],
    "grove.io": ["v1alpha1"],
    "storage.k8s.io": ["v1"],
}
SHARED = {"provisioner": "efs.csi.aws.com", "volumeBindingMode": "Immediate", "allowVolumeExpansion": True}


@dataclass
class FakeCluster:
    """`objects` answer a get, `lists` a list; what is in `broken` cannot be read, by the beginning of its path."""

    objects: dict[str, Document] = field(default_factory=dict)
    lists: dict[str, list[Document]] = field(default_factory=dict)
    broken: dict[str, Unreadable] = field(default_factory=dict)
    denied: set[tuple[str, str]] = field(default_factory=set)  # verb and resource

    def get(self, path: str) -> Document | Unreadable | None:
        return self._broken(path) or self.objects.get(path)

    def pages(self, path: str, labels: str = "", fields: str = "") -> Iterator[list[Document] | Unreadable]:
        yield self._broken(path) or self.lists.get(path, [])

    def ask(self, path: str, question: Document) -> Document | Unreadable | None:
        wanted = question["spec"]["resourceAttributes"]
        allowed = (wanted["verb"], wanted["resource"]) not in self.denied
        return self._broken(path) or {"status": {"allowed": allowed}}

    def _broken(self, path: str) -> Unreadable | None:
        return next((why for start, why in self.broken.items() if path.startswith(start)), None)

    def add_nodes(self, machine: Machine, number: int, prefix: str, **labels: str) -> list[Manifest]:
        """Ready nodes; those with a clique have the DRA driver's slice."""
        made = [node(machine, f"{prefix}-{index}", 10250) for index in range(number)]
        for each in made:
            each["metadata"]["labels"] |= labels
        self.lists.setdefault(NODES, []).extend(made)
        if machine.clique:
            slices = [resource_slice(each["metadata"]["name"]) for each in made]
            self.lists.setdefault(SLICES, []).extend(slices)
        return made

    def add_pod(self, on: str, namespace: str = "others", **requests: str) -> Manifest:
        """A running pod on a node; names of resources with `_` in place of what Python does not allow."""
        asked = {{"gpu": "nvidia.com/gpu"}.get(name, name): value for name, value in requests.items()}
        pod: Manifest = {
            "metadata": {"name": f"pod-on-{on}", "namespace": namespace, "labels": {}},
            "spec": {"nodeName": on, "containers": [{"name": "main", "resources": {"requests": asked}}]},
            "status": {"phase": "Running"},
        }
        self.lists.setdefault(PODS, []).append(pod)
        return pod


def healthy(gpu: str = "gb200", number: int = 4) -> FakeCluster:
    """One rack of `number` nodes, a node for frontends, and all that the platform needs."""
    made = FakeCluster()
    made.objects["/version"] = {"gitVersion": "v1.36.3"}
    made.objects["/apis"] = {
        "groups": [
            {"name": name, "versions": [{"version": v} for v in versions]}
            for name, versions in SERVED.items()
        ]
    }
    made.objects["/apis/nvidia.com/v1beta1"] = {
        "resources": [{"name": "dynamographdeployments", "kind": "DynamoGraphDeployment"}]
    }
    made.objects["/apis/resource.nvidia.com/v1beta1"] = {
        "resources": [{"name": "computedomains", "kind": "ComputeDomain"}]
    }
    made.objects[f"/apis/resource.k8s.io/v1/deviceclasses/{DEVICE_CLASS}"] = {"metadata": {}}
    made.objects["/apis/storage.k8s.io/v1/storageclasses/shared-rwx"] = dict(SHARED)
    made.lists["/apis/apps/v1/deployments"] = [deployment("1.5.0") | {"status": {"availableReplicas": 1}}]
    made.add_nodes(MACHINES["cpu"], 1, "cpu")
    made.add_nodes(MACHINES[gpu], number, gpu)
    return made
