"""The namespace of everything that a stack makes."""

from manifests.shape import Manifest


def model_namespace(name: str) -> Manifest:
    """A Namespace without labels, as `kubectl create namespace` makes it."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
