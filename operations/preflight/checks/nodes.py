"""Nodes: enough of the right ones for the workers, one reason after the other; then room for the other pods."""

from collections.abc import Iterator, Sequence

from operations.cluster import Unreadable
from operations.preflight.amounts import GPU, all_shown
from operations.preflight.checks.filters import FILTERS, Search
from operations.preflight.checks.racks import rack_results
from operations.preflight.facts import Facts, Node
from operations.preflight.fleet import Free, fits, free_room, lacking, only, place
from operations.preflight.matching import selected, untolerated
from operations.preflight.needs import GpuNeed, Needs, PodsNeed
from operations.preflight.ownership import takes_room
from operations.preflight.products import ARCHITECTURE, PRODUCT
from operations.preflight.verdict import Check, Result, Verdict, listed

_NODES, _SIZE, _ROOM = Check("GPU nodes", "nodes"), Check("GPU nodes", "size"), Check("GPU nodes", "room")
_PRODUCTS, _ARCHITECTURE = Check("GPU nodes", "other products"), Check("GPU nodes", "architecture")
_PODS = Check("GPU nodes", "running pods")


def gpu_nodes(needs: Needs, facts: Facts) -> Iterator[Result]:
    """Every filter leaves fewer nodes; the first that leaves too few is the failure, and the last result."""
    need = needs.gpus
    if need is None:
        return
    if isinstance(facts.nodes, Unreadable):
        yield _NODES.unread("nodes", facts.nodes, wanted(need))
        return
    search = Search(needs, need, facts, facts.nodes)
    for check in FILTERS:
        result = check(search)
        if result:
            yield result
            if result.verdict is Verdict.FAIL:
                return
    yield from _with_room(needs, need, facts, search.nodes)


def wanted(need: GpuNeed) -> str:
    """`4 nodes, each with 4 nvidia.com/gpu, 16 cpu: ...`."""
    parts = [f"{each.count} for {each.component} with {all_shown(_asked(each))}" for each in need.workers]
    return f"{need.count} {need.product} nodes, {'; '.join(parts)}: {need.reason}"


def _asked(need: PodsNeed) -> dict[str, int]:
    return {name: value for name, value in need.requests.items() if name != "pods"}


def _with_room(needs: Needs, need: GpuNeed, facts: Facts, nodes: list[Node]) -> Iterator[Result]:
    """`nodes` are those that would take the pods if they were empty."""
    empty = {node.name: node.allocatable for node in nodes}
    too_small = _too_small(need, empty)
    yield too_small
    if too_small.verdict is Verdict.FAIL:
        return
    pods = facts.pods
    if isinstance(pods, Unreadable):
        yield _PODS.unread("pods of all namespaces", pods, "what they leave free")
        pods = []
    yield from _architecture(need, nodes)
    free = only(free_room(nodes, pods, takes_room(needs, facts)), nodes)
    room = _room(need, free, nodes)
    yield room
    if room.verdict is not Verdict.FAIL:
        yield from rack_results(needs, need, free, nodes)
        yield from _other_products(needs, need, facts)


def _too_small(need: GpuNeed, empty: Free) -> Result:
    """Whether the nodes were large enough if nothing ran on them."""
    for role in need.workers:
        able = [name for name, room in empty.items() if fits(room, role.requests)]
        short = {name for room in empty.values() for name in lacking(room, role.requests)}
        if len(able) * _slots(need, role, empty) < role.count:
            told = f"{len(able)} of {len(empty)} nodes are large enough for {role.component}"
            told += f"; the others lack {listed(short)}"
            remedy = f"Use larger nodes, or lower roles.{role.component}.resources"
            return _SIZE.fails(told, wanted(need), remedy)
    return _SIZE.passes(f"{len(empty)} nodes are large enough")


