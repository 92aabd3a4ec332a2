"""An interrupt in the middle of the start of a process comes once the process is looked after."""

import os
import signal
import threading

import pytest

from tools.interrupts import interrupts_later


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_handled_at_the_end_of_the_block(number: int) -> None:
    seen: list[str] = []
    before = signal.signal(number, lambda *_: seen.append("handled"))
    try:
        with interrupts_later():
            os.kill(os.getpid(), number)
            seen.append("started")
        assert seen == ["started", "handled"]
    finally:
        signal.signal(number, before)


def test_the_handlers_are_put_back_when_the_block_fails() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(OSError, match="no such program"), interrupts_later():
        raise OSError("no such program")
    assert signal.getsignal(signal.SIGTERM) is before


def test_another_thread_needs_no_care() -> None:
    passed: list[bool] = []

    def work() -> None:
        with interrupts_later():
            passed.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert passed == [True], "signals can be set in the main thread alone"
