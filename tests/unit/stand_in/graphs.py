"""Graphs as the API server would hand them to the stand-in operator."""

import copy
from collections.abc import Sequence
from typing import Any

from manifests import Manifest
from tests.stand_in.operator.marks import COMPONENT, labels
from tests.unit.manifests.rendered import graph_of


def stored(target: str, **metadata: Any) -> Manifest:  # Any: metadata holds values of several kinds
    """The target's graph with what a server adds to it; free to be changed."""
    graph = copy.deepcopy(graph_of(target))
    graph["metadata"] |= {"uid": "6ba7b810-9dad", "generation": 1} | metadata
    return graph


def component(graph: Manifest, name: str) -> Manifest:
    found: Manifest = next(one for one in graph["spec"]["components"] if one["name"] == name)
    return found


def names_by_component(pods: Sequence[Manifest]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pod in pods:
        found.setdefault(labels(pod)[COMPONENT], set()).add(pod["metadata"]["name"])
    return found
