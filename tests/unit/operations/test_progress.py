"""What a stack is waiting for, told from documents as an API server gives them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from operations.cluster import Unreadable
from operations.progress import Progress, Seen, State, parse_time, pod_state, pods_summary, progress
from settings import Settings, load_settings
from tests.unit.settings.stack_files import complete

Doc = dict[str, Any]  # Any: Kubernetes objects are JSON of any depth
NAME = "kimi-k3-vllm-gb200-agg-agentic"
STARTED = "2026-05-01T10:00:00Z"
COMPLETE: Doc = {
    "metadata": {"uid": "j"},
    "status": {"startTime": STARTED, "conditions": [{"type": "Complete", "status": "True"}]},
}


def settings(**changes: object) -> Settings:
    return load_settings(complete(changes), "prod")


def seen(**read: Any) -> Seen:  # Any: see Doc
    nothing: Doc = {"job": None, "job_warnings": [], "job_pods": [], "graph": None, "graph_pods": []}
    return Seen(**(nothing | read))


def job(**status: object) -> Doc:
    return {"metadata": {"uid": "j"}, "status": {"startTime": STARTED, **status}}


def graph(generation: int = 1, **status: object) -> Doc:
    return {"metadata": {"generation": generation, "creationTimestamp": STARTED}, "status": status}


def ready(status: str, generation: int = 1, **more: str) -> list[Doc]:
    return [{"type": "Ready", "status": status, "observedGeneration": generation, **more}]


def pod(**status: object) -> Doc:
    return {"spec": {}, "status": status}


# what was read of the Job, state, reason
JOBS: dict[str, tuple[Any, State, str]] = {
    "not there": (None, State.WAITING, "it is not there yet"),
    "forbidden": (Unreadable("HTTP 403: no"), State.WAITING, "it cannot be read: HTTP 403: no"),
    "new": (job(), State.WAITING, "0 active, 0 failed"),
    "runs": (job(active=1, failed=2), State.WAITING, "1 active, 2 failed"),
    "failed": (
        job(conditions=[{"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded"}]),
        State.FAILED,
        "BackoffLimitExceeded",
    ),
    "will fail": (
        job(active=1, conditions=[{"type": "FailureTarget", "status": "True"}]),
        State.WAITING,
        "1 active, 0 failed",
    ),
    "failed no more": (
        job(active=1, conditions=[{"type": "Failed", "status": "False"}]),
        State.WAITING,
        "1 active, 0 failed",
    ),
}


@pytest.mark.parametrize("case", JOBS)
def test_the_download_comes_first(case: str) -> None:
    read, state, reason = JOBS[case]
    found = progress(settings(), seen(job=read))
    assert (found.subject, found.condition) == ("Job model-download", "Complete")
    assert (found.state, found.reason, found.limit) == (state, reason, 14400)


def test_a_download_that_is_complete_hands_over_to_the_deployment() -> None:
    found = progress(settings(), seen(job=COMPLETE))
    assert found == Progress(
        State.WAITING,
        f"DynamoGraphDeployment {NAME}",
        "Ready at the current generation",
        "it is not there yet",
        "",
        None,
        10800,
    )


WARNING: Doc = {
    "involvedObject": {"uid": "j"},
    "lastTimestamp": "2026-05-01T10:00:02Z",
    "reason": "FailedCreate",
    "message": "exceeded quota",
}
# warnings, pods of the Job, what is added to the reason
WARNINGS: dict[str, tuple[Any, list[Doc], str]] = {
    "none": ([], [], ""),
    "one": ([WARNING], [], "; FailedCreate, exceeded quota"),
    "the last one counts": (
        [WARNING, WARNING | {"lastTimestamp": "2026-05-01T10:00:01Z", "message": "older"}],
        [],
        "; FailedCreate, exceeded quota",
    ),
    "of a Job that was": ([WARNING | {"involvedObject": {"uid": "other"}}], [], ""),
    "a pod is there after all": ([WARNING], [pod(phase="Running")], ""),
    "not allowed to read events": (Unreadable("HTTP 403"), [], ""),
}


@pytest.mark.parametrize("case", WARNINGS)
def test_a_job_without_a_pod_is_told_with_its_last_warning(case: str) -> None:
    warnings, pods, added = WARNINGS[case]
    found = progress(settings(), seen(job=job(), job_warnings=warnings, job_pods=pods))
    assert found.reason == f"0 active, 0 failed{added}"


# what was read of the deployment, state, reason
GRAPHS: dict[str, tuple[Any, State, str]] = {
    "not there": (None, State.WAITING, "it is not there yet"),
    "no status": (graph(), State.WAITING, "the operator has seen generation 0 of 1"),
    "unseen change": (
        graph(2, observedGeneration=1, state="successful", conditions=ready("True")),
        State.WAITING,
        "the operator has seen generation 1 of 2",
    ),
    "stale condition": (
        graph(2, observedGeneration=2, state="successful", conditions=ready("True", 1, reason="all_ready")),
        State.WAITING,
        "successful: all_ready",
    ),
    "pending": (
        graph(
            1, observedGeneration=1, state="pending", conditions=ready("False", reason="pods", message="2/5")
        ),
        State.WAITING,
        "pending: pods, 2/5",
    ),
    "ready": (
        graph(1, observedGeneration=1, state="successful", conditions=ready("True", reason="all_ready")),
        State.DONE,
        "successful: all_ready",
    ),
    "ready, of an operator that tells no generation of conditions": (
        graph(1, observedGeneration=1, state="successful", conditions=[{"type": "Ready", "status": "True"}]),
        State.DONE,
        "successful: Ready",
    ),
    "failed": (
        graph(1, observedGeneration=1, state="failed", conditions=ready("False", reason="crashed")),
        State.FAILED,
        "failed: crashed",
    ),
    "goes": (
        {"metadata": {"deletionTimestamp": STARTED, "generation": 1}},
        State.WAITING,
        "it is being deleted",
    ),
}


@pytest.mark.parametrize("case", GRAPHS)
def test_the_deployment_is_ready_only_at_its_current_generation(case: str) -> None:
    read, state, reason = GRAPHS[case]
    found = progress(settings(), seen(job=COMPLETE, graph=read))
    assert (found.state, found.reason) == (state, reason)


@pytest.mark.parametrize("download", [{"enabled": False}, {"wait": False}], ids=["disabled", "not awaited"])
def test_a_download_that_up_does_not_wait_for_is_passed_over(download: dict[str, object]) -> None:
    assert progress(settings(modelDownload=download), seen()).subject == f"DynamoGraphDeployment {NAME}"


def test_without_a_deployment_the_download_is_all_there_is() -> None:
    alone = settings(serving={"deploy": False})
    assert progress(alone, seen(job=COMPLETE)).state is State.DONE
    none = settings(serving={"deploy": False}, modelDownload={"enabled": False})
    assert progress(none, seen()).state is State.DONE


# a pod, what it is doing
PODS: dict[str, tuple[Doc, str]] = {
    "runs": (pod(phase="Running"), "Running"),
    "gated": (
        {
            "spec": {"schedulingGates": [{"name": "grove.io/x"}, {"name": "y"}]},
            "status": {"phase": "Pending"},
        },
        "gated by grove.io/x, y",
    ),
    "unschedulable": (
        pod(
            phase="Pending",
            conditions=[
                {"type": "PodScheduled", "reason": "Unschedulable", "message": "0/4 nodes are available"}
            ],
        ),
        "unschedulable: 0/4 nodes are available",
    ),
    "image": (
        pod(phase="Pending", containerStatuses=[{"state": {"waiting": {"reason": "ImagePullBackOff"}}}]),
        "ImagePullBackOff",
    ),
    "crashes": (
        pod(phase="Running", containerStatuses=[{"state": {"waiting": {"reason": "CrashLoopBackOff"}}}]),
        "CrashLoopBackOff",
    ),
    "no status": ({"spec": {}}, "Pending"),
}


@pytest.mark.parametrize("case", PODS)
def test_a_pod_is_told_by_what_holds_it_up(case: str) -> None:
    given, expected = PODS[case]
    assert pod_state(given) == expected


def test_pods_are_counted_the_most_first() -> None:
    given = [pod(phase="Pending"), pod(phase="Running"), pod(phase="Running")]
    assert pods_summary(given) == "2 Running, 1 Pending"
    assert pods_summary(Unreadable("HTTP 403: no")) == "pods cannot be read: HTTP 403: no"
    assert pods_summary([]) == ""


def test_the_wait_counts_from_the_last_change_of_the_condition() -> None:
    changed = ready("False", lastTransitionTime="2026-05-01T11:00:00.123456789Z")
    found = progress(settings(), seen(job=COMPLETE, graph=graph(1, observedGeneration=1, conditions=changed)))
    assert found.since == datetime(2026, 5, 1, 11, 0, 0, 123456, tzinfo=UTC)
    young = progress(settings(), seen(job=COMPLETE, graph=graph()))
    assert young.since == parse_time(STARTED) == datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert progress(settings(), seen(job=job())).since == parse_time(STARTED)
