"""Shared storage of the test cluster: two classes, and volumes that claims can bind.

No pod is scheduled while its claim is unbound, and nothing provisions here: each volume serves one claim, once.
"""

from manifests import Manifest
from tests.stand_in.client import Client
from tests.stand_in.waits import phase, wait_for

SHARED = "shared-rwx"
SHARED_WHEN_USED = "shared-rwx-wait"
"""Binds a claim only when a pod mounts it."""
VOLUME_SIZE = "3000Gi"  # what the published claim asks for, as a provisioner would make it


def storage_class(name: str, binding: str) -> Manifest:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": "kubernetes.io/no-provisioner",
        "allowVolumeExpansion": True,
        "volumeBindingMode": binding,
    }


def volume(storage_class_name: str, size: str = VOLUME_SIZE) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"generateName": f"{storage_class_name}-"},
        "spec": {
            "capacity": {"storage": size},
            "accessModes": ["ReadWriteMany"],
            "storageClassName": storage_class_name,
            "persistentVolumeReclaimPolicy": "Retain",
            "hostPath": {"path": "/stand-in"},  # never mounted: no container runs
        },
    }


def add_storage(client: Client, volumes: int) -> None:
    """Both classes, and `volumes` volumes for each of them."""
    client.apply(storage_class(SHARED, "Immediate"))
    client.apply(storage_class(SHARED_WHEN_USED, "WaitForFirstConsumer"))
    for name in (SHARED, SHARED_WHEN_USED):
        add_volumes(client, volumes, name)


def add_volumes(
    client: Client, number: int, storage_class_name: str = SHARED, size: str = VOLUME_SIZE
) -> list[str]:
    """The names of new volumes, available to claims of at most `size`."""
    made = [client.create(volume(storage_class_name, size)).object["metadata"]["name"] for _ in range(number)]
    for name in made:
        wait_for(client, "PersistentVolume", name, "", phase("Available"))
    return made
