"""Hands a manifest to the class of a Kubernetes resource."""

from typing import Any

from manifests import Manifest


def resource_args(manifest: Manifest) -> dict[str, Any]:  # Any: what the resource classes take
    """Keyword arguments of a typed resource class: the manifest's top-level keys but apiVersion and kind, which the
    class knows, in the spelling of the Python SDK.
    """
    spelling = {"stringData": "string_data"}
    return {
        spelling.get(key, key): value for key, value in manifest.items() if key not in ("apiVersion", "kind")
    }


def custom_resource_args(manifest: Manifest) -> dict[str, Any]:  # Any: what CustomResource takes
    """Keyword arguments of CustomResource, which knows no class for the kind."""
    return {
        "api_version": manifest["apiVersion"],
        "kind": manifest["kind"],
        "metadata": manifest["metadata"],
        "spec": manifest["spec"],
    }
