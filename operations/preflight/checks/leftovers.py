"""What a former deployment has left, and what another one would do to this one."""

from collections.abc import Iterator

from operations.cluster import Unreadable
from operations.preflight.facts import Facts
from operations.preflight.needs import Needs
from operations.preflight.ownership import foreign_domains, own_graphs
from operations.preflight.products import CLIQUE, PRODUCT
from operations.preflight.verdict import Check, Result, listed

_DELETIONS, _TEMPLATE = Check("Leftovers", "deletions"), Check("Leftovers", "claim template")
_JOB, _SECOND = Check("Leftovers", "download"), Check("GPU nodes", "second deployment")
_AUTOMATIC = Check("Platform", "Grove's own ComputeDomains")


def deletions(needs: Needs, facts: Facts) -> Iterator[Result]:
    """Objects of the stack's names that are on their way out: a new one cannot take their place."""
    if needs.gpus is None:
        return
    own, inside = own_graphs(needs, facts), needs.own.namespace
    wanted = "no object of these names that is being deleted"
    for what, found in (("deployments", facts.graphs), ("ComputeDomains", facts.domains)):
        if isinstance(found, Unreadable):
            yield Check("Leftovers", what).unread(what, found, wanted)
    graphs = [] if isinstance(facts.graphs, Unreadable) else facts.graphs
    domains = [] if isinstance(facts.domains, Unreadable) else facts.domains
    ours = [graph for graph in graphs if graph.namespace == inside and graph.name in own]
    leaving = [f"DynamoGraphDeployment {graph.name}" for graph in ours if graph.deleting]
    leaving += [f"ComputeDomain {d.name}" for d in domains if d.deleting and d.namespace == inside]
    if leaving:
        remedy = (
            "Wait for their end; the operator and the DRA driver have to run, which remove their finalizers"
        )
        yield _DELETIONS.fails(f"{listed(leaving)} being deleted", wanted, remedy)
    else:
        yield _DELETIONS.passes("nothing is being deleted")


def claim_template(needs: Needs, facts: Facts) -> Iterator[Result]:
    """The driver does not take over a template that it finds; its domain never works then."""
    need = needs.domain
    if need is None:
        return
    wanted = f"no ResourceClaimTemplate {need.template} without its ComputeDomain"
    if isinstance(facts.templates, Unreadable) or isinstance(facts.domains, Unreadable):
        why = next(each for each in (facts.templates, facts.domains) if isinstance(each, Unreadable))
        yield _TEMPLATE.unread("resourceclaimtemplates and computedomains", why, wanted)
        return
    owned = any(d.name == need.name and d.namespace == needs.own.namespace for d in facts.domains)
    if need.template in facts.templates and not owned:
        remedy = f"kubectl delete resourceclaimtemplate {need.template} --namespace {needs.own.namespace}"
        yield _TEMPLATE.fails(f"{need.template} is there, and its ComputeDomain is not", wanted, remedy)


def download_job(needs: Needs, facts: Facts) -> Iterator[Result]:
    if not any(need.group == "download" for need in needs.others):
        return
    wanted = f"no Job {needs.own.job} that has failed"
    if isinstance(facts.job, Unreadable):
        yield _JOB.unread("jobs", facts.job, wanted)
    elif facts.job == "Failed":
        remedy = f"See why: kubectl logs --namespace {needs.own.namespace} job/{needs.own.job}"
        yield _JOB.warns(f"Job {needs.own.job} has failed", wanted, remedy)
    else:
        yield _JOB.passes({"": "not there yet", "Complete": "complete"}.get(facts.job, facts.job))


def second_deployment(needs: Needs, facts: Facts) -> Iterator[Result]:
    """Two ComputeDomains in one clique were seen to disturb each other's memory."""
    if needs.domain is None or needs.gpus is None or isinstance(facts.nodes, Unreadable):
        return
    wanted = "a clique without another ComputeDomain: two in one were seen to disturb each other"
    if isinstance(facts.domains, Unreadable):
        yield _SECOND.unread("computedomains", facts.domains, wanted)
        return
    ours = {
        node.labels.get(CLIQUE, "")
        for node in facts.nodes
        if node.labels.get(PRODUCT) == needs.gpus.product
        and needs.gpus.clique in ("", node.labels.get(CLIQUE))
    }
    cliques = {node.name: node.labels.get(CLIQUE, "") for node in facts.nodes}
    near = [d for d in foreign_domains(needs, facts) if {cliques.get(name) for name in d.nodes} & ours]
    if near:
        names = listed(f"{each.namespace}/{each.name}" for each in near)
        remedy = "Choose another clique with placement.clique, or remove that deployment"
        yield _SECOND.warns(f"{names} has nodes there", wanted, remedy)


def automatic_domains(needs: Needs, facts: Facts) -> Iterator[Result]:
    if needs.domain is None:
        return
    wanted = "Grove leaves ComputeDomains to this stack: a pod with two of them never starts"
    if isinstance(facts.automatic_domains, Unreadable):
        yield _AUTOMATIC.unread("podcliquesets.grove.io", facts.automatic_domains, wanted)
    elif facts.automatic_domains:
        told = f"grove.io/auto-mnnvl is enabled on {listed(facts.automatic_domains)}"
        yield _AUTOMATIC.warns(told, wanted, "Switch automatic MNNVL off in Grove's operator configuration")
