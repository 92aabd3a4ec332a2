"""NVLink domains: one engine replica has to be in one of them, and all roles of a disaggregated target too."""

from collections.abc import Iterator, Mapping

from operations.preflight.facts import Node
from operations.preflight.fleet import Free, by_clique, fits, only, place, replicas_in
from operations.preflight.needs import GpuNeed, Needs
from operations.preflight.products import CLIQUE
from operations.preflight.verdict import Check, Result

_RACKS = Check("GPU nodes", "cliques")


def rack_results(needs: Needs, need: GpuNeed, free: Free, nodes: list[Node]) -> Iterator[Result]:
    """`nodes` are those that may be used, `free` is what is left of them."""
    if not need.domain:
        return
    racks = {clique: only(free, members) for clique, members in by_clique(nodes).items()}
    usable = {clique: room for clique, room in racks.items() if _holds_something(need, room)}
    whole = [clique for clique, room in usable.items() if not place(need.workers, room, alone=True).missing]
    told = ", ".join(f"{clique}: {_count(need, room)} free nodes" for clique, room in sorted(usable.items()))
    wanted = f"one value of {CLIQUE} for {_what(need)}: NVLink does not leave it"
    if whole and (need.clique or len(usable) == 1):
        yield _RACKS.passes(f"all pods fit into {whole[0]}")
    elif whole:
        best = max(whole, key=lambda clique: (_count(need, usable[clique]), clique))
        pin = needs.set("placement", "clique", to=best)
        yield _RACKS.warns(
            f"several have free nodes, and none is chosen ({told})", wanted, f"Choose one: {pin}"
        )
    elif need.together or _replicas(need, usable) < need.workers[0].replicas:
        yield _RACKS.fails(
            f"no clique has room ({told})", wanted, "Free nodes of one clique, or choose a smaller target"
        )
    else:
        role = need.workers[0]
        fewer = needs.set("roles", role.component, "replicas", to="1")
        told = f"the replicas fit only into different cliques ({told})"
        yield _RACKS.warns(
            told, f"one for all {role.replicas} replicas", f"Free nodes of one clique, or: {fewer}"
        )


def _what(need: GpuNeed) -> str:
    if need.together:
        return f"all {need.count} nodes of {' and '.join(role.component for role in need.workers)}"
    role = need.workers[0]
    return f"the {role.pods} nodes of each replica"


def _holds_something(need: GpuNeed, room: Free) -> bool:
    return _count(need, room) > 0


def _count(need: GpuNeed, room: Free) -> int:
    """Nodes that would take a pod of some role."""
    return sum(any(fits(left, role.requests) for role in need.workers) for left in room.values())


def _replicas(need: GpuNeed, racks: Mapping[str, Free]) -> int:
    return sum(replicas_in(need.workers[0], room) for room in racks.values())
