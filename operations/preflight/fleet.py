"""The nodes of a cluster with the room that is left on them, and how pods go onto them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from operations.preflight.amounts import GPU, MEMORY, Amounts
from operations.preflight.facts import Node, Pod
from operations.preflight.needs import PodsNeed
from operations.preflight.products import CLIQUE

Free = Mapping[str, Amounts]
"""What is left of each node, by its name."""


def free_room(nodes: Iterable[Node], pods: Iterable[Pod], takes: Callable[[Pod], bool]) -> dict[str, Amounts]:
    """Allocatable less the requests of the pods that take room."""
    free: dict[str, dict[str, int]] = {node.name: dict(node.allocatable) for node in nodes}
    for pod in pods:
        left = free.get(pod.node)
        if left is not None and takes(pod):
            for name, value in pod.requests.items():
                left[name] = left.get(name, 0) - value
    return dict(free)


def fits(free: Amounts, requests: Amounts) -> bool:
    return not lacking(free, requests)


def lacking(free: Amounts, requests: Amounts) -> list[str]:
    """The resources of which there is too little."""
    return [name for name, value in requests.items() if value > free.get(name, 0)]


@dataclass(frozen=True)
class Placed:
    """`missing`: pods of each component that found no node; `used`: the nodes that were taken."""

    missing: Mapping[str, int]
    used: frozenset[str]
    free: Free


def place(needs: Sequence[PodsNeed], free: Free, *, alone: bool) -> Placed:
    """Puts all pods onto nodes, the largest first, each on the smallest node that takes it.

    `alone`: no two of them on one node, since a node has one channel of a ComputeDomain.
    """
    left = {name: dict(room) for name, room in free.items()}
    open_to_all = set(left)
    missing: dict[str, int] = {}
    used: set[str] = set()
    for need in sorted(needs, key=lambda each: _size(each.requests), reverse=True):
        for _ in range(need.count):
            names = [name for name in (open_to_all if alone else left) if fits(left[name], need.requests)]
            if not names:
                missing[need.component] = missing.get(need.component, 0) + 1
                continue
            chosen = min(names, key=lambda name: (*_size(left[name]), name))
            used.add(chosen)
            open_to_all.discard(chosen)
            for name, value in need.requests.items():
                left[chosen][name] = left[chosen].get(name, 0) - value
    return Placed(missing, frozenset(used), left)


def _size(room: Amounts) -> tuple[int, int]:
    return room.get(GPU, 0), room.get(MEMORY, 0)


def by_clique(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    """The nodes of each NVLink domain."""
    found: dict[str, list[Node]] = {}
    for node in nodes:
        if clique := node.labels.get(CLIQUE):
            found.setdefault(clique, []).append(node)
    return found


def only(free: Free, nodes: Iterable[Node]) -> dict[str, Amounts]:
    return {node.name: free[node.name] for node in nodes}


def replicas_in(need: PodsNeed, free: Free) -> int:
    """How many whole replicas of a component go onto these nodes, each pod on a node of its own."""
    return sum(fits(room, need.requests) for room in free.values()) // need.pods
