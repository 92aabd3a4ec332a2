"""Makes .venv and installs the pinned packages, once per content of the requirements files.

Run by the Makefile with the system's Python (3.11 or newer); needs nothing but the standard library.
"""

import argparse
import fcntl
import hashlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OLDEST = (3, 11)
PIP = ["-m", "pip", "--disable-pip-version-check", "--no-input"]
TAIL_LINES = 15
FILES = {"runtime": ("requirements.txt",), "dev": ("requirements.txt", "requirements-dev.txt")}


class VenvError(Exception):
    """Why there is no usable .venv, and what to do."""


def ensure(root: Path, kind: str) -> Path:
    """The Python of a .venv that holds what `kind` needs. Answers at once if nothing has changed."""
    folder = root / ".venv"
    python = folder / "bin" / "python"
    wanted = {name: _content(root, files) for name, files in FILES.items() if name in ("runtime", kind)}
    if python.exists() and all(_stamp(folder, name) == content for name, content in wanted.items()):
        return python
    with _lock(root):
        if not _has_pip(python):
            _create(folder)
        _refuse_old(python)
        _install(root, folder, kind)
        for name, content in wanted.items():
            (folder / f".installed-{name}").write_text(content, encoding="utf-8")
    return python


def _content(root: Path, files: tuple[str, ...]) -> str:
    return hashlib.sha256(b"\0".join((root / name).read_bytes() for name in files)).hexdigest()


def _stamp(folder: Path, kind: str) -> str | None:
    path = folder / f".installed-{kind}"
    return path.read_text(encoding="utf-8") if path.is_file() else None


@contextmanager
def _lock(root: Path) -> Iterator[None]:
    folder = root / ".pulumi-tools"
    folder.mkdir(exist_ok=True)
    with (folder / "venv.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)  # two makes at once: the second finds the work done
        yield


def _has_pip(python: Path) -> bool:
    return python.exists() and _run([str(python), *PIP, "--version"]).returncode == 0


def _create(folder: Path) -> None:
    """A fresh .venv; a half-made one (no working pip) is made again."""
    if not importlib.util.find_spec("ensurepip"):
        raise VenvError(
            f"{sys.executable} cannot make a virtual environment: it has no ensurepip.\n"
            f"On Debian and Ubuntu:  sudo apt install python3.{sys.version_info.minor}-venv\n"
            "Or name another Python:  make PYTHON=/path/to/python3.11 ..."
        )
    say(f"Python: making .venv with {sys.executable}.")
    made = _run([sys.executable, "-m", "venv", "--clear", str(folder)])
    if made.returncode != 0:
        raise VenvError(
            f"Making .venv failed:\n{_tail(made)}\nOr name another Python:  make PYTHON=/path/to/python3.11"
        )


def _refuse_old(python: Path) -> None:
    asked = _run([str(python), "-c", "import sys; print(*sys.version_info[:2])"])
    if tuple(map(int, asked.stdout.split())) < OLDEST:
        raise VenvError(
            f".venv holds Python {'.'.join(asked.stdout.split())}; 3.11 or newer is needed.\n"
            "Remove it and try again:  rm -r .venv"
        )


def _install(root: Path, folder: Path, kind: str) -> None:
    file = FILES[kind][-1]
    count = sum(len(_pins(root / name)) for name in FILES[kind])
    say(f"Python: installing {count} pinned packages ({file}) into .venv, once; usually under a minute.")
    for name in FILES[kind]:
        (folder / f".installed-{Path(name).stem}").unlink(missing_ok=True)
    ran = _run(
        [str(folder / "bin" / "python"), *PIP, "install", "--quiet", "--requirement", str(root / file)]
    )
    if ran.returncode != 0:
        raise VenvError(
            f"pip could not install {file}. Its last lines:\n{_tail(ran)}\n"
            "If it could not reach a package index, set PIP_INDEX_URL to one that this machine reaches, "
            "and try again."
        )


def _pins(file: Path) -> list[str]:
    return [line for line in file.read_text(encoding="utf-8").splitlines() if "==" in line and line[0] != "#"]


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _tail(ran: "subprocess.CompletedProcess[str]") -> str:
    return "\n".join((ran.stdout + ran.stderr).strip().splitlines()[-TAIL_LINES:])


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    options = argparse.ArgumentParser(description="Makes .venv.")
    options.add_argument("kind", choices=sorted(FILES))
    try:
        ensure(Path(__file__).resolve().parent.parent, options.parse_args().kind)
    except VenvError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
