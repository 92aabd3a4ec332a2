"""The one renderer: what the program registers equals what `manifests` lists, object by object.

Decides that there is no second way to write a manifest. What manifests hold is tested where they are made.
"""

import json
from typing import Any

import pytest

from manifests import Manifest, stack_manifests
from recipes import load_catalog
from settings import load_settings
from tests.targets import TARGETS
from tests.unit import mocks
from tests.unit.stacks.runs import CASES, Values, case_run, cluster, filled, own_values, rendered, settings_of


def by_kind(manifests: list[Manifest]) -> dict[str, Manifest]:
    found = {manifest["kind"]: manifest for manifest in manifests}
    assert len(found) == len(manifests), "two objects of one kind: compare them by name instead"
    return found


def registered(run: mocks.Run) -> dict[str, Manifest]:
    """Inputs of all objects but the token's Secret, which no list of manifests ever holds."""
    return by_kind([r.inputs for r in run.objects if r.kind != "Secret"])


@pytest.mark.parametrize("case", CASES)
def test_what_is_registered_is_what_the_renderer_lists(case: str) -> None:
    expected = by_kind(stack_manifests(settings_of(case)))
    found = registered(case_run(case))
    assert found.keys() == expected.keys()
    for kind, manifest in expected.items():
        assert found[kind] == manifest, f"{kind}: a review of the rendered files would miss what is deployed"


# changes that reach into the manifests
CHANGED: dict[str, Values] = {
    "names": {"namespace": {"name": "models"}, "modelCache": {"claimName": "weights"}},
    "existing namespace": {"namespace": {"create": False}},
    "existing cache": {"modelCache": {"create": False}, "modelDownload": {"enabled": False}},
    "no waits": {"serving": {"wait": False}, "modelDownload": {"wait": False}},
    "no serving": {"serving": {"deploy": False}},
    "own image": {"serving": {"image": "registry.example.com/runtime:main", "runtimeVersion": "1.5.0"}},
    "own secret": {"huggingFace": {"secretName": "token"}},
    "bigger cache": {"modelCache": {"size": "4Ti", "storageClassName": "other"}},
}


@pytest.mark.parametrize("name", CHANGED)
def test_settings_change_what_is_registered_as_they_change_what_is_listed(name: str) -> None:
    target = "sglang-gb300-agg"
    settings = load_settings(own_values(target, filled(CHANGED[name])), target)
    assert registered(cluster(target, CHANGED[name])) == by_kind(stack_manifests(settings))


@pytest.mark.parametrize("name", ["names", "no waits", "no serving"])
def test_a_rendered_stack_writes_what_a_cluster_stack_deploys(name: str) -> None:
    target = "sglang-gb300-agg"
    assert registered(rendered(target, CHANGED[name])) == registered(cluster(target, CHANGED[name]))


def test_the_download_job_is_the_same_for_all_targets() -> None:
    jobs = {json.dumps(case_run(target).only("Job").inputs) for target in TARGETS}
    assert len(jobs) == 1, "a stack that is switched to another target would download 1.5 TB again"


@pytest.mark.parametrize("case", CASES)
def test_whole_numbers_of_the_manifests_arrive_as_whole_numbers(case: str) -> None:
    numbers: list[Any] = []  # Any: JSON of any depth

    def walk(value: Any) -> None:  # Any: JSON of any depth
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(inner)
        if isinstance(value, float):
            numbers.append(value)

    for r in case_run(case).objects:
        walk(r.inputs)
    assert numbers
    assert all(number.is_integer() for number in numbers)


def test_every_target_of_the_catalog_is_one_of_the_cases() -> None:
    assert sorted(target.name for target in load_catalog().targets) == sorted(TARGETS)
