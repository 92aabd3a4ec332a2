"""The order of the sources of Pulumi, decided by stand-ins for everything that reaches outside."""

import dataclasses
import os
import subprocess
import threading
from pathlib import Path

import pytest

from tools import pulumi_cli
from tools.cache import Cache
from tools.errors import ToolsError
from tools.provide import Doors, Provider
from tools.pulumi_cli import answers_within, has_released_provider, provider_version, pulumi_on_path
from tools.toolchain import Source, Toolchain
from tools.versions import Tool, load


class World:
    """A machine without Pulumi, network or built tools; a test changes what it needs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.on_path: tuple[Path, str] | None = None
        self.host = False
        self.fetches = False
        self.installer_fails = False
        self.events: list[str] = []
        self.there: set[str] = set()

    def provide(self, wish: str = "") -> Toolchain:
        doors = Doors(
            on_path=lambda: self.on_path,
            host_answers=lambda: self.host,
            install=self.install,
            fetch_provider=lambda _: self.fetches,
            find_built=lambda tool: self.root / tool.name if tool.name in self.there else None,
            build=self.build,
        )
        return Provider(self.root, load(), Cache(self.root / "cache"), doors).provide(wish)

    def install(self, folder: Path, version: str) -> None:
        """Stands in for PulumiCommand.install."""
        (folder / "bin").mkdir()
        (folder / "bin" / "pulumi").write_text(version)
        self.events.append(f"install {version}")
        if self.installer_fails:
            raise subprocess.CalledProcessError(1, "install.sh")

    def build(self, tool: Tool) -> Path:
        if tool.name not in self.there:
            self.events.append(f"build {tool.name}")
        self.there.add(tool.name)
        return self.root / tool.name / "bin" / tool.binary


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_a_pulumi_on_path_is_used_and_nothing_is_put_before_it(world: World) -> None:
    world.on_path, world.fetches, world.host = (Path("/theirs/pulumi"), "3.300.0"), True, True
    assert world.provide() == Toolchain(Path("/theirs/pulumi"), (), Source.PATH, provider_built=False)
    assert world.events == []


def test_the_oldest_working_pulumi_on_path_is_used(world: World) -> None:
    world.on_path, world.fetches = (Path("/theirs/pulumi"), load().oldest_pulumi), True
    assert world.provide().source is Source.PATH


@pytest.mark.parametrize(("version", "words"), [("3.230.9", "3.230.9"), ("", "it tells no version")])
def test_an_older_pulumi_on_path_is_passed_over_with_a_word(
    world: World, version: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    world.on_path = (Path("/theirs/pulumi"), version)
    assert world.provide().source is Source.BUILT
    assert (
        f"Tools: passing over /theirs/pulumi: {words}, the oldest that works is 3.231.0."
        in capsys.readouterr().err
    )


def test_a_pulumi_on_path_that_cannot_fetch_its_provider_gets_the_built_one(world: World) -> None:
    world.on_path = (Path("/theirs/pulumi"), "3.300.0")
    toolchain = world.provide()
    assert toolchain.source is Source.PATH
    assert toolchain.provider_built
    assert toolchain.path == (world.root / "kubernetes-provider" / "bin",), (
        "no CLI or language host before theirs"
    )
    assert world.events == ["build kubernetes-provider"]


def test_the_official_release_is_installed_once_where_its_host_answers(world: World) -> None:
    world.host = world.fetches = True
    first = world.provide()
    assert first.source is Source.OFFICIAL
    assert first.pulumi.read_text() == load().pulumi
    assert first.path == (first.pulumi.parent,)
    world.host = False
    assert world.provide() == first, "what is in the cache needs no network"
    assert world.events == [f"install {load().pulumi}"]


def test_an_official_installer_that_fails_leaves_nothing_and_the_tools_are_built(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.host = world.installer_fails = True
    assert world.provide().source is Source.BUILT
    assert list((world.root / "cache").glob("official*/*")) == []
    assert "the official installer failed" in capsys.readouterr().err


def test_built_tools_in_the_cache_come_before_the_official_release(world: World) -> None:
    world.there = {"pulumi", "kubernetes-provider"}
    world.host = world.fetches = True
    assert world.provide().source is Source.BUILT
    assert world.events == []


def test_without_any_source_both_tools_are_built_and_the_first_line_says_how_long(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    toolchain = world.provide()
    assert toolchain.source is Source.BUILT
    assert toolchain.provider_built
    assert world.events == ["build pulumi", "build kubernetes-provider"]
    assert capsys.readouterr().err.splitlines()[0] == (
        "Tools: Pulumi CLI and Kubernetes provider must be built once, usually about 25 minutes; "
        "reason: no pulumi on PATH, get.pulumi.com does not answer."
    )
    host = world.root / ".pulumi-tools" / "bin" / "pulumi-language-python"
    assert toolchain.path[0] == host.parent
    assert os.access(host, os.X_OK), "the engine starts it"


def test_tools_build_goes_past_everything_else(world: World) -> None:
    world.on_path, world.host, world.fetches = (Path("/theirs/pulumi"), "3.300.0"), True, True
    assert world.provide("build").source is Source.BUILT


def test_another_word_for_tools_is_refused(world: World) -> None:
    with pytest.raises(ToolsError) as refusal:
        world.provide("download")
    assert str(refusal.value) == "TOOLS=download is not known. Accepted: TOOLS=build, or leave TOOLS out."


def test_only_the_built_provider_stops_the_cli_from_fetching_plugins() -> None:
    built = Toolchain(Path("/c/pulumi"), (Path("/shim"), Path("/c")), Source.BUILT, provider_built=True)
    released = dataclasses.replace(built, provider_built=False)
    variables = built.variables({"PATH": "/c:/usr/bin"})
    assert variables["PATH"] == "/shim:/c:/usr/bin"
    assert variables["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"] == "true"
    assert "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION" not in released.variables({})
    assert released.variables({})["PULUMI_SKIP_UPDATE_CHECK"] == "true"
    assert released.variables({})["PULUMI_ERROR_OUTPUT_STRING"] == "true"


def test_the_pulumi_that_this_project_put_on_path_does_not_count_as_the_users(tmp_path: Path) -> None:
    for folder in ("ours", "theirs"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pulumi").write_text("#!/bin/sh\necho v3.300.0\n")
        (tmp_path / folder / "pulumi").chmod(0o755)
    path = {"PATH": f"{tmp_path}/ours:{tmp_path}/theirs"}
    assert pulumi_on_path(path, (tmp_path / "ours",)) == (tmp_path / "theirs" / "pulumi", "3.300.0")
    assert pulumi_on_path({"PATH": f"{tmp_path}/ours"}, (tmp_path / "ours",)) is None
    assert pulumi_on_path({"PATH": ""}, ()) is None


def test_a_host_that_does_not_answer_in_time_counts_as_not_there() -> None:
    never = threading.Event()
    assert answers_within(5, lambda: None)
    assert not answers_within(0.01, lambda: never.wait(1))
    never.set()


def test_a_host_that_refuses_counts_as_not_there() -> None:
    def refuse() -> None:
        raise ConnectionRefusedError

    assert not answers_within(5, refuse)


def test_a_provider_that_is_there_is_not_fetched_and_half_a_download_does_not_count(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulumi_cli, "release_host_answers", lambda: False)
    environ = {"PULUMI_HOME": str(own_home)}
    assert not pulumi_cli.fetch_released_provider(Path("/none"), environ)
    folder = own_home / "plugins" / f"resource-kubernetes-v{provider_version()}"
    folder.mkdir(parents=True)
    (folder / "pulumi-resource-kubernetes").touch()
    assert pulumi_cli.fetch_released_provider(Path("/none"), environ)
    Path(f"{folder}.partial").touch()
    assert not has_released_provider(environ)
