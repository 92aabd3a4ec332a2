"""Two stacks in one namespace: one owns what they share, the other uses it by name."""

from collections.abc import Callable

import pytest

from tests.cluster.stack import DOMAIN, GRAPH, USES_WHAT_IS_THERE, ClusterStack

SHARED = (
    ("Secret", "hf-token-secret"),
    ("PersistentVolumeClaim", "shared-model-cache"),
    ("Job", "model-download"),
)


def shared(stack: ClusterStack) -> list[str]:
    return [stack.uid("Namespace", stack.namespace), *(stack.uid(kind, name) for kind, name in SHARED)]


@pytest.mark.parametrize("deploys", [False, True], ids=["owner-alone", "owner-with-a-target"])
def test_another_stack_uses_what_the_owner_has_made_and_leaves_it(
    make_stack: Callable[..., ClusterStack], deploys: bool
) -> None:
    owner = make_stack("vllm-gb200-agg")
    owner.change({"serving.deploy": deploys})
    owner.up()
    before = shared(owner)
    other = make_stack("sglang-gb300-agg", namespace=owner.namespace)
    other.project.demand("config", "rm", "kimi-k3:hfToken", "--stack", other.name)
    other.change(USES_WHAT_IS_THERE)
    assert sorted((step.op, step.kind) for step in other.up()) == [
        ("create", DOMAIN),
        ("create", "ConfigMap"),
        ("create", GRAPH),
    ], "the other stack makes only what is its own"
    other.is_quiet()
    owner.is_quiet()
    other.destroy()
    assert shared(owner) == before
    assert {name for kind, name in owner.left() if kind in (GRAPH, DOMAIN)} == (
        {owner.dgd, f"{owner.dgd}-compute-domain"} if deploys else set()
    ), "the owner's deployment goes on, the other's is gone"
    owner.is_quiet()


def test_two_users_of_one_cache_come_and_go_apart(make_stack: Callable[..., ClusterStack]) -> None:
    owner = make_stack("vllm-gb200-agg")
    owner.change({"serving.deploy": False})
    owner.up()
    before = shared(owner)
    users = [make_stack(target, namespace=owner.namespace) for target in ("vllm-gb200-agg", "vllm-gb300-agg")]
    for user in users:
        user.change(USES_WHAT_IS_THERE)
        user.project.demand("config", "rm", "kimi-k3:hfToken", "--stack", user.name)
        user.up()
    users[0].destroy()
    assert users[1].find(GRAPH, users[1].dgd), "the other one's deployment must stay"
    users[1].is_quiet()
    users[1].destroy()
    assert shared(owner) == before


def test_some_of_the_four_settings_warn_of_those_that_are_missing(
    make_stack: Callable[..., ClusterStack],
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.change({"namespace.create": False, "modelCache.create": False})
    shown = stack.project.demand("preview", "--stack", stack.name)
    assert "set also: huggingFace.source: existingSecret, modelDownload.enabled: false." in shown


def test_the_owner_takes_the_shared_things_along_only_when_they_are_unprotected(
    make_stack: Callable[..., ClusterStack],
) -> None:
    owner = make_stack("vllm-gb200-agg")
    owner.change({"serving.deploy": False})
    owner.up()
    claim = owner.uid("PersistentVolumeClaim", "shared-model-cache")
    owner.destroy()
    assert owner.uid("PersistentVolumeClaim", "shared-model-cache") == claim
    assert owner.left() == {("PersistentVolumeClaim", "shared-model-cache")}
