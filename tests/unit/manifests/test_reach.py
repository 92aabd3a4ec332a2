"""Each setting that changes the published pods reaches its own and nothing else.

The expectation is the published stack with one edit made by hand; everything that is not edited has to be equal. The
hash of the SGLang config is left out here and looked at by itself.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import yaml

from manifests import Manifest
from tests.unit.manifests.rendered import components, main, manifests_of, only, pod

# One target of each engine and topology, with the worker that serves requests and the others.
WORKERS = {
    "vllm-gb300-agg": ("worker",),
    "vllm-gb300-disagg": ("decode", "prefill"),
    "sglang-gb300-agg": ("Worker",),
    "sglang-gb300-disagg": ("DecodeWorker", "PrefillWorker"),
}
VLLM, SGLANG = [name for name in WORKERS if name[0] == "v"], [name for name in WORKERS if name[0] == "s"]
HASH = "checksum/sglang-config"
AFFINITY = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]
        }
    }
}
TOLERATIONS = [{"key": "kubernetes.io/arch", "operator": "Equal", "value": "arm64", "effect": "NoSchedule"}]


@dataclass
class Published:
    """The published manifests of a target, to be edited by hand."""

    target: str
    manifests: list[Manifest]

    @property
    def graph(self) -> Manifest:
        return only(self.manifests, "DynamoGraphDeployment")

    @property
    def frontend(self) -> Manifest:
        return components(self.graph)[0]

    @property
    def workers(self) -> list[Manifest]:
        return components(self.graph)[1:]

    @property
    def role(self) -> Manifest:
        """The worker that serves requests."""
        return next(worker for worker in self.workers if worker["name"] == WORKERS[self.target][0])

    @property
    def job(self) -> Manifest:
        template: Manifest = only(self.manifests, "Job")["spec"]["template"]
        return template

    def pods(self, *groups: str) -> list[Manifest]:
        found = {
            "frontend": [pod(self.frontend)],
            "workers": [pod(worker) for worker in self.workers],
            "download": [self.job["spec"]],
        }
        return [spec for group in groups for spec in found[group]]

    def config(self, worker: Manifest) -> dict[str, Any]:  # Any: an engine key may hold any YAML value
        """The engine config of a worker, parsed in place of its text."""
        file = main(worker)["args"][1].rpartition("/")[2]
        data = only(self.manifests, "ConfigMap")["data"]
        found: dict[str, Any] = data[file]  # Any: see above
        return found


Edit = Callable[[Published], object]
Groups = Callable[[str], dict[str, Any]]  # Any: settings hold values of several kinds


def role_of(key: str, value: object) -> Groups:
    """`roles.<the worker that serves requests>.<key>`."""
    return lambda target: {"roles": {WORKERS[target][0]: {key: value}}}


def same(**groups: dict[str, Any]) -> Groups:  # Any: see Groups
    return lambda target: groups


def each(pods: list[Manifest], key: str, value: object) -> None:
    for spec in pods:
        spec[key] = value


def placed(group: str, key: str, value: object) -> tuple[str, Groups, Edit]:
    groups = same(placement={group: {key: value}})
    edit: Edit = lambda it: each(it.pods(group), key, value)  # noqa: E731 - one of many in a table
    return (f"placement.{group}.{key}", groups, edit)


def env(container: Manifest, name: str, value: str) -> None:
    container["env"].append({"name": name, "value": value})


def arg_after(container: Manifest, flag: str, value: str) -> None:
    container["args"][container["args"].index(flag) + 1] = value


def without(container: Manifest, flag: str, items: int) -> None:
    start = container["args"].index(flag)
    del container["args"][start : start + items]


def images(it: Published) -> None:
    image = {"v": "vllm-runtime:1.5.0-kimi-k3-dev.1", "s": "sglang-runtime:1.5.0-kimi-k3-post.1"}[
        it.target[0]
    ]
    for component in [it.frontend, *it.workers]:
        main(component)["image"] = f"registry.example.com:5000/mirror/nvidia/ai-dynamo/{image}"
    it.job["spec"]["containers"][0]["image"] = "registry.example.com:5000/mirror/python:3.10-slim"


def described(it: Published, kind: str, key: str, value: str) -> None:
    """On every object and on every pod."""
    for manifest in it.manifests:
        manifest["metadata"].setdefault(kind, {})[key] = value
    for template in [it.job, *(component["podTemplate"] for component in [it.frontend, *it.workers])]:
        template.setdefault("metadata", {}).setdefault(kind, {})[key] = value


def script(it: Published) -> None:
    repositories = ("moonshotai/Kimi-K3", "RadixArk/Kimi-K3-DSpark", "Inferact/Kimi-K3-DSpark")
    lines = ["set -eux", "pip install --no-cache-dir huggingface_hub==1.16.4"]
    lines += [f"hf download {repository} --max-workers 4" for repository in repositories]
    it.job["spec"]["containers"][0]["args"] = ["\n".join(lines) + "\n"]


def modules_cache(it: Published) -> None:
    for worker in it.workers:
        env(main(worker), "HF_MODULES_CACHE", "/hf-modules")
        main(worker)["volumeMounts"].append({"name": "hf-modules", "mountPath": "/hf-modules"})
        pod(worker)["volumes"].append({"name": "hf-modules", "emptyDir": {}})


def liveness(it: Published) -> None:
    for worker in it.workers:
        main(worker)["livenessProbe"] = {
            "httpGet": {"path": "/live", "port": "system"},
            "periodSeconds": 5,
            "timeoutSeconds": 4,
            "failureThreshold": 6,
        }


def sub_path(it: Published) -> None:
    for spec in it.pods("workers", "download"):
        spec["containers"][0]["volumeMounts"][0]["subPath"] = "models/k3"


def three_replicas(it: Published) -> None:
    """Of sglang-gb300-agg two are published already, of the others one."""
    it.role["replicas"] = 3
    arg_after(main(it.frontend), "--router-min-initial-workers", "3")


EVERYWHERE: list[tuple[str, Groups, Edit]] = [
    ("images.registry", same(images={"registry": "registry.example.com:5000/mirror"}), images),
    (
        "images.pullSecrets",
        same(images={"pullSecrets": ["pull", "second"]}),
        lambda it: each(
            it.pods("frontend", "workers", "download"),
            "imagePullSecrets",
            [{"name": "pull"}, {"name": "second"}],
        ),
    ),
    (
        "images.download",
        same(images={"download": "registry.example.com/python:3.12"}),
        lambda it: it.job["spec"]["containers"][0].update(image="registry.example.com/python:3.12"),
    ),
    (
        "hub.endpoint",
        same(hub={"endpoint": "https://hub.example.com"}),
        lambda it: env(it.job["spec"]["containers"][0], "HF_ENDPOINT", "https://hub.example.com"),
    ),
    (
        "hub.packageIndex",
        same(hub={"packageIndex": "https://pypi.example.com/simple"}),
        lambda it: env(it.job["spec"]["containers"][0], "PIP_INDEX_URL", "https://pypi.example.com/simple"),
    ),
    *(
        placed(group, key, value)
        for group in ("frontend", "workers", "download")
        for key, value in (
            ("nodeSelector", {"disk": "nvme"}),
            ("tolerations", TOLERATIONS),
            ("affinity", AFFINITY),
            ("priorityClassName", "production"),
        )
    ),
    (
        "placement.benchmark",
        same(placement={"benchmark": {"nodeSelector": {"disk": "nvme"}, "tolerations": TOLERATIONS}}),
        lambda it: None,  # a stack makes no benchmark's pods
    ),
    (
        "placement.clique",
        same(placement={"clique": "rack.1"}),
        lambda it: each(it.pods("workers"), "nodeSelector", {"nvidia.com/gpu.clique": "rack.1"}),
    ),
    (
        "metadata.labels",
        same(metadata={"labels": {"example.com/team": "ml"}}),
        lambda it: described(it, "labels", "example.com/team", "ml"),
    ),
    (
        "metadata.annotations",
        same(metadata={"annotations": {"note": "any text, with spaces"}}),
        lambda it: described(it, "annotations", "note", "any text, with spaces"),
    ),
    ("roles.replicas", role_of("replicas", 3), three_replicas),
    (
        "roles.env",
        role_of("env", {"NCCL_DEBUG": "INFO"}),
        lambda it: env(main(it.role), "NCCL_DEBUG", "INFO"),
    ),
    (
        "roles.env of a published name",
        role_of("env", {"NCCL_NVLS_ENABLE": "0"}),
        lambda it: next(e for e in main(it.role)["env"] if e["name"] == "NCCL_NVLS_ENABLE").update(value="0"),
    ),
    (
        "roles.args.set",
        role_of("args", {"set": {"--new-flag": 5, "--dyn-tool-call-parser": "other", "--switch": True}}),
        lambda it: (
            main(it.role)["args"].extend(["--new-flag", "5", "--switch"]),
            arg_after(main(it.role), "--dyn-tool-call-parser", "other"),
        ),
    ),
    (
        "roles.args.set of JSON",
        role_of("args", {"set": {"--options": {"a": [1, 2], "b": "c d"}}}),
        lambda it: main(it.role)["args"].extend(["--options", '{"a":[1,2],"b":"c d"}']),
    ),
    (
        "roles.args.remove",
        role_of("args", {"remove": ["--dyn-tool-call-parser", "--dyn-enable-structural-tag"]}),
        lambda it: (
            without(main(it.role), "--dyn-tool-call-parser", 2),
            without(main(it.role), "--dyn-enable-structural-tag", 1),
        ),
    ),
    (
        "roles.resources.requests",
        role_of("resources", {"requests": {"cpu": 24}}),
        lambda it: main(it.role)["resources"]["requests"].update(cpu="24"),
    ),
    (
        "roles.resources.limits",
        role_of("resources", {"limits": {"memory": "1024Gi", "rdma/ib": "1"}}),
        lambda it: main(it.role)["resources"]["limits"].update({"memory": "1Ti", "rdma/ib": "1"}),
    ),
    (
        "roles.sharedMemory",
        role_of("sharedMemory", "128Gi"),
        lambda it: it.role.update(sharedMemorySize="128Gi"),
    ),
    (
        "roles.image",
        role_of("image", "registry.example.com/own:1.6.0"),
        lambda it: main(it.role).update(image="registry.example.com/own:1.6.0"),
    ),
    (
        "roles.podSecurityContext",
        role_of("podSecurityContext", {"fsGroupChangePolicy": "OnRootMismatch"}),
        lambda it: pod(it.role).update(securityContext={"fsGroupChangePolicy": "OnRootMismatch"}),
    ),
    (
        "roles.podSecurityContext of nothing",
        role_of("podSecurityContext", {}),
        lambda it: pod(it.role).update(securityContext={}),
    ),
    (
        "roles.Frontend",
        same(
            roles={
                "Frontend": {
                    "replicas": 2,
                    "env": {"RUST_LOG": "debug"},
                    "args": {"set": {"--router-temperature": "0.5"}},
                    "resources": {"limits": {"memory": "200Gi"}},
                    "sharedMemory": "2Gi",
                    "image": "registry.example.com/frontend:1.5.0",
                    "podSecurityContext": {"runAsUser": 1000},
                }
            }
        ),
        lambda it: (
            it.frontend.update(replicas=2, sharedMemorySize="2Gi"),
            env(main(it.frontend), "RUST_LOG", "debug"),
            main(it.frontend)["args"].extend(["--router-temperature", "0.5"]),
            main(it.frontend)["resources"].update(limits={"memory": "200Gi"}),
            main(it.frontend).update(image="registry.example.com/frontend:1.5.0"),
            pod(it.frontend).update(securityContext={"runAsUser": 1000}),
        ),
    ),
    (
        "modelDownload.resources",
        same(modelDownload={"resources": {"requests": {"memory": "16Gi"}, "limits": {"memory": "96Gi"}}}),
        lambda it: it.job["spec"]["containers"][0].update(
            resources={"requests": {"memory": "16Gi"}, "limits": {"memory": "96Gi"}}
        ),
    ),
    ("modelDownload.maxWorkers", same(modelDownload={"maxWorkers": 4}), script),
    (
        "serving.queue",
        same(serving={"queue": "research"}),
        lambda it: it.graph["metadata"]["annotations"].update({"nvidia.com/kai-scheduler-queue": "research"}),
    ),
    (
        "serving.schedulerName",
        same(serving={"schedulerName": "kai-scheduler"}),
        lambda it: each(it.pods("frontend", "workers"), "schedulerName", "kai-scheduler"),
    ),
    ("serving.livenessProbe", same(serving={"livenessProbe": 6}), liveness),
    ("serving.modulesCache", same(serving={"modulesCache": True}), modules_cache),
    ("modelCache.subPath", same(modelCache={"subPath": "models/k3"}), sub_path),
    (
        "namespace.podSecurity",
        same(namespace={"podSecurity": "privileged"}),
        lambda it: only(it.manifests, "Namespace")["metadata"].update(
            labels={"pod-security.kubernetes.io/enforce": "privileged"}
        ),
    ),
    ("cost.pricePerGpuHour", same(cost={"pricePerGpuHour": 4.5}), lambda it: None),
]
OF_VLLM: list[tuple[str, Groups, Edit]] = [
    (
        "serving.contextLength",
        same(serving={"contextLength": 262144}),
        lambda it: [main(worker)["args"].extend(["--max-model-len", "262144"]) for worker in it.workers],
    ),
    (
        "serving.benchmarkMode",
        same(serving={"benchmarkMode": True}),
        lambda it: [
            arg_after(
                main(worker),
                "--speculative-config",
                '{"model":"Inferact/Kimi-K3-DSpark",'
                + (
                    '"attention_backend":"TOKENSPEED_MLA",'
                    if '"attention_backend"' in draft_of(worker)
                    else ""
                )
                + '"method":"dspark","num_speculative_tokens":7,'
                '"rejection_sample_method":"synthetic","synthetic_acceptance_length":4.2584}',
            )
            for worker in it.workers
        ],
    ),
]
SIMULATED = {"SGLANG_SIMULATE_ACC_LEN": "4.05", "SGLANG_SIMULATE_ACC_METHOD": "match-expected"}
OF_SGLANG: list[tuple[str, Groups, Edit]] = [
    (
        "serving.contextLength",
        same(serving={"contextLength": 262144}),
        lambda it: [it.config(worker).update({"context-length": 262144}) for worker in it.workers],
    ),
    (
        "roles.engineConfig",
        role_of("engineConfig", {"mem-fraction-static": 0.8, "new-key": "x", "enable-metrics": None}),
        lambda it: (
            it.config(it.role).update({"mem-fraction-static": 0.8, "new-key": "x"}),
            it.config(it.role).pop("enable-metrics"),
        ),
    ),
    (
        "serving.canaryHealthCheck",
        same(serving={"canaryHealthCheck": False}),
        lambda it: [env(main(worker), "DYN_HEALTH_CHECK_ENABLED", "false") for worker in it.workers],
    ),
    (
        "serving.benchmarkMode",
        same(serving={"benchmarkMode": True}),
        lambda it: [
            env(main(worker), name, value)
            for worker in it.workers
            for name, value in (
                ({"SGLANG_RAGGED_VERIFY_MODE": "static"} if it.target.endswith("-agg") else {}) | SIMULATED
            ).items()
        ],
    ),
]


def draft_of(worker: Manifest) -> str:
    args: list[str] = main(worker)["args"]
    return args[args.index("--speculative-config") + 1]


ROWS = [
    pytest.param(target, groups, edit, id=f"{name} {target}")
    for targets, rows in ((list(WORKERS), EVERYWHERE), (VLLM, OF_VLLM), (SGLANG, OF_SGLANG))
    for name, groups, edit in rows
    for target in targets
]


@pytest.mark.parametrize(("target", "groups", "edit"), ROWS)
def test_a_setting_reaches_its_own_pods_and_nothing_else(target: str, groups: Groups, edit: Edit) -> None:
    expected = Published(target, comparable(manifests_of(target)))
    edit(expected)
    assert comparable(manifests_of(target, **groups(target))) == expected.manifests


def comparable(manifests: list[Manifest]) -> list[Manifest]:
    """A copy with the config files parsed and their hashes left out."""
    found = copy.deepcopy(manifests)
    for manifest in found:
        if manifest["kind"] == "ConfigMap":
            manifest["data"] = {name: yaml.safe_load(text) for name, text in manifest["data"].items()}
        for component in manifest.get("spec", {}).get("components", []):
            described_ = component["podTemplate"].get("metadata", {})
            described_.get("annotations", {}).pop(HASH, None)
            if described_.get("annotations") == {}:
                del described_["annotations"]
            if described_ == {}:
                component["podTemplate"].pop("metadata", None)
    return found


def test_fewer_nodes_of_a_replica_take_their_node_flag_along() -> None:
    """Of the targets only vLLM on H200 has a published --nnodes: half the nodes, half the pipeline."""
    roles = {"worker": {"nodeCount": 2, "args": {"set": {"--pipeline-parallel-size": 2}}}}
    expected = Published("vllm-h200-agg", copy.deepcopy(manifests_of("vllm-h200-agg")))
    (worker,) = expected.workers
    worker["multinode"]["nodeCount"] = 2
    arg_after(main(worker), "--pipeline-parallel-size", "2")
    arg_after(main(worker), "--nnodes", "2")
    assert manifests_of("vllm-h200-agg", roles=roles) == expected.manifests


@pytest.mark.parametrize("target", SGLANG)
def test_only_the_role_whose_config_changes_is_rolled(target: str) -> None:
    changed = manifests_of(target, roles={WORKERS[target][0]: {"engineConfig": {"page-size": 128}}})
    before, after = (
        {c["name"]: c["podTemplate"]["metadata"]["annotations"][HASH] for c in components(graph)[1:]}
        for graph in (
            only(manifests_of(target), "DynamoGraphDeployment"),
            only(changed, "DynamoGraphDeployment"),
        )
    )
    assert {name for name in before if before[name] != after[name]} == {WORKERS[target][0]}


def test_an_image_of_ones_own_is_not_taken_from_the_registry_of_the_published_ones() -> None:
    """A role's image wins over serving's, both over the registry; `published` takes a role back to it."""
    groups: dict[str, Any] = {  # Any: settings hold values of several kinds
        "images": {"registry": "mirror.example.com"},
        "serving": {"image": "registry.example.com/all:1.5.0"},
        "roles": {
            "decode": {"image": "registry.example.com/decode:1.5.1"},
            "prefill": {"image": "published"},
        },
    }
    graph = only(manifests_of("vllm-gb300-disagg", **groups), "DynamoGraphDeployment")
    assert {component["name"]: main(component)["image"] for component in components(graph)} == {
        "Frontend": "registry.example.com/all:1.5.0",
        "prefill": "mirror.example.com/nvidia/ai-dynamo/vllm-runtime:1.5.0-kimi-k3-dev.1",
        "decode": "registry.example.com/decode:1.5.1",
    }
