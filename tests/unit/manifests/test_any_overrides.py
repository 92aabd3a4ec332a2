"""What holds for every stack, whatever it changes about the published pods."""

import yaml
from hypothesis import given, settings
from ruamel.yaml import YAML

from manifests import Manifest, refuse_mistakes, stack_manifests
from manifests.yaml_text import yaml_stream
from settings import load_settings
from tests.random_settings import Values, stacks
from tests.unit.manifests.rendered import argument, components, main, manifests_of, only, pod, workers

PODS = 45  # Grove's budget for all names of a pod, of which a set keeps 8


@settings(max_examples=50, deadline=None, derandomize=True)
@given(stacks())
def test_a_stack_is_built_and_adds_up(stack: tuple[str, Values]) -> None:
    target, values = stack
    manifests = stack_manifests(load_settings(values, "prod"))
    refuse_mistakes(manifests, "prod")
    published = [(m["kind"], m["metadata"]["name"]) for m in manifests_of(target)]
    assert [(m["kind"], m["metadata"]["name"]) for m in manifests] == published, "overrides add no objects"
    graph = only(manifests, "DynamoGraphDeployment")
    _assert_counts_agree(manifests, graph)
    _assert_references_hold(manifests, graph)
    _assert_names_fit(graph)


@settings(max_examples=10, deadline=None, derandomize=True)  # the reader of YAML 1.2 is slow
@given(stacks())
def test_readers_of_yaml_1_1_and_1_2_understand_it_alike(stack: tuple[str, Values]) -> None:
    manifests = stack_manifests(load_settings(stack[1], "prod"))
    text = yaml_stream(manifests)
    assert list(yaml.safe_load_all(text)) == manifests == list(YAML(typ="safe", pure=True).load_all(text))


def _assert_counts_agree(manifests: list[Manifest], graph: Manifest) -> None:
    configs = [m["data"] for m in manifests if m["kind"] == "ConfigMap"]
    for worker in workers(graph):
        args = main(worker)["args"]
        if configs:
            config = yaml.safe_load(configs[0][args[args.index("--config") + 1].rpartition("/")[2]])
            ranks = config["tp-size"] * config.get("pp-size", 1)
        else:
            tensor, pipeline = (
                argument(worker, "--tensor-parallel-size"),
                argument(worker, "--pipeline-parallel-size"),
            )
            ranks = int(tensor or 1) * int(pipeline or 1)
        gpus = int(main(worker)["resources"]["limits"]["nvidia.com/gpu"])
        assert ranks == gpus * worker["multinode"]["nodeCount"]
    routable = sum(worker["replicas"] for worker in workers(graph) if worker["type"] != "prefill")
    assert argument(components(graph)[0], "--router-min-initial-workers") == str(routable)


def _assert_references_hold(manifests: list[Manifest], graph: Manifest) -> None:
    made = {(m["kind"], m["metadata"]["name"]) for m in manifests}
    templates = {
        m["spec"]["channel"]["resourceClaimTemplate"]["name"]
        for m in manifests
        if m["kind"] == "ComputeDomain"
    }
    specs = [pod(component) for component in components(graph)]
    for spec in [*specs, only(manifests, "Job")["spec"]["template"]["spec"]]:
        volumes = {volume["name"]: volume for volume in spec.get("volumes", [])}
        (container,) = spec["containers"]
        mounts = [mount["name"] for mount in container.get("volumeMounts", [])]
        assert set(mounts) == set(volumes), "a mount without its volume, or a volume that nobody mounts"
        for volume in volumes.values():
            if "persistentVolumeClaim" in volume:
                assert ("PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"]) in made
            if "configMap" in volume:
                assert ("ConfigMap", volume["configMap"]["name"]) in made
        claims = {
            claim["name"]: claim["resourceClaimTemplateName"] for claim in spec.get("resourceClaims", [])
        }
        assert {claim["name"] for claim in container.get("resources", {}).get("claims", [])} == set(claims)
        assert set(claims.values()) <= templates


def _assert_names_fit(graph: Manifest) -> None:
    name, namespace = graph["metadata"]["name"], graph["metadata"]["namespace"]
    assert len(f"{namespace}-{name}") <= 63
    for component in components(graph):
        length = len(component["name"])
        assert (2 * length + 4 if "multinode" in component else length) + 8 <= PODS
        assert len(f"{name}-{component['name']}") <= 63
