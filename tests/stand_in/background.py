"""A test cluster that stays after the command that started it: one for each clone, in the folder .cluster."""

import fcntl
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.stand_in.client import ApiError
from tests.stand_in.cluster import stand_in_cluster
from tests.stand_in.processes import ProcessError
from tests.stand_in.storage import SHARED
from tests.stand_in.waits import WaitError
from tools.cluster import provide_cluster
from tools.errors import ToolsError, say
from tools.versions import ROOT

FOLDER = ROOT / ".cluster"
LOCK = FOLDER / "lock"
"""Held by the host as long as it runs: a process id in a file may be another process's by now, a lock is not."""
PID = FOLDER / "host.pid"
LOG = FOLDER / "host.log"
READY = FOLDER / "ready.json"
RUN = FOLDER / "run"

POLL_SECONDS = 0.1
CHECK_SECONDS = 1.0
STOP_SECONDS = 60.0
TAIL_LINES = 25


@dataclass(frozen=True)
class Wish:
    gpu: str
    nodes: int
    crd_folder: Path


def up(wish: Wish) -> None:
    """Starts the cluster, waits until it can be used, and tells how. Refuses nothing if it runs already."""
    FOLDER.mkdir(exist_ok=True)
    with LOCK.open("w") as lock:
        if not _take(lock.fileno()):
            _tell_that_it_runs()
            return
        provide_cluster()  # here, where a person sees the progress
        _clear()
        _start(wish, lock.fileno())
    _tell(json.loads(READY.read_text()))


def down() -> None:
    if not FOLDER.is_dir():
        say("No cluster is running.")
        return
    with LOCK.open("w") as lock:
        if _take(lock.fileno()):
            say("No cluster is running; removing what one has left.")
        else:
            if not PID.exists():
                raise ToolsError("A cluster is about to be started. Try again in a moment.")
            with suppress(ProcessLookupError):
                os.kill(int(PID.read_text()), signal.SIGTERM)
            _wait_for_end(lock.fileno())
            say("The cluster has stopped.")
        shutil.rmtree(FOLDER)


def host(wish: Wish) -> None:
    """Runs the cluster until it is told to stop, or until a part of it has ended."""
    PID.write_text(str(os.getpid()))
    binaries = provide_cluster(announce=False)
    try:
        with stand_in_cluster(
            binaries, RUN, nodes={wish.gpu: wish.nodes}, crd_folder=wish.crd_folder
        ) as cluster:
            told = {"gpu": wish.gpu, "nodes": wish.nodes, "context": cluster.context}
            _write_whole(READY, json.dumps({**told, "kubeconfig": str(cluster.kubeconfig)}))
            while not (ended := cluster.ended()):
                time.sleep(CHECK_SECONDS)
    except (ProcessError, WaitError, ApiError) as error:
        raise ToolsError(str(error)) from error
    finally:
        READY.unlink(missing_ok=True)
    raise ToolsError(f"The cluster is gone: {ended}")


def _start(wish: Wish, lock: int) -> None:
    say(f"Test cluster: starting it with {wish.nodes} {wish.gpu} nodes; usually ten seconds.")
    command = [sys.executable, "-m", "tests.stand_in", "host", "--gpu", wish.gpu, "--nodes", str(wish.nodes)]
    command += ["--crd-dir", str(wish.crd_folder)]
    with (
        LOG.open("wb") as log,
        _stopped_unless_ready(
            subprocess.Popen(
                command,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a Ctrl-C at this terminal is not for it
                pass_fds=[lock],
            )
        ) as child,
    ):
        while not READY.exists():
            if child.poll() is not None:
                tail = "\n".join(LOG.read_text(errors="replace").splitlines()[-TAIL_LINES:])
                raise ToolsError(f"The cluster did not start.\n{tail}\nAll of it: {LOG}")
            time.sleep(POLL_SECONDS)


@contextmanager
def _stopped_unless_ready(child: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    try:
        yield child
    except BaseException:
        if child.poll() is None:
            child.terminate()
            child.wait(STOP_SECONDS)
        raise


def _take(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _clear() -> None:
    """Removes what a cluster that was killed has left."""
    for path in (PID, LOG, READY):
        path.unlink(missing_ok=True)
    shutil.rmtree(RUN, ignore_errors=True)


def _wait_for_end(lock: int) -> None:
    deadline = time.monotonic() + STOP_SECONDS
    while not _take(lock):
        if time.monotonic() > deadline:
            raise ToolsError(
                f"The cluster did not stop in {STOP_SECONDS:.0f} s. Its process: {PID.read_text()}"
            )
        time.sleep(POLL_SECONDS)


def _write_whole(path: Path, text: str) -> None:
    path.with_suffix(".new").write_text(text)
    path.with_suffix(".new").replace(path)


def _tell_that_it_runs() -> None:
    if not READY.exists():
        raise ToolsError("A cluster is being started or stopped just now. Wait for it, or: make cluster-down")
    told = json.loads(READY.read_text())
    say(f"A cluster runs already, with {told['nodes']} {told['gpu']} nodes. For another: make cluster-down")
    _tell(told)


def _tell(told: dict[str, str]) -> None:
    """The export line goes to stdout and the rest to stderr, so that eval "$(make -s cluster)" does both."""
    print(f"export KUBECONFIG={shlex.quote(told['kubeconfig'])}", flush=True)
    stack = f"vllm-{told['gpu']}-agg"
    say(
        f"Context {told['context']}, storage class {SHARED}. With the line above in your shell:\n"
        f"  make set STACK={stack} KEY=cluster.context VALUE={told['context']}\n"
        f"  make set STACK={stack} KEY=modelCache.storageClassName VALUE={SHARED}\n"
        f"  make set STACK={stack} KEY=hfToken SECRET=1\n"
        f"  make up STACK={stack}\n"
        "Logs are beside the kubeconfig. To stop it and remove all of it: make cluster-down"
    )
