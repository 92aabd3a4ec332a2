"""What a change of each setting does on a cluster, forth from the published defaults and back: written by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.stand_in.nodes import ONE_DOMAIN

PVC, DGD = "PersistentVolumeClaim", "DynamoGraphDeployment"
NOT_REPLACED = "as it is currently marked for protection"
NOT_DELETED = "because it is protected"
NOT_SMALLER = "Forbidden: field can not be less than status.capacity"


@dataclass(frozen=True)
class Row:
    """`changes` maps settings to values, None takes one away; `before` is what differs from the defaults already.

    `forth` and `back` are the engine's steps in any order, or the words of a refusal. `rolls`: the deployment's pods
    are made anew by it. `spoils`: afterwards not all is as it was.
    """

    setting: str
    changes: Mapping[str, object]
    forth: tuple[str, ...] | str
    back: tuple[str, ...] | str = ()
    rolls: bool = False
    target: str = "vllm-gb200-agg"
    before: Mapping[str, object] = field(default_factory=dict)
    note: str = ""
    spoils: bool = False

    def __str__(self) -> str:
        return f"{self.setting}{', ' if self.note else ''}{self.note}"


# Each pair: the first step is over before the second begins.
ORDER = (
    (f"delete {DGD}", "delete ComputeDomain"),
    (f"delete {DGD}", "delete ConfigMap"),
    (f"delete-replaced {DGD}", f"create-replacement {DGD}"),
    (f"create-replacement {DGD}", "delete ComputeDomain"),
    (f"create-replacement {DGD}", "delete ConfigMap"),
    ("create ComputeDomain", f"create {DGD}"),
    ("create ComputeDomain", f"create-replacement {DGD}"),
    ("create ConfigMap", f"create-replacement {DGD}"),
    ("delete-replaced Job", "create-replacement Job"),
    ("create-replacement Secret", "create-replacement Job"),
    ("delete-replaced Job", "delete-replaced Secret"),
    ("update ConfigMap", f"update {DGD}"),
    ("create-replacement Job", f"update {DGD}"),
)

_NOTHING: tuple[str, ...] = ()
_GRAPH = (f"update {DGD}",)
_JOB = ("update Job",)
_CLAIM = (f"update {PVC}",)
_SWITCH = (
    "create ComputeDomain",
    f"delete-replaced {DGD}",
    f"create-replacement {DGD}",
    "delete ComputeDomain",
)
_OTHER_SECRET = (
    "create-replacement Secret",
    "delete-replaced Job",
    "create-replacement Job",
    "delete-replaced Secret",
)

_RUN_AGAIN = ("delete-replaced Job", "create-replacement Job")
_ALL = ("update Namespace", "update Secret", _CLAIM[0], *_RUN_AGAIN, "update ComputeDomain", _GRAPH[0])
_CONFIG = ("update ConfigMap", *_GRAPH)
_TOLERATION = [{"key": "kubernetes.io/arch", "value": "arm64", "effect": "NoSchedule"}]
_AFFINITY = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [
                {"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]}]}
            ]
        }
    }
}


def _placement(group: str, steps: tuple[str, ...], *, rolls: bool = False) -> tuple[Row, ...]:
    """The rows of one group of pods; the values suit every node, and `system-cluster-critical` is always there."""
    values = {
        "nodeSelector": {"kubernetes.io/os": "linux"},
        "tolerations": _TOLERATION,
        "affinity": _AFFINITY,
        "priorityClassName": "system-cluster-critical",
    }
    paths = {f"placement.{group}.{key}": value for key, value in values.items()}
    return tuple(Row(path, {path: value}, steps, steps, rolls=rolls) for path, value in paths.items())


def _role(key: str, value: object, *, role: str = "worker", more: Mapping[str, object] | None = None) -> Row:
    """A change of one component of the default target; its pods are made anew."""
    changes = {f"roles.{role}.{key}": value, **(more or {})}
    return Row(f"roles.<component>.{key}", changes, _GRAPH, _GRAPH, rolls=True)


_SERVING_AND_JOB = (*_RUN_AGAIN, *_GRAPH)

# What a stack changes about the published pods.
OVERRIDES = (
    Row(
        "namespace.podSecurity",
        {"namespace.podSecurity": "privileged"},
        ("update Namespace",),
        ("update Namespace",),
    ),
    Row(
        "modelCache.subPath",
        {"modelCache.subPath": "models/k3"},
        _SERVING_AND_JOB,
        _SERVING_AND_JOB,
        rolls=True,
    ),
    Row(
        "modelDownload.resources.requests",
        {"modelDownload.resources.requests": {"memory": "16Gi"}},
        _RUN_AGAIN,
        _RUN_AGAIN,
    ),
    Row(
        "modelDownload.resources.limits",
        {"modelDownload.resources.limits": {"memory": "96Gi"}},
        _RUN_AGAIN,
        _RUN_AGAIN,
    ),
    Row("modelDownload.maxWorkers", {"modelDownload.maxWorkers": 4}, _RUN_AGAIN, _RUN_AGAIN),
    Row(
        "serving.canaryHealthCheck",
        {"serving.canaryHealthCheck": False},
        _GRAPH,
        _GRAPH,
        rolls=True,
        target="sglang-gb300-disagg",
    ),
    Row(
        "serving.benchmarkMode",
        {"serving.benchmarkMode": True},
        _GRAPH,
        _GRAPH,
        rolls=True,
        target="vllm-gb300-disagg",
    ),
    Row("serving.contextLength", {"serving.contextLength": 262144}, _GRAPH, _GRAPH, rolls=True),
    Row(
        "serving.contextLength",
        {"serving.contextLength": 262144},
        _CONFIG,
        _CONFIG,
        rolls=True,
        target="sglang-gb300-agg",
        note="in SGLang's config file",
    ),
    Row("serving.queue", {"serving.queue": "research"}, _GRAPH, _GRAPH),
    Row("serving.schedulerName", {"serving.schedulerName": "default-scheduler"}, _GRAPH, _GRAPH, rolls=True),
    Row("serving.livenessProbe", {"serving.livenessProbe": 6}, _GRAPH, _GRAPH, rolls=True),
    Row("serving.modulesCache", {"serving.modulesCache": True}, _GRAPH, _GRAPH, rolls=True),
    Row(
        "images.registry",
        {"images.registry": "mirror.example.com"},
        _SERVING_AND_JOB,
        _SERVING_AND_JOB,
        rolls=True,
    ),
    Row(
        "images.pullSecrets", {"images.pullSecrets": ["pull"]}, _SERVING_AND_JOB, _SERVING_AND_JOB, rolls=True
    ),
    Row("images.download", {"images.download": "registry.example.com/python:3.12"}, _RUN_AGAIN, _RUN_AGAIN),
    Row("hub.endpoint", {"hub.endpoint": "https://hub.example.com"}, _RUN_AGAIN, _RUN_AGAIN),
    Row("hub.packageIndex", {"hub.packageIndex": "https://pypi.example.com/simple"}, _RUN_AGAIN, _RUN_AGAIN),
    *_placement("frontend", _GRAPH, rolls=True),
    *_placement("workers", _GRAPH, rolls=True),
    *_placement("download", _RUN_AGAIN),
    *_placement("benchmark", _NOTHING),
    Row("placement.clique", {"placement.clique": ONE_DOMAIN}, _GRAPH, _GRAPH, rolls=True),
    Row("metadata.labels", {"metadata.labels": {"team": "platform"}}, _ALL, _ALL, rolls=True),
    Row(
        "metadata.annotations", {"metadata.annotations": {"example.com/owner": "ml"}}, _ALL, _ALL, rolls=True
    ),
    _role("replicas", 2, role="Frontend"),
    _role("nodeCount", 2, more={"roles.worker.args.set": {"--tensor-parallel-size": 8}}),
    _role("args.set", {"--max-num-seqs": 32}),
    _role("args.remove", ["--enable-prefix-caching"]),
    Row(
        "roles.<component>.engineConfig",
        {"roles.Worker.engineConfig": {"mem-fraction-static": 0.9, "enable-metrics": None}},
        _CONFIG,
        _CONFIG,
        rolls=True,
        target="sglang-gb300-agg",
    ),
    _role("env", {"NCCL_DEBUG": "INFO"}),
    _role("resources.requests", {"cpu": 24}),
    _role("resources.limits", {"memory": "600Gi"}),
    _role("sharedMemory", "128Gi"),
    _role("image", "registry.example.com/vllm:1.5.1"),
    _role("podSecurityContext", {}),
    Row("cost.pricePerGpuHour", {"cost.pricePerGpuHour": 4.5}, _NOTHING, _NOTHING),
)

ROWS = (
    *OVERRIDES,
    Row("gpu", {"gpu": "gb300"}, _SWITCH, _SWITCH, rolls=True),
    Row(
        "framework",
        {"framework": "sglang"},
        ("create ConfigMap", *_SWITCH),
        (*_SWITCH, "delete ConfigMap"),
        rolls=True,
    ),
    Row("topology", {"topology": "disagg"}, _SWITCH, _SWITCH, rolls=True, target="vllm-gb300-agg"),
    Row("namespace.name", {"namespace.name": "another"}, NOT_REPLACED),
    Row("namespace.create", {"namespace.create": False}, NOT_DELETED),
    Row(
        "namespace.protect",
        {"namespace.protect": False},
        "kimi-k3:namespace.protect is false while kimi-k3:modelCache.protect is true",
    ),
    Row(
        "namespace.protect",
        {"namespace.protect": False},
        _NOTHING,
        _NOTHING,
        before={"modelCache.protect": False},
        note="cache unprotected",
    ),
    Row(
        "huggingFace.source",
        {"huggingFace.source": "existingSecret"},
        "kimi-k3:huggingFace.source is 'existingSecret' while kimi-k3:namespace.create is true",
    ),
    Row(
        "huggingFace.source",
        {"huggingFace.source": "existingSecret"},
        ("delete Secret",),
        ("create Secret",),
        before={"namespace.create": False},
        note="existing namespace",
    ),
    Row("huggingFace.secretName", {"huggingFace.secretName": "another"}, _OTHER_SECRET, _OTHER_SECRET),
    Row("modelCache.create", {"modelCache.create": False}, NOT_DELETED),
    Row("modelCache.claimName", {"modelCache.claimName": "another"}, NOT_REPLACED),
    Row("modelCache.storageClassName", {"modelCache.storageClassName": "shared-rwx-wait"}, NOT_REPLACED),
    Row("modelCache.size", {"modelCache.size": "4000Gi"}, _CLAIM, NOT_SMALLER, note="up", spoils=True),
    Row("modelCache.size", {"modelCache.size": "2500Gi"}, NOT_SMALLER, note="down"),
    Row("modelCache.protect", {"modelCache.protect": False}, _NOTHING, _NOTHING),
    Row("modelDownload.enabled", {"modelDownload.enabled": False}, ("delete Job",), ("create Job",)),
    Row("modelDownload.wait", {"modelDownload.wait": False}, _JOB, _JOB),
    Row("modelDownload.timeoutSeconds", {"modelDownload.timeoutSeconds": 7200}, _NOTHING, _NOTHING),
    Row(
        "serving.deploy",
        {"serving.deploy": False},
        (f"delete {DGD}", "delete ComputeDomain"),
        ("create ComputeDomain", f"create {DGD}"),
        rolls=True,
    ),
    Row("serving.image", {"serving.image": "registry.example.com/vllm:1.5.1"}, _GRAPH, _GRAPH, rolls=True),
    Row("serving.runtimeVersion", {"serving.runtimeVersion": "1.5.2"}, _GRAPH, _GRAPH),
    Row("serving.wait", {"serving.wait": False}, _GRAPH, _GRAPH),
    Row("serving.timeoutSeconds", {"serving.timeoutSeconds": 7200}, _NOTHING, _NOTHING),
    Row("cluster.context", {"cluster.context": "renamed"}, NOT_REPLACED),
    Row(
        "cluster.context",
        {"cluster.context": "renamed"},
        _NOTHING,
        _NOTHING,
        before={"cluster.clusterIdentifier": "training"},
        note="clusterIdentifier set",
    ),
    Row(
        "cluster.context",
        {"cluster.context": "renamed", "cluster.clusterIdentifier": "stand-in"},
        _NOTHING,
        _NOTHING,
        note="with its old name as clusterIdentifier",
    ),
    Row(
        "cluster.context",
        {"cluster.context": "moved"},
        _NOTHING,
        _NOTHING,
        before={"cluster.clusterIdentifier": "training"},
        note="another address, clusterIdentifier set",
    ),
    Row("cluster.kubeconfig", {"cluster.kubeconfig": "{kubeconfig}"}, _NOTHING, _NOTHING),
    Row("cluster.gpuProduct", {"cluster.gpuProduct": "NVIDIA-GB300-NVL"}, _NOTHING, _NOTHING),
    Row("cluster.clusterIdentifier", {"cluster.clusterIdentifier": "training"}, NOT_REPLACED),
    Row("render.directory", {"render": {"directory": "rendered/files"}, "cluster": None}, NOT_DELETED),
)
