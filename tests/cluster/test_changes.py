"""What a change of a setting does on a real API server: every setting, one at a time, forth and back."""

from collections.abc import Callable, Iterator

import pytest
from pydantic import BaseModel

from settings import Settings
from tests.cluster.change_table import ORDER, OVERRIDES, ROWS, Row
from tests.cluster.settled import SettledStack
from tests.cluster.stack import DOMAIN, GRAPH, ClusterStack

CLAIM = ("PersistentVolumeClaim", "shared-model-cache")
JOB = ("Job", "model-download")


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_change_does_what_the_table_says(
    make_stack: Callable[..., ClusterStack], settled: SettledStack, row: Row
) -> None:
    borrows = not row.before and not row.spoils and row.target == "vllm-gb200-agg"
    stack = settled.borrow() if borrows else deployed(make_stack, row)
    stack.cluster.add_context("renamed")
    stack.cluster.add_context("moved", server=stack.cluster.url.replace("127.0.0.1", "localhost"))
    claim = stack.uid(*CLAIM)
    defaults = stack.setting(row.changes)
    for changes, expected in ((row.changes, row.forth), (defaults, row.back)):
        pods = pod_uids(stack)
        stack.change({path: filled_in(value, stack) for path, value in changes.items()})
        if isinstance(expected, str):
            assert expected in stack.fails(), "a refusal must name its cause"
        else:
            steps = [f"{step.op} {step.kind}" for step in stack.up()]
            assert sorted(steps) == sorted(expected)
            assert_in_order(steps)
        assert stack.uid(*CLAIM) == claim, "no change of a setting may ever delete the claim"
        assert (pod_uids(stack) != pods) == row.rolls, "rolls"
    if not row.spoils and row not in OVERRIDES:  # these are looked at all at once, in test_overrides.py
        stack.is_quiet()
    if borrows:
        settled.give_back(stack)


def deployed(make_stack: Callable[..., ClusterStack], row: Row) -> ClusterStack:
    """A stack of the row's own."""
    stack = make_stack(row.target)
    if row.before.get("namespace.create") is False:
        stack.client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": stack.namespace}})
    stack.change(row.before)
    stack.up()
    return stack


def test_the_table_has_every_setting() -> None:
    settings = set(paths(Settings)) - {"stack"}
    assert {row.setting for row in ROWS} == settings


@pytest.mark.parametrize("what", ["namespace", "modelCache"])
def test_a_protected_object_is_handed_over_by_unprotecting_its_state(
    make_stack: Callable[..., ClusterStack], what: str
) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.up()
    kind, name = ("Namespace", stack.namespace) if what == "namespace" else CLAIM
    before = stack.uid(kind, name), pod_uids(stack)
    stack.project.demand("state", "unprotect", stack.urn(kind), "--yes", "--stack", stack.name)
    stack.change({f"{what}.create": False})
    assert [(step.op, step.kind) for step in stack.up()] == [("delete", kind)], (
        "the engine calls it a deletion; a retained object is only forgotten"
    )
    assert (stack.uid(kind, name), pod_uids(stack)) == before
    assert "deletionTimestamp" not in (stack.find(kind, name) or {})["metadata"]
    stack.is_quiet()


@pytest.mark.parametrize(
    ("edited", "rolled"),
    [
        ("prefill", {"PrefillWorker"}),
        ("decode", {"DecodeWorker"}),
        ("both", {"PrefillWorker", "DecodeWorker"}),
    ],
)
def test_an_edit_of_a_recipe_key_rolls_exactly_the_roles_concerned(
    make_stack: Callable[..., ClusterStack], edited: str, rolled: set[str]
) -> None:
    stack = make_stack("sglang-gb300-disagg")
    stack.up()
    before = pods_by_role(stack)
    recipe = stack.project.folder / "recipes" / "sglang-gb300-disagg.yaml"
    prefill, decode = recipe.read_text().split("- name: DecodeWorker")
    if edited in ("prefill", "both"):
        prefill = prefill.replace("mem-fraction-static: 0.92", "mem-fraction-static: 0.9")
    if edited in ("decode", "both"):
        decode = decode.replace("mem-fraction-static: 0.92", "mem-fraction-static: 0.9")
    recipe.write_text(f"{prefill}- name: DecodeWorker{decode}")
    steps = [f"{step.op} {step.kind}" for step in stack.up()]
    assert steps == ["update ConfigMap", f"update {GRAPH}"], "the file has to be there before pods read it"
    after = pods_by_role(stack)
    assert {role for role in before if before[role] != after[role]} == rolled
    stack.is_quiet()


def test_a_change_for_the_deployment_is_no_change_for_the_download(
    make_stack: Callable[..., ClusterStack],
) -> None:
    """A switch across engines, with the cache warm: the Job and the Secret stay the very same objects."""
    stack = make_stack("vllm-gb300-agg")
    stack.up()
    shared = [JOB, CLAIM, ("Secret", "hf-token-secret"), ("Namespace", stack.namespace)]
    before = [stack.uid(kind, name) for kind, name in shared]
    stack.change({"framework": "sglang", "topology": "disagg"})
    stack.up()
    assert [stack.uid(kind, name) for kind, name in shared] == before
    assert {name for kind, name in stack.left() if kind in (GRAPH, DOMAIN, "ConfigMap")} == {
        "kimi-k3-sglang-gb300-disagg-agentic",
        "kimi-k3-sglang-gb300-disagg-agentic-compute-domain",
        "kimi-k3-sglang-gb300-disagg-agentic-sglang-config",
    }, "nothing of the old target is left"


def assert_in_order(steps: list[str]) -> None:
    for first, second in ORDER:
        if first in steps and second in steps:
            assert steps.index(first) < steps.index(second), f"{first} must be over before {second}: {steps}"


def pod_uids(stack: ClusterStack) -> set[str]:
    return {uid for uids in pods_by_role(stack).values() for uid in uids}


def pods_by_role(stack: ClusterStack) -> dict[str, set[str]]:
    """UIDs of the deployment's pods by component."""
    found: dict[str, set[str]] = {}
    for pod in stack.client.items("Pod", stack.namespace):
        role = pod["metadata"]["labels"].get("nvidia.com/dynamo-component")
        if role and "deletionTimestamp" not in pod["metadata"]:
            found.setdefault(role, set()).add(pod["metadata"]["uid"])
    return found


def filled_in(value: object, stack: ClusterStack) -> object:
    return str(stack.cluster.kubeconfig) if value == "{kubeconfig}" else value


def paths(model: type[BaseModel], above: str = "") -> Iterator[str]:
    """The dotted paths of all settings, as a stack file writes them."""
    for field in model.model_fields.values():
        group = next((part for part in types_in(field.annotation) if issubclass(part, BaseModel)), None)
        named = ".<component>" if getattr(field.annotation, "__origin__", None) is dict else ""
        path = f"{above}{field.alias}"
        if group:
            yield from paths(group, f"{path}{named}.")
        else:
            yield path


def types_in(annotation: object) -> list[type]:
    parts = getattr(annotation, "__args__", (annotation,))
    return [part for part in parts if isinstance(part, type)]
