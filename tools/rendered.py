"""The files of a rendered stack: which ones its state promises, and which of them are not there."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any  # the JSON of `pulumi stack export`

PROVIDER_TYPE = "pulumi:providers:kubernetes"
Resource = Mapping[str, Any]


def resources(export: Mapping[str, Any]) -> list[Resource]:
    """The resources in what `pulumi stack export` prints."""
    return (export.get("deployment") or {}).get("resources") or []


def expected_files(export: Mapping[str, Any]) -> list[Path]:
    """Paths relative to the project, as the provider that wrote them names them."""
    folders = _folders(export)
    return [
        Path(folders[provider]) / file_name(manifest)
        for provider, manifest in _manifests(export)
        if provider in folders
    ]


def missing_files(export: Mapping[str, Any], root: Path) -> list[Path]:
    return [path for path in expected_files(export) if not (root / path).is_file()]


def rendered_folders(export: Mapping[str, Any]) -> list[Path]:
    return sorted({Path(folder) for folder in _folders(export).values()})


def file_name(manifest: Mapping[str, Any]) -> Path:
    """renderPathForResource in the provider's provider.go, to the letter."""
    version = str(manifest["apiVersion"])
    metadata = manifest["metadata"]
    namespace = metadata.get("namespace") or "default"
    safe = version.replace("/", "_").replace(":", "_")
    definition = manifest["kind"] == "CustomResourceDefinition" and version.startswith(
        "apiextensions.k8s.io/"
    )
    folder = "0-crd" if definition else "1-manifest"
    return Path(folder) / f"{safe}-{str(manifest['kind']).lower()}-{namespace}-{metadata['name']}.yaml"


def remove_empty_folders(root: Path, folder: Path) -> None:
    """Removes what a destroy has emptied; rmdir leaves alone whatever still holds a file."""
    top = root / folder
    emptied = [top / "0-crd", top / "1-manifest", top]
    if top.parent != root and top.is_relative_to(root):
        emptied.append(top.parent)
    for path in emptied:
        with contextlib.suppress(OSError):
            path.rmdir()


def _folders(export: Mapping[str, Any]) -> dict[str, str]:
    """The folder of each rendering provider, under the reference that its resources carry."""
    found = {}
    for resource in resources(export):
        folder = (resource.get("inputs") or {}).get("renderYamlToDirectory")
        if resource.get("type") == PROVIDER_TYPE and folder:
            found[f"{resource['urn']}::{resource.get('id')}"] = str(folder)
    return found


def _manifests(export: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for resource in resources(export):
        manifest = resource.get("inputs") or {}
        if {"apiVersion", "kind", "metadata"} <= manifest.keys() and "name" in manifest["metadata"]:
            yield resource.get("provider", ""), manifest
