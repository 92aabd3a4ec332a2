"""The one explicit provider: what it is told, and what it must not pick up from the machine."""

import os

import pytest

from tests.unit.stacks.runs import CASES, CLUSTER_CASES, RENDER_CASES, Values, case_run, cluster, rendered

MUTABLE = {"enableSecretMutable": "true", "enableConfigMapMutable": "true"}
CLUSTER = {"context": "gpu-cluster", "clusterIdentifier": "gpu-cluster", **MUTABLE}
KUBECONFIG = {"KUBECONFIG": "/home/somebody/.kube/config"}


@pytest.mark.parametrize("case", CLUSTER_CASES)
def test_a_cluster_stack_names_its_context_and_changes_secrets_in_place(case: str) -> None:
    assert case_run(case).provider.inputs == CLUSTER


@pytest.mark.parametrize("case", RENDER_CASES)
def test_a_rendered_stack_tells_the_provider_its_folder_and_nothing_else(case: str) -> None:
    folder = "rendered/dev" if case == "dev" else "rendered/here"
    assert case_run(case).provider.inputs == {"renderYamlToDirectory": folder}


# settings of `cluster`, inputs they become
CLUSTERS: dict[str, tuple[Values, Values]] = {
    "kubeconfig": ({"kubeconfig": "/etc/prod.yaml"}, {"kubeconfig": "/etc/prod.yaml"}),
    "identifier": ({"clusterIdentifier": "prod"}, {"clusterIdentifier": "prod"}),
    "both": (
        {"kubeconfig": "/etc/prod.yaml", "clusterIdentifier": "prod"},
        {"kubeconfig": "/etc/prod.yaml", "clusterIdentifier": "prod"},
    ),
}


@pytest.mark.parametrize("name", CLUSTERS)
def test_what_names_the_cluster_reaches_the_provider(name: str) -> None:
    given, expected = CLUSTERS[name]
    run = cluster("vllm-h200-agg", {"cluster": given})
    assert run.provider.inputs == CLUSTER | expected


def test_a_kubeconfig_of_the_environment_does_not_reach_a_rendering_provider() -> None:
    run = rendered("vllm-h200-agg", environment=KUBECONFIG)
    assert run.provider.inputs == {"renderYamlToDirectory": "rendered/here"}, (
        "the provider refuses both together"
    )


def test_a_kubeconfig_of_the_environment_does_not_reach_the_state_of_a_cluster_stack() -> None:
    run = cluster("vllm-h200-agg", environment=KUBECONFIG)
    assert run.provider.inputs == CLUSTER, "the state would hold this machine's path"


@pytest.mark.parametrize("switch", ["UPSERT_EXISTING_OBJECTS", "ENABLE_PATCH_FORCE", "DELETE_UNREACHABLE"])
def test_a_switch_in_the_environment_does_not_reach_the_provider(switch: str) -> None:
    run = cluster("vllm-h200-agg", environment={f"PULUMI_K8S_{switch}": "true"})
    assert run.provider.inputs == CLUSTER, "the stack would do other things on other machines"


def test_a_kubeconfig_of_the_settings_wins_over_one_of_the_environment() -> None:
    run = cluster("vllm-h200-agg", {"cluster": {"kubeconfig": "/etc/prod.yaml"}}, environment=KUBECONFIG)
    assert run.provider.inputs["kubeconfig"] == "/etc/prod.yaml"


@pytest.mark.parametrize("case", CASES)
def test_nothing_that_exists_is_adopted_on_create(case: str) -> None:
    assert "upsertExistingObjects" not in case_run(case).provider.inputs, (
        "`destroy` would remove somebody else's object"
    )


@pytest.mark.parametrize("case", CASES)
def test_the_providers_name_and_parent_stay_as_they_are(case: str) -> None:
    run = case_run(case)
    assert (run.provider.name, run.provider.parent) == ("kubernetes", run.only("Stack").urn)


def test_a_run_leaves_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "/mine")
    cluster("vllm-h200-agg", environment=KUBECONFIG)
    assert os.environ["KUBECONFIG"] == "/mine"
