"""What a stack is waiting for, told from what was read: pure, so that tests and other commands can use it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from operations.cluster import Document, Unreadable
from recipes import load_catalog
from settings import Settings

READY = "Ready"


class State(Enum):
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class Seen:
    """One reading of a stack: its download Job with its warning events, its deployment, and the pods of each."""

    job: Document | Unreadable | None
    job_warnings: list[Document] | Unreadable
    job_pods: list[Document] | Unreadable
    graph: Document | Unreadable | None
    graph_pods: list[Document] | Unreadable


@dataclass(frozen=True)
class Progress:
    """`subject` waits for `condition`; `since` is when that began, None while it has not; `limit` in seconds."""

    state: State
    subject: str
    condition: str
    reason: str
    pods: str
    since: datetime | None
    limit: int


def progress(settings: Settings, seen: Seen) -> Progress:
    """The step that the stack is at: the download first, then the deployment."""
    if settings.model_download.enabled and settings.model_download.wait:
        download = _download(settings, seen)
        if download.state is not State.DONE or not settings.serving.deploy:
            return download
    if not settings.serving.deploy:
        return Progress(State.DONE, "the stack", "nothing", "serving.deploy is false", "", None, 0)
    return _deployment(settings, seen)


def _download(settings: Settings, seen: Seen) -> Progress:
    state, reason = _job_state(seen.job)
    if state is State.WAITING and not seen.job_pods:
        reason += _last_warning(seen.job, seen.job_warnings)
    return Progress(
        state,
        f"Job {load_catalog().facts.download.name}",
        "Complete",
        reason,
        pods_summary(seen.job_pods),
        _time(seen.job, "status", "startTime"),
        settings.model_download.timeout_seconds,
    )


def _job_state(job: Document | Unreadable | None) -> tuple[State, str]:
    if not isinstance(job, dict):
        return State.WAITING, _absent(job)
    for condition in _conditions(job):
        if condition.get("status") == "True" and condition.get("type") in ("Complete", "Failed"):
            state = State.DONE if condition["type"] == "Complete" else State.FAILED
            return state, _reason(condition)
    counts = job.get("status", {})
    return State.WAITING, f"{counts.get('active', 0)} active, {counts.get('failed', 0)} failed"


def _last_warning(job: Document | Unreadable | None, warnings: list[Document] | Unreadable) -> str:
    """Why a Job makes no pod stands nowhere but in its events: a quota, or a policy that refuses the pod."""
    if not isinstance(job, dict) or isinstance(warnings, Unreadable):
        return ""
    own = [each for each in warnings if each["involvedObject"].get("uid") == job["metadata"].get("uid")]
    last = max(own, key=lambda each: str(each.get("lastTimestamp") or ""), default=None)
    return f"; {_reason(last)}" if last else ""


def _deployment(settings: Settings, seen: Seen) -> Progress:
    state, reason = _graph_state(seen.graph)
    return Progress(
        state,
        f"DynamoGraphDeployment {settings.target.dgd_name}",
        f"{READY} at the current generation",
        reason,
        pods_summary(seen.graph_pods),
        _graph_since(seen.graph),
        settings.serving.timeout_seconds,
    )


def _graph_state(graph: Document | Unreadable | None) -> tuple[State, str]:
    if not isinstance(graph, dict):
        return State.WAITING, _absent(graph)
    if "deletionTimestamp" in graph["metadata"]:
        return State.WAITING, "it is being deleted"
    status = graph.get("status", {})
    observed, generation = status.get("observedGeneration", 0), graph["metadata"].get("generation", 0)
    if observed < generation:
        return State.WAITING, f"the operator has seen generation {observed} of {generation}"
    ready = next((c for c in _conditions(graph) if c.get("type") == READY), {})
    told = (
        f"{status.get('state', 'no state')}: {_reason(ready)}"
        if ready
        else str(status.get("state", "no status"))
    )
    if status.get("state") == "failed":
        return State.FAILED, told
    current = ready.get("observedGeneration", observed) >= generation
    return (State.DONE if ready.get("status") == "True" and current else State.WAITING), told


def pods_summary(pods: list[Document] | Unreadable) -> str:
    """Pods counted by what they are doing; gates and scheduling messages in the scheduler's own words."""
    if isinstance(pods, Unreadable):
        return f"pods cannot be read: {pods.reason}"
    counts = Counter(pod_state(pod) for pod in pods)
    return ", ".join(f"{count} {state}" for state, count in counts.most_common())


def pod_state(pod: Document) -> str:
    """`Running`, `gated by ...`, `unschedulable: ...`, the reason that a container waits for, or the phase."""
    gates = [gate["name"] for gate in pod["spec"].get("schedulingGates", [])]
    if gates:
        return f"gated by {', '.join(gates)}"
    status = pod.get("status", {})
    for condition in status.get("conditions", []):
        if condition.get("type") == "PodScheduled" and condition.get("reason") == "Unschedulable":
            return f"unschedulable: {condition.get('message', '')}"
    for container in status.get("containerStatuses", []):
        waiting = container.get("state", {}).get("waiting")
        if waiting:
            return str(waiting.get("reason", "waiting"))
    return str(status.get("phase", "Pending"))


def _absent(found: Unreadable | None) -> str:
    return "it is not there yet" if found is None else f"it cannot be read: {found.reason}"


def _conditions(document: Document) -> list[Mapping[str, Any]]:  # Any: see Document
    return list(document.get("status", {}).get("conditions", []))


def _reason(condition: Mapping[str, Any]) -> str:  # Any: see Document
    told = (str(condition.get(key, "")) for key in ("reason", "message"))
    return ", ".join(text for text in told if text) or str(condition.get("type", ""))


def _graph_since(graph: Document | Unreadable | None) -> datetime | None:
    """When the wait began: the last change of the condition, or the object's creation before there is any."""
    if not isinstance(graph, dict):
        return None
    changed = [
        c["lastTransitionTime"]
        for c in _conditions(graph)
        if c.get("type") == READY and "lastTransitionTime" in c
    ]
    return parse_time(changed[0]) if changed else _time(graph, "metadata", "creationTimestamp")


def _time(document: Document | Unreadable | None, *path: str) -> datetime | None:
    value: Any = document  # Any: see Document
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return parse_time(value) if isinstance(value, str) else None


def parse_time(text: str) -> datetime:
    """A Kubernetes time stamp, with or without fractions of a second."""
    return datetime.fromisoformat(text).astimezone(UTC)
