"""What each setting changes in the manifests, and that it changes nothing else."""

from typing import Any

import pytest

from manifests import stack_manifests, token_secret
from recipes import load_catalog
from tests.targets import TARGETS
from tests.unit.manifests.rendered import components, graph_of, main, manifests_of, only, settings_of

GROUPS = dict[str, dict[str, Any]]  # Any: settings hold values of several kinds

LEFT_OUT: list[Any] = [  # Any: pytest's own type of a row
    pytest.param(
        {}, "Namespace PersistentVolumeClaim Job ComputeDomain DynamoGraphDeployment", id="everything"
    ),
    pytest.param(
        {"namespace": {"create": False}},
        "PersistentVolumeClaim Job ComputeDomain DynamoGraphDeployment",
        id="existing-namespace",
    ),
    pytest.param(
        {"modelCache": {"create": False}},
        "Namespace Job ComputeDomain DynamoGraphDeployment",
        id="existing-claim",
    ),
    pytest.param(
        {"modelDownload": {"enabled": False}},
        "Namespace PersistentVolumeClaim ComputeDomain DynamoGraphDeployment",
        id="no-download",
    ),
    pytest.param({"serving": {"deploy": False}}, "Namespace PersistentVolumeClaim Job", id="paused"),
    pytest.param(
        {
            "namespace": {"create": False},
            "huggingFace": {"source": "existingSecret"},
            "modelCache": {"create": False},
            "modelDownload": {"enabled": False},
        },
        "ComputeDomain DynamoGraphDeployment",
        id="second-stack-in-a-namespace",
    ),
]


@pytest.mark.parametrize(("groups", "kinds"), LEFT_OUT)
def test_a_stack_makes_what_its_settings_ask_for(groups: GROUPS, kinds: str) -> None:
    manifests = manifests_of("vllm-gb300-agg", **groups)
    assert " ".join(manifest["kind"] for manifest in manifests) == kinds
    published = manifests_of("vllm-gb300-agg")
    assert all(manifest in published for manifest in manifests), "what is left must not change"


def test_pausing_an_sglang_target_takes_its_config_along() -> None:
    kinds = [m["kind"] for m in manifests_of("sglang-gb300-agg", serving={"deploy": False})]
    assert kinds == ["Namespace", "PersistentVolumeClaim", "Job"]


@pytest.mark.parametrize("name", TARGETS)
def test_an_own_image_is_used_by_every_component(name: str) -> None:
    image = "registry.example.com:5000/kimi/runtime:1.5.0"
    graph = graph_of(name, serving={"image": image})
    assert {main(component)["image"] for component in components(graph)} == {image}


@pytest.mark.parametrize("name", TARGETS)
def test_the_runtime_version_stands_on_every_component_of_an_image_that_does_not_tell_it(name: str) -> None:
    graph = graph_of(name, serving={"image": "registry.example.com/kimi:latest", "runtimeVersion": "1.5.0"})
    versions = [component["runtimeVersionOverride"] for component in components(graph)]
    assert set(versions) == {"1.5.0"}, "one component without it has the whole deployment refused"


@pytest.mark.parametrize("name", TARGETS)
def test_the_published_images_need_no_runtime_version(name: str) -> None:
    assert not [
        component for component in components(graph_of(name)) if "runtimeVersionOverride" in component
    ]


@pytest.mark.parametrize(
    ("groups", "kind", "annotations"),
    [
        pytest.param(
            {}, "DynamoGraphDeployment", {"pulumi.com/waitFor": "condition=Ready"}, id="graph-is-waited-for"
        ),
        pytest.param(
            {"serving": {"wait": False}},
            "DynamoGraphDeployment",
            {"pulumi.com/skipAwait": "true"},
            id="graph-is-not-waited-for",
        ),
        pytest.param({}, "Job", None, id="job-is-waited-for"),
        pytest.param(
            {"modelDownload": {"wait": False}}, "Job", {"pulumi.com/skipAwait": "true"}, id="job-is-not"
        ),
        pytest.param(
            {}, "PersistentVolumeClaim", {"pulumi.com/skipAwait": "true"}, id="claim-binds-with-the-job"
        ),
        pytest.param({}, "ComputeDomain", None, id="domain-is-never-waited-for"),
        pytest.param({}, "ConfigMap", None, id="config"),
        pytest.param({}, "Namespace", None, id="namespace-is-waited-for"),
    ],
)
def test_only_these_annotations_tell_pulumi_what_to_wait_for(
    groups: GROUPS, kind: str, annotations: dict[str, str] | None
) -> None:
    manifest = only(manifests_of("sglang-gb300-agg", **groups), kind)
    assert manifest["metadata"].get("annotations") == annotations


def test_the_claim_takes_class_and_size_from_the_settings() -> None:
    manifests = manifests_of("vllm-h200-agg", modelCache={"storageClassName": "fast", "size": "4096Gi"})
    claim = only(manifests, "PersistentVolumeClaim")
    assert claim["spec"] == {
        "accessModes": ["ReadWriteMany"],
        "storageClassName": "fast",
        "resources": {"requests": {"storage": "4Ti"}},
    }


def test_the_tokens_secret_is_opaque_and_has_the_one_key_that_the_job_reads() -> None:
    assert token_secret(load_catalog().facts, "hub", "models", "a-token") == {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "hub", "namespace": "models"},
        "type": "Opaque",
        "stringData": {"HF_TOKEN": "a-token"},
    }


@pytest.mark.parametrize("name", TARGETS)
def test_no_list_of_manifests_holds_a_secret(name: str) -> None:
    assert "Secret" not in [manifest["kind"] for manifest in manifests_of(name)]


def test_one_stacks_manifests_are_not_touched_by_changing_anothers() -> None:
    first, second = (stack_manifests(settings_of("sglang-gb300-agg")) for _ in range(2))
    main(components(only(first, "DynamoGraphDeployment"))[1])["securityContext"]["runAsUser"] = 1000
    assert main(components(only(second, "DynamoGraphDeployment"))[1])["securityContext"]["runAsUser"] == 0
