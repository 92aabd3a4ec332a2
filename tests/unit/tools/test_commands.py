"""The command line, the language host's handling of a program, the tiers and the virtual environment."""

import dataclasses
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pulumi import RunError

from tests.unit.tools.stand_in import StandIn
from tools import __main__ as command_line
from tools import tiers, venv
from tools.errors import ToolsError
from tools.language_host import run_program, short_traceback
from tools.shim import write_language_host
from tools.versions import ROOT


def tools(*arguments: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tools", *arguments],
        cwd=ROOT,
        env={**os.environ, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_refusal_exits_with_1_and_is_words_on_stderr() -> None:
    ran = tools("up", "--stack", "no-such-stack")
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.startswith("No stack 'no-such-stack': there is no Pulumi.no-such-stack.yaml.\n")
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("arguments", [[], ["up"], ["fly"], ["set", "--stack", "dev"], ["engine-env"]])
def test_a_wrong_command_line_exits_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        command_line.parser().parse_args(arguments)
    assert stopped.value.code == 2


def test_more_arguments_for_pulumi_come_after_two_dashes() -> None:
    parsed = command_line.parser().parse_args(["preview", "--stack", "dev", "--", "--diff", "--json"])
    assert parsed.arguments == ["--diff", "--json"]


def test_an_interrupt_lets_pulumi_end_by_itself_and_then_ends_quietly(
    tmp_path: Path, pulumi: StandIn
) -> None:
    """Off a terminal exactly one SIGINT reaches the CLI: a second one would make it stop at once."""
    started = tmp_path / "started"
    pulumi.answer(
        f"""trap 'echo INT >> "$0.signals"' INT
        : > {started}
        for turn in $(seq 600); do [ -e "$0.signals" ] && break; sleep 0.1; done
        exit 1"""
    )
    program = (
        "import sys; from pathlib import Path\n"
        "from tools.errors import INTERRUPTED; from tools.pulumi_process import Pulumi\n"
        "try:\n"
        f"    Pulumi(Path({str(pulumi.executable)!r}), Path('/'), {{'PATH': '/usr/bin:/bin'}}).run('up')\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(INTERRUPTED)"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        process_group=0,
    )
    while not started.exists():
        assert running.poll() is None
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said == b""
    assert Path(f"{pulumi.executable}.signals").read_text() == "INT\n"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program; the test's own folder, sys.path and modules come back afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    return tmp_path


def test_a_program_runs_in_its_folder_with_fresh_modules_each_time(program: Path) -> None:
    (program / "one_sample").mkdir()
    (program / "one_sample" / "__init__.py").write_text("runs = []\n")
    (program / "__main__.py").write_text(
        "import one_sample\none_sample.runs.append(1)\nopen('log', 'a').write(f'{len(one_sample.runs)} ')\n"
    )
    run_program(program)
    run_program(program)
    assert (program / "log").read_text() == "1 1 ", "state of the preview must not be there in the update"


def test_an_error_for_the_user_comes_without_a_traceback(program: Path) -> None:
    (program / "__main__.py").write_text("import pulumi\nraise pulumi.RunError('No such target.')\n")
    with pytest.raises(RunError) as error:
        run_program(program)
    assert str(error.value) == "No such target."


def test_a_bug_in_the_program_comes_with_the_last_frames_only(program: Path) -> None:
    chain = "".join(f"def f{n}():\n    f{n - 1}()\n" for n in range(1, 9))
    (program / "__main__.py").write_text(f"def f0():\n    {{}}['missing']\n{chain}f8()\n")
    with pytest.raises(RunError) as error:
        run_program(program)
    text = str(error.value)
    assert text.startswith("The program failed:\n")
    assert text.endswith("KeyError: 'missing'")
    assert text.count("__main__.py") == 4
    assert "runpy" not in text


def test_a_traceback_names_the_error_even_without_frames() -> None:
    assert short_traceback(ValueError("x")) == "The program failed:\nValueError: x"


def test_the_language_host_is_an_executable_bound_to_this_python(tmp_path: Path) -> None:
    host = write_language_host(tmp_path / "with space") / "pulumi-language-python"
    assert os.access(host, os.X_OK)
    assert f"exec {sys.executable} -u -P " in host.read_text()
    assert write_language_host(tmp_path / "with space") == host.parent, "writing it again changes nothing"
    assert [path.name for path in host.parent.iterdir()] == ["pulumi-language-python"]


def test_the_language_host_prints_its_port_and_ends_quietly_on_an_interrupt(tmp_path: Path) -> None:
    host = write_language_host(tmp_path) / "pulumi-language-python"
    running = subprocess.Popen([host], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout is not None
    assert running.stdout.readline().strip().isdigit()
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (0, "")


def test_a_tier_that_fails_fails_the_whole_run_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = {"tests/unit": 0, "tests/engine": 1}
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, results[command[3]]),
    )
    monkeypatch.setattr(tiers, "TIERS", [dataclasses.replace(tier, tools=()) for tier in tiers.TIERS])
    assert tiers.run_tiers(["unit"], tmp_path) == 0
    assert tiers.run_tiers(["engine"], tmp_path) == 1
    assert capsys.readouterr().err.splitlines() == [
        "Tier unit: pytest tests/unit",
        "Tier unit: passed.",
        "Tier engine: pytest tests/engine",
        "Tier engine: FAILED (pytest ended with 1).",
    ]


def test_a_tier_whose_tools_cannot_be_had_counts_as_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise ToolsError("No Go toolchain.")

    monkeypatch.setattr(tiers, "TIERS", [dataclasses.replace(tier, tools=(refuse,)) for tier in tiers.TIERS])
    assert tiers.run_tiers(["engine"], tmp_path) == 1
    assert "Tier engine: not run, so it counts as failed: No Go toolchain." in capsys.readouterr().err


def test_an_unknown_tier_is_refused() -> None:
    with pytest.raises(ToolsError) as refusal:
        tiers.run_tiers(["fast"])
    assert str(refusal.value).startswith("No test tier 'fast'. Tiers: unit, engine, cluster")


@pytest.fixture
def requirements(tmp_path: Path) -> Path:
    (tmp_path / "requirements.txt").write_text("one==1\ntwo==2\n")
    (tmp_path / "requirements-dev.txt").write_text("--requirement requirements.txt\nthree==3\n")
    return tmp_path


class Runs:
    """Stands in for the processes that make a virtual environment."""

    def __init__(self, folder: Path) -> None:
        self.python = folder / ".venv" / "bin" / "python"
        self.installs = 0
        self.fails = ""
        self.version = "3 11"

    def __call__(self, command: list[str]) -> "subprocess.CompletedProcess[str]":
        if "venv" in command:
            self.python.parent.mkdir(parents=True)
            self.python.touch()
        if "install" in command:
            self.installs += 1
            if self.fails == "interrupt":
                raise KeyboardInterrupt
        failed = bool(self.fails) and "install" in command
        return subprocess.CompletedProcess(command, int(failed), stdout=self.version, stderr=self.fails)


@pytest.fixture
def runs(requirements: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    stand_in = Runs(requirements)
    monkeypatch.setattr(venv, "_run", stand_in)
    return stand_in


def test_packages_are_installed_once_per_content_of_the_requirements(
    requirements: Path, runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    assert venv.ensure(requirements, "runtime") == runs.python
    venv.ensure(requirements, "runtime")
    assert runs.installs == 1
    assert "Python: installing 2 pinned packages (requirements.txt) into .venv" in capsys.readouterr().err
    venv.ensure(requirements, "dev")
    venv.ensure(requirements, "runtime")
    assert runs.installs == 2, "what developing needs holds what running needs"
    (requirements / "requirements.txt").write_text("one==2\n")
    venv.ensure(requirements, "dev")
    assert runs.installs == 3


def test_an_interrupted_install_is_done_again(requirements: Path, runs: Runs) -> None:
    runs.fails = "interrupt"
    with pytest.raises(KeyboardInterrupt):
        venv.ensure(requirements, "runtime")
    runs.fails = ""
    venv.ensure(requirements, "runtime")
    assert runs.installs == 2


def test_a_failed_install_shows_what_pip_said_and_what_to_do(requirements: Path, runs: Runs) -> None:
    runs.fails = "ERROR: no index"
    with pytest.raises(venv.VenvError) as refusal:
        venv.ensure(requirements, "runtime")
    assert "pip could not install requirements.txt. Its last lines:\n" in str(refusal.value)
    assert "ERROR: no index\nIf it could not reach a package index, set PIP_INDEX_URL" in str(refusal.value)


def test_a_venv_of_an_old_python_is_refused(requirements: Path, runs: Runs) -> None:
    runs.version = "3 10"
    with pytest.raises(venv.VenvError, match=r"holds Python 3\.10; 3\.11 or newer is needed"):
        venv.ensure(requirements, "runtime")


def test_a_python_without_ensurepip_is_refused_with_the_package_that_brings_it(
    requirements: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(venv.VenvError) as refusal:
        venv.ensure(requirements, "runtime")
    assert f"sudo apt install python3.{sys.version_info.minor}-venv" in str(refusal.value)


def test_every_requirement_is_pinned() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        lines = [line for line in (ROOT / name).read_text().splitlines() if line and line[0] not in "#-"]
        assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==\S+", line) for line in lines), name
