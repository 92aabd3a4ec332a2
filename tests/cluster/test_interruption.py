"""Interrupted and killed runs, and the documented recovery: the same objects, nothing twice, everything healthy."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cluster.stack import DOMAIN, GRAPH, SECONDS, ClusterStack
from tests.stand_in.waits import condition, wait_for, wait_until

JOB = "model-download"
OBJECTS = (
    ("Namespace", ""),
    ("Secret", "hf-token-secret"),
    ("PersistentVolumeClaim", "shared-model-cache"),
    ("Job", JOB),
)


def started(stack: ClusterStack, during: str) -> int:
    """The process group of an `up` that waits for the download or for the deployment."""
    stack.knob(downloadSeconds="never" if during == "download" else "0.1", graph="hold")
    run = stack.start_up()
    if during == "download":
        wait_for(
            stack.client, "Job", JOB, stack.namespace, lambda job: job.get("status", {}).get("active") == 1
        )
    else:
        wait_for(stack.client, GRAPH, stack.dgd, stack.namespace, condition("Ready", "False"))
    return run.pid


def uids(stack: ClusterStack, during: str) -> dict[str, str]:
    named = [(kind, name or stack.namespace) for kind, name in OBJECTS]
    if during == "deployment":
        named += [(GRAPH, stack.dgd), (DOMAIN, f"{stack.dgd}-compute-domain")]
    return {kind: stack.uid(kind, name) for kind, name in named}


def still_running(folder: Path) -> list[int]:
    """Processes that work in the project's folder; a dead one that is not reaped has no folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if folder in (entry / "cwd").resolve().parents or (entry / "cwd").resolve() == folder:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def kill_everything(stack: ClusterStack, group: int) -> None:
    """As the end of a CI container does: the CLI, and the plugins, which have groups of their own. The language host
    would notice by itself within a second, the provider within minutes.
    """
    os.killpg(group, signal.SIGKILL)
    for pid in still_running(stack.project.folder):
        os.kill(pid, signal.SIGKILL)
    wait_until(
        lambda: not still_running(stack.project.folder), "the end of what the run had started", SECONDS
    )


def assert_healthy(stack: ClusterStack, during: str, before: dict[str, str]) -> None:
    assert uids(stack, during) == before, "recovery must adopt what is there, never make it anew"
    assert len(stack.client.items("Job", stack.namespace)) == 1
    assert condition("Ready")(stack.client.get(GRAPH, stack.dgd, stack.namespace))
    assert not any(resource.get("initErrors") for resource in stack.state())
    stack.is_quiet()


@pytest.mark.parametrize("during", ["download", "deployment"])
def test_an_interrupted_run_is_continued_by_the_next_up(
    make_stack: Callable[..., ClusterStack], during: str
) -> None:
    stack = make_stack("vllm-gb200-agg")
    group = started(stack, during)
    before = uids(stack, during)
    os.kill(group, signal.SIGINT)
    wait_until(lambda: not still_running(stack.project.folder), "the end of the interrupted run", SECONDS)
    assert uids(stack, during) == before
    stack.knob(downloadSeconds="0.1")
    steps = stack.up()
    assert not [step for step in steps if "replace" in step.op or "delete" in step.op]
    assert_healthy(stack, during, before)


@pytest.mark.parametrize("during", ["download", "deployment"])
def test_a_killed_run_is_recovered_by_cancel_import_and_up(
    make_stack: Callable[..., ClusterStack], during: str
) -> None:
    stack = make_stack("vllm-gb200-agg")
    group = started(stack, during)
    before = uids(stack, during)
    kill_everything(stack, group)
    assert "locked" in stack.fails(), "the lock of the killed run must be seen"
    stack.project.demand("cancel", "--yes", "--stack", stack.name)
    kind, name = ("Job", JOB) if during == "download" else (GRAPH, stack.dgd)
    stack.knob(downloadSeconds="0.1")
    pending = pending_creates(stack)
    assert [urn.split("::")[2].rsplit(":", 1)[-1] for urn in pending] == [kind]
    identity = f"{stack.namespace}/{name}"
    imported = [
        part for urn in pending for each in (urn, identity) for part in ("--import-pending-creates", each)
    ]
    stack.project.demand("refresh", "--yes", "--stack", stack.name, *imported)
    steps = stack.up()
    assert not [step for step in steps if "replace" in step.op or "delete" in step.op]
    assert_healthy(stack, during, before)


def pending_creates(stack: ClusterStack) -> list[str]:
    """URNs of what the killed run was creating: `pulumi stack export` shows them under pending_operations."""
    exported = json.loads(stack.project.demand("stack", "export", "--stack", stack.name))
    return [each["resource"]["urn"] for each in exported["deployment"].get("pending_operations", [])]
