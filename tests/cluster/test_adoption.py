"""Objects that exist already, such as those of the published YAML: a stack uses them by name, and never owns them."""

from collections.abc import Callable

from tests.cluster.rendered import rendered
from tests.cluster.stack import CANARY, DOMAIN, GRAPH, USES_WHAT_IS_THERE, ClusterStack
from tests.stand_in.waits import condition, wait_for, wait_gone

KEPT = (
    ("Secret", "hf-token-secret"),
    ("PersistentVolumeClaim", "shared-model-cache"),
    ("Job", "model-download"),
)


def test_a_stack_takes_over_from_a_deployment_that_was_applied_by_hand(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    for manifest in rendered(stack):
        stack.client.apply(manifest, manager="kubectl")
    metadata = {"name": "hf-token-secret", "namespace": stack.namespace}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": {"HF_TOKEN": CANARY}}
    stack.client.apply(secret)
    wait_for(stack.client, "Job", "model-download", stack.namespace, condition("Complete"))
    wait_for(stack.client, GRAPH, stack.dgd, stack.namespace, condition("Ready"))
    before = [stack.uid(kind, name) for kind, name in KEPT]

    for kind, name in ((GRAPH, stack.dgd), (DOMAIN, f"{stack.dgd}-compute-domain")):
        stack.client.delete(kind, name, stack.namespace)
        wait_gone(stack.client, kind, name, stack.namespace)
    stack.project.demand("config", "rm", "kimi-k3:hfToken", "--stack", stack.name)
    stack.change(USES_WHAT_IS_THERE)
    assert [(step.op, step.kind) for step in stack.up()] == [("create", DOMAIN), ("create", GRAPH)]
    stack.is_quiet()

    stack.destroy()
    assert [stack.uid(kind, name) for kind, name in KEPT] == before, "what the stack did not make it leaves"
    assert stack.left() == {*KEPT} | pods_of_the_job(stack)


def pods_of_the_job(stack: ClusterStack) -> set[tuple[str, str]]:
    return {("Pod", pod["metadata"]["name"]) for pod in stack.client.items("Pod", stack.namespace)}
