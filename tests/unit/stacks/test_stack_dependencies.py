"""What waits for what: creation runs along these edges, deletion against them.

Decides the edges that the program names; the engine's own order is seen only with the real one.
"""

import pytest

from tests.targets import TARGETS
from tests.unit.stacks.runs import CASES, Values, case_run, cluster, rendered

Edges = dict[str, set[str]]

# What a stack with all parts has, by kind: each object and what it is made after.
FULL: Edges = {
    "Namespace": set(),
    "Secret": {"Namespace"},
    "PersistentVolumeClaim": {"Namespace"},
    "ComputeDomain": {"Namespace"},
    "Job": {"Namespace", "Secret", "PersistentVolumeClaim"},
    "ConfigMap": {"Namespace", "Secret", "PersistentVolumeClaim", "Job", "ComputeDomain"},
    "DynamoGraphDeployment": {
        "Namespace",
        "Secret",
        "PersistentVolumeClaim",
        "Job",
        "ComputeDomain",
        "ConfigMap",
    },
}
SHARED: Values = {
    "namespace": {"create": False},
    "huggingFace": {"source": "existingSecret"},
    "modelCache": {"create": False},
    "modelDownload": {"enabled": False},
}


def without(*kinds: str) -> Edges:
    """FULL, had these kinds never been."""
    return {kind: after - set(kinds) for kind, after in FULL.items() if kind not in kinds}


def absent_by_target(target: str) -> tuple[str, ...]:
    """Kinds that the target has no use for."""
    domain = () if "gb" in target else ("ComputeDomain",)
    return domain if "sglang" in target else (*domain, "ConfigMap")


@pytest.mark.parametrize("case", CASES)
def test_everything_is_made_after_what_it_uses(case: str) -> None:
    stack, changes = CASES[case]
    rendering = stack == "dev" or "render" in changes
    target = "vllm-gb200-agg" if stack == "dev" else stack
    assert case_run(case).edges() == without(*absent_by_target(target), *(("Secret",) if rendering else ()))


# name, changes of a settings group, kinds that are gone
ROWS: dict[str, tuple[Values, tuple[str, ...]]] = {
    "everything": ({}, ()),
    "download disabled": ({"modelDownload": {"enabled": False}}, ("Job",)),
    "download not waited for": ({"modelDownload": {"wait": False}}, ()),
    "serving not waited for": ({"serving": {"wait": False}}, ()),
    "serving off": ({"serving": {"deploy": False}}, ("ComputeDomain", "ConfigMap", "DynamoGraphDeployment")),
    "namespace exists": ({"namespace": {"create": False}}, ("Namespace",)),
    "cache exists": ({"modelCache": {"create": False}}, ("PersistentVolumeClaim",)),
    "cache exists and is full": (
        {"modelCache": {"create": False}, "modelDownload": {"enabled": False}},
        ("PersistentVolumeClaim", "Job"),
    ),
    "secret exists": (
        {"namespace": {"create": False}, "huggingFace": {"source": "existingSecret"}},
        ("Namespace", "Secret"),
    ),
    "another stack owns all": (SHARED, ("Namespace", "Secret", "PersistentVolumeClaim", "Job")),
    "another stack owns all and serving is off": ({**SHARED, "serving": {"deploy": False}}, tuple(FULL)),
}


@pytest.mark.parametrize("name", ROWS)
def test_what_a_stack_does_not_make_is_neither_registered_nor_waited_for(name: str) -> None:
    changes, gone = ROWS[name]
    assert cluster("sglang-gb300-agg", changes).edges() == without(*gone)


@pytest.mark.parametrize("name", ["everything", "download disabled", "serving off", "namespace exists"])
def test_a_rendered_stack_has_the_same_edges_but_no_secret(name: str) -> None:
    changes, gone = ROWS[name]
    assert rendered("sglang-gb300-agg", changes).edges() == without("Secret", *gone)


@pytest.mark.parametrize(
    "name", ["serving off", "download disabled", "secret exists", "another stack owns all"]
)
def test_a_preview_shows_what_up_makes_whatever_is_switched_off(name: str) -> None:
    planned, made = (cluster("sglang-gb300-agg", ROWS[name][0], preview=preview) for preview in (True, False))
    assert {r.urn for r in planned.registrations} == {r.urn for r in made.registrations}


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_that_lasts_depends_on_what_serves(target: str) -> None:
    edges = case_run(target).edges()
    serving = {"ComputeDomain", "ConfigMap", "DynamoGraphDeployment"}
    lasting = {kind: after & serving for kind, after in edges.items() if kind not in serving}
    assert not any(lasting.values()), "to stop serving would take the cache along"


def test_a_component_that_makes_nothing_is_not_registered() -> None:
    run = cluster("vllm-gb200-agg", SHARED)
    assert {r.kind for r in run.components} == {"NvlinkDomain", "DynamoGraph"}
