"""What the operator says of a DynamoGraphDeployment, told from its pods."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tests.stand_in.operator.knobs import Knobs
from tests.stand_in.operator.marks import COMPONENT, Manifest, labels, leaving

READY = "all_resources_are_ready"
NOT_READY = "pods_not_ready"
NO_CAPACITY = "insufficient_capacity"
UPDATING = "updating"
MIXED = "mixed_not_ready_reasons"
FAILED = "failed_to_reconcile_the_resources"


@dataclass(frozen=True)
class Verdict:
    pods: str  # waiting, running or failed
    reason: str
    message: str


def verdict(
    wanted: Sequence[Manifest], there: Sequence[Manifest], refused: Mapping[str, str], knobs: Knobs
) -> Verdict:
    """`wanted` are the pods that the spec asks for, `there` those that exist, `refused` is why the API server did not
    take a pod, by component.
    """
    if knobs.graph == "fail":
        return Verdict("failed", knobs.reason or FAILED, knobs.message or "the stand-in was asked to fail")
    # Grove opens its gate once all pods exist; before, a closed gate is no lack of capacity.
    gated = {pod["metadata"]["name"] for pod in wanted} <= {pod["metadata"]["name"] for pod in there}
    told = [_component(name, wanted, there, refused, gated) for name in _components(wanted, there)]
    waiting = [entry for entry in told if entry.pods == "waiting"]
    if not waiting:
        return _held(Verdict("running", READY, "All resources are ready"), knobs)
    reasons = {entry.reason for entry in waiting}
    reason = reasons.pop() if len(reasons) == 1 else MIXED
    return _held(Verdict("waiting", reason, "; ".join(entry.message for entry in waiting)), knobs)


def _held(found: Verdict, knobs: Knobs) -> Verdict:
    if knobs.graph != "hold":
        return found
    if found.pods == "running":
        found = Verdict("waiting", NOT_READY, "the stand-in was asked to hold")
    return replace(found, reason=knobs.reason or found.reason, message=knobs.message or found.message)


def _components(*lists: Sequence[Manifest]) -> Iterable[str]:
    return dict.fromkeys(labels(pod)[COMPONENT] for pods in lists for pod in pods)


def _component(
    name: str, wanted: Sequence[Manifest], there: Sequence[Manifest], refused: Mapping[str, str], gated: bool
) -> Verdict:
    names = {pod["metadata"]["name"] for pod in wanted if labels(pod)[COMPONENT] == name}
    own = [pod for pod in there if labels(pod)[COMPONENT] == name]
    current = [pod for pod in own if pod["metadata"]["name"] in names and not leaving(pod)]
    unplaced = [message for pod in current if (message := _unplaced(pod, gated)) is not None]
    ready = sum(map(_ready, current))
    if name in refused:
        return Verdict("waiting", NOT_READY, f"{name}: {refused[name]}")
    if len(own) > len(current):
        return Verdict("waiting", UPDATING, f"{name}: {len(current)} of {len(names)} pods updated")
    if unplaced:
        text = f"{name}: {len(unplaced)} of {len(names)} pods not scheduled: {unplaced[0]}"
        return Verdict("waiting", NO_CAPACITY, text)
    if ready < len(names):
        return Verdict("waiting", NOT_READY, f"{name}: {ready} of {len(names)} pods ready")
    return Verdict("running", READY, "")


def _condition(pod: Manifest, kind: str) -> Manifest:
    conditions = pod.get("status", {}).get("conditions") or []
    return next((condition for condition in conditions if condition["type"] == kind), {})


def _ready(pod: Manifest) -> bool:
    return bool(_condition(pod, "Ready").get("status") == "True")


def _unplaced(pod: Manifest, gated: bool) -> str | None:
    """Why the scheduler has not placed the pod, None where it has, or has not said yet."""
    if pod["spec"].get("nodeName"):
        return None
    if gates := pod["spec"].get("schedulingGates"):
        return f"held by gate {gates[0]['name']}" if gated else None
    placed = _condition(pod, "PodScheduled")
    if placed.get("status") != "False" or placed.get("reason") != "Unschedulable":
        return None
    return str(placed.get("message", "no node fits"))
