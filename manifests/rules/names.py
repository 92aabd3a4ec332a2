"""Names and labels that Kubernetes or Grove would find too long, and things that must be there once."""

import re
from collections.abc import Iterator

from manifests.rules.rule import Finding, rule
from manifests.rules.view import Component, View
from recipes import Target

LABEL_VALUE = 63
_ANNOTATIONS = 256 * 1024  # bytes
_GROVE_NAME, _SET_NAME = 45, 8  # Grove's budget, and what it keeps for the name of the set at the least
_COMPONENT = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?")


def longest_namespace(target: Target) -> int:
    """Characters that a namespace may have so that `<namespace>-<deployment>` is still a label value."""
    return LABEL_VALUE - 1 - len(target.dgd_name)


@rule("label-budget", "Kubernetes: label values; operator: label nvidia.com/dynamo-namespace (graph.go)")
def _label_budget(view: View) -> Iterator[Finding]:
    if view.graph is None:
        return
    name, namespace = view.graph_name, str(view.graph["metadata"]["namespace"])
    longest = LABEL_VALUE - 1 - len(name)
    if len(namespace) > longest:
        yield Finding(
            f"kimi-k3:namespace.name is {namespace!r}, {len(namespace)} characters long",
            f"at most {longest} with {name}, since <namespace>-<deployment> becomes a label value of at most "
            f"{LABEL_VALUE}",
            ("namespace", "name"),
            namespace[:longest].rstrip("-"),
            "Choose a shorter one",
        )


@rule("component-name", "DynamoGraphDeployment CRD: pattern and uniqueness of component names")
def _component_name(view: View) -> Iterator[Finding]:
    names = [component.name for component in view.components]
    for name in names:
        twice = [other.lower() for other in names].count(name.lower()) > 1
        if twice or len(name) > LABEL_VALUE or not _COMPONENT.fullmatch(name):
            yield Finding(
                f"{name!r} is the name of a component",
                "letters, digits and '-', at most 63, each name once whatever its case",
                step="Rename it in its recipe",
            )


@rule("grove-name-budget", "operator webhook: Grove allows 45 characters for set, scaling group and clique")
def _grove_budget(view: View) -> Iterator[Finding]:
    for component in view.components:
        needed = _budget(component)
        if needed + min(_SET_NAME, len(view.graph_name)) > _GROVE_NAME:
            yield Finding(
                f"{component.name} of {view.graph_name} takes {needed} of the {_GROVE_NAME} characters that Grove has "
                "for all names of a pod",
                "component names of at most 16 characters where a replica spans nodes, 37 elsewhere",
                step="Rename it in its recipe",
            )


def _budget(component: Component) -> int:
    """A role that spans nodes is counted twice: as scaling group, and as clique with `-ldr`."""
    length = len(component.name)
    return 2 * length + len("-ldr") if component.node_count else length


@rule("service-name", "Kubernetes: names of Services; operator: <deployment>-<component>")
def _service_name(view: View) -> Iterator[Finding]:
    for component in view.components:
        service = f"{view.graph_name}-{component.name.lower()}"
        if len(service) > LABEL_VALUE:
            yield Finding(
                f"the Service of {component.name} would be called {service}, {len(service)} characters",
                f"at most {LABEL_VALUE}",
                step="Rename the component in its recipe",
            )


@rule("one-compute-domain", "kubernetes-sigs/dra-driver-nvidia-gpu#892: two domains in a rack interfere")
def _one_domain(view: View) -> Iterator[Finding]:
    domains = [str(domain["metadata"]["name"]) for domain in view.of_kind("ComputeDomain")]
    if len(domains) > 1:
        yield Finding(
            f"{len(domains)} ComputeDomains are made: {', '.join(domains)}",
            "one for all roles of a deployment, since two in one rack disturb each other",
            step="Keep one of them",
        )


@rule("claim-template", "DRA: a pod whose claim names no template of its namespace stays Pending")
def _claim_template(view: View) -> Iterator[Finding]:
    made = {
        str(domain["spec"]["channel"]["resourceClaimTemplate"]["name"])
        for domain in view.of_kind("ComputeDomain")
    }
    if not made:
        return  # the deployment alone is looked at
    for component in view.components:
        for claim in component.pod.get("resourceClaims", []):
            if claim.get("resourceClaimTemplateName") not in made:
                yield Finding(
                    f"{component.name} claims {claim.get('resourceClaimTemplateName')}, which no ComputeDomain makes",
                    f"{', '.join(sorted(made))}",
                    step="Name the template of the deployment's own ComputeDomain",
                )


@rule("annotations-size", "Kubernetes API: all annotations of an object together are at most 256 KiB")
def _annotations(view: View) -> Iterator[Finding]:
    sizes = [
        sum(len(key.encode()) + len(str(value).encode()) for key, value in found.items())
        for manifest in view.manifests
        if (found := manifest["metadata"].get("annotations"))
    ]
    if max(sizes, default=0) > _ANNOTATIONS:
        yield Finding(
            f"the annotations of an object take {max(sizes)} bytes",
            f"at most {_ANNOTATIONS} for all together",
            ("metadata", "annotations"),
            step="Make them shorter",
        )


RULES = (
    _label_budget,
    _component_name,
    _grove_budget,
    _service_name,
    _one_domain,
    _claim_template,
    _annotations,
)
