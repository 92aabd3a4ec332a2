"""What limit ranges of the namespace have against the pods and the claim that would be made."""

from collections.abc import Iterator, Mapping
from typing import Any

from operations.cluster import Unreadable
from operations.preflight.amounts import Amounts, amounts, shown, total
from operations.preflight.facts import Facts, Limit
from operations.preflight.needs import Needs, PodsNeed
from operations.preflight.verdict import Check, Result

Raw = Mapping[str, Any]  # Any: Kubernetes objects are JSON of any depth
_LIMITS = Check("Namespace", "limit ranges")


def limit_ranges(needs: Needs, facts: Facts) -> Iterator[Result]:
    found = facts.limits
    if isinstance(found, Unreadable):
        yield _LIMITS.unread("limitranges", found, "nothing in them that refuses a pod")
        return
    against = [told for limit in found for told in _against(limit, needs, facts)]
    for told in dict.fromkeys(against):
        remedy = "Ask for a larger one, or use another namespace"
        yield _LIMITS.fails(told, "limit ranges that let pods and claim be", remedy)
    if found and not against:
        yield _LIMITS.passes("they have nothing against pods and claim")


def _against(limit: Limit, needs: Needs, facts: Facts) -> Iterator[str]:
    if limit.type == "PersistentVolumeClaim" and needs.cache.made and facts.claim is None:
        size = {"storage": needs.cache.size}
        yield from _beyond(limit, f"the claim {needs.cache.claim}", size, size)
    for need in needs.pods:
        yield from _against_pod(limit, need)


def _against_pod(limit: Limit, need: PodsNeed) -> Iterator[str]:
    resources = [container.get("resources") or {} for container in need.spec["containers"]]
    if limit.type == "Container":
        for each in resources:
            yield from _against_container(limit, need.component, each)
    if limit.type == "Pod":
        requests, limits = (
            total(amounts(each.get(kind)) for each in resources) for kind in ("requests", "limits")
        )
        yield from _beyond(limit, need.component, requests, limits)


def _against_container(limit: Limit, component: str, resources: Raw) -> Iterator[str]:
    """A container without a limit gets the default one, which may be less than it asks for."""
    limits = amounts(resources.get("limits"))
    requests = {**limits, **amounts(resources.get("requests"))}
    yield from _beyond(limit, component, requests, limits)
    for name, default in {**limit.most, **limit.defaults}.items():
        if name not in limits and default < requests.get(name, 0) <= limit.most.get(
            name, requests.get(name, 0)
        ):
            told = f"{limit.name} gives containers a limit of {shown(name, default)} {name}"
            yield f"{told}; {component} asks for {shown(name, requests[name])}"


def _beyond(limit: Limit, component: str, requests: Amounts, limits: Amounts) -> Iterator[str]:
    """Sizes above the most or below the least that is allowed."""
    for name, most in limit.most.items():
        value = max(requests.get(name, 0), limits.get(name, 0))
        if value > most:
            allowed = f"{limit.name} allows {shown(name, most)} {name} at most"
            yield f"{allowed}; {component} takes {shown(name, value)}"
    for name, least in limit.least.items():
        if name in requests and requests[name] < least:
            allowed = f"{limit.name} asks for {shown(name, least)} {name} at least"
            yield f"{allowed}; {component} takes {shown(name, requests[name])}"
