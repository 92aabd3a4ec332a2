"""From the documents of the API server to facts. Each of them may raise on a document of another shape."""

import base64
import binascii
from collections.abc import Iterable

from operations.cluster import Document
from operations.preflight.amounts import amounts, thousandths
from operations.preflight.facts import (
    Claim,
    Domain,
    Graph,
    Limit,
    NamespaceFound,
    Node,
    Operator,
    Pod,
    Quota,
    SecretFound,
    StorageClass,
    Volume,
)
from operations.preflight.pods import requests_of

_GRAPH_LABEL, _JOB_LABEL = "nvidia.com/dynamo-graph-deployment-name", "batch.kubernetes.io/job-name"
_AUTOMATIC = "grove.io/auto-mnnvl"
_VERSION = "app.kubernetes.io/version"


def groups(document: Document) -> dict[str, tuple[str, ...]]:
    return {
        str(group["name"]): tuple(str(version["version"]) for version in group["versions"])
        for group in document["groups"]
    }


def kinds(document: Document) -> frozenset[str]:
    """Kinds of a group's version; their subresources are listed beside them."""
    return frozenset(str(item["kind"]) for item in document["resources"] if "/" not in item["name"])


def name_of(document: Document) -> str:
    return str(document["metadata"]["name"])


def leaving(document: Document) -> tuple[str, bool]:
    return name_of(document), "deletionTimestamp" in document["metadata"]


def _texts(found: object) -> dict[str, str]:
    """Labels or a taint: text by text, whatever a server says."""
    pairs = dict(found or {})  # type: ignore[call-overload] # raises where it is no mapping
    return {str(key): str(value) for key, value in pairs.items()}


def _words(found: Iterable[object]) -> tuple[str, ...]:
    return tuple(map(str, found))


def node(document: Document) -> Node:
    meta, spec, status = document["metadata"], document.get("spec") or {}, document.get("status") or {}
    ready = any(
        each["type"] == "Ready" and each["status"] == "True" for each in status.get("conditions") or []
    )
    return Node(
        name=name_of(document),
        labels=_texts(meta.get("labels")),
        taints=tuple(_texts(taint) for taint in spec.get("taints") or ()),
        cordoned=bool(spec.get("unschedulable")),
        ready=ready,
        allocatable=amounts(status.get("allocatable")),
    )


def pod(document: Document) -> Pod:
    meta, spec = document["metadata"], document["spec"]
    labels = _texts(meta.get("labels"))
    ended = (document.get("status") or {}).get("phase") in ("Succeeded", "Failed")
    return Pod(
        namespace=str(meta.get("namespace", "")),
        node="" if ended else str(spec.get("nodeName") or ""),
        requests=requests_of(spec),
        graph=labels.get(_GRAPH_LABEL, ""),
        job=labels.get(_JOB_LABEL, ""),
        daemon=any(owner.get("kind") == "DaemonSet" for owner in meta.get("ownerReferences") or []),
    )


def namespace(document: Document) -> NamespaceFound:
    meta = document["metadata"]
    why = _why_stuck(document) if "deletionTimestamp" in meta else ""
    return NamespaceFound(_texts(meta.get("labels")), why)


def _why_stuck(document: Document) -> str:
    """The namespace controller's own words on what holds a deletion up."""
    conditions = (document.get("status") or {}).get("conditions") or []
    told = [
        str(each["message"]) for each in conditions if each.get("status") == "True" and each.get("message")
    ]
    return "; ".join(told) or f"since {document['metadata']['deletionTimestamp']}"


def storage_class(document: Document) -> StorageClass:
    return StorageClass(
        str(document["provisioner"]),
        str(document.get("volumeBindingMode", "Immediate")),
        bool(document.get("allowVolumeExpansion")),
    )


def volume(document: Document) -> Volume:
    spec, phase = document["spec"], (document.get("status") or {}).get("phase")
    free = phase == "Available" and not spec.get("claimRef")
    return Volume(
        str(spec.get("storageClassName") or ""),
        _words(spec["accessModes"]) if free else (),
        thousandths(str(spec["capacity"]["storage"])),
    )


def claim(document: Document) -> Claim:
    spec, status = document["spec"], document.get("status") or {}
    return Claim(
        phase=str(status.get("phase", "Pending")),
        modes=_words(spec["accessModes"]),
        size=thousandths(str(spec["resources"]["requests"]["storage"])),
        room=thousandths(str((status.get("capacity") or {}).get("storage", "0"))),
        storage_class=str(spec.get("storageClassName") or ""),
        deleting="deletionTimestamp" in document["metadata"],
    )


def secret(document: Document) -> SecretFound:
    """What is wrong with each value; the value itself goes no further than this."""
    data = document.get("data") or {}
    return SecretFound(
        str(document.get("type", "Opaque")), {key: _wrong(value) for key, value in data.items()}
    )


def _wrong(value: str) -> str:
    try:
        text = base64.b64decode(value or "", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return "is no text"
    if not text.strip():
        return "is empty"
    return "has blanks or line ends in it" if text.split() != [text] else ""


def quota(document: Document) -> Quota:
    spec, status = document["spec"], document.get("status") or {}
    scoped = bool(spec.get("scopes") or spec.get("scopeSelector"))
    return Quota(name_of(document), amounts(spec.get("hard")), amounts(status.get("used")), scoped)


def limits(document: Document) -> list[Limit]:
    return [
        Limit(
            name_of(document),
            str(item["type"]),
            amounts(item.get("max")),
            amounts(item.get("min")),
            amounts(item.get("default")),
        )
        for item in document["spec"]["limits"]
    ]


def slice_of_a_node(document: Document) -> tuple[str, str]:
    """Driver and node of a ResourceSlice."""
    spec = document["spec"]
    return str(spec["driver"]), str(spec.get("nodeName") or "")


def graph(document: Document) -> Graph:
    meta = document["metadata"]
    return Graph(str(meta["namespace"]), str(meta["name"]), "deletionTimestamp" in meta)


def domain(document: Document) -> Domain:
    meta, status = document["metadata"], document.get("status") or {}
    nodes = frozenset(str(each["name"]) for each in status.get("nodes") or [])
    return Domain(
        str(meta["namespace"]), str(meta["name"]), str(meta["uid"]), "deletionTimestamp" in meta, nodes
    )


def operator(document: Document) -> Operator:
    meta, status = document["metadata"], document.get("status") or {}
    labels = meta.get("labels") or {}
    return Operator(
        f"{meta['namespace']}/{meta['name']}",
        str(labels.get(_VERSION, "")),
        int(status.get("availableReplicas") or 0),
    )


def automatic_domain(document: Document) -> str:
    meta = document["metadata"]
    on = (meta.get("annotations") or {}).get(_AUTOMATIC) == "enabled"
    return f"{meta['namespace']}/{meta['name']}" if on else ""


def job(document: Document) -> str:
    conditions = (document.get("status") or {}).get("conditions") or []
    ended = [
        each["type"]
        for each in conditions
        if each["status"] == "True" and each["type"] in ("Complete", "Failed")
    ]
    return str(ended[0]) if ended else "running"


def allowed(document: Document) -> bool:
    return bool(document["status"]["allowed"])
