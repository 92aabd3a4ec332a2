"""What quotas of the namespace leave for the pods and objects that would be made."""

from collections.abc import Iterator, Mapping
from typing import Any

from operations.cluster import Unreadable
from operations.preflight.amounts import CPU, DISK, MEMORY, Amounts, amounts, shown, thousandths, times, total
from operations.preflight.facts import Facts, Pod, Quota
from operations.preflight.needs import Needs, PodsNeed
from operations.preflight.ownership import is_own, own_graphs
from operations.preflight.verdict import Check, Result

Raw = Mapping[str, Any]  # Any: Kubernetes objects are JSON of any depth
_QUOTA = Check("Namespace", "quota")
_ONE = thousandths("1")
_LONG_NAMES = {name: f"requests.{name}" for name in (CPU, MEMORY, DISK)}
# With a quota on these, a container that does not say what it wants is refused.
_DEMANDED = (CPU, MEMORY, "requests.cpu", "requests.memory", "limits.cpu", "limits.memory")


def quotas(needs: Needs, facts: Facts) -> Iterator[Result]:
    if isinstance(facts.quotas, Unreadable):
        yield _QUOTA.unread("resourcequotas", facts.quotas, "room in them")
        return
    asked = _asked(needs, facts)
    problems = [result for quota in facts.quotas for result in _exceeded(quota, asked)]
    problems += [result for quota in facts.quotas for result in _silent(quota, needs, facts)]
    yield from problems
    if facts.quotas and not problems:
        yield _QUOTA.passes(f"{', '.join(quota.name for quota in facts.quotas)}: enough is left")


def _exceeded(quota: Quota, asked: Amounts) -> Iterator[Result]:
    for name, hard in quota.hard.items():
        more, left = asked.get(_LONG_NAMES.get(name, name), 0), max(hard - quota.used.get(name, 0), 0)
        if more <= left:
            continue
        told = f"{quota.name} leaves {shown(name, left)} of {shown(name, hard)} {name}"
        needed, remedy = f"{shown(name, more)} {name}", "Ask for a larger quota, or use another namespace"
        if quota.scoped:
            yield _QUOTA.warns(f"{told}, for some kinds of pods only", needed, remedy)
        else:
            yield _QUOTA.fails(told, needed, remedy)


def _silent(quota: Quota, needs: Needs, facts: Facts) -> Iterator[Result]:
    defaults = _defaults(facts)
    for name in [] if quota.scoped else _DEMANDED:
        kind, resource = _split(name)
        if name not in quota.hard or resource in defaults:
            continue
        without = [need.component for need in needs.pods if _leaves_out(need, kind, resource)]
        if without:
            told = f"{quota.name} counts {name}, and {', '.join(without)} say nothing of it"
            remedy = "Set it with roles.NAME.resources or modelDownload.resources, or have a LimitRange give defaults"
            yield _QUOTA.fails(told, f"{kind}.{resource} of every container", remedy)


def _split(name: str) -> tuple[str, str]:
    kind, _, resource = name.rpartition(".")
    return kind or "requests", resource


def _leaves_out(need: PodsNeed, kind: str, resource: str) -> bool:
    return any(resource not in _said(container, kind) for container in need.spec["containers"])


def _said(container: Raw, kind: str) -> Raw:
    """A limit is a request as well."""
    resources = container.get("resources") or {}
    limits = resources.get("limits") or {}
    return {**limits, **(resources.get("requests") or {})} if kind == "requests" else limits


def _defaults(facts: Facts) -> set[str]:
    found = [] if isinstance(facts.limits, Unreadable) else facts.limits
    return {name for limit in found if limit.type == "Container" for name in (*limit.defaults, *limit.most)}


def _asked(needs: Needs, facts: Facts) -> dict[str, int]:
    """What would be added, under the names of quotas; what the stack has already is counted there."""
    pods = _of_pods(needs.pods)
    there = total(_as_quota(pod.requests) for pod in _own_pods(needs, facts))
    found = {name: max(value - there.get(name, 0), 0) for name, value in pods.items()}
    return {**found, **_of_objects(needs, facts), **_of_storage(needs, facts)}


def _own_pods(needs: Needs, facts: Facts) -> list[Pod]:
    graphs = own_graphs(needs, facts)
    pods = [] if isinstance(facts.pods, Unreadable) else facts.pods
    return [pod for pod in pods if is_own(needs, pod, graphs)]


def _of_pods(pods: list[PodsNeed]) -> dict[str, int]:
    requests = total(times(_as_quota(need.requests), need.count) for need in pods)
    limits = total(times(_limits(need.spec), need.count) for need in pods)
    return {**requests, **{f"limits.{name}": value for name, value in limits.items()}}


def _limits(spec: Raw) -> dict[str, int]:
    return total(amounts(_said(container, "limits")) for container in spec["containers"])


def _as_quota(requests: Amounts) -> dict[str, int]:
    found = {f"requests.{name}": value for name, value in requests.items() if name != "pods"}
    pods = requests.get("pods", 0)
    return {**found, "pods": pods, "count/pods": pods}


def _of_objects(needs: Needs, facts: Facts) -> dict[str, int]:
    """Objects that are not there yet. Once the deployment is there, so is what belongs to it."""
    graphs = [] if isinstance(facts.graphs, Unreadable) else facts.graphs
    own = own_graphs(needs, facts)
    deployed = any(graph.namespace == needs.own.namespace and graph.name in own for graph in graphs)
    there = {
        "persistentvolumeclaims": facts.claim is not None,
        "secrets": facts.token is not None,
        "jobs.batch": bool(facts.job),
    }
    made = {kind: number for kind, number in needs.objects.items() if not there.get(kind, deployed)}
    counted = {kind: number * _ONE for kind, number in made.items() if kind != "pods"}
    return {**counted, **{f"count/{kind}": number for kind, number in counted.items()}}


def _of_storage(needs: Needs, facts: Facts) -> dict[str, int]:
    if not needs.cache.made or facts.claim is not None:
        return {}
    of_class = f"{needs.cache.storage_class}.storageclass.storage.k8s.io/"
    return {
        "requests.storage": needs.cache.size,
        f"{of_class}requests.storage": needs.cache.size,
        f"{of_class}persistentvolumeclaims": _ONE,
    }
