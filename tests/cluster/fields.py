"""Compares what was rendered with what the server holds, field by field."""

from collections.abc import Iterator
from typing import Any

# What is more on the server than in the file, by name: the API server's defaults, and the operator's own fields.
_OBJECT = {
    "metadata.uid",
    "metadata.resourceVersion",
    "metadata.creationTimestamp",
    "metadata.managedFields",
    "status",
}
_POD_DEFAULTS = {
    "spec.template.spec.containers[].imagePullPolicy",
    "spec.template.spec.containers[].resources",
    "spec.template.spec.containers[].terminationMessagePath",
    "spec.template.spec.containers[].terminationMessagePolicy",
    "spec.template.spec.dnsPolicy",
    "spec.template.spec.schedulerName",
    "spec.template.spec.securityContext",
    "spec.template.spec.terminationGracePeriodSeconds",
}
ALLOWED: dict[str, set[str]] = {
    "Namespace": _OBJECT | {"metadata.labels", "spec"},
    "ConfigMap": _OBJECT,
    "PersistentVolumeClaim": _OBJECT
    | {"metadata.finalizers", "metadata.annotations.*", "spec.volumeMode", "spec.volumeName"},
    "Job": _OBJECT
    | _POD_DEFAULTS
    | {
        "metadata.generation",
        "metadata.labels",
        "metadata.annotations",
        "metadata.finalizers",
        "spec.completionMode",
        "spec.manualSelector",
        "spec.podReplacementPolicy",
        "spec.selector",
        "spec.suspend",
        "spec.template.metadata.labels.*",
    },
    "ComputeDomain": _OBJECT | {"metadata.generation", "metadata.finalizers", "metadata.annotations"},
    "DynamoGraphDeployment": _OBJECT
    | {
        "metadata.generation",
        "metadata.finalizers",
        "metadata.annotations.*",
        "spec.components[].minAvailable",
    },
}


def missing(rendered: Any, live: Any, path: str = "") -> list[str]:  # Any: JSON of any depth
    """Rendered fields that the server does not hold with the same value."""
    if isinstance(rendered, dict):
        if not isinstance(live, dict):
            return [path]
        return [
            text for key, value in rendered.items() for text in missing(value, live.get(key), f"{path}.{key}")
        ]
    if isinstance(rendered, list):
        if not isinstance(live, list) or len(live) != len(rendered):
            return [path]
        pairs = zip(rendered, live, strict=True)
        return [text for one, other in pairs for text in missing(one, other, f"{path}[]")]
    return [] if rendered == live else [f"{path}: {rendered!r} became {live!r}"]


def added(rendered: Any, live: Any) -> set[str]:  # Any: JSON of any depth
    """Paths that only the server has. An annotation or a label counts as `*`: its key has dots of its own."""
    return set(_added(rendered, live, ""))


def _added(rendered: Any, live: Any, path: str) -> Iterator[str]:  # Any: JSON of any depth
    if isinstance(rendered, dict) and isinstance(live, dict):
        free = path.endswith((".annotations", ".labels"))
        for key, value in live.items():
            if key not in rendered:
                yield f"{path}.{'*' if free else key}".lstrip(".")
            else:
                yield from _added(rendered[key], value, f"{path}.{key}")
    elif isinstance(rendered, list) and isinstance(live, list):
        for one, other in zip(rendered, live, strict=False):
            yield from _added(one, other, f"{path}[]")
