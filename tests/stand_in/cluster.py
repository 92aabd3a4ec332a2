"""The whole stand-in: control plane, CRDs, operator, nodes and storage. Tests and `make cluster` use the same."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.stand_in.control_plane import ControlPlane
from tests.stand_in.definitions import FOLDER as OWN_CRDS
from tests.stand_in.nodes import MACHINES, add_nodes
from tests.stand_in.platform import add_platform
from tests.stand_in.storage import add_storage
from tools.cluster import ClusterBinaries
from tools.versions import ROOT

GROVE = Path(__file__).with_name("grove")
STAGES = tuple(sorted(Path(__file__).with_name("stages").glob("*.yaml")))
VOLUMES = 4


@contextmanager
def stand_in_cluster(
    binaries: ClusterBinaries,
    folder: Path | None = None,
    *,
    nodes: Mapping[str, int],
    crd_folder: Path = OWN_CRDS,
) -> Iterator[ControlPlane]:
    """`nodes` is how many of each of MACHINES, besides one for frontends and downloads: {"gb200": 4}."""
    with ControlPlane(binaries, folder, stages=STAGES, crds=[crd_folder, GROVE]) as cluster:
        start_operator(cluster)
        for machine, number in {"cpu": 1, **nodes}.items():
            add_nodes(cluster.client, MACHINES[machine], number, machine, cluster.kubelet_port)
        add_storage(cluster.client, VOLUMES)
        add_platform(cluster.client)
        yield cluster


def start_operator(cluster: ControlPlane) -> None:
    command = [sys.executable, "-m", "tests.stand_in.operator"]
    command += ["--kubeconfig", str(cluster.layout.components_kubeconfig)]
    cluster.run("operator", command, {**os.environ, "PYTHONPATH": str(ROOT)})
