"""Runs the pulumi CLI, and leaves it the time to end in order when it is interrupted."""

import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from tools.errors import TERMINATED, PulumiFailedError, ToolsError


@dataclass(frozen=True)
class Pulumi:
    """The CLI with its environment, in the project's folder."""

    executable: Path
    root: Path
    environ: Mapping[str, str]

    def run(self, *arguments: str) -> None:
        """Runs it in the foreground: the person sees its output and answers its questions."""
        terminal = sys.stdin.isatty()
        child = subprocess.Popen(
            [str(self.executable), *arguments],
            cwd=self.root,
            env=dict(self.environ),
            # On a terminal Ctrl-C reaches the CLI by itself. Elsewhere it gets a group of its own, so that an
            # interrupt sent to this whole group does not reach it twice: the second one means "stop at once".
            process_group=None if terminal else 0,
        )
        with _interrupts_left_to(child, forward=not terminal):
            status = child.wait()
        if status != 0:
            raise PulumiFailedError(f"pulumi {arguments[0]} failed; what it says is above.")

    def ask(self, *arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        """Runs it quietly, without questions, with `given` on its stdin."""
        return subprocess.run(
            [str(self.executable), *arguments, "--non-interactive"],
            cwd=self.root,
            env=dict(self.environ),
            input=given or "",
            capture_output=True,
            text=True,
            check=False,
        )

    def demand(self, *arguments: str, given: str | None = None) -> str:
        """`ask` for what must work; its stdout."""
        ran = self.ask(*arguments, given=given)
        if ran.returncode != 0:
            words = (ran.stderr.strip() or ran.stdout.strip()).removeprefix("error: ")
            raise ToolsError(f"pulumi {' '.join(arguments[:2])} failed: {words}")
        return ran.stdout


@contextlib.contextmanager
def _interrupts_left_to(child: subprocess.Popen[bytes], forward: bool) -> Iterator[None]:
    """While the child runs, an interrupt is its business; when it has ended, we end for the same reason."""
    received: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        # SIGTERM is handed on as SIGINT, the one that lets the CLI save its state. On a terminal only SIGINT
        # has reached the CLI already.
        if forward or number == signal.SIGTERM:
            child.send_signal(signal.SIGINT)
        received.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if signal.SIGINT in received:
        raise KeyboardInterrupt
    if received:
        raise SystemExit(TERMINATED)
