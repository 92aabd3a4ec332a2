"""Builds a tool from its pinned Go module into the cache, with visible progress."""

import contextlib
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from tools.cache import Cache, digest
from tools.errors import ToolsError, say
from tools.golang import Go, choose_go, go_directive, go_on_path, install_go
from tools.interrupts import interrupts_later
from tools.progress import Progress
from tools.versions import Tool, Versions

FLAGS = ("-trimpath",)
# Static binaries that do not depend on where, by whom or in which working tree they were built.
SETTINGS = {"CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false", "GOTOOLCHAIN": "local", "GOWORK": "off"}
TAIL_LINES = 20
POLL_SECONDS = 1.0
KILL_AFTER_SECONDS = 5.0


def cache_key(root: Path, tool: Tool, go: Go) -> str:
    """Name of the cache entry: changes with everything the binary is built from, and with nothing else."""
    module = root / tool.module
    sources = sorted([module / "go.mod", module / "go.sum", *module.rglob("*.go")])
    parts: list[str | bytes] = [sys.platform, platform.machine(), go.language, tool.package, tool.binary]
    parts += [*FLAGS, tool.linker_flags(), *(f"{name}={value}" for name, value in sorted(SETTINGS.items()))]
    for source in sources:
        parts += [source.relative_to(module).as_posix(), source.read_bytes()]
    return f"{tool.name}-{tool.version}-{digest(parts)}"


class Builder:
    """Finds built tools in the cache and builds the missing ones."""

    def __init__(self, root: Path, versions: Versions, cache: Cache, environ: Mapping[str, str]) -> None:
        self._root = root
        self._versions = versions
        self._cache = cache
        self._environ = environ

    @cached_property
    def _on_path(self) -> Go | None:
        return go_on_path(self._environ)

    def find(self, tool: Tool) -> Path | None:
        """The built binary, if the cache has it."""
        entry = self._cache.find(cache_key(self._root, tool, self._go(tool)))
        return entry / "bin" / tool.binary if entry else None

    def build(self, tool: Tool) -> Path:
        """The built binary; takes the tool's usual minutes if the cache does not have it."""
        go = self._go(tool)

        def fill(folder: Path) -> None:
            executable = go.executable or install_go(self._versions, self._cache, self._on_path)
            self._compile(tool, executable, folder)

        return self._cache.make(cache_key(self._root, tool, go), tool.title, fill) / "bin" / tool.binary

    def _go(self, tool: Tool) -> Go:
        return choose_go(go_directive(self._root / tool.module), self._versions, self._on_path)

    def _compile(self, tool: Tool, go: Path, folder: Path) -> None:
        say(
            f"{tool.title} {tool.version}: building from the pinned Go module {tool.module} into "
            f"{self._cache.folder}, once; usually {tool.minutes} minutes."
        )
        command = [str(go), "build", *FLAGS, "-ldflags", tool.linker_flags()]
        command += ["-o", str(folder / "bin" / tool.binary), tool.package]
        # A GOROOT of the user's belongs to another Go than the one that was found.
        environ = {name: value for name, value in self._environ.items() if name != "GOROOT"} | SETTINGS
        run_with_progress(command, self._root / tool.module, environ, tool.title, folder / "build.log")


def run_with_progress(
    command: list[str], folder: Path, environ: Mapping[str, str], title: str, log: Path
) -> None:
    """Runs a long command; its own output is shown only if it fails, and then only the end of it."""
    progress = Progress(title)
    with log.open("wb") as output, _child(command, folder, environ, output.fileno()) as child:
        while not _ended(child):
            progress.tick()
    if child.returncode != 0:
        tail = "\n".join(log.read_text(errors="replace").strip().splitlines()[-TAIL_LINES:])
        raise ToolsError(
            f"{title}: the build failed. The last lines of go:\n{tail}\n"
            "If it could not fetch modules, set GOPROXY to a module proxy that this machine reaches, "
            "and try again."
        )
    log.unlink()
    progress.finish("built in")


def _ended(child: subprocess.Popen[bytes]) -> bool:
    try:
        child.wait(POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


@contextlib.contextmanager
def _child(
    command: list[str], folder: Path, environ: Mapping[str, str], output: int
) -> Iterator[subprocess.Popen[bytes]]:
    child: subprocess.Popen[bytes] | None = None
    try:
        with interrupts_later():
            child = subprocess.Popen(
                command,
                cwd=folder,
                env=dict(environ),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                process_group=0,  # of its own: an interrupt stops the compilers that go started, too
            )
        yield child
    finally:
        if child and child.poll() is None:
            stop(child)


def stop(child: subprocess.Popen[bytes]) -> None:
    """Ends a child and all that it has started, gently first; returns in any case."""
    # A signal handler that raised inside `wait` may have left its lock taken: without a limit the next one could hang.
    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
        os.killpg(child.pid, signal.SIGTERM)
        try:
            child.wait(KILL_AFTER_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait(KILL_AFTER_SECONDS)
