"""What an installed Dynamo platform and NVIDIA's DRA driver show of themselves on a cluster."""

from manifests import Manifest
from tests.stand_in.client import Client
from tests.stand_in.waits import wait_for

DEVICE_CLASS, DRIVER = "compute-domain-default-channel.nvidia.com", "compute-domain.nvidia.com"
OPERATOR, SYSTEM = "dynamo-operator", "dynamo-system"


def add_platform(client: Client, version: str = "1.5.0") -> None:
    """The operator's Deployment, which runs once this returns, and the driver's device class. Nodes have to be there."""
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SYSTEM}})
    client.apply(deployment(version), force=True)
    client.apply(device_class())
    wait_for(client, "Deployment", OPERATOR, SYSTEM, _available)


def _available(found: Manifest) -> bool:
    return bool(found.get("status", {}).get("availableReplicas"))


def deployment(version: str) -> Manifest:
    labels = {"app.kubernetes.io/name": OPERATOR, "app.kubernetes.io/version": version}
    container = {"name": "manager", "image": f"registry.example.com/{OPERATOR}:{version}"}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": OPERATOR, "namespace": SYSTEM, "labels": labels},
        "spec": {
            "selector": {"matchLabels": {"app": OPERATOR}},
            "template": {"metadata": {"labels": {"app": OPERATOR}}, "spec": {"containers": [container]}},
        },
    }


def device_class() -> Manifest:
    expression = f"device.driver == '{DRIVER}'"
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": DEVICE_CLASS},
        "spec": {"selectors": [{"cel": {"expression": expression}}]},
    }


def resource_slice(node: str) -> Manifest:
    """What the driver's plugin on a node publishes of it: one channel."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"{node}-{DRIVER}"},
        "spec": {
            "driver": DRIVER,
            "nodeName": node,
            "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "channel-0", "attributes": {"type": {"string": "channel"}}}],
        },
    }