def _slots(need: GpuNeed, role: PodsNeed, empty: Free) -> int:
    """Pods of a role on the largest node: one, where each takes a whole node or a ComputeDomain's channel."""
    asked = role.requests.get(GPU, 0)
    most = max((room.get(GPU, 0) for room in empty.values()), default=0)
    return 1 if need.domain or not asked else max(1, most // asked)


def _room(need: GpuNeed, free: Free, nodes: list[Node]) -> Result:
    placed = place(need.workers, free, alone=need.domain)
    if placed.missing:
        busy = [name for name in free if not any(fits(free[name], role.requests) for role in need.workers)]
        lack = ", ".join(f"{number} of {component}" for component, number in placed.missing.items())
        short = {
            name for node in busy for role in need.workers for name in lacking(free[node], role.requests)
        }
        told = f"no room for {lack}: {len(busy)} of {len(nodes)} nodes have too little {listed(short)} left"
        told += f" ({listed(busy)})"
        return _ROOM.fails(
            told,
            wanted(need),
            "Free those nodes, wait, or add nodes: kubectl describe node NAME shows what runs there",
        )
    able = [name for name in free if all(fits(free[name], role.requests) for role in need.workers)]
    return _ROOM.passes(f"{len(able)} nodes have room, {need.count} are needed")


def _architecture(need: GpuNeed, nodes: list[Node]) -> Iterator[Result]:
    others = [node.name for node in nodes if node.labels.get(ARCHITECTURE) not in (None, need.architecture)]
    if others:
        yield _ARCHITECTURE.warns(
            f"{listed(others)} of {need.product} are not {need.architecture}",
            f"{need.architecture}, which machines with these GPUs have",
            "See that the images are made for them, or keep the workers off with placement.workers",
        )


def _other_products(needs: Needs, need: GpuNeed, facts: Facts) -> Iterator[Result]:
    """Nodes with other GPUs that would take the workers as well: the scheduler does not know one from the other."""
    nodes = [] if isinstance(facts.nodes, Unreadable) or need.selects_product else facts.nodes
    takers = [
        node for node in nodes if node.labels.get(PRODUCT) not in (None, need.product) and _takes(need, node)
    ]
    if takers:
        mend = needs.set("placement", "workers", "nodeSelector", PRODUCT, to=need.product)
        yield _PRODUCTS.warns(
            f"{len(takers)} nodes with {listed({node.labels[PRODUCT] for node in takers})} could take the workers too",
            f"workers on {need.product} alone",
            f"Name the product: {mend}",
        )


def _takes(need: GpuNeed, node: Node) -> bool:
    return any(
        fits(node.allocatable, role.requests)
        and selected(role.spec, node.labels, node.name)
        and not untolerated(node.taints, role.spec.get("tolerations") or [])
        for role in need.workers
    )


def other_pods(needs: Needs, facts: Facts) -> Iterator[Result]:
    """Frontends and the download, on what the workers leave."""
    nodes, pods = facts.nodes, facts.pods
    if isinstance(nodes, Unreadable):
        return  # said for the workers, or not asked for
    free = free_room(nodes, [] if isinstance(pods, Unreadable) else pods, takes_room(needs, facts))
    if needs.gpus:
        search = Search(needs, needs.gpus, facts, nodes)
        for check in FILTERS:
            check(search)
        placed = place(needs.gpus.workers, only(free, search.nodes), alone=needs.gpus.domain)
        free |= placed.free
    for need in needs.others:
        yield _other(need, nodes, free)


def _other(need: PodsNeed, nodes: Sequence[Node], free: Free) -> Result:
    check = Check("Other nodes", need.component)
    told = f"{need.count} x {all_shown(_asked(need))}" if _asked(need) else f"{need.count} without requests"
    needed = f"{told}: {need.reason}"
    open_nodes = [node for node in nodes if node.ready and not node.cordoned]
    willing = [node for node in open_nodes if selected(need.spec, node.labels, node.name)]
    if not willing:
        remedy = f"Correct placement.{need.group}, or label nodes"
        return check.fails(
            f"none of {len(open_nodes)} ready nodes has the labels that it asks for", needed, remedy
        )
    tolerated = [node for node in willing if not untolerated(node.taints, need.spec.get("tolerations") or [])]
    if not tolerated:
        taints = {
            taint
            for node in willing
            for taint in untolerated(node.taints, need.spec.get("tolerations") or [])
        }
        return check.fails(
            f"all {len(willing)} nodes have taints: {listed(taints)}",
            needed,
            f"Add to placement.{need.group}.tolerations, or use nodes without these taints",
        )
    if place([need], only(free, tolerated), alone=False).missing:
        short = {name for node in tolerated for name in lacking(free[node.name], need.requests)}
        return check.fails(
            f"none of {len(tolerated)} nodes has enough {listed(short)} left for all",
            needed,
            "Free a node, or add one; nodes without GPUs will do",
        )
    return check.passes(f"fits on {len([n for n in tolerated if fits(free[n.name], need.requests)])} nodes")
