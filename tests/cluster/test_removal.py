"""Full removal, with and without the weights, as the operations guide has it."""

from collections.abc import Callable

from tests.cluster.stack import ClusterStack
from tests.stand_in.waits import wait_gone

CLAIM = ("PersistentVolumeClaim", "shared-model-cache")


def types(stack: ClusterStack) -> set[str]:
    return {resource["type"] for resource in stack.state()} - {"pulumi:pulumi:Stack"}


def test_without_the_weights_the_claim_stays_and_the_state_lets_go_of_it(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.up()
    claim = stack.uid(*CLAIM)
    stack.destroy()
    stack.project.demand("state", "unprotect", "--all", "--yes", "--stack", stack.name)
    stack.destroy()
    assert types(stack) == set()
    assert stack.uid(*CLAIM) == claim, "a retained claim outlives its stack"
    stack.project.demand("stack", "rm", "--yes", "--preserve-config", stack.name)
    assert stack.uid(*CLAIM) == claim


def test_with_the_weights_nothing_is_left(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("sglang-gb300-agg")
    stack.up()
    stack.change({"modelCache.protect": False, "namespace.protect": False})
    assert stack.up() == []
    stack.project.demand("destroy", "--yes", "--stack", stack.name)
    assert types(stack) == set()
    wait_gone(stack.client, "Namespace", stack.namespace)
    assert stack.left() == set()
