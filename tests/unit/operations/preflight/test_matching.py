"""Taints, selectors and affinity, as the scheduler reads them."""

from typing import Any  # Any: Kubernetes objects are JSON of any depth

import pytest

from operations.preflight.matching import selected, untolerated

TAINT = {"key": "gpu", "value": "yes", "effect": "NoSchedule"}
TOLERATIONS: dict[str, tuple[dict[str, str], bool]] = {
    "the same": ({"key": "gpu", "value": "yes", "effect": "NoSchedule"}, True),
    "the same by name": ({"key": "gpu", "operator": "Equal", "value": "yes"}, True),
    "any value": ({"key": "gpu", "operator": "Exists"}, True),
    "everything": ({"operator": "Exists"}, True),
    "everything of an effect": ({"operator": "Exists", "effect": "NoSchedule"}, True),
    "another value": ({"key": "gpu", "value": "no"}, False),
    "no value": ({"key": "gpu"}, False),
    "another key": ({"key": "cpu", "operator": "Exists"}, False),
    "another effect": ({"key": "gpu", "operator": "Exists", "effect": "NoExecute"}, False),
}


@pytest.mark.parametrize("name", TOLERATIONS)
def test_a_toleration(name: str) -> None:
    toleration, tolerated = TOLERATIONS[name]
    assert untolerated([TAINT], [toleration]) == ([] if tolerated else ["gpu=yes:NoSchedule"])


def test_a_taint_that_only_prefers_keeps_nobody_off() -> None:
    assert untolerated([{**TAINT, "effect": "PreferNoSchedule"}], []) == []
    assert untolerated([{"key": "gpu", "effect": "NoExecute"}], []) == ["gpu:NoExecute"]


LABELS = {"zone": "a", "generation": "9"}
EXPRESSIONS: dict[str, tuple[str, str, list[str], bool]] = {
    "in": ("zone", "In", ["a", "b"], True),
    "not in": ("zone", "In", ["b"], False),
    "no such label in": ("rack", "In", ["b"], False),
    "other than": ("zone", "NotIn", ["b"], True),
    "other than without the label": ("rack", "NotIn", ["b"], True),
    "not other than": ("zone", "NotIn", ["a"], False),
    "exists": ("zone", "Exists", [], True),
    "does not exist": ("rack", "Exists", [], False),
    "is absent": ("rack", "DoesNotExist", [], True),
    "is not absent": ("zone", "DoesNotExist", [], False),
    "greater": ("generation", "Gt", ["8"], True),
    "not greater": ("generation", "Gt", ["9"], False),
    "less": ("generation", "Lt", ["10"], True),
    "greater than no number": ("zone", "Gt", ["8"], False),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression(name: str) -> None:
    key, operator, values, holds = EXPRESSIONS[name]
    terms = [{"matchExpressions": [{"key": key, "operator": operator, "values": values}]}]
    assert selected(_affinity(terms), LABELS, "node-1") == holds


def _affinity(terms: list[dict[str, Any]]) -> dict[str, Any]:
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    return {"affinity": {"nodeAffinity": required}}


def test_expressions_of_a_term_hold_together_and_terms_for_themselves() -> None:
    zone: Any = {"key": "zone", "operator": "In", "values": ["a"]}  # Any: as Kubernetes' JSON
    rack: Any = {"key": "rack", "operator": "Exists"}
    assert not selected(_affinity([{"matchExpressions": [zone, rack]}]), LABELS, "node-1")
    terms = [{"matchExpressions": [rack]}, {"matchExpressions": [zone]}]
    assert selected(_affinity(terms), LABELS, "node-1")
    assert not selected(_affinity([{}]), LABELS, "node-1"), "an empty term matches nothing"


def test_a_node_is_chosen_by_its_name() -> None:
    field = {"key": "metadata.name", "operator": "In", "values": ["node-1"]}
    term = {"matchFields": [field]}
    assert selected(_affinity([term]), {}, "node-1")
    assert not selected(_affinity([term]), {}, "node-2")


def test_a_selector_asks_for_all_of_its_labels() -> None:
    assert selected({"nodeSelector": {"zone": "a"}}, LABELS, "x")
    assert not selected({"nodeSelector": {"zone": "a", "rack": "1"}}, LABELS, "x")
    assert selected({"affinity": {"nodeAffinity": {}}}, {}, "x"), "what is only preferred keeps nobody off"
