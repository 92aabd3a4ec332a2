"""The loop of the watch: what it says, how often, and when it ends. The clock and the cluster are the test's."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from operations import watch as watching
from operations.cluster import Cluster
from operations.progress import Progress, State
from operations.watch import duration, is_over, line
from settings import Settings

Follow = Callable[..., tuple[list[str], State | None]]
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def waiting(reason: str, state: State = State.WAITING, seconds: int = 5, pods: str = "") -> Progress:
    return Progress(state, "Job x", "Complete", reason, pods, NOW - timedelta(seconds=seconds), 100)


@pytest.fixture
def follow(monkeypatch: pytest.MonkeyPatch) -> Follow:
    """Runs the watch over given readings, two seconds apart; what it said, and the state it ended with."""
    clock = [0.0]

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override] # the test's clock knows one zone only
            return NOW + timedelta(seconds=clock[0])

    def run(readings: list[Progress], goes_on: bool = False) -> tuple[list[str], State | None]:
        said: list[str] = []
        left = iter(readings)

        def following(*_: object) -> Progress:
            try:
                return next(left)
            except StopIteration:
                raise KeyboardInterrupt from None

        monkeypatch.setattr(watching, "read", lambda *_: None)
        monkeypatch.setattr(watching, "progress", following)
        monkeypatch.setattr(watching, "datetime", Clock)
        monkeypatch.setattr(
            "operations.watch.time.sleep", lambda seconds: clock.__setitem__(0, clock[0] + seconds)
        )
        monkeypatch.setattr("operations.watch.time.monotonic", lambda: 1000 + clock[0])
        try:
            nothing = object.__new__(Cluster), object.__new__(Settings)
            return said, watching.watch(*nothing, said.append, goes_on)
        except KeyboardInterrupt:
            return said, None

    return run


def test_only_changes_are_said(follow: Follow) -> None:
    said, state = follow([waiting("a"), waiting("a"), waiting("b"), waiting("done", State.DONE)])
    assert [text.split("; ")[0] for text in said] == [
        "Job x waits for Complete: a",
        "Job x waits for Complete: b",
        "Job x has Complete: done",
    ]
    assert state is State.DONE


def test_a_line_comes_again_after_a_minute_so_that_one_sees_it_live(follow: Follow) -> None:
    said, _ = follow([waiting("a", seconds=0)] * 35)
    assert said == [
        "Job x waits for Complete: a; 0:00:00 of 0:01:40",
        "Job x waits for Complete: a; 0:01:00 of 0:01:40",
    ]


def test_a_failure_ends_it_at_once(follow: Follow) -> None:
    assert follow([waiting("BackoffLimitExceeded", State.FAILED), waiting("never read")]) == (
        ["Job x failed before Complete: BackoffLimitExceeded"],
        State.FAILED,
    )


def test_the_limit_ends_it_with_the_last_reason(follow: Follow) -> None:
    said, state = follow([waiting("gated", seconds=101)])
    assert said[-1] == "The limit of 0:01:40 is over. The last reason was: gated"
    assert state is State.FAILED


def test_following_goes_on_after_ready_and_after_the_limit(follow: Follow) -> None:
    said, state = follow(
        [waiting("ready", State.DONE), waiting("rolls", seconds=500), waiting("ready", State.DONE)], True
    )
    assert state is None, "only an interrupt ends it"
    assert len(said) == 3


def test_a_line_names_pods_and_the_time() -> None:
    assert line(waiting("loading", pods="2 Running"), NOW) == (
        "Job x waits for Complete: loading; pods: 2 Running; 0:00:05 of 0:01:40"
    )
    assert (
        line(waiting("all", State.DONE, pods="5 Running"), NOW) == "Job x has Complete: all; pods: 5 Running"
    )


def test_what_has_not_begun_is_never_over() -> None:
    none = Progress(State.WAITING, "Job x", "Complete", "it is not there yet", "", None, 1)
    assert not is_over(none, NOW)
    assert line(none, NOW).endswith("; 0:00:00 of 0:00:01")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00:00"), (61, "0:01:01"), (14400, "4:00:00"), (-3, "0:00:00"), (90061, "25:01:01")],
)
def test_a_duration_reads_as_hours_minutes_and_seconds(seconds: int, text: str) -> None:
    assert duration(seconds) == text
