"""Installs CustomResourceDefinitions from a folder and waits until the server serves them."""

from pathlib import Path

import yaml

from manifests import Manifest
from tests.stand_in.client import Client
from tests.stand_in.waits import condition, wait_for, wait_gone, wait_until

FOLDER = Path(__file__).with_name("crds")
KIND = "CustomResourceDefinition"


def crds_in(folder: Path) -> list[Manifest]:
    """All CRDs of the folder's YAML files; a folder without any is an error."""
    files = sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")])
    documents = [document for file in files for document in yaml.safe_load_all(file.read_text())]
    found = [document for document in documents if document and document.get("kind") == KIND]
    if not found:
        raise FileNotFoundError(f"{folder} holds no YAML file with a {KIND}")
    return found


def install_crds(client: Client, folder: Path = FOLDER) -> list[str]:
    """The names of the CRDs, all of them established and found by discovery."""
    crds = crds_in(folder)
    for crd in crds:
        client.apply(crd, force=True)
    for crd in crds:
        wait_for(client, KIND, crd["metadata"]["name"], "", condition("Established"))
    wait_until(lambda: _described(client, crds), "OpenAPI descriptions of the CRDs")
    client.discovery.refresh()
    return [crd["metadata"]["name"] for crd in crds]


def _described(client: Client, crds: list[Manifest]) -> bool:
    """The server describes a kind a moment after it serves it, and KWOK and Pulumi's provider need the description."""
    paths = client.get_path("/openapi/v3")["paths"]
    return all(
        f"apis/{crd['spec']['group']}/{version['name']}" in paths
        for crd in crds
        for version in crd["spec"]["versions"]
        if version["served"]
    )


def remove_crd(client: Client, name: str) -> None:
    """Removes a CRD and all of its objects; waits until both are gone."""
    client.delete(KIND, name)
    wait_gone(client, KIND, name)
    client.discovery.refresh()
