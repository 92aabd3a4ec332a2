"""The life of a rendering stack: tokens, ambient clusters, lost files, killed runs, moved folders."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from tests.engine.test_render import settings_of
from tests.project import Project

DEV = settings_of("vllm", "gb200", "agg")
SGLANG = settings_of("sglang", "gb300", "agg")
CANARY = "hf_CanaryValueThatNobodyMaySee"


def kubeconfig(path: Path, server: str, namespace: str) -> Path:
    cluster = {"name": "c", "cluster": {"server": server}}
    context = {"name": "ambient", "context": {"cluster": "c", "user": "u", "namespace": namespace}}
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [cluster],
        "users": [{"name": "u", "user": {"token": "none"}}],
        "contexts": [context],
        "current-context": "ambient",
    }
    path.write_text(yaml.safe_dump(config))
    return path


def closed_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def test_the_token_is_nowhere_in_render_mode(project: Project) -> None:
    project.write_stack("s", DEV)
    project.init("s")
    project.demand("config", "set", "--secret", "kimi-k3:hfToken", "--stack", "s", given=CANARY)
    project.environ["HF_TOKEN"] = CANARY
    outputs = [
        project.demand("preview", "--stack", "s"),
        project.up("s", "--diff"),
        project.demand("stack", "output", "--show-secrets", "--stack", "s"),
        project.demand("stack", "export", "--show-secrets", "--stack", "s"),
        project.demand("stack", "history", "--stack", "s"),
    ]
    assert CANARY not in "".join(outputs), "the token was printed"
    assert CANARY not in project.everything_written(), "the token lies in a file"
    assert "the token's Secret is left out" in outputs[0]


@pytest.mark.parametrize("ambient", ["none", "missing file", "closed port"])
def test_an_ambient_kubeconfig_changes_nothing(project: Project, ambient: str, tmp_path: Path) -> None:
    config = tmp_path / "ambient.yaml"
    if ambient == "closed port":
        kubeconfig(config, f"https://127.0.0.1:{closed_port()}", "somewhere-else")
    project.environ["KUBECONFIG"] = "" if ambient == "none" else str(config)
    project.write_stack("s", SGLANG)
    project.init("s")
    project.demand("preview", "--stack", "s")
    assert project.files("rendered/s") == [], "a preview writes nothing"
    project.up("s")
    documents = [yaml.safe_load(path.read_text()) for path in project.files("rendered/s")]
    assert len(documents) == 6
    namespaces = {d["metadata"].get("namespace") for d in documents if d["kind"] != "Namespace"}
    assert namespaces == {"kimi-k3"}, "objects must not land in the ambient namespace"
    assert str(config) not in project.demand("stack", "export", "--stack", "s"), (
        "a machine's path went into the state"
    )


def test_refresh_without_a_cluster_fails_and_the_next_up_works(project: Project) -> None:
    project.write_stack("s", DEV)
    project.init("s")
    project.up("s")
    assert project.pulumi("refresh", "--yes", "--stack", "s").returncode != 0
    project.up("s", "--expect-no-changes")


def test_a_switch_of_target_replaces_one_deployment_and_keeps_the_download(project: Project) -> None:
    project.write_stack("s", DEV)
    project.init("s")
    project.up("s")
    before = {p.name: p.read_text() for p in project.files("rendered/s")}
    project.write_stack("s", SGLANG)
    project.up("s")
    after = {p.name: p.read_text() for p in project.files("rendered/s")}
    assert not any("vllm" in name for name in after), "the old target's files must go"
    job = "batch_v1-job-kimi-k3-model-download.yaml"
    assert before[job] == after[job], "a switch of target must never download 1.5 TB again"


def test_moving_the_folder_moves_the_files(project: Project) -> None:
    project.write_stack("s", DEV)
    project.init("s")
    project.up("s")
    project.write_stack("s", DEV | {"render": {"directory": "out/elsewhere"}})
    project.up("s")
    assert len(project.files("out/elsewhere")) == 5


def test_deploy_false_keeps_namespace_cache_and_download(project: Project) -> None:
    project.write_stack("s", DEV)
    project.init("s")
    project.up("s")
    project.write_stack("s", DEV | {"serving": {"deploy": False}})
    project.up("s")
    kinds = sorted(yaml.safe_load(path.read_text())["kind"] for path in project.files("rendered/s"))
    assert kinds == ["Job", "Namespace", "PersistentVolumeClaim"]


def test_a_killed_run_leaves_a_lock_that_cancel_removes(project: Project) -> None:
    # A program that stops while it holds the lock, so that the kill always hits a running update.
    main = project.folder / "__main__.py"
    original, waiting = main.read_text(), project.folder / "running"
    main.write_text(f"import pathlib, time\npathlib.Path({str(waiting)!r}).touch()\ntime.sleep(600)\n")
    project.write_stack("s", DEV)
    project.init("s")
    command = [
        str(project.toolchain.pulumi),
        "up",
        "--yes",
        "--skip-preview",
        "--non-interactive",
        "--stack",
        "s",
    ]
    quiet = subprocess.DEVNULL
    run = subprocess.Popen(
        command,
        cwd=project.folder,
        env=project.variables(),
        stdout=quiet,
        stderr=quiet,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not waiting.exists():
        assert run.poll() is None, "the run ended before its program began"
        assert time.monotonic() < deadline, "the program never began"
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    main.write_text(original)
    refused = project.pulumi("up", "--yes", "--stack", "s")
    assert refused.returncode != 0
    assert "locked" in refused.stderr
    project.demand("cancel", "--yes", "--stack", "s")
    project.up("s")
    assert len(project.files("rendered/s")) == 5


def test_a_stack_transform_of_the_user_reaches_every_object(project: Project) -> None:
    main = project.folder / "__main__.py"
    main.write_text(TRANSFORM + main.read_text())
    project.write_stack("s", SGLANG)
    project.init("s")
    project.up("s")
    documents = [yaml.safe_load(path.read_text()) for path in project.files("rendered/s")]
    assert len(documents) == 6
    assert all(document["metadata"]["labels"]["team"] == "inference" for document in documents)


TRANSFORM = """
import pulumi as _pulumi


def _label(args):
    metadata = dict(args.props.get("metadata") or {})
    if args.type_.startswith("kubernetes:"):
        metadata["labels"] = {"team": "inference"}
        return _pulumi.ResourceTransformResult({**args.props, "metadata": metadata}, args.opts)
    return None


_pulumi.runtime.register_resource_transform(_label)
"""


def test_a_deleted_folder_stays_deleted_for_plain_pulumi(project: Project) -> None:
    """Why `make up` looks after the files: the state says that all is there."""
    project.write_stack("s", DEV)
    project.init("s")
    project.up("s")
    shutil.rmtree(project.folder / "rendered")
    project.up("s", "--expect-no-changes")
    assert project.files("rendered/s") == []
