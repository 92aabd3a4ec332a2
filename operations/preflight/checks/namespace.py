"""The namespace, and what its Pod Security level has against the pods."""

from collections.abc import Iterator

from operations.cluster import Unreadable
from operations.preflight.facts import Facts
from operations.preflight.needs import Needs
from operations.preflight.pod_security import PRIVILEGED, violations
from operations.preflight.verdict import Check, Result

_NAMESPACE, _SECURITY = Check("Namespace", "namespace"), Check("Namespace", "Pod Security")
_ENFORCE = "pod-security.kubernetes.io/enforce"


def namespace(needs: Needs, facts: Facts) -> Iterator[Result]:
    need, found = needs.namespace, facts.namespace
    wanted = f"{need.name}: {need.reason}"
    if isinstance(found, Unreadable):
        yield _NAMESPACE.unread("namespaces", found, wanted)
    elif found is None and need.made:
        yield _NAMESPACE.passes(f"{need.name} will be made")
    elif found is None:
        mend = needs.set("namespace", "create", to="true")
        remedy = f"kubectl create namespace {need.name}, or let the stack make it: {mend}"
        yield _NAMESPACE.fails(f"{need.name} is not there", wanted, remedy)
    elif found.deleting:
        remedy = (
            "Wait for its end; what holds it up has finalizers that only their own controllers should remove"
        )
        yield _NAMESPACE.fails(f"{need.name} is being deleted: {found.deleting}", wanted, remedy)
    else:
        yield _NAMESPACE.passes(f"{need.name} is there")


def pod_security(needs: Needs, facts: Facts) -> Iterator[Result]:
    """A level without a label is the cluster's own, which nobody can read."""
    found, need = facts.namespace, needs.namespace
    if not needs.pods:
        return
    there = found.labels.get(_ENFORCE, "") if found is not None and not isinstance(found, Unreadable) else ""
    level = (need.level if need.made else "") or there
    if isinstance(found, Unreadable) and not level:
        yield _SECURITY.unread("namespaces", found, f"the level {PRIVILEGED}")
        return
    against = {pod.component: refused for pod in needs.pods if (refused := violations(pod.spec, level))}
    if not against:
        yield _SECURITY.passes(
            f"{level} allows all pods" if level else f"{need.name} enforces no level of its own"
        )
        return
    told = "; ".join(f"{component}: {', '.join(refused)}" for component, refused in against.items())
    remedy = f"kubectl label namespace {need.name} --overwrite {_ENFORCE}={PRIVILEGED}"
    if need.made:
        remedy = needs.set("namespace", "podSecurity", to=PRIVILEGED)
    yield _SECURITY.fails(f"{level} refuses {told}", f"the level {PRIVILEGED}", remedy)
