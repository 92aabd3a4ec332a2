"""The typed view of versions.toml."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder of the project: where Pulumi.yaml and the stack files are."""

Release = tuple[int, ...]


@dataclass(frozen=True)
class Tool:
    """One binary that can be built from a pinned Go module of tools/go."""

    name: str
    title: str
    version: str
    group: str
    module: str
    package: str
    binary: str
    ldflags: str
    minutes: int

    def linker_flags(self) -> str:
        return self.ldflags.format(version=self.version)


@dataclass(frozen=True)
class Versions:
    pulumi: str
    oldest_pulumi: str
    go_package: str
    go_version: str
    tools: tuple[Tool, ...]

    def tool(self, name: str) -> Tool:
        return next(tool for tool in self.tools if tool.name == name)

    def group(self, name: str) -> tuple[Tool, ...]:
        return tuple(tool for tool in self.tools if tool.group == name)


def load(root: Path = ROOT) -> Versions:
    content = tomllib.loads((root / "tools" / "versions.toml").read_text(encoding="utf-8"))
    return Versions(
        pulumi=content["pulumi"]["version"],
        oldest_pulumi=content["pulumi"]["oldest"],
        go_package=content["go"]["package"],
        go_version=content["go"]["version"],
        tools=tuple(Tool(**table) for table in content["tool"]),
    )


def release(text: str) -> Release | None:
    """The leading numbers of a version: `v3.274.1-dev.0` and `go1.26.8` give (3, 274, 1) and (1, 26, 8)."""
    found = re.match(r"\D{0,2}(\d+(?:\.\d+)*)", text.strip())
    return tuple(int(part) for part in found[1].split(".")) if found else None


def at_least(version: str, floor: str) -> bool:
    """Whether `version` is `floor` or newer; a text without numbers is not."""
    given, wanted = release(version), release(floor)
    return given is not None and wanted is not None and given >= wanted
