"""What on the cluster is the stack's own, and so neither takes room nor is in the way."""

from collections.abc import Callable

from operations.cluster import Unreadable
from operations.preflight.facts import Domain, Facts, Pod
from operations.preflight.needs import Needs

_SYSTEM = "kube-system"


def own_graphs(needs: Needs, facts: Facts) -> frozenset[str]:
    """Its deployment, and the one that a switch of target deletes before this one is made."""
    own = needs.own
    if own.former is not None:
        return frozenset({own.graph, own.former} - {""})
    if not own.owner or isinstance(facts.graphs, Unreadable):
        return frozenset({own.graph})
    there = {graph.name for graph in facts.graphs if graph.namespace == own.namespace}
    return frozenset({own.graph}) if own.graph in there else frozenset({own.graph, *(there & own.others)})


def is_own(needs: Needs, pod: Pod, graphs: frozenset[str]) -> bool:
    return pod.namespace == needs.own.namespace and (pod.graph in graphs or pod.job == needs.own.job)


def takes_room(needs: Needs, facts: Facts) -> Callable[[Pod], bool]:
    """Whether a pod keeps its room from the stack."""
    graphs = own_graphs(needs, facts)
    return lambda pod: not is_own(needs, pod, graphs)


def stays_when_empty(pod: Pod) -> bool:
    """What runs on a cluster that nobody uses."""
    return pod.daemon or pod.namespace == _SYSTEM


def foreign_domains(needs: Needs, facts: Facts) -> list[Domain]:
    """ComputeDomains of others, as far as they can be seen."""
    found = [] if isinstance(facts.domains, Unreadable) else facts.domains
    own = {f"{graph}-compute-domain" for graph in own_graphs(needs, facts)}
    return [each for each in found if each.namespace != needs.own.namespace or each.name not in own]
