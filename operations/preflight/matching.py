"""Whether a node takes a pod by its labels and taints: the scheduler's rules, read from the pod as it would be made.

Source: Kubernetes' documentation of assigning pods to nodes, and of taints and tolerations.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Raw = Mapping[str, Any]  # Any: Kubernetes objects are JSON of any depth
_KEEPS_OFF = ("NoSchedule", "NoExecute")
# What Kubernetes itself puts on nodes that are not ready or cordoned: told in other words.
OF_THE_NODE = "node.kubernetes.io/"


def untolerated(taints: Sequence[Raw], tolerations: Sequence[Raw]) -> list[str]:
    """The taints that keep the pod off, as `key=value:effect`."""
    return [
        _spelled(taint)
        for taint in taints
        if taint.get("effect") in _KEEPS_OFF and not any(_tolerates(each, taint) for each in tolerations)
    ]


def _spelled(taint: Raw) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint.get('key')}{value}:{taint.get('effect')}"


def _tolerates(toleration: Raw, taint: Raw) -> bool:
    if toleration.get("effect") and toleration["effect"] != taint.get("effect"):
        return False
    operator = toleration.get("operator") or "Equal"
    if not toleration.get("key"):
        return bool(operator == "Exists")
    if toleration["key"] != taint.get("key"):
        return False
    return operator == "Exists" or (toleration.get("value") or "") == (taint.get("value") or "")


def selected(spec: Raw, labels: Mapping[str, str], name: str) -> bool:
    """Whether the node's labels are what the pod's selector and its required node affinity ask for."""
    wanted = spec.get("nodeSelector") or {}
    if any(labels.get(key) != value for key, value in wanted.items()):
        return False
    affinity = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    terms = required.get("nodeSelectorTerms", []) if required else None
    return terms is None or any(_matches(term, labels, name) for term in terms)


def _matches(term: Raw, labels: Mapping[str, str], name: str) -> bool:
    """A term holds when all of its expressions do; an empty one never does."""
    by_label = [_holds(each, labels) for each in term.get("matchExpressions") or []]
    by_field = [_holds(each, {"metadata.name": name}) for each in term.get("matchFields") or []]
    found = [*by_label, *by_field]
    return bool(found) and all(found)


def _holds(expression: Raw, labels: Mapping[str, str]) -> bool:
    key, operator = str(expression.get("key")), expression.get("operator")
    values, value = expression.get("values") or [], labels.get(str(expression.get("key")))
    if operator in ("Gt", "Lt"):
        return _compares(value, values, larger=operator == "Gt")
    return {
        "In": value is not None and value in values,
        "NotIn": value not in values,
        "Exists": key in labels,
        "DoesNotExist": key not in labels,
    }.get(str(operator), False)


def _compares(value: str | None, values: Sequence[str], *, larger: bool) -> bool:
    try:
        found, limit = int(value or ""), int(values[0])
    except (ValueError, IndexError):
        return False
    return found > limit if larger else found < limit
