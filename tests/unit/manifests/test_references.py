"""Names that one object uses and another defines: a slip leaves pods Pending without a word."""

import pytest

from manifests import Manifest
from tests.targets import TARGETS
from tests.unit.manifests.rendered import (
    SGLANG,
    components,
    graph_of,
    main,
    manifests_of,
    only,
    pod,
    settings_of,
    workers,
)

OTHER = {
    "namespace": {"name": "models"},
    "modelCache": {"claimName": "weights"},
    "huggingFace": {"secretName": "hub"},
}


@pytest.mark.parametrize("name", TARGETS)
def test_every_mount_has_its_volume_and_every_volume_its_mount(name: str) -> None:
    job = only(manifests_of(name), "Job")["spec"]["template"]["spec"]
    for spec in [job, *(pod(component) for component in components(graph_of(name)))]:
        mounts = [
            mount["name"] for container in spec["containers"] for mount in container.get("volumeMounts", [])
        ]
        assert mounts == [volume["name"] for volume in spec.get("volumes", [])]


@pytest.mark.parametrize("name", TARGETS)
def test_every_claim_of_a_container_is_one_of_its_pod(name: str) -> None:
    for worker in workers(graph_of(name)):
        used = [claim["name"] for claim in main(worker)["resources"].get("claims", [])]
        assert used == [claim["name"] for claim in pod(worker).get("resourceClaims", [])]


@pytest.mark.parametrize("name", TARGETS)
def test_pods_name_the_claim_template_of_the_compute_domain(name: str) -> None:
    manifests = manifests_of(name)
    domains = [
        m["spec"]["channel"]["resourceClaimTemplate"]["name"]
        for m in manifests
        if m["kind"] == "ComputeDomain"
    ]
    named = {
        claim["resourceClaimTemplateName"]
        for worker in workers(graph_of(name))
        for claim in pod(worker).get("resourceClaims", [])
    }
    assert named == set(domains), "pods would wait for a claim template that nobody makes"
    assert len(domains) == (0 if name == "vllm-h200-agg" else 1)
    assert all(len(domain) <= 63 for domain in domains)


@pytest.mark.parametrize("name", SGLANG)
def test_pods_mount_the_config_map_that_is_made(name: str) -> None:
    made = only(manifests_of(name), "ConfigMap")["metadata"]["name"]
    for worker in workers(graph_of(name)):
        configs = [volume["configMap"]["name"] for volume in pod(worker)["volumes"] if "configMap" in volume]
        assert configs == [made]


def _claims(spec: Manifest) -> list[str]:
    return [
        volume["persistentVolumeClaim"]["claimName"]
        for volume in spec["volumes"]
        if "persistentVolumeClaim" in volume
    ]


@pytest.mark.parametrize("name", TARGETS)
def test_job_and_workers_use_the_claim_the_secret_and_the_namespace_that_the_settings_name(name: str) -> None:
    manifests = manifests_of(name, **OTHER)
    namespace, *others = manifests
    assert namespace["metadata"] == {"name": "models"}
    assert {manifest["metadata"]["namespace"] for manifest in others} == {"models"}
    assert only(manifests, "PersistentVolumeClaim")["metadata"]["name"] == "weights"
    job = only(manifests, "Job")["spec"]["template"]["spec"]
    assert job["containers"][0]["envFrom"] == [{"secretRef": {"name": "hub"}}]
    assert _claims(job) == ["weights"]
    for worker in workers(only(manifests, "DynamoGraphDeployment")):
        assert _claims(pod(worker)) == ["weights"]


@pytest.mark.parametrize("name", TARGETS)
def test_two_targets_in_one_namespace_share_no_name_but_those_of_the_cache_and_the_job(name: str) -> None:
    shared = {"Namespace", "PersistentVolumeClaim", "Job"}
    own = [m["metadata"]["name"] for m in manifests_of(name) if m["kind"] not in shared]
    assert all(made.startswith(settings_of(name).target.dgd_name) for made in own)
