"""The toolchain once, and a project of its own for each test."""

import os
from pathlib import Path

import pytest

from tests.project import Project
from tools.provide import Toolchain, provide


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    return provide(environ=dict(os.environ), announce=False)


@pytest.fixture
def project(tmp_path: Path, toolchain: Toolchain) -> Project:
    made = Project(tmp_path / "project", toolchain)
    made.folder.mkdir()
    made.prepare()
    return made
