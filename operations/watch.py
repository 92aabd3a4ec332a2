"""Follows a stack while it is being deployed, and says what it is waiting for."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from operations.cluster import Cluster
from operations.progress import Progress, Seen, State, progress
from recipes import load_catalog
from settings import Settings

_SECONDS_BETWEEN_READINGS = 2
_SECONDS_BETWEEN_LINES = 60  # a line that repeats itself shows that the watch is alive


def read(cluster: Cluster, settings: Settings) -> Seen:
    """One reading of the stack's Job, deployment and pods. Pods are found by label: their names are cut short."""
    namespace, facts = settings.namespace.name, load_catalog().facts
    graph = (
        f"/apis/nvidia.com/v1beta1/namespaces/{namespace}/dynamographdeployments/{settings.target.dgd_name}"
    )
    pods, job = f"/api/v1/namespaces/{namespace}/pods", facts.download.name
    of_job = f"involvedObject.kind=Job,involvedObject.name={job},type=Warning"
    return Seen(
        job=cluster.get(f"/apis/batch/v1/namespaces/{namespace}/jobs/{job}"),
        job_warnings=cluster.items(f"/api/v1/namespaces/{namespace}/events", fields=of_job),
        job_pods=cluster.items(pods, f"batch.kubernetes.io/job-name={job}"),
        graph=cluster.get(graph),
        graph_pods=cluster.items(pods, f"nvidia.com/dynamo-graph-deployment-name={settings.target.dgd_name}"),
    )


def watch(cluster: Cluster, settings: Settings, say: Callable[[str], None], follow: bool) -> State:
    """Says every change until the deployment is ready or has failed, or its limit is over; then that state.

    With `follow` it goes on until it is interrupted: an update of a ready deployment begins ready.
    """
    told, told_at = "", 0.0
    while True:
        now = datetime.now(UTC)
        current = progress(settings, read(cluster, settings))
        text, moment = line(current, now), time.monotonic()
        if signature(current) != told or moment - told_at >= _SECONDS_BETWEEN_LINES:
            say(text)
            told, told_at = signature(current), moment
        if not follow and current.state is not State.WAITING:
            return current.state
        if not follow and is_over(current, now):
            say(f"The limit of {duration(current.limit)} is over. The last reason was: {current.reason}")
            return State.FAILED
        time.sleep(_SECONDS_BETWEEN_READINGS)


def line(current: Progress, now: datetime) -> str:
    """`DynamoGraphDeployment x waits for Ready ...: reason; pods: ...; 0:03:10 of 3:00:00`."""
    verb = {State.WAITING: "waits for", State.DONE: "has", State.FAILED: "failed before"}[current.state]
    parts = [f"{current.subject} {verb} {current.condition}: {current.reason}"]
    if current.pods:
        parts.append(f"pods: {current.pods}")
    if current.state is State.WAITING:
        parts.append(f"{duration(_elapsed(current, now))} of {duration(current.limit)}")
    return "; ".join(parts)


def signature(current: Progress) -> str:
    """What makes a line new; the time alone does not."""
    return f"{current.state.value}|{current.subject}|{current.reason}|{current.pods}"


def is_over(current: Progress, now: datetime) -> bool:
    return (
        current.state is State.WAITING
        and current.since is not None
        and _elapsed(current, now) > current.limit
    )


def duration(seconds: int) -> str:
    """`1:02:03`."""
    minutes, second = divmod(max(seconds, 0), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{second:02}"


def _elapsed(current: Progress, now: datetime) -> int:
    return int((now - current.since).total_seconds()) if current.since else 0
