"""What a pod takes from its node, against sums by hand."""

from typing import Any  # Any: Kubernetes objects are JSON of any depth

import pytest

from operations.preflight.pods import requests_of


def container(limits: dict[str, str] | None = None, always: bool = False, **requests: str) -> dict[str, Any]:
    found: dict[str, Any] = {"resources": {"requests": requests, "limits": limits or {}}}
    return found | ({"restartPolicy": "Always"} if always else {})


# Containers, init containers, overhead; processors in thousandths.
PODS: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, str], int]] = {
    "one container": ([container(cpu="2")], [], {}, 2000),
    "containers together": ([container(cpu="2"), container(cpu="500m")], [], {}, 2500),
    "a limit without a request": ([container({"cpu": "3"})], [], {}, 3000),
    "a request below its limit": ([container({"cpu": "3"}, cpu="1")], [], {}, 1000),
    "a larger init container": ([container(cpu="1")], [container(cpu="4")], {}, 4000),
    "a smaller init container": ([container(cpu="2")], [container(cpu="1"), container(cpu="1")], {}, 2000),
    "a sidecar": ([container(cpu="2")], [container(cpu="1", always=True)], {}, 3000),
    "an init container after a sidecar": (
        [container(cpu="1")],
        [container(cpu="1", always=True), container(cpu="4")],
        {},
        5000,
    ),
    "an init container before a sidecar": (
        [container(cpu="1")],
        [container(cpu="4"), container(cpu="1", always=True)],
        {},
        4000,
    ),
    "overhead of its runtime": ([container(cpu="1")], [], {"cpu": "250m"}, 1250),
}


@pytest.mark.parametrize("name", PODS)
def test_a_pod_takes(name: str) -> None:
    containers, before, overhead, expected = PODS[name]
    spec = {"containers": containers, "initContainers": before, "overhead": overhead}
    assert requests_of(spec)["cpu"] == expected
    assert requests_of(spec)["pods"] == 1000


def test_resources_of_the_whole_pod_count_in_place_of_its_containers() -> None:
    spec = {"containers": [container(cpu="1", memory="1Gi")], "resources": {"requests": {"cpu": "8"}}}
    found = requests_of(spec)
    assert (found["cpu"], found["memory"]) == (8000, 1024**3 * 1000)
