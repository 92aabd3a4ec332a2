"""The test CRDs know every field that the program renders. What they refuse is for an API server to show."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from manifests import Manifest
from tests.targets import TARGETS
from tests.unit.manifests.rendered import manifests_of

FOLDER = Path(__file__).parents[2] / "stand_in" / "crds"
PLURALS = {"DynamoGraphDeployment": "dynamographdeployments", "ComputeDomain": "computedomains"}
TYPES = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list}


@cache
def crd(kind: str) -> Manifest:
    found: Manifest = yaml.safe_load((FOLDER / f"{PLURALS[kind]}.yaml").read_text())
    return found


def schema(kind: str) -> Manifest:
    (version,) = crd(kind)["spec"]["versions"]
    found: Manifest = version["schema"]["openAPIV3Schema"]
    return found


def untyped(value: object, known: Manifest, where: str) -> Iterator[str]:
    """What of `value` has no type in the schema, or another one."""
    if known.get("x-kubernetes-int-or-string"):
        return
    if not isinstance(value, TYPES[known["type"]]):
        yield f"{where} is {type(value).__name__}, not {known['type']}"
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from untyped(item, known["items"], f"{where}[{number}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _untyped_field(item, key, known, f"{where}.{key}")


def _untyped_field(value: object, key: str, known: Manifest, where: str) -> Iterator[str]:
    field = known.get("properties", {}).get(key) or known.get("additionalProperties")
    if field:
        yield from untyped(value, field, where)
    elif not known.get("x-kubernetes-preserve-unknown-fields"):
        yield f"{where} is unknown"


@pytest.mark.parametrize("target", TARGETS)
def test_every_rendered_field_has_a_type(target: str) -> None:
    for manifest in manifests_of(target):
        if manifest["kind"] in PLURALS:
            spec = schema(manifest["kind"])["properties"]["spec"]
            assert list(untyped(manifest["spec"], spec, "spec")) == []


@pytest.mark.parametrize("kind", PLURALS)
def test_the_crd_is_of_the_rendered_kind_with_a_status_of_its_own(kind: str) -> None:
    manifest = next(one for one in manifests_of("vllm-gb200-agg") if one["kind"] == kind)
    (version,) = crd(kind)["spec"]["versions"]
    assert manifest["apiVersion"] == f"{crd(kind)['spec']['group']}/{version['name']}"
    assert crd(kind)["metadata"]["name"] == f"{PLURALS[kind]}.{crd(kind)['spec']['group']}"
    assert version["subresources"] == {"status": {}}


def test_a_misspelt_field_would_be_seen() -> None:
    spec = schema("DynamoGraphDeployment")["properties"]["spec"]
    assert list(untyped({"components": [{"sharedMemory": "1Gi"}]}, spec, "spec")) == [
        "spec.components[0].sharedMemory is unknown"
    ]
