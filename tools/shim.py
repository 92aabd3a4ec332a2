"""The `pulumi-language-python` that a built CLI finds on PATH."""

import os
import shlex
import sys
from pathlib import Path

OWN_FOLDER = Path(".pulumi-tools")
SHIM_FOLDER = OWN_FOLDER / "bin"


def write_language_host(root: Path) -> Path:
    """Writes the executable, bound to the Python that runs this, and gives its folder."""
    folder = root / SHIM_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    host = Path(__file__).with_name("language_host.py")
    # -P: the script's folder does not go on sys.path, where its neighbours would hide other modules.
    content = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -u -P {shlex.quote(str(host))} "$@"\n'
    _write_executable(folder / "pulumi-language-python", content)
    return folder


def _write_executable(path: Path, content: str) -> None:
    if path.exists() and path.read_text(encoding="utf-8") == content:
        return
    # Renamed into place: another process may be about to start the old one.
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    partial.write_text(content, encoding="utf-8")
    partial.chmod(0o755)
    partial.replace(path)
