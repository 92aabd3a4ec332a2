"""What `make` runs, from a clean copy: `up` twice, lost files, `destroy`, and a clean tree all the while."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.project import Project
from tools.cache import cache_folder
from tools.versions import ROOT


@pytest.fixture
def clone(project: Project) -> Project:
    shutil.copy(ROOT / "Pulumi.dev.yaml", project.folder)
    shutil.copy(ROOT / ".gitignore", project.folder)
    # What a user's shell may say besides: none of it concerns a stack that renders.
    project.environ |= {
        # The tools that were provided already, wherever the test's own HOME is.
        "KIMI_K3_CACHE": str(cache_folder(os.environ)),
        "KUBECONFIG": str(project.folder / "elsewhere"),
        "PULUMI_CONFIG_PASSPHRASE": "the user's own",
    }
    git(project, "init", "--quiet")
    git(project, "add", "--all")
    return project


def git(project: Project, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=project.folder, capture_output=True, text=True, check=True
    ).stdout


def make(project: Project, command: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "tools", command, "--stack", "dev"],
        cwd=project.folder,
        env=project.variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def test_up_brings_every_file_and_brings_them_back(clone: Project) -> None:
    first = make(clone, "up")
    assert "adopts an object that already exists" in first or not clone.toolchain.provider_built
    files = clone.files("rendered/dev")
    assert len(files) == 5
    assert git(clone, "diff", "--name-only") == "", "`make up` must leave the clone clean"
    assert "12 unchanged" in make(clone, "up"), "a second `make up` reports no change"
    shutil.rmtree(clone.folder / "rendered")
    make(clone, "up")
    assert clone.files("rendered/dev") == files
    files[2].unlink()
    make(clone, "up")
    assert clone.files("rendered/dev") == files
    make(clone, "destroy")
    assert not (clone.folder / "rendered").exists()
    assert git(clone, "diff", "--name-only") == ""
