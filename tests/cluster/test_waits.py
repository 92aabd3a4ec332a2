"""What `up` waits for on a real API server, and what it does not wait for.

A deadline of a minute is no timing assertion: the resources' own limits are hours.
"""

import subprocess
from collections.abc import Callable

import pytest

from manifests import Manifest
from tests.cluster.stack import DOMAIN, GRAPH, ClusterStack
from tests.stand_in.waits import condition, phase, wait_for, wait_until

JOB = "model-download"
GRACE = 3.0  # seconds in which a wait that has ended by mistake would have ended `up`


def goes_on(stack: ClusterStack, run: subprocess.Popen[str]) -> None:
    """`up` is still there a moment after something that must not end it."""
    with pytest.raises(AssertionError, match="not there after"):
        wait_until(lambda: run.poll() is not None, "the end of up", GRACE)
    assert "error" not in stack.output.read_text()


def observed(generation: int) -> Callable[[Manifest], bool]:
    return lambda graph: graph.get("status", {}).get("observedGeneration", 0) >= generation


def test_up_waits_for_the_download_and_then_for_the_deployment(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.knob(downloadSeconds="never", graph="hold")
    run = stack.start_up()
    wait_for(stack.client, "Job", JOB, stack.namespace, lambda job: job.get("status", {}).get("active") == 1)
    goes_on(stack, run)
    assert stack.find(GRAPH, stack.dgd) is None, "nothing starts on half a checkpoint"
    stack.knob(downloadSeconds="0.1", graph="hold")
    wait_for(stack.client, GRAPH, stack.dgd, stack.namespace, condition("Ready", "False"))
    goes_on(stack, run)
    stack.knob(graph="ready")
    stack.ends(run)


def test_a_ready_of_an_older_generation_does_not_end_the_wait(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.up()
    before = stack.find(GRAPH, stack.dgd)
    assert before
    generation = before["metadata"]["generation"]
    stack.knob(graph="stale")
    stack.change({"serving.image": "registry.example.com/vllm-runtime:1.5.1"})
    run = stack.start_up()
    stale = wait_for(
        stack.client, GRAPH, stack.dgd, stack.namespace, lambda g: g["metadata"]["generation"] > generation
    )
    assert condition("Ready")(stale), "the old Ready is still told"
    goes_on(stack, run)
    stack.knob(graph="ready")
    stack.ends(run)
    wait_for(stack.client, GRAPH, stack.dgd, stack.namespace, observed(stale["metadata"]["generation"]))


def test_up_waits_neither_for_the_compute_domain_nor_for_a_claim(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.knob(pods="gated")
    stack.change(
        {
            "modelCache.storageClassName": "shared-rwx-wait",
            "modelDownload.wait": False,
            "serving.wait": False,
        }
    )
    stack.knob(pods="gated", downloadSeconds="never")
    stack.project.environ["PULUMI_K8S_AWAIT_ALL"] = "false"
    stack.ends(stack.start_up())
    domain = wait_for(
        stack.client, DOMAIN, f"{stack.dgd}-compute-domain", stack.namespace, lambda d: bool(d.get("status"))
    )
    assert domain["status"]["status"] == "NotReady"


def test_up_ends_with_a_claim_that_only_a_pod_would_bind(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.change(
        {
            "modelCache.storageClassName": "shared-rwx-wait",
            "modelDownload.enabled": False,
            "serving.deploy": False,
        }
    )
    stack.ends(stack.start_up())
    claim = stack.find("PersistentVolumeClaim", "shared-model-cache")
    assert claim
    assert phase("Pending")(claim)


def test_a_failed_download_fails_at_once_and_can_be_run_again(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.knob(downloadResult="fail")
    run = stack.start_up()
    assert stack.status(run) != 0
    assert "BackoffLimitExceeded" in stack.output.read_text(), "the reason must be told"
    assert stack.find(GRAPH, stack.dgd) is None
    claim = stack.uid("PersistentVolumeClaim", "shared-model-cache")
    stack.knob(downloadSeconds="0.1")
    job = stack.urn("Job")
    stack.up("--replace", job)
    assert stack.uid("PersistentVolumeClaim", "shared-model-cache") == claim
    stack.is_quiet()


def test_a_deployment_that_never_gets_ready_ends_at_its_limit_and_the_next_up_goes_on(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("sglang-gb300-disagg")
    stack.knob(
        graph="hold", reason="pods_not_ready", message="decodeworker is loading", downloadSeconds="0.1"
    )
    stack.change({"serving.timeoutSeconds": 8})
    assert "timed out" in stack.fails()
    uid = stack.uid(GRAPH, stack.dgd)
    assert stack.urn(GRAPH), "the state must keep what was made"
    shown = stack.operations("watch")
    assert shown.returncode == 1
    assert "pods_not_ready, decodeworker is loading" in shown.stdout
    assert "The limit of 0:00:08 is over." in shown.stdout
    stack.knob(graph="ready")
    steps = stack.up()
    assert not [step for step in steps if "replace" in step.op or "delete" in step.op]
    assert stack.uid(GRAPH, stack.dgd) == uid
    stack.is_quiet()


@pytest.mark.parametrize("target", ["vllm-gb200-agg", "sglang-gb300-agg"])
def test_awaiting_all_by_the_environment_changes_nothing(
    make_stack: Callable[..., ClusterStack], target: str
) -> None:
    stack = make_stack(target)
    stack.project.environ["PULUMI_K8S_AWAIT_ALL"] = "true"
    stack.ends(stack.start_up())
    stack.is_quiet()
