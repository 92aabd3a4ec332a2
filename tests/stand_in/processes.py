"""Processes that end with whoever started them, however that ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

WATCHDOG = Path(__file__).with_name("watchdog.py")
TAIL_LINES = 20
POLL_SECONDS = 0.05
WATCHDOG_SECONDS = 30
# Lists its own process id, then becomes the program: no moment is left in which it runs unlisted.
LISTED = 'echo $$ > "$0" && exec "$@"'


class ProcessError(Exception):
    """A process ended, or was not ready in time. The text ends with the last lines of its log."""


@dataclass(frozen=True)
class _Child:
    process: subprocess.Popen[bytes]
    listed: Path

    def status(self) -> int | None:
        """What it ended with, None while it runs."""
        status = self.process.poll()
        if status is not None:
            self.listed.unlink(missing_ok=True)  # the number may be another process's from now on
        return status

    def kill(self) -> None:
        if self.status() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.status()


class Processes:
    """Processes in a folder of their own, which is removed with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.logs = folder / "logs"
        self._pids = folder / "pids"
        self._children: dict[str, _Child] = {}
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ProcessError(f"{folder} is not empty; all of it would be removed at the end.")
        self._watchdog = subprocess.Popen(
            [sys.executable, "-I", "-S", str(WATCHDOG), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.logs.mkdir()
        self._pids.mkdir()

    def start(self, name: str, command: Sequence[str], environ: Mapping[str, str] = os.environ) -> None:
        """Starts `command` in a process group of its own, with its output in a log of that name."""
        if name in self._children:
            raise ProcessError(f"{name} has been started already.")
        listed = self._pids / f"{len(self._children):02d}-{name}"
        with self._log(name).open("wb") as log:
            process = subprocess.Popen(
                ["/bin/sh", "-c", LISTED, str(listed), *command],
                env=dict(environ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
            self._children[name] = _Child(process, listed)

    def wait(self, name: str, ready: Callable[[], bool], seconds: float) -> None:
        """Returns when `ready`; raises as soon as the process has ended, or when the time is over."""
        deadline = time.monotonic() + seconds
        while not ready():
            if (status := self._children[name].status()) is not None:
                raise ProcessError(f"{name} ended with {status} before it was ready.{self._tail(name)}")
            if time.monotonic() > deadline:
                raise ProcessError(f"{name} was not ready after {seconds:.0f} s.{self._tail(name)}")
            time.sleep(POLL_SECONDS)

    def pids(self) -> dict[str, int]:
        """Process ids by name, in the order of their start."""
        return {name: child.process.pid for name, child in self._children.items()}

    def ended(self) -> str | None:
        """Which process is not running any more, with the end of its log; None if all of them run."""
        for name, child in self._children.items():
            if (status := child.status()) is not None:
                return f"{name} ended with {status}.{self._tail(name)}"
        return None

    def stop(self) -> None:
        """Ends all, the last one first, and removes the folder. None has to end gently: nothing is kept."""
        try:
            for child in reversed(self._children.values()):
                child.kill()
        finally:
            # An interrupt just above leaves the rest to the watchdog.
            if self._watchdog.stdin:
                self._watchdog.stdin.close()
            self._watchdog.wait(WATCHDOG_SECONDS)

    def _log(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def _tail(self, name: str) -> str:
        lines = self._log(name).read_text(errors="replace").splitlines()[-TAIL_LINES:]
        return "\n".join(["", f"The last lines of {self._log(name).name}:", *lines])
