"""What a change of each setting does on a cluster, forth from the published defaults and back: written by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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

ROWS = (
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
    Row("cluster.clusterIdentifier", {"cluster.clusterIdentifier": "training"}, NOT_REPLACED),
    Row("render.directory", {"render": {"directory": "rendered/files"}, "cluster": None}, NOT_DELETED),
)
