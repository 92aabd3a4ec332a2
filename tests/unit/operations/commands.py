"""How the tests call a command: as a person in the project's folder does, in this process or in one of its own."""

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from operations.cli import app

ROOT = Path(__file__).parents[3]
FILLED = ["--set", "modelCache.storageClassName=shared-rwx", "--set", "cluster.context=prod"]


class Answer:
    """What a command gave back."""

    def __init__(self, exit_code: int, stdout: str, stderr: str) -> None:
        self.exit_code, self.stdout, self.stderr = exit_code, stdout, stderr


def operations(*arguments: str) -> Answer:
    """Runs a command in this process; the caller has changed to the project's folder."""
    result = CliRunner().invoke(app, list(arguments), prog_name="python -m operations")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Answer(result.exit_code, result.stdout, result.stderr)


def python(*arguments: str, folder: Path = ROOT) -> Answer:
    """Runs Python in a process of its own, where stdout and stderr are pipes."""
    quiet = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "COLUMNS")}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=quiet | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return Answer(done.returncode, done.stdout, done.stderr)
