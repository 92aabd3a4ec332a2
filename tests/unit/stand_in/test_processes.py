"""Nothing outlives its owner. The processes here are sleeping shells; a cluster is ended by the same code."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.stand_in.processes import ProcessError, Processes
from tools.versions import ROOT

SLEEP = ["sleep", "600"]
OWNER = """
import sys, time
from pathlib import Path
from tests.stand_in.processes import Processes
owned = Processes(Path(sys.argv[1]))
owned.start("child", ["sh", "-c", "sleep 600 & sleep 600"])
print(owned.pids()["child"], flush=True)
time.sleep(600)
"""


def runs(group: int) -> bool:
    """Whether any process of the group runs; one that only waits to be reaped by PID 1 does not."""
    if sys.platform != "linux":
        return subprocess.run(["pgrep", "-g", str(group)], capture_output=True, check=False).returncode == 0
    states = (stat_of(path) for path in Path("/proc").glob("[0-9]*/stat"))
    return any(int(pgrp) == group and state != "Z" for state, _, pgrp in states)


def stat_of(path: Path) -> list[str]:
    """State, parent and group of a process, after its name in brackets; a dead one has neither."""
    try:
        return path.read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return ["Z", "0", "0"]


def eventually_gone(pid: int, folder: Path) -> bool:
    deadline = time.monotonic() + 30
    while (folder.exists() or runs(pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not folder.exists() and not runs(pid)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_owner_takes_its_processes_and_their_folder_along(
    tmp_path: Path, number: signal.Signals
) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-c", OWNER, str(folder)]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as owner:
        assert owner.stdout
        pid = int(owner.stdout.readline())
        assert runs(pid)
        owner.send_signal(number)
    assert eventually_gone(pid, folder)


def test_stopping_ends_all_processes_and_removes_the_folder(tmp_path: Path) -> None:
    owned = Processes(tmp_path / "run")
    owned.start("first", SLEEP)
    owned.start("second", SLEEP)
    pids = owned.pids()
    assert list(pids) == ["first", "second"]
    assert owned.ended() is None
    owned.stop()
    assert not (tmp_path / "run").exists()
    assert not [name for name, pid in pids.items() if runs(pid)]


def test_waiting_ends_at_once_with_the_last_words_of_a_process_that_has_ended(tmp_path: Path) -> None:
    owned = Processes(tmp_path / "run")
    try:
        owned.start("etcd", ["sh", "-c", "echo the port is taken; exit 3"])
        with pytest.raises(ProcessError) as failed:
            owned.wait("etcd", lambda: False, seconds=30)
    finally:
        owned.stop()
    assert str(failed.value) == (
        "etcd ended with 3 before it was ready.\nThe last lines of etcd.log:\nthe port is taken"
    )


def test_a_folder_with_something_in_it_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(ProcessError, match="is not empty"):
        Processes(tmp_path)
    assert (tmp_path / "mine").exists()
