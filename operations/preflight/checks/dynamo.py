"""The Dynamo platform: its kinds, its operator, and what starts pods together."""

import re
from collections.abc import Iterator

from operations.cluster import Unreadable
from operations.preflight.facts import Facts, Operator
from operations.preflight.needs import KindNeed, Needs
from operations.preflight.verdict import Check, Result, listed

_ORCHESTRATOR, _OPERATOR = Check("Platform", "orchestrator"), Check("Platform", "operator")
_QUEUE = Check("Platform", "KAI queue")
_GROVE, _LWS, _VOLCANO, _KAI = (
    "grove.io",
    "leaderworkerset.x-k8s.io",
    "scheduling.volcano.sh",
    "scheduling.run.ai",
)
_OLDEST_OPERATOR = (1, 5, 0)  # of the images: older operators do not know their health checks
_DEFAULT_QUEUE = "dynamo"
_EITHER = "Grove, or LeaderWorkerSet and Volcano"
_INSTALL = {
    "DynamoGraphDeployment": "Install the Dynamo platform 1.5.0 or newer; this program installs no operators",
    "ComputeDomain": "Install NVIDIA's DRA driver with ComputeDomain support",
}


def served_kinds(needs: Needs, facts: Facts) -> Iterator[Result]:
    for need in needs.kinds:
        yield _served(need, facts)


def _served(need: KindNeed, facts: Facts) -> Result:
    check, found = Check("Platform", need.kind), facts.kinds.get(need.version)
    wanted, group = f"{need.version} {need.kind}: {need.reason}", need.version.split("/")[0]
    if isinstance(found, Unreadable):
        return check.unread(f"/apis/{need.version}", found, wanted)
    if found is not None and need.kind in found:
        return check.passes(f"{need.version} is served")
    others = [] if isinstance(facts.groups, Unreadable) else facts.groups.get(group, ())
    told = f"only {', '.join(others)} is served" if others and found is None else "it is not served"
    return check.fails(told, wanted, _INSTALL[need.kind])


def orchestrator(needs: Needs, facts: Facts) -> Iterator[Result]:
    need, groups = needs.orchestrator, facts.groups
    if need is None:
        return
    wanted = f"{_EITHER}: {need.reason} ({', '.join(need.components)})"
    if isinstance(groups, Unreadable):
        yield _ORCHESTRATOR.unread("the API groups", groups, wanted)
    elif _GROVE in groups:
        yield _ORCHESTRATOR.passes("Grove")
    elif _LWS in groups and _VOLCANO in groups:
        yield _ORCHESTRATOR.passes("LeaderWorkerSet and Volcano")
    else:
        there = [
            name for name, group in (("LeaderWorkerSet", _LWS), ("Volcano", _VOLCANO)) if group in groups
        ]
        told = f"only {there[0]}" if there else "none"
        yield _ORCHESTRATOR.fails(told, wanted, f"Install {_EITHER}")


def operator(needs: Needs, facts: Facts) -> Iterator[Result]:
    if needs.gpus is None:
        return
    found, wanted = facts.operators, "a running Dynamo operator, 1.5.0 or newer"
    if isinstance(found, Unreadable):
        yield _OPERATOR.unread("deployments", found, wanted)
    elif not found:
        remedy = "See that one is running; without it a deployment waits until its limit"
        yield _OPERATOR.warns(
            "no Deployment is labeled app.kubernetes.io/name=dynamo-operator", wanted, remedy
        )
    else:
        yield _best(max(found, key=lambda each: (each.available > 0, _numbers(each.version))), wanted)


def _best(found: Operator, wanted: str) -> Result:
    told = f"{found.name} {found.version or 'of an unknown version'}"
    if found.available == 0:
        remedy = f"See why: kubectl describe deployment --namespace {found.name.replace('/', ' ')}"
        return _OPERATOR.fails(f"{told} has no pod that is available", wanted, remedy)
    if not found.version:
        return _OPERATOR.warns(told, wanted, "Look at the image of that Deployment")
    if _numbers(found.version) < _OLDEST_OPERATOR:
        remedy = "Upgrade the platform: older ones restart workers after one slow health check"
        return _OPERATOR.warns(told, wanted, remedy)
    return _OPERATOR.passes(told)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def queue(needs: Needs, facts: Facts) -> Iterator[Result]:
    """KAI schedules nothing whose queue it does not know."""
    if needs.gpus is None or (not needs.queue and facts.queues == frozenset()):
        return
    wanted = f"the queue {needs.queue or _DEFAULT_QUEUE}"
    if isinstance(facts.queues, Unreadable):
        if needs.queue:
            yield _QUEUE.unread("queues.scheduling.run.ai", facts.queues, wanted)
    elif (needs.queue or _DEFAULT_QUEUE) in facts.queues:
        yield _QUEUE.passes(needs.queue or _DEFAULT_QUEUE)
    elif not needs.queue:
        name = needs.set("serving", "queue", to=min(facts.queues))
        remedy = f"Where KAI schedules Grove's pods, name one: {name}"
        yield _QUEUE.warns(f"the queues are {listed(facts.queues)}", wanted, remedy)
    else:
        kai = not isinstance(facts.groups, Unreadable) and _KAI in facts.groups
        told = (
            f"the queues are {listed(facts.queues) or 'none'}"
            if kai
            else "the KAI scheduler is not installed"
        )
        yield _QUEUE.fails(told, wanted, "Make the queue, or name another with serving.queue")
