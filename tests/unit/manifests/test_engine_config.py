"""SGLang's config files: real booleans, no key that the operator injects, and a hash that rolls the right workers."""

import hashlib

import pytest
import yaml
from ruamel.yaml import YAML

from manifests import Manifest, dynamo_graph, engine_of
from recipes import Target, load_catalog
from settings import ServingSettings
from tests.targets import TARGETS
from tests.unit.manifests.rendered import SGLANG, graph_of, main, manifests_of, only, pod, workers

CHECKSUM = "checksum/sglang-config"
FLAGS = {"trust-remote-code", "weight-loader-prefetch-checkpoints", "enable-multimodal", "enable-metrics"}
INJECTED = {"dist-init-addr", "nnodes", "node-rank"}


def _checksums(target: Target) -> dict[str, str]:
    graph = dynamo_graph(load_catalog().facts, target, ServingSettings(), "kimi-k3", "shared-model-cache")
    return {w["name"]: w["podTemplate"]["metadata"]["annotations"][CHECKSUM] for w in workers(graph)}


def _with_engine_key(target: Target, role_name: str, key: str, value: object) -> Target:
    changed = tuple(
        role.model_copy(update={"engine_config": {**role.engine_config, key: value}})
        if role.name == role_name
        else role
        for role in target.workers
    )
    return target.model_copy(update={"workers": changed})


def _config_files(name: str) -> dict[str, str]:
    data: dict[str, str] = only(manifests_of(name), "ConfigMap")["data"]
    return data


@pytest.mark.parametrize("name", SGLANG)
def test_flags_in_a_config_file_are_real_booleans_for_both_readers(name: str) -> None:
    for text in _config_files(name).values():
        for config in (yaml.safe_load(text), YAML(typ="safe", pure=True).load(text)):
            assert {key: config[key] for key in FLAGS} == dict.fromkeys(FLAGS, True), (
                "'true' is not a flag to SGLang"
            )
            assert not [key for key, value in config.items() if value is False], (
                "SGLang ignores or refuses false"
            )
            assert isinstance(config["tp-size"], int)
            assert isinstance(config["mem-fraction-static"], float)


@pytest.mark.parametrize("name", SGLANG)
def test_no_config_file_holds_what_the_operator_or_the_command_line_sets(name: str) -> None:
    for file, text in _config_files(name).items():
        config = yaml.safe_load(text)
        assert not INJECTED & set(config), f"{file}: the operator injects these for every node"
        assert "enable-linear-replayssm-spec" not in config, f"{file}: SGLang's YAML parser refuses it"


@pytest.mark.parametrize("name", SGLANG)
def test_every_role_reads_a_file_that_the_config_map_holds(name: str) -> None:
    files = _config_files(name)
    read = [main(worker)["args"][1] for worker in workers(graph_of(name))]
    assert read == [f"/etc/sglang/{file}" for file in files]


@pytest.mark.parametrize("name", SGLANG)
def test_the_config_is_mounted_as_a_whole_so_that_a_change_reaches_the_pods(name: str) -> None:
    for worker in workers(graph_of(name)):
        mounts = [mount for mount in main(worker)["volumeMounts"] if mount["name"] == "sglang-config"]
        assert mounts == [{"name": "sglang-config", "mountPath": "/etc/sglang", "readOnly": True}]


@pytest.mark.parametrize("name", SGLANG)
def test_the_pod_annotation_is_the_sha256_of_the_roles_own_file(name: str) -> None:
    hashes = [hashlib.sha256(text.encode()).hexdigest() for text in _config_files(name).values()]
    assert list(_checksums(load_catalog().named(name)).values()) == hashes


ROLES = [
    pytest.param(name, role.name, id=f"{name}-{role.name}")
    for name in SGLANG
    for role in load_catalog().named(name).workers
]


@pytest.mark.parametrize(("name", "role"), ROLES)
def test_changing_one_engine_key_rolls_that_role_and_no_other(name: str, role: str) -> None:
    target = load_catalog().named(name)
    before = _checksums(target)
    after = _checksums(_with_engine_key(target, role, "mem-fraction-static", 0.5))
    assert [worker for worker in before if before[worker] != after[worker]] == [role]


def test_a_changed_engine_key_is_in_the_config_map_too() -> None:
    facts, target = load_catalog().facts, load_catalog().named("sglang-gb300-agg")
    changed = _with_engine_key(target, "Worker", "mem-fraction-static", 0.5)
    config: Manifest | None = engine_of(facts, changed).config_map("kimi-k3")
    assert config is not None
    assert yaml.safe_load(config["data"]["worker.yaml"])["mem-fraction-static"] == 0.5


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in SGLANG])
def test_a_vllm_target_has_no_config_file_and_no_hash(name: str) -> None:
    assert "ConfigMap" not in [manifest["kind"] for manifest in manifests_of(name)]
    for worker in workers(graph_of(name)):
        assert CHECKSUM not in worker["podTemplate"].get("metadata", {}).get("annotations", {})
        assert [volume["name"] for volume in pod(worker)["volumes"]] == ["shared-model-cache"]
