"""Every field of every manifest against expectations written by hand, and the same documents for YAML 1.1 and 1.2.

Left out of the comparison: the annotations that a stack adds for Pulumi, and the hash of the SGLang config.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml
from ruamel.yaml import YAML

from manifests import Manifest, stack_manifests
from manifests.yaml_text import yaml_stream
from settings import read_stack_file
from tests.targets import TARGETS
from tests.unit.manifests.rendered import manifests_of

ROOT = Path(__file__).parents[3]
PUBLISHED = Path(__file__).parents[1] / "published"
HELD_BACK = ("pulumi.com/", "checksum/sglang-config")


def _published_only(node: Any) -> Any:  # Any: JSON of any depth
    """`node` without the annotations that the program adds; what is empty after that goes too."""
    if isinstance(node, list):
        return [_published_only(item) for item in node]
    if not isinstance(node, dict):
        return node
    cleaned = {key: _published_only(value) for key, value in node.items() if not key.startswith(HELD_BACK)}
    emptied = [
        key for key in ("annotations", "metadata") if key in cleaned and not cleaned[key] and node[key]
    ]
    return {key: value for key, value in cleaned.items() if key not in emptied}


def _comparable(manifest: Manifest) -> Manifest:
    found: Manifest = _published_only(manifest)
    if found["kind"] == "ConfigMap":
        found["data"] = {name: yaml.safe_load(text) for name, text in found["data"].items()}
    return found


def _expected(name: str) -> list[Manifest]:
    return list(yaml.safe_load_all((PUBLISHED / f"{name}.yaml").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_is_deployed_exactly_as_published(name: str) -> None:
    found, expected = [_comparable(manifest) for manifest in manifests_of(name)], _expected(name)
    assert [m["kind"] for m in found] == [m["kind"] for m in expected], (
        "objects missing, added or out of order"
    )
    for ours, published in zip(found, expected, strict=True):
        assert ours == published, f"the {published['kind']} of {name} differs from what is published"


def test_there_is_an_expectation_for_each_target_and_for_nothing_else() -> None:
    files = {path.stem for path in PUBLISHED.glob("*.yaml")}
    assert files == {*TARGETS, "figures"}


APPLY_ORDER = {
    "vllm-h200-agg": "Namespace PersistentVolumeClaim Job DynamoGraphDeployment",
    "vllm-gb200-agg": "Namespace PersistentVolumeClaim Job ComputeDomain DynamoGraphDeployment",
    "vllm-gb300-agg": "Namespace PersistentVolumeClaim Job ComputeDomain DynamoGraphDeployment",
    "vllm-gb300-disagg": "Namespace PersistentVolumeClaim Job ComputeDomain DynamoGraphDeployment",
    "sglang-gb200-agg": "Namespace PersistentVolumeClaim Job ComputeDomain ConfigMap DynamoGraphDeployment",
    "sglang-gb200-disagg": "Namespace PersistentVolumeClaim Job ComputeDomain ConfigMap DynamoGraphDeployment",
    "sglang-gb300-agg": "Namespace PersistentVolumeClaim Job ComputeDomain ConfigMap DynamoGraphDeployment",
    "sglang-gb300-disagg": "Namespace PersistentVolumeClaim Job ComputeDomain ConfigMap DynamoGraphDeployment",
}


@pytest.mark.parametrize("name", TARGETS)
def test_objects_come_in_the_order_in_which_they_can_be_applied(name: str) -> None:
    assert " ".join(manifest["kind"] for manifest in manifests_of(name)) == APPLY_ORDER[name]


@pytest.mark.parametrize("name", TARGETS)
def test_yaml_1_1_and_1_2_readers_understand_a_stack_alike(name: str) -> None:
    manifests = manifests_of(name)
    text = yaml_stream(manifests)
    assert list(yaml.safe_load_all(text)) == manifests, "kubectl would apply something else"
    assert list(YAML(typ="safe", pure=True).load_all(text)) == manifests, (
        "a YAML 1.2 reader sees something else"
    )


def test_the_dev_stack_is_vllm_on_gb200_and_reads_alike_too() -> None:
    settings = read_stack_file(ROOT, "dev")
    manifests = stack_manifests(settings)
    assert [_comparable(manifest) for manifest in manifests] == _expected("vllm-gb200-agg")
    text = yaml_stream(manifests)
    assert list(yaml.safe_load_all(text)) == list(YAML(typ="safe", pure=True).load_all(text)) == manifests
