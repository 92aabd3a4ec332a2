"""What the Dynamo operator, its webhook and Grove demand of a DynamoGraphDeployment, for every target.

Decides nothing about the published values themselves; `test_published_manifests.py` does.
"""

import pytest

from manifests import Manifest
from settings.quantity import canonical
from tests.targets import TARGETS
from tests.unit.manifests.rendered import (
    argument,
    components,
    env,
    graph_of,
    keys_and_values,
    main,
    manifests_of,
    pod,
    workers,
)

GROVE_NAME = 45
LABEL = 63
CLIQUE_NAME = 57
OPERATOR_KEYS = ("nvidia.com/", "grove.io/")
# A resource, and the annotation that a published recipe sets itself to choose vLLM's executor.
PUBLISHED_KEYS = {"nvidia.com/gpu", "nvidia.com/vllm-distributed-executor-backend"}
OPERATOR_FIELDS = {"minAvailable", "restart", "priorityClassName", "topologyConstraint", "scalingAdapter"}

# The operator's PodCliqueSet names, without the four hexadecimal digits of the shortened ones.
POD_CLIQUE_SETS = {
    "vllm-h200-agg": "kimi-k3-vllm-h200-agg-agentic",
    "vllm-gb200-agg": "kimi-k3-vllm-gb200-agg-a-????",
    "vllm-gb300-agg": "kimi-k3-vllm-gb300-agg-a-????",
    "vllm-gb300-disagg": "kimi-k3-vllm-gb300-dis-????",
    "sglang-gb200-agg": "kimi-k3-sglang-gb200-agg-????",
    "sglang-gb200-disagg": "kimi-k3-sg-????",
    "sglang-gb300-agg": "kimi-k3-sglang-gb300-agg-????",
    "sglang-gb300-disagg": "kimi-k3-sg-????",
}


def _grove_budget(component: Manifest) -> int:
    """Characters that a component's names take: its clique, and its scaling group when it spans nodes."""
    length = len(component["name"])
    return 2 * length + len("-ldr") if "multinode" in component else length


def _pod_clique_set(graph: Manifest) -> str:
    dgd, room = graph["metadata"]["name"], GROVE_NAME - max(map(_grove_budget, components(graph)))
    return dgd if len(dgd) <= room else f"{dgd[: room - 5]}-????"


@pytest.mark.parametrize("name", TARGETS)
def test_component_names_leave_room_for_a_pod_clique_set(name: str) -> None:
    graph = graph_of(name)
    assert max(map(_grove_budget, components(graph))) <= GROVE_NAME - 8, "the webhook refuses the deployment"
    assert _pod_clique_set(graph) == POD_CLIQUE_SETS[name]


@pytest.mark.parametrize("name", TARGETS)
def test_clique_names_are_short_enough_for_pods_to_leave_their_scheduling_gate(name: str) -> None:
    graph = graph_of(name)
    for worker in workers(graph):
        role = worker["name"].lower()
        clique = f"{_pod_clique_set(graph)}-0-{role}-0-{role}-ldr"
        assert len(clique) <= CLIQUE_NAME, f"pods of {clique} would stay SchedulingGated"


@pytest.mark.parametrize("name", TARGETS)
def test_service_names_and_labels_fit_into_63_characters(name: str) -> None:
    graph = graph_of(name)
    dgd = graph["metadata"]["name"]
    assert dgd == f"kimi-k3-{name}-agentic"
    for component in components(graph):
        assert len(f"{dgd}-{component['name'].lower()}") <= LABEL, "the operator could not make its Service"
    assert len(f"{graph['metadata']['namespace']}-{dgd}") <= LABEL, "no pod would be made"


@pytest.mark.parametrize("name", TARGETS)
def test_component_names_differ_whatever_their_case(name: str) -> None:
    names = [component["name"].lower() for component in components(graph_of(name))]
    assert len(set(names)) == len(names)
    assert names[0] == "frontend", "the frontend's Service is <dgd>-frontend"


@pytest.mark.parametrize("name", TARGETS)
def test_every_component_has_one_container_main_with_an_image(name: str) -> None:
    for component in components(graph_of(name)):
        assert main(component)["name"] == "main", "the operator merges its defaults into `main` only"
        assert main(component)["image"]


@pytest.mark.parametrize("name", TARGETS)
def test_commands_are_direct_and_args_are_single_tokens(name: str) -> None:
    for component in components(graph_of(name)):
        container = main(component)
        framework = name.split("-", maxsplit=1)[0]
        module = "dynamo.frontend" if component["type"] == "frontend" else f"dynamo.{framework}"
        assert container["command"] == ["python3", "-m", module], "a shell would swallow the injected flags"
        for argument_ in container["args"]:
            assert isinstance(argument_, str)
            assert argument_, "an empty argument vanishes on follower nodes"
            assert not set(argument_) & set(" \n\t'"), f"{argument_!r} breaks on follower nodes"
            assert not (argument_.startswith("--") and "=" in argument_), (
                f"the operator does not see {argument_!r}"
            )


