"""Where pods may run: tolerations and affinities that the API server refuses, or that let pods run anywhere."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from manifests.rules.rule import Finding, rule
from manifests.rules.view import View
from manifests.shape import Manifest
from settings.pod_values import is_qualified_name

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_NODE_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
_LABEL_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
_HEAVIEST = 100


def _pods(view: View) -> Iterator[tuple[str, tuple[str | int, ...], Manifest]]:
    """Name, path of its placement in the settings, and spec of every pod; workers share one placement."""
    for job in view.of_kind("Job"):
        yield str(job["metadata"]["name"]), ("placement", "download"), job["spec"]["template"]["spec"]
    for component in view.frontends:
        yield component.name, ("placement", "frontend"), component.pod
    for component in view.workers[:1]:
        yield component.name, ("placement", "workers"), component.pod


@rule("toleration-key", "Kubernetes: a toleration without a key matches every taint (Kimi-K3: arm64, #12944)")
def _keyless(view: View) -> Iterator[Finding]:
    for name, path, pod in _pods(view):
        for index, toleration in enumerate(pod.get("tolerations", [])):
            if not toleration.get("key"):
                yield Finding(
                    f"{name} tolerates every taint: a toleration without a key keeps it on broken nodes too",
                    "tolerations with a key",
                    (*path, "tolerations", index, "key"),
                    "kubernetes.io/arch",
                    "Name the taint",
                )


@rule("toleration", "Kubernetes API: validation of tolerations")
def _tolerations(view: View) -> Iterator[Finding]:
    for name, path, pod in _pods(view):
        for index, toleration in enumerate(pod.get("tolerations", [])):
            for problem, accepted, key, value in _problems(toleration):
                yield Finding(
                    f"{name} has a toleration {problem}", accepted, (*path, "tolerations", index, key), value
                )


def _problems(
    toleration: Mapping[str, Any],
) -> Iterator[tuple[str, str, str, str]]:  # Any: checked for its types
    key, operator = toleration.get("key"), toleration.get("operator", "Equal")
    if key and not is_qualified_name(key):
        yield f"with the key {key!r}", "the key of a taint", "key", "kubernetes.io/arch"
    if operator not in ("Equal", "Exists"):
        yield f"with the operator {operator!r}", "Equal or Exists", "operator", "Equal"
    if operator == "Exists" and toleration.get("value"):
        yield "with Exists and a value", "Equal with a value, or Exists without one", "operator", "Equal"
    if toleration.get("effect", "NoSchedule") not in _EFFECTS:
        yield f"of the effect {toleration['effect']!r}", ", ".join(_EFFECTS), "effect", "NoSchedule"
    if "tolerationSeconds" in toleration and toleration.get("effect") != "NoExecute":
        yield "with tolerationSeconds", "NoExecute as its effect", "effect", "NoExecute"


@rule("affinity", "Kubernetes API: validation of affinities")
def _affinity(view: View) -> Iterator[Finding]:
    for name, path, pod in _pods(view):
        for inside, problem, accepted in _wrong(pod.get("affinity", {}), ()):
            yield Finding(
                f"{name} has an affinity {problem}",
                accepted,
                (*path, "affinity", *inside),
                step="Correct it at",
            )


Wrong = tuple[tuple[str | int, ...], str, str]


def _wrong(node: object, inside: tuple[str | int, ...]) -> Iterator[Wrong]:
    """What the API server would refuse below `node`, wherever terms and expressions stand."""
    if isinstance(node, Mapping):
        yield from _wrong_here(node, inside)
        for key, value in node.items():
            yield from _wrong(value, (*inside, key))
    elif isinstance(node, Sequence) and not isinstance(node, str):
        for index, value in enumerate(node):
            yield from _wrong(value, (*inside, index))


def _wrong_here(
    node: Mapping[str, Any], inside: tuple[str | int, ...]
) -> Iterator[Wrong]:  # Any: checked for types
    if "operator" in node and "key" in node:
        yield from _wrong_expression(node, inside)
    if "weight" in node and not 1 <= node["weight"] <= _HEAVIEST:
        yield (*inside, "weight"), f"with the weight {node['weight']}", f"1 to {_HEAVIEST}"
    if "topologyKey" in node and not is_qualified_name(node["topologyKey"]):
        yield (
            (*inside, "topologyKey"),
            f"with the topology key {node['topologyKey']!r}",
            "the key of a node label",
        )
    if node.get("nodeSelectorTerms") == []:
        yield (*inside, "nodeSelectorTerms"), "without terms", "at least one term"


def _wrong_expression(
    node: Mapping[str, Any], inside: tuple[str | int, ...]
) -> Iterator[Wrong]:  # Any: as above
    operator, values = node["operator"], node.get("values") or []
    accepted = (
        _LABEL_OPERATORS if "labelSelector" in inside or "namespaceSelector" in inside else _NODE_OPERATORS
    )
    if operator not in accepted:
        yield (*inside, "operator"), f"with the operator {operator!r}", ", ".join(accepted)
    elif operator in ("In", "NotIn") and not values:
        yield (*inside, "values"), f"with {operator} and no values", "at least one value"
    elif operator in ("Exists", "DoesNotExist") and values:
        yield (*inside, "values"), f"with {operator} and values", "no values"
    elif operator in ("Gt", "Lt") and not (len(values) == 1 and values[0].lstrip("-").isdigit()):
        yield (*inside, "values"), f"with {operator} and {values}", "one whole number in quotes"


RULES = (_keyless, _tolerations, _affinity)
