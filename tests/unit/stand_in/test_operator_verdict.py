"""What the stand-in operator says of a graph, told from the state of its pods and from what a test has asked for."""

import copy
from collections.abc import Sequence
from typing import Any

import pytest

from manifests import Manifest
from tests.stand_in.operator.knobs import Knobs, knobs_in, knobs_of
from tests.stand_in.operator.marks import COMPONENT, labels
from tests.stand_in.operator.pods import pods_of
from tests.stand_in.operator.verdict import Verdict, verdict
from tests.unit.stand_in.graphs import stored

WANTED = pods_of(stored("sglang-gb200-disagg"))


def told(
    there: Sequence[Manifest], knobs: Knobs | None = None, refused: dict[str, str] | None = None
) -> Verdict:
    return verdict(WANTED, there, refused or {}, knobs or Knobs())


def running(pods: Sequence[Manifest] = WANTED) -> list[Manifest]:
    return [_pod(pod, "node", {"type": "Ready", "status": "True"}) for pod in pods]


def _pod(pod: Manifest, node: str, condition: dict[str, Any]) -> Manifest:  # Any: as in Kubernetes
    made = copy.deepcopy(pod)
    del made["spec"]["schedulingGates"]
    if node:
        made["spec"]["nodeName"] = node
    return made | {"status": {"conditions": [condition]}}


def _of(pods: list[Manifest], name: str) -> list[int]:
    return [number for number, pod in enumerate(pods) if labels(pod)[COMPONENT] == name]


def unplaced(pods: list[Manifest], name: str) -> list[Manifest]:
    """One pod of the component finds no node."""
    first, full = _of(pods, name)[0], "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": full}
    pods[first] = _pod(WANTED[first], "", condition)
    return pods


def starting(pods: list[Manifest], name: str) -> list[Manifest]:
    first = _of(pods, name)[0]
    pods[first]["status"]["conditions"][0]["status"] = "False"
    return pods


def outdated(pods: list[Manifest], name: str) -> list[Manifest]:
    first = _of(pods, name)[0]
    pods[first]["metadata"]["name"] = "of-an-older-template"
    return pods


def test_ready_only_when_every_pod_runs() -> None:
    assert told(running()).pods == "running"
    for lacking in range(len(WANTED)):
        rest = running(WANTED[:lacking] + WANTED[lacking + 1 :])
        assert told(rest).pods == "waiting", "ready while a pod lacks"


@pytest.mark.parametrize(
    ("there", "reason", "message"),
    [
        pytest.param(
            [], "pods_not_ready", "Frontend: 0 of 1 pods ready; PrefillWorker: 0 of 8", id="none yet"
        ),
        pytest.param(
            starting(running(), "DecodeWorker"),
            "pods_not_ready",
            "DecodeWorker: 3 of 4 pods ready",
            id="one starts",
        ),
        pytest.param(
            unplaced(running(), "DecodeWorker"),
            "insufficient_capacity",
            "DecodeWorker: 1 of 4 pods not scheduled: 0/3 nodes are available: 3 Insufficient nvidia.com/gpu.",
            id="a node lacks",
        ),
        pytest.param(
            outdated(running(), "PrefillWorker"),
            "updating",
            "PrefillWorker: 7 of 8 pods updated",
            id="an old pod is there",
        ),
        pytest.param(
            unplaced(starting(running(), "PrefillWorker"), "DecodeWorker"),
            "mixed_not_ready_reasons",
            "PrefillWorker: 7 of 8 pods ready; DecodeWorker: 1 of 4 pods not scheduled",
            id="two reasons",
        ),
    ],
)
def test_the_reason_is_the_one_that_the_operator_gives(
    there: list[Manifest], reason: str, message: str
) -> None:
    found = told(there)
    assert (found.pods, found.reason) == ("waiting", reason)
    assert found.message.startswith(message)


def test_pods_that_stay_behind_the_gate_count_as_lack_of_capacity_once_all_exist() -> None:
    assert told(WANTED).reason == "insufficient_capacity"
    assert "grove.io/podgang-pending-creation" in told(WANTED).message
    assert told(WANTED[1:]).reason == "pods_not_ready", "the gate opens only when all pods exist"


def test_what_the_api_server_refused_is_told() -> None:
    found = told([], refused={"DecodeWorker": "exceeded quota: pods"})
    assert "DecodeWorker: exceeded quota: pods" in found.message


def test_on_hold_a_graph_gets_all_its_pods_and_never_ready() -> None:
    assert told(running(), Knobs(graph="hold")).pods == "waiting"
    asked = Knobs(graph="hold", reason="updating", message="model is loading")
    assert told(running(), asked) == Verdict("waiting", "updating", "model is loading")


def test_a_failure_on_demand_needs_no_pods() -> None:
    found = told([], Knobs(graph="fail", message="no multinode orchestrator available"))
    assert found == Verdict(
        "failed", "failed_to_reconcile_the_resources", "no multinode orchestrator available"
    )


def test_knobs_of_a_namespace_give_way_to_those_on_the_graph() -> None:
    graph = {"metadata": {"annotations": {"knob.stand-in.kimi-k3.dev/graph": "hold", "other": "x"}}}
    found = knobs_of({"graph": "fail", "downloadSeconds": "never"}, knobs_in(graph))
    assert found == Knobs(graph="hold", download_seconds=None)


@pytest.mark.parametrize(
    "wrong", [{"graph": "holt"}, {"downloadresult": "fail"}, {"downloadSeconds": "soon"}]
)
def test_a_knob_with_a_wrong_word_is_an_error(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"holt|downloadresult|soon"):
        knobs_of(wrong)
