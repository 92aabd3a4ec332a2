"""Shows beside an `up` what the stack is waiting for."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_SECONDS_TO_END = 10


@contextmanager
def watch_beside(stack: str, root: Path, environ: Mapping[str, str]) -> Iterator[None]:
    """Runs `python -m operations watch --follow` while the block runs; what it cannot read never ends the block."""
    watcher = subprocess.Popen(
        [sys.executable, "-m", "operations", "watch", "--follow", "--stack", stack],
        cwd=root,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        process_group=0,  # an interrupt of the terminal is for pulumi, which takes its time to end in order
    )
    try:
        yield
    finally:
        watcher.terminate()  # not an interrupt: a process that has just started would answer that with a traceback
        try:
            watcher.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            watcher.kill()
            watcher.wait()
