"""`python -m operations watch` on a real API server: what it says, and how it ends."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from manifests import Manifest
from tests.cluster.stack import GRAPH, SECONDS, ClusterStack
from tests.stand_in.control_plane import ControlPlane
from tests.stand_in.waits import condition, wait_for, wait_until

JOB = "model-download"
UNWAITED = {"modelDownload.wait": False, "serving.wait": False}


def deployed(make_stack: Callable[..., ClusterStack], target: str = "vllm-gb200-agg") -> ClusterStack:
    """A stack whose `up` waits for nothing, so that the test can look while something is awaited."""
    stack = make_stack(target)
    stack.change(UNWAITED)
    return stack


def short(stack: ClusterStack) -> None:
    """The watch ends at its limit, which is over already."""
    stack.change({"serving.timeoutSeconds": 1, "modelDownload.timeoutSeconds": 1})


def pods(stack: ClusterStack, number: int, state: Callable[[Manifest], bool]) -> None:
    def there() -> bool:
        found = stack.client.items(
            "Pod", stack.namespace, labels=f"nvidia.com/dynamo-graph-deployment-name={stack.dgd}"
        )
        return len(found) == number and all(state(pod) for pod in found)

    wait_until(there, f"{number} pods as wanted", SECONDS)


def test_a_ready_stack_ends_the_watch_with_0(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.up()
    ran = stack.operations("watch")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == (
        f"DynamoGraphDeployment {stack.dgd} has Ready at the current generation: "
        "successful: all_resources_are_ready, All resources are ready; pods: 5 Running\n"
    )


def test_before_anything_is_deployed_it_says_so_until_it_is_interrupted(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "operations", "watch", "--stack", stack.name],
        cwd=stack.project.folder,
        env=stack.project.variables(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout
        first = run.stdout.readline()
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=SECONDS)
    assert first == "Job model-download waits for Complete: it is not there yet; 0:00:00 of 4:00:00\n"
    assert (run.returncode, errors) == (130, ""), "Ctrl-C is no failure of the program"


def test_gated_pods_are_told_with_their_gate(make_stack: Callable[..., ClusterStack]) -> None:
    stack = deployed(make_stack)
    stack.knob(pods="gated", downloadSeconds="0.1")
    stack.up()
    wait_for(stack.client, GRAPH, stack.dgd, stack.namespace, condition("Ready", "False"))
    pods(stack, 5, lambda pod: bool(pod["spec"].get("schedulingGates")))
    short(stack)
    ran = stack.operations("watch")
    assert ran.returncode == 1
    assert "pods: 5 gated by grove.io/podgang-pending-creation" in ran.stdout


def test_an_image_that_cannot_be_pulled_is_told(make_stack: Callable[..., ClusterStack]) -> None:
    stack = deployed(make_stack)
    stack.knob(pods="unpullable", downloadSeconds="0.1")
    stack.up()

    def waits(pod: Manifest) -> bool:
        return any(
            "waiting" in c.get("state", {}) for c in pod.get("status", {}).get("containerStatuses", [])
        )

    pods(stack, 5, waits)
    short(stack)
    ran = stack.operations("watch")
    assert ran.returncode == 1
    assert "pods: 5 ImagePullBackOff" in ran.stdout
    assert "The limit of 0:00:01 is over." in ran.stdout


def test_too_few_nodes_are_told_in_the_schedulers_words(
    make_stack: Callable[..., ClusterStack], busy_nodes: None
) -> None:
    stack = deployed(make_stack)
    stack.knob(downloadSeconds="0.1")
    stack.up()

    def insufficient(graph: Manifest) -> bool:
        conditions = graph.get("status", {}).get("conditions", [])
        return any(each.get("reason") == "insufficient_capacity" for each in conditions)

    wait_for(stack.client, GRAPH, stack.dgd, stack.namespace, insufficient)
    short(stack)
    ran = stack.operations("watch")
    assert ran.returncode == 1
    assert "insufficient_capacity" in ran.stdout
    assert re.search(r"4 unschedulable: 0/\d+ nodes are available", ran.stdout)


@pytest.fixture
def busy_nodes(cluster: ControlPlane) -> Iterator[None]:
    """No node with GPUs takes new pods, as if others had all of them."""
    names = [node["metadata"]["name"] for node in cluster.client.items("Node")]
    gpus = [name for name in names if not name.startswith("cpu")]
    for name in gpus:
        cluster.client.patch("Node", name, {"spec": {"unschedulable": True}})
    yield
    for name in gpus:
        cluster.client.patch("Node", name, {"spec": {"unschedulable": None}})


def test_a_failed_deployment_ends_the_watch_at_once_with_1(make_stack: Callable[..., ClusterStack]) -> None:
    stack = deployed(make_stack)
    stack.knob(graph="fail", reason="pods_failed", message="worker crashed", downloadSeconds="0.1")
    stack.up()
    wait_for(
        stack.client,
        GRAPH,
        stack.dgd,
        stack.namespace,
        lambda graph: graph.get("status", {}).get("state") == "failed",
    )
    ran = stack.operations("watch")
    assert ran.returncode == 1
    assert "failed before Ready at the current generation: failed: pods_failed, worker crashed" in ran.stdout


def test_a_failed_download_ends_the_watch_at_once_with_1(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.knob(downloadResult="fail")
    assert "BackoffLimitExceeded" in stack.fails()
    ran = stack.operations("watch")
    assert ran.returncode == 1
    assert "Job model-download failed before Complete: BackoffLimitExceeded" in ran.stdout


@pytest.mark.parametrize("obstacle", ["quota", "policy"])
def test_a_download_without_a_pod_is_told_with_the_servers_reason(
    make_stack: Callable[..., ClusterStack], obstacle: str
) -> None:
    stack = make_stack("vllm-gb200-agg")
    namespace: Manifest = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": stack.namespace}}
    if obstacle == "policy":
        namespace["metadata"]["labels"] = {"pod-security.kubernetes.io/enforce": "restricted"}
    stack.client.create(namespace)
    if obstacle == "quota":
        metadata = {"name": "no-pods", "namespace": stack.namespace}
        spec = {"hard": {"pods": "0"}}
        stack.client.create({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": spec})
    stack.change({"namespace.create": False, "modelDownload.timeoutSeconds": 5})
    assert "timed out" in stack.fails()
    ran = stack.operations("watch")
    assert ran.returncode == 1
    words = {"quota": "exceeded quota: no-pods", "policy": "violates PodSecurity"}
    assert "FailedCreate, Error creating: pods" in ran.stdout
    assert words[obstacle] in ran.stdout


def test_a_stack_without_a_deployment_has_nothing_to_wait_for(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.change({"serving.deploy": False, "modelDownload.enabled": False})
    ran = stack.operations("watch")
    assert (ran.returncode, ran.stdout) == (0, "the stack has nothing: serving.deploy is false\n")


def test_a_server_that_does_not_answer_is_told(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.cluster.add_context("closed", server="https://127.0.0.1:1")
    stack.change({"cluster.context": "closed"})
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "operations", "watch", "--stack", stack.name],
        cwd=stack.project.folder,
        env=stack.project.variables(),
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout
        first = run.stdout.readline()
        os.kill(run.pid, signal.SIGINT)
    assert "it cannot be read: the API server does not answer" in first


def test_a_context_that_is_not_there_is_refused(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.change({"cluster.context": "nowhere"})
    ran = stack.operations("watch")
    assert ran.returncode == 1
    assert ran.stderr.startswith("The context 'nowhere' cannot be used: ")
    assert ran.stderr.endswith("List them: kubectl config get-contexts\n")


def test_a_stack_that_renders_has_no_cluster_to_watch(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.change({"cluster": None, "render": {"directory": "rendered/x"}})
    ran = stack.operations("watch")
    assert ran.returncode == 1
    assert ran.stderr == (
        f"The stack {stack.name} renders files; there is no cluster to watch.\n"
        "Accepted: a stack with kimi-k3:cluster.\n"
        "Name such a stack with --stack.\n"
    )
