"""The queue of the stand-in operator, the end of a Job's pod, and where things are on the API server."""

from tests.stand_in.operator.cluster import GRAPHS, PODS, path
from tests.stand_in.operator.job_pods import ending
from tests.stand_in.operator.knobs import Knobs
from tests.stand_in.operator.marks import ENDS, RESULT
from tests.stand_in.operator.work import Key, Work

FIRST, SECOND = Key("graph", "a", "x"), Key("graph", "b", "x")


def test_many_events_of_one_object_are_one_piece_of_work() -> None:
    work = Work()
    for _ in range(20):
        work.add(FIRST, delay=0)
    assert work.take() == FIRST
    work.done(FIRST)
    work.add(SECOND, delay=0)
    assert work.take() == SECOND, "the first object was handed out twice for one burst"


def test_an_object_is_never_with_two_workers_and_no_event_is_lost_meanwhile() -> None:
    work = Work()
    work.add(FIRST, delay=0)
    assert work.take() == FIRST
    work.add(FIRST, delay=0)
    work.add(SECOND, delay=0.01)
    assert work.take() == SECOND
    work.done(FIRST)
    assert work.take() == FIRST


def test_what_failed_comes_back_by_itself() -> None:
    work = Work()
    work.add(FIRST, delay=0)
    assert work.take() == FIRST
    work.failed(FIRST)
    assert work.take() == FIRST


def test_closing_sends_the_workers_home() -> None:
    work = Work()
    work.add(FIRST, delay=60)
    work.close()
    assert work.take() is None


def test_a_download_ends_a_settable_time_after_its_start() -> None:
    pod = {"metadata": {"name": "download"}, "status": {"startTime": "2026-01-02T03:04:05Z"}}
    assert ending(pod, Knobs(download_seconds=90)) == {RESULT: "Succeeded", ENDS: "2026-01-02T03:05:35+00:00"}
    assert ending(pod, Knobs(download_result="fail"))[RESULT] == "Failed"
    assert ending(pod, Knobs(download_result="crash"))[RESULT] == "Failed"
    assert ending(pod, Knobs(download_seconds=None)) == {RESULT: None, ENDS: None}


def test_paths_are_those_of_the_api_server() -> None:
    assert path(PODS) == "/api/v1/pods"
    assert path(PODS, "models", "one") == "/api/v1/namespaces/models/pods/one"
    expected = "/apis/nvidia.com/v1beta1/namespaces/models/dynamographdeployments/one/status"
    assert path(GRAPHS, "models", "one", "status") == expected
