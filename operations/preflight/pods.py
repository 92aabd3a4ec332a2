"""What a pod asks of its node, and the room that nodes have: as the scheduler counts it."""

from typing import Any

from operations.preflight.amounts import PODS, Amounts, amounts, most, thousandths, total

Spec = dict[str, Any]  # Any: Kubernetes objects are JSON of any depth
_ONE_POD = thousandths("1")


def requests_of(spec: Spec) -> dict[str, int]:
    """What a pod takes from its node: its containers together or its largest init container, and its overhead.

    Source: k8s.io/component-helpers/resource, `PodRequests`. Sidecars run on beside what comes after them; a pod may
    name resources as a whole.
    """
    containers = [_asked(container) for container in spec.get("containers", [])]
    sidecars: list[Amounts] = []
    largest: list[Amounts] = []
    for container in spec.get("initContainers") or []:
        if container.get("restartPolicy") == "Always":
            sidecars.append(_asked(container))
        largest.append(
            total([*sidecars, {} if container.get("restartPolicy") == "Always" else _asked(container)])
        )
    counted = most([total([*containers, *sidecars]), *largest])
    whole = {**counted, **_asked(spec)}
    return total([whole, amounts(spec.get("overhead")), {PODS: _ONE_POD}])


def _asked(part: Spec) -> dict[str, int]:
    """Requests of a container; a limit without a request is one."""
    resources = part.get("resources") or {}
    return {**amounts(resources.get("limits")), **amounts(resources.get("requests"))}
