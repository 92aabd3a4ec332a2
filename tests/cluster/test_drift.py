"""What somebody else changes on the cluster: what preview, refresh and `up` say of it, and do about it."""

from collections.abc import Callable

from manifests import Manifest
from tests.cluster.stack import DOMAIN, GRAPH, ClusterStack, Step
from tests.stand_in.waits import wait_gone

JOB = "model-download"
MENDED = Step("update", "serving-deployment", GRAPH)


def graph(stack: ClusterStack) -> Manifest:
    return stack.client.get(GRAPH, stack.dgd, stack.namespace)


def put(stack: ClusterStack, changed: Manifest) -> None:
    """As `kubectl edit` does: whoever writes owns the fields that differ."""
    path = stack.client.discovery.kind(GRAPH).path(stack.namespace, stack.dgd)
    stack.client.request("PUT", path, body=changed)


def worker_env(found: Manifest) -> list[Manifest]:
    (container,) = found["spec"]["components"][1]["podTemplate"]["spec"]["containers"]
    env: list[Manifest] = container["env"]
    return env


def refreshed(stack: ClusterStack) -> list[Step]:
    return [step for step in stack.up("--refresh") if step.op != "refresh"]


def test_an_env_value_removed_by_hand_is_put_back_by_an_up_that_refreshes(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.up()
    changed = graph(stack)
    before = worker_env(changed)[:]
    worker_env(changed).remove({"name": "HF_HUB_OFFLINE", "value": "1"})
    put(stack, changed)
    stack.is_quiet()  # without a refresh nobody looks
    assert stack.up() == []
    shown = stack.project.demand("preview", "--refresh", "--diff", "--stack", stack.name)
    assert '"HF_HUB_OFFLINE"' in shown, "a reviewer must see which value is gone"
    assert "~ 1 to update" in shown
    assert refreshed(stack) == [MENDED]
    assert worker_env(graph(stack)) == before
    stack.is_quiet()


def test_a_deleted_job_is_one_create_after_a_refresh(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.up()
    claim, deployment = stack.uid("PersistentVolumeClaim", "shared-model-cache"), stack.uid(GRAPH, stack.dgd)
    stack.client.delete("Job", JOB, stack.namespace)
    wait_gone(stack.client, "Job", JOB, stack.namespace)
    stack.is_quiet()
    stack.project.demand("refresh", "--yes", "--stack", stack.name)
    shown = stack.project.demand("preview", "--stack", stack.name)
    assert "+ 1 to create\n    13 unchanged" in shown
    assert stack.up() == [Step("create", "model-download-job", "Job")]
    assert stack.uid("PersistentVolumeClaim", "shared-model-cache") == claim
    assert stack.uid(GRAPH, stack.dgd) == deployment
    stack.is_quiet()


def test_a_stuck_finalizer_ends_at_the_limit_and_destroy_goes_on_when_it_is_gone(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.up()
    stack.change({"serving.timeoutSeconds": 5})
    stack.up()
    stack.knob(finalizers="keep")
    said = stack.fails("destroy", "--exclude-protected", "--skip-preview")
    assert "timed out waiting for the condition" in said
    assert stack.urn(GRAPH), "the state must keep what is still there"
    assert stack.find(DOMAIN, f"{stack.dgd}-compute-domain"), (
        "what the deployment uses must stay till it is gone"
    )
    assert "it is being deleted" in stack.operations("watch").stdout
    stack.knob(finalizers="remove")
    wait_gone(stack.client, GRAPH, stack.dgd, stack.namespace)
    stack.destroy()
    assert stack.left() == {("PersistentVolumeClaim", "shared-model-cache")}


def test_replicas_of_another_field_manager_are_a_conflict_until_they_are_set_back(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.up()
    changed = graph(stack)
    changed["spec"]["components"][1]["replicas"] = 2
    put(stack, changed)
    assert stack.up() == []
    assert graph(stack)["spec"]["components"][1]["replicas"] == 2, "without a refresh nobody looks"
    said = stack.fails("up", "--refresh")
    assert "Server-Side Apply field conflict detected" in said
    assert '.spec.components[name="worker"].replicas' in said, "the field must be named"
    changed = graph(stack)
    changed["spec"]["components"][1]["replicas"] = 1
    put(stack, changed)
    refreshed(stack)
    stack.is_quiet()
    assert stack.uid(GRAPH, stack.dgd) == changed["metadata"]["uid"]
