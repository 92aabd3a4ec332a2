"""Provides the binaries of the test cluster: ready-made ones of KUBEBUILDER_ASSETS, else built into the cache."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools import versions
from tools.build import Builder
from tools.cache import Cache, cache_folder
from tools.errors import ToolsError, say
from tools.versions import ROOT, Tool

ASSETS = "KUBEBUILDER_ASSETS"
"""The usual variable for a folder with etcd, kube-apiserver and their like."""


@dataclass(frozen=True)
class ClusterBinaries:
    etcd: Path
    kwok: Path
    kube_apiserver: Path
    kube_controller_manager: Path
    kube_scheduler: Path


def provide_cluster(
    root: Path = ROOT, environ: Mapping[str, str] = os.environ, announce: bool = True
) -> ClusterBinaries:
    """The five binaries. May take twenty minutes the first time, and says so."""
    pinned = versions.load(root)
    builder = Builder(root, pinned, Cache(cache_folder(environ)), environ)
    ready_made = in_assets(pinned.group("cluster"), environ)
    wanted = [tool for tool in pinned.group("cluster") if tool.name not in ready_made]
    _say_what_is_built(wanted, ready_made, builder.find, announce)
    built = {tool.name: builder.build(tool) for tool in wanted}
    return ClusterBinaries(**{_field(name): path for name, path in (ready_made | built).items()})


def in_assets(tools: tuple[Tool, ...], environ: Mapping[str, str]) -> dict[str, Path]:
    """By tool name, what KUBEBUILDER_ASSETS holds of `tools`; none where it is not set."""
    given = environ.get(ASSETS)
    if not given:
        return {}
    folder = Path(given).expanduser().absolute()
    if not folder.is_dir():
        raise ToolsError(
            f"{ASSETS} is {given}, which is no folder.\n"
            "Set it to a folder with etcd, kube-apiserver, kube-controller-manager and kube-scheduler "
            "(what is missing there is built), or unset it."
        )
    return {tool.name: folder / tool.binary for tool in tools if os.access(folder / tool.binary, os.X_OK)}


def _say_what_is_built(
    wanted: list[Tool], ready_made: dict[str, Path], find: Callable[[Tool], Path | None], announce: bool
) -> None:
    used = f"{', '.join(ready_made)} of {ASSETS}; " if ready_made else ""
    missing = [tool for tool in wanted if not find(tool)]
    if missing:
        minutes = sum(tool.minutes for tool in missing)
        say(
            f"Test cluster: {used}{', '.join(tool.title for tool in missing)} must be built once, "
            f"usually about {minutes} minutes."
        )
    elif announce:
        say(f"Test cluster: {used}{'the rest' if used and wanted else 'all'} there; nothing to build.")


def _field(name: str) -> str:
    return name.replace("-", "_")
