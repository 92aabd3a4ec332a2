"""The published manifests of a stack, with the edits by which a test says what a setting should change."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml

from manifests import Manifest
from tests.unit.manifests.rendered import components, main, only, pod

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


def env(container: Manifest, name: str, value: str) -> Manifest:
    container["env"].append({"name": name, "value": value})
    return container


def arg_after(container: Manifest, flag: str, value: str) -> Manifest:
    container["args"][container["args"].index(flag) + 1] = value
    return container


def without(container: Manifest, flag: str, items: int) -> Manifest:
    start = container["args"].index(flag)
    del container["args"][start : start + items]
    return container


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


def draft_of(worker: Manifest) -> str:
    args: list[str] = main(worker)["args"]
    return args[args.index("--speculative-config") + 1]


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