@pytest.mark.parametrize("name", [name for name in TARGETS if name.startswith("vllm")])
def test_the_operator_sees_the_parallelism_of_vllm(name: str) -> None:
    for worker in workers(graph_of(name)):
        tensor = int(argument(worker, "--tensor-parallel-size") or 0)
        pipeline = int(argument(worker, "--pipeline-parallel-size") or 1)
        gpus = int(main(worker)["resources"]["limits"]["nvidia.com/gpu"])
        assert tensor * pipeline == gpus * worker["multinode"]["nodeCount"], (
            "nodes would start engines of their own"
        )
        assert tensor * pipeline > gpus, "no multinode flags would be injected"


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_is_rendered_that_belongs_to_the_operator(name: str) -> None:
    graph = graph_of(name)
    keys = {key for key, _ in keys_and_values(graph)}
    assert not keys & OPERATOR_FIELDS
    assert not [key for key in keys - PUBLISHED_KEYS if key.startswith(OPERATOR_KEYS)]
    assert set(graph["metadata"]["annotations"]) == {"pulumi.com/waitFor"}
    assert set(graph["spec"]) == {"backendFramework", "components"}, "`spec.restart` is refused on create"


@pytest.mark.parametrize("name", TARGETS)
def test_a_list_of_ports_keeps_the_names_that_probes_and_services_look_for(name: str) -> None:
    for component in components(graph_of(name)):
        ports = {port["name"]: port["containerPort"] for port in main(component).get("ports", [])}
        wanted = {"http": 8000} if component["type"] == "frontend" else {"system": 9090}
        assert not ports or wanted.items() <= ports.items(), "the list replaces the operator's own"
    frontend = components(graph_of(name))[0]
    assert argument(frontend, "--http-port") == "8000", "the Service and the operator's env are fixed to it"


@pytest.mark.parametrize("name", TARGETS)
def test_frontends_have_no_security_context_and_workers_have_the_published_one(name: str) -> None:
    frontend, *roles = components(graph_of(name))
    assert "securityContext" not in main(frontend), "Pod Security would refuse a frontend that runs as root"
    for worker in roles:
        assert main(worker)["securityContext"]["capabilities"] == {
            "add": ["IPC_LOCK", "SYS_PTRACE", "SYS_RESOURCE"]
        }


@pytest.mark.parametrize("name", TARGETS)
def test_no_component_asks_the_hub_for_anything(name: str) -> None:
    for component in components(graph_of(name)):
        offline = {key: env(component).get(key) for key in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")}
        assert offline == {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    for worker in workers(graph_of(name)):
        assert env(worker)["DYN_SELF_HOST_METADATA"] == "1", "the frontend could not learn the model's name"
        assert env(worker)["HF_HOME"] == "/shared-model-cache"
        assert "DYN_SYSTEM_PORT" not in env(worker), "the operator's own is needed for self-hosted metadata"


@pytest.mark.parametrize("name", TARGETS)
def test_the_frontend_names_the_model_that_the_workers_serve(name: str) -> None:
    frontend = components(graph_of(name))[0]
    assert argument(frontend, "--model-name") == "moonshotai/Kimi-K3"
    assert argument(frontend, "--model-path") is None


@pytest.mark.parametrize("name", TARGETS)
def test_router_and_engine_agree_on_the_block_size_wherever_the_frontend_names_one(name: str) -> None:
    frontend, *roles = components(graph_of(name))
    size = argument(frontend, "--kv-cache-block-size")
    assert size is None or {argument(worker, "--block-size") for worker in roles} == {size}, (
        "KV events would be lost"
    )


@pytest.mark.parametrize("name", TARGETS)
def test_all_components_speak_over_the_same_request_plane(name: str) -> None:
    planes = {env(component).get("DYN_REQUEST_PLANE", "tcp") for component in components(graph_of(name))}
    assert planes == {"tcp"}


@pytest.mark.parametrize("name", TARGETS)
def test_an_env_entry_that_is_empty_on_purpose_is_kept_without_a_value(name: str) -> None:
    for worker in workers(graph_of(name)):
        entries = [entry for entry in main(worker)["env"] if entry["name"] == "DYN_FORWARDPASS_METRIC_PORT"]
        wanted = [{"name": "DYN_FORWARDPASS_METRIC_PORT"}] if name.startswith("sglang") else []
        assert entries == wanted, "the operator's own value would start a metrics endpoint on every worker"
        assert "" not in [entry.get("value") for entry in main(worker)["env"]], (
            "would differ after every refresh"
        )


@pytest.mark.parametrize("name", TARGETS)
def test_quantities_read_back_from_the_api_server_as_they_were_written(name: str) -> None:
    written = [
        value
        for manifest in manifests_of(name)
        for key, held in keys_and_values(manifest)
        if key in ("requests", "limits") and isinstance(held, dict)
        for value in held.values()
    ]
    written += [worker["sharedMemorySize"] for worker in workers(graph_of(name))]
    assert written == [canonical(value) for value in written], "every refresh would show a change"


@pytest.mark.parametrize("name", TARGETS)
def test_a_worker_asks_for_as_many_gpus_as_it_may_use(name: str) -> None:
    for worker in workers(graph_of(name)):
        resources = main(worker)["resources"]
        assert resources["limits"] == {"nvidia.com/gpu": resources["requests"]["nvidia.com/gpu"]}
        assert pod(worker)["terminationGracePeriodSeconds"] == 60
