"""Provides the Pulumi CLI and the Kubernetes provider, from the first of four sources that has them.

1. `pulumi` on PATH, if it is new enough
2. the per-user cache
3. the official release, where its host answers
4. built from pinned Go modules

`TOOLS=build` goes straight to what is built.
"""

import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools import pulumi_cli, versions
from tools.build import Builder
from tools.cache import Cache, cache_folder, digest
from tools.errors import ToolsError, say
from tools.shim import SHIM_FOLDER, write_language_host
from tools.toolchain import Source, Toolchain
from tools.versions import ROOT, Tool, Versions, at_least

__all__ = ["Doors", "Provider", "Source", "Toolchain", "provide"]


@dataclass(frozen=True)
class Doors:
    """Everything that reaches outside; a test puts stand-ins here."""

    on_path: Callable[[], tuple[Path, str] | None]
    host_answers: Callable[[], bool]
    install: Callable[[Path, str], None]
    fetch_provider: Callable[[Path], bool]
    find_built: Callable[[Tool], Path | None]
    build: Callable[[Tool], Path]


def provide(root: Path = ROOT, environ: Mapping[str, str] = os.environ, announce: bool = True) -> Toolchain:
    """The toolchain of the project in `root`. May take half an hour without Pulumi, and says so."""
    cache = Cache(cache_folder(environ))
    pinned = versions.load(root)
    builder = Builder(root, pinned, cache, environ)
    own = (cache.folder, root / SHIM_FOLDER)
    doors = Doors(
        on_path=lambda: pulumi_cli.pulumi_on_path(environ, own),
        host_answers=pulumi_cli.release_host_answers,
        install=pulumi_cli.install_official,
        fetch_provider=lambda pulumi: pulumi_cli.fetch_released_provider(pulumi, environ),
        find_built=builder.find,
        build=builder.build,
    )
    return Provider(root, pinned, cache, doors, announce).provide(environ.get("TOOLS", ""))


class Provider:
    def __init__(
        self, root: Path, pinned: Versions, cache: Cache, doors: Doors, announce: bool = True
    ) -> None:
        self._root = root
        self._pinned = pinned
        self._cache = cache
        self._doors = doors
        self._announce = announce
        self._why_not: list[str] = []

    def provide(self, wish: str = "") -> Toolchain:
        if wish not in ("", "build"):
            raise ToolsError(f"TOOLS={wish} is not known. Accepted: TOOLS=build, or leave TOOLS out.")
        if wish == "build":
            self._why_not.append("TOOLS=build")
            return self._built()
        return (
            self._from_path()
            or self._official_cached()
            or self._built_cached()
            or self._official()
            or self._built()
        )

    def _from_path(self) -> Toolchain | None:
        found = self._doors.on_path()
        if not found:
            self._why_not.append("no pulumi on PATH")
            return None
        pulumi, version = found
        if not at_least(version, self._pinned.oldest_pulumi):
            say(
                f"Tools: passing over {pulumi}: {version or 'it tells no version'}, "
                f"the oldest that works is {self._pinned.oldest_pulumi}."
            )
            self._why_not.append("the pulumi on PATH is too old")
            return None
        return self._with_provider(pulumi, Source.PATH, (), f"Pulumi {version} on PATH")

    def _official_key(self) -> str:
        platform = os.uname()
        return f"official-{self._pinned.pulumi}-{digest([platform.sysname, platform.machine])}"

    def _official_cached(self) -> Toolchain | None:
        entry = self._cache.find(self._official_key())
        return self._official_in(entry) if entry else None

    def _official(self) -> Toolchain | None:
        if not self._doors.host_answers():
            self._why_not.append("get.pulumi.com does not answer")
            return None
        say(f"Tools: installing the official Pulumi {self._pinned.pulumi} into the cache; usually a minute.")
        try:
            entry = self._cache.make(
                self._official_key(),
                "Pulumi CLI",
                lambda folder: self._doors.install(folder, self._pinned.pulumi),
            )
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            # The installer's text is its own; building works without it.
            self._why_not.append(f"the official installer failed ({type(error).__name__}: {error})")
            return None
        return self._official_in(entry)

    def _official_in(self, entry: Path) -> Toolchain:
        folder = entry / "bin"
        return self._with_provider(
            folder / "pulumi",
            Source.OFFICIAL,
            (folder,),
            f"official Pulumi {self._pinned.pulumi} from the cache",
        )

    def _with_provider(self, pulumi: Path, source: Source, path: tuple[Path, ...], words: str) -> Toolchain:
        """A released CLI fetches the released provider; only where it cannot, the provider is built."""
        if self._doors.fetch_provider(pulumi):
            self._nothing_to_build(words)
            return Toolchain(pulumi, path, source, provider_built=False)
        self._why_not.append("the released provider cannot be fetched")
        tool = self._pinned.tool("kubernetes-provider")
        self._say_what_is_built([tool], words)
        return Toolchain(pulumi, (*path, self._doors.build(tool).parent), source, provider_built=True)

    def _built_cached(self) -> Toolchain | None:
        return self._built() if self._doors.find_built(self._pinned.tool("pulumi")) else None

    def _built(self) -> Toolchain:
        self._say_what_is_built(
            self._pinned.group("engine"), f"Pulumi {self._pinned.pulumi}, built, from the cache"
        )
        pulumi = self._doors.build(self._pinned.tool("pulumi"))
        provider = self._doors.build(self._pinned.tool("kubernetes-provider"))
        shim = write_language_host(self._root)
        return Toolchain(pulumi, (shim, pulumi.parent, provider.parent), Source.BUILT, provider_built=True)

    def _say_what_is_built(self, tools: list[Tool] | tuple[Tool, ...], words: str) -> None:
        missing = [tool for tool in tools if not self._doors.find_built(tool)]
        if not missing:
            self._nothing_to_build(words)
            return
        titles = " and ".join(tool.title for tool in missing)
        minutes = sum(tool.minutes for tool in missing)
        say(
            f"Tools: {titles} must be built once, usually about {minutes} minutes; "
            f"reason: {', '.join(self._why_not)}."
        )

    def _nothing_to_build(self, words: str) -> None:
        if self._announce:
            say(f"Tools: {words}; nothing to build.")
