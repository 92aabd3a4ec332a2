"""What keeps a worker off a node, one filter after the other; each leaves the nodes that may still be used."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from operations.cluster import Unreadable
from operations.preflight.amounts import GPU
from operations.preflight.facts import Facts, Node
from operations.preflight.matching import OF_THE_NODE, selected, untolerated
from operations.preflight.needs import GpuNeed, Needs, PodsNeed
from operations.preflight.ownership import foreign_domains, own_graphs
from operations.preflight.products import CLIQUE, DOMAIN, PRODUCT, REPLICAS, SHARING
from operations.preflight.verdict import Check, Result, listed

_GROUP = "GPU nodes"


@dataclass
class Search:
    """The nodes that are left, as a search goes on."""

    needs: Needs
    need: GpuNeed
    facts: Facts
    every: Sequence[Node]
    nodes: list[Node] = field(default_factory=list)

    def keep(self, sound: Callable[[Node], bool]) -> list[Node]:
        """Keeps the sound nodes; those that are left out."""
        out = [node for node in self.nodes if not sound(node)]
        self.nodes = [node for node in self.nodes if sound(node)]
        return out

    @property
    def enough(self) -> bool:
        """Whether what is left could hold all pods; a node of 16 GPUs holds two pods that take 8 each."""
        if self.need.domain:
            return len(self.nodes) >= self.need.count
        return sum(_pods_on(node, self.need.workers) for node in self.nodes) >= self.need.count

    @property
    def wanted(self) -> str:
        return f"{self.need.count} nodes: {self.need.reason}"


def _pods_on(node: Node, workers: Sequence[PodsNeed]) -> int:
    """At least one: whether it is large enough is told by itself."""
    asked = max((role.requests.get(GPU, 0) for role in workers), default=0)
    return max(1, node.allocatable.get(GPU, 0) // asked) if asked else 1


def _product(search: Search) -> Result:
    check, product = Check(_GROUP, "product"), search.need.product
    with_gpus = [node for node in search.every if node.allocatable.get(GPU)]
    search.nodes = [node for node in search.every if node.labels.get(PRODUCT) == product]
    if search.enough:
        return check.passes(f"{len(search.nodes)} nodes with {product}")
    unknown = [node for node in with_gpus if PRODUCT not in node.labels]
    wanted = f"{search.need.count} nodes with {product}: {search.need.reason}"
    if len(unknown) + len(search.nodes) >= search.need.count:
        search.nodes += unknown
        remedy = "Label them (NVIDIA's GPU feature discovery does), so that their GPUs are known"
        return check.warns(f"{len(unknown)} nodes with GPUs have no label {PRODUCT}", wanted, remedy)
    others = Counter(node.labels.get(PRODUCT, "no product") for node in with_gpus)
    told = ", ".join(f"{number} with {name}" for name, number in sorted(others.items())) or "none with GPUs"
    remedy = (
        "Choose a target for the GPUs that are there, or name the cluster's product with cluster.gpuProduct"
        if others
        else "Add nodes, or see that NVIDIA's device plugin runs on them"
    )
    return check.fails(f"nodes: {told}", wanted, remedy)


def _shared(search: Search) -> Result | None:
    out = search.keep(lambda node: not _is_shared(node))
    if not out:
        return None
    return _left(
        search,
        "sharing",
        f"GPUs of {listed(_names(out))} are shared by several pods",
        "Switch time-slicing or MPS off on those nodes",
    )


def _is_shared(node: Node) -> bool:
    return node.labels.get(SHARING, "none") not in ("none", "") or node.labels.get(REPLICAS, "1") not in (
        "0",
        "1",
        "",
    )


def _selector(search: Search) -> Result | None:
    roles = search.need.workers
    out = search.keep(lambda node: any(selected(role.spec, node.labels, node.name) for role in roles))
    if not out:
        return None
    what = "placement.clique or placement.workers" if search.need.clique else "placement.workers"
    cliques = {node.labels.get(CLIQUE) for node in out} - {None}
    seen = f"; cliques seen: {listed(cliques)}" if search.need.clique and cliques else ""
    told = f"{len(out)} nodes have other labels than the workers ask for{seen}"
    return _left(search, "labels", told, f"Correct {what}, or label the nodes", quiet=True)


def _ready(search: Search) -> Result | None:
    cordoned = [node for node in search.nodes if node.cordoned]
    out = search.keep(lambda node: node.ready and not node.cordoned)
    if not out:
        return None
    unready = [node for node in out if not node.ready]
    parts = [
        f"{listed(_names(cordoned))} cordoned" if cordoned else "",
        f"{listed(_names(unready))} not ready" if unready else "",
    ]
    return _left(
        search,
        "ready",
        "; ".join(filter(None, parts)),
        "kubectl uncordon them, or see why they are not ready",
        quiet=True,
    )


def _taints(search: Search) -> Result | None:
    tolerations = [role.spec.get("tolerations") or [] for role in search.need.workers]

    def kept_off(node: Node) -> list[str]:
        found = [untolerated(node.taints, each) for each in tolerations]
        return [taint for taint in min(found, key=len) if not taint.startswith(OF_THE_NODE)]

    out = search.keep(lambda node: not kept_off(node))
    if not out:
        return None
    taints = {taint for node in out for taint in kept_off(node)}
    told = f"taints keep the workers off {len(out)} nodes: {listed(taints)}"
    mend = search.needs.set("placement", "workers", "tolerations", 0, to=_toleration(min(taints)))
    remedy = f"If those nodes are for you: {mend}"
    return _left(search, "taints", told, remedy, quiet=True)


def _toleration(taint: str) -> str:
    key, _, effect = taint.rpartition(":")
    name, equals, value = key.partition("=")
    operator = f"operator: Equal, value: '{value}'" if equals else "operator: Exists"
    return f"{{key: {name}, {operator}, effect: {effect}}}"


def _clique_labels(search: Search) -> Result | None:
    out = search.keep(lambda node: bool(node.labels.get(CLIQUE))) if search.need.domain else []
    if not out:
        return None
    told = f"{listed(_names(out))} without the label {CLIQUE}, where no NVLink channel is given to pods"
    return _left(
        search, "clique labels", told, "See that NVIDIA's GPU feature discovery and the fabric work on them"
    )


def _driver(search: Search) -> Result | None:
    drivers, need = search.facts.driver_nodes, search.needs.domain
    if need is None:
        return None
    wanted = f"ResourceSlices of {need.driver} on {search.need.count} nodes: {need.reason}"
    if isinstance(drivers, Unreadable):
        return Check(_GROUP, "DRA driver").unread("resourceslices", drivers, wanted)
    out = search.keep(lambda node: node.name in drivers)
    if not out:
        return Check(_GROUP, "DRA driver").passes(f"{need.driver} on {len(search.nodes)} nodes")
    told = f"no ResourceSlice of {need.driver} for {listed(_names(out))}"
    return _left(
        search, "DRA driver", told, "See that the kubelet plugin of NVIDIA's DRA driver runs on them"
    )


def _other_domains(search: Search) -> Result | None:
    """A node carries one ComputeDomain's label: pods of another one stay in ContainerCreating on it."""
    if not search.need.domain:
        return None
    domains = search.facts.domains
    names = {f"{graph}-compute-domain" for graph in own_graphs(search.needs, search.facts)}
    inside = search.needs.own.namespace
    own = (
        set()
        if isinstance(domains, Unreadable)
        else {d.uid for d in domains if d.namespace == inside and d.name in names}
    )
    told_by_status = {
        name: each for each in foreign_domains(search.needs, search.facts) for name in each.nodes
    }
    out = search.keep(
        lambda node: node.labels.get(DOMAIN, "") in {"", *own} and node.name not in told_by_status
    )
    if not out:
        return None
    owners = {f"{each.namespace}/{each.name}" for node in out if (each := told_by_status.get(node.name))}
    told = f"{listed(_names(out))} belong to another ComputeDomain{f' ({listed(owners)})' if owners else ''}"
    return _left(search, "ComputeDomains", told, "Remove that deployment, or wait until its nodes are free")


def _left(search: Search, name: str, told: str, remedy: str, *, quiet: bool = False) -> Result:
    """FAIL where too few nodes are left; else WARN, or PASS where nothing is wrong with nodes that are left out."""
    check = Check(_GROUP, name)
    left = f"{told}; {len(search.nodes)} nodes are left"
    if not search.enough:
        return check.fails(left, search.wanted, remedy)
    return check.passes(left) if quiet else check.warns(left, search.wanted, remedy)


def _names(nodes: Sequence[Node]) -> list[str]:
    return [node.name for node in nodes]


FILTERS: tuple[Callable[[Search], Result | None], ...] = (
    _product,
    _selector,
    _shared,
    _ready,
    _taints,
    _clique_labels,
    _driver,
    _other_domains,
)
