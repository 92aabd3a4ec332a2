"""python watchdog.py FOLDER: ends what is listed in FOLDER/pids and removes FOLDER, once its stdin is at its end.

Its stdin is a pipe from the process that owns the folder: it ends when the owner has stopped, or was killed.
Only the standard library: it runs by its path.
"""

import contextlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

POLL_SECONDS = 0.01
PATIENCE_SECONDS = 5.0
"""Of each wait here. What is waited for takes milliseconds."""


def main() -> None:
    # A Ctrl-C at the terminal is for the owner; whatever happens to that, this one stays until it has cleaned up.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    sweep(Path(sys.argv[1]))


def sweep(folder: Path) -> None:
    """A process lists itself before it becomes what it is: without the folder of lists, none can start any more."""
    pids = folder / "pids"
    while pids.is_dir():
        for listed in sorted(pids.iterdir(), reverse=True):
            end(listed)
        try:
            pids.rmdir()
        except OSError:  # one more has come meanwhile
            continue
    _patiently(lambda: _removed(folder))


def end(listed: Path) -> None:
    # The file is there a moment before the number is in it.
    _patiently(lambda: bool(listed.read_text().strip()))
    number = listed.read_text().strip()
    if number:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(int(number), signal.SIGKILL)  # each leads a group of its own
    listed.unlink()


def _removed(folder: Path) -> bool:
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()


def _patiently(done: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not done() and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)


if __name__ == "__main__":
    main()
