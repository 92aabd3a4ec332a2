"""Runs preflight before an `up`, which does not begin where the stack does not fit its cluster."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.errors import ToolsError, say

SKIP = "SKIP_PREFLIGHT"
_FITS, _DOES_NOT_FIT, _CANNOT_TELL, _INTERRUPTED = 0, 1, 2, 130
_WHY = {
    _DOES_NOT_FIT: "does not fit its cluster",
    _CANNOT_TELL: "could not be checked against its cluster",
}


def check_first(stack: str, root: Path, environ: Mapping[str, str]) -> None:
    """Shows `python -m operations preflight`; raises ToolsError unless it ends with 0 or is skipped."""
    if environ.get(SKIP) == "1":
        say(f"Preflight is skipped ({SKIP}=1).")
        return
    command = [sys.executable, "-m", "operations", "preflight", "--stack", stack]
    code = subprocess.run(
        command, cwd=root, env=dict(environ), stdin=subprocess.DEVNULL, check=False
    ).returncode
    if code == _INTERRUPTED:
        raise KeyboardInterrupt
    if code != _FITS:
        raise ToolsError(
            f"Stack {stack} {_WHY.get(code, f'was not checked: preflight ended with {code}')}; nothing was changed.\n"
            "Accepted: a preflight without a FAIL.\n"
            f"Mend what it says, or deploy all the same:  make up STACK={stack} {SKIP}=1"
        )
