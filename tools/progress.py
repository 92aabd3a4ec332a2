"""Visible progress of a step that takes minutes, on a terminal and in a log."""

import sys
import time
from collections.abc import Callable
from typing import TextIO

LOG_SECONDS = 30.0  # a log gets a line this often; a terminal line is rewritten at every tick


class Progress:
    """Says how long a step has been running."""

    def __init__(
        self, text: str, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._text = text
        self._stream = stream or sys.stderr
        self._clock = clock
        self._start = clock()
        self._last = self._start

    def tick(self) -> None:
        now = self._clock()
        if self._stream.isatty():
            self._write(f"\r\033[K{self._line(now)}")
        elif now - self._last >= LOG_SECONDS:
            self._last = now
            self._write(f"{self._line(now)}\n")

    def finish(self, outcome: str) -> None:
        """Ends the step with a last line, such as `Pulumi CLI: built in 8m 16s`."""
        start = "\r\033[K" if self._stream.isatty() else ""
        self._write(f"{start}{self._text}: {outcome} {elapsed(self._clock() - self._start)}\n")

    def _line(self, now: float) -> str:
        return f"  {self._text}: {elapsed(now - self._start)}"

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def elapsed(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m {rest:02d}s" if minutes else f"{rest}s"
