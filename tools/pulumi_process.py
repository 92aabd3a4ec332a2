"""Runs the pulumi CLI, and leaves it the time to end in order when it is interrupted."""

import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Self

from tools.errors import TERMINATED, PulumiFailedError, ToolsError

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True)
class Pulumi:
    """The CLI with its environment, in the project's folder."""

    executable: Path
    root: Path
    environ: Mapping[str, str]

    def run(self, *arguments: str) -> None:
        """Runs it in the foreground: the person sees its output and answers its questions."""
        terminal = sys.stdin.isatty()
        with _Interrupts(forward=not terminal) as interrupts:
            child = subprocess.Popen(
                [str(self.executable), *arguments],
                cwd=self.root,
                env=dict(self.environ),
                # On a terminal Ctrl-C reaches the CLI by itself. Elsewhere it gets a group of its own, so that an
                # interrupt sent to this whole group does not reach it twice: the second one means "stop at once".
                process_group=None if terminal else 0,
            )
            interrupts.belong_to(child)
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


class _Interrupts:
    """While the child runs, an interrupt is its business; when it has ended, we end for the same reason.

    Entered before the child is started: one that came in between would leave it running without anybody.
    """

    def __init__(self, forward: bool) -> None:
        self._forward = forward
        self._received: list[int] = []
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._note) for number in _SIGNALS}
        return self

    def belong_to(self, child: subprocess.Popen[bytes]) -> None:
        self._child = child
        for number in self._received:
            self._hand_on(number)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if kind is None and signal.SIGINT in self._received:
            raise KeyboardInterrupt
        if kind is None and self._received:
            raise SystemExit(TERMINATED)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._received.append(number)
        self._hand_on(number)

    def _hand_on(self, number: int) -> None:
        # SIGTERM is handed on as SIGINT, the one that lets the CLI save its state. On a terminal only SIGINT has
        # reached the CLI already.
        if self._child and (self._forward or number == signal.SIGTERM):
            self._child.send_signal(signal.SIGINT)
