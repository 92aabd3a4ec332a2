"""How the programs are called and reached. Whether they then work is shown by the tests of the cluster tier."""

import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.stand_in import flags
from tests.stand_in.__main__ import wish_of
from tests.stand_in.client import warnings_in
from tests.stand_in.control_plane import PORTS
from tests.stand_in.definitions import FOLDER
from tests.stand_in.flags import Layout
from tests.stand_in.kubeconfig import Kubeconfig
from tests.stand_in.nodes import MACHINES, node
from tests.stand_in.ports import Port, Ports
from tools.cluster import ClusterBinaries
from tools.errors import ToolsError

BINARIES = ClusterBinaries(*map(Path, ("etcd", "kwok", "apiserver", "manager", "scheduler")))
LAYOUT = Layout(Path("/run"))


@pytest.fixture
def ports() -> Iterator[Ports]:
    held = Ports(*PORTS)
    yield held
    held.release()


def commands(ports: Ports) -> list[list[str]]:
    return [
        *(make(BINARIES, LAYOUT, ports) for make in (flags.etcd, flags.api_server)),
        *(make(BINARIES, LAYOUT, ports) for make in (flags.controller_manager, flags.scheduler)),
        flags.kwok(BINARIES, LAYOUT, ports, [Path("/stages/pods.yaml")]),
    ]


def test_nothing_listens_beyond_this_machine(ports: Ports) -> None:
    listening = [
        flag for command in commands(ports) for flag in command if re.match(r"--(bind|server|listen)", flag)
    ]
    assert len(listening) == 6
    assert not [flag for flag in listening if "127.0.0.1" not in flag]


def test_nothing_is_written_outside_the_folder_of_the_cluster(ports: Ports) -> None:
    paths = [flag.split("=")[1] for command in commands(ports) for flag in command if re.search(r"=/", flag)]
    assert paths
    assert not [p for p in paths if not p.startswith(("/run/", "/stages/", str(flags.NODE_STAGES)))]


def test_every_port_is_another_one(ports: Ports) -> None:
    assert len({ports[name].number for name in PORTS} | {Port().number}) == len(PORTS) + 1


def test_kwok_plays_nodes_whatever_stages_are_given(ports: Ports) -> None:
    configs = [flag for flag in commands(ports)[-1] if flag.startswith("--config")]
    assert configs == [f"--config={flags.NODE_STAGES}", "--config=/stages/pods.yaml"]


def test_a_kubeconfig_holds_each_context_and_the_first_is_current(tmp_path: Path) -> None:
    config = Kubeconfig(tmp_path / "kubeconfig", "https://127.0.0.1:6", Path("/run/ca"))
    config.add("admin", {"token": "a"})
    config.add("limited", {"token": "b"}, namespace="n")
    config.add("nowhere", {"token": "a"}, server="https://127.0.0.1:1")
    config.remove("nowhere")
    assert stat.S_IMODE(config.path.stat().st_mode) == 0o600, "it holds a token that may do everything"
    assert yaml.safe_load(config.path.read_text()) == {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "admin",
        "clusters": [
            {"name": name, "cluster": {"server": "https://127.0.0.1:6", "certificate-authority": "/run/ca"}}
            for name in ("admin", "limited")
        ],
        "users": [{"name": "admin", "user": {"token": "a"}}, {"name": "limited", "user": {"token": "b"}}],
        "contexts": [
            {"name": "admin", "context": {"cluster": "admin", "user": "admin"}},
            {"name": "limited", "context": {"cluster": "limited", "user": "limited", "namespace": "n"}},
        ],
    }


def test_only_nodes_of_an_nvlink_system_have_a_clique() -> None:
    labels = {name: node(machine, "n", 1)["metadata"]["labels"] for name, machine in MACHINES.items()}
    assert {name for name in labels if "nvidia.com/gpu.clique" in labels[name]} == {"gb200", "gb300"}
    assert labels["h200"]["nvidia.com/gpu.product"] == "NVIDIA-H200"
    assert "nvidia.com/gpu" not in node(MACHINES["cpu"], "n", 1)["status"]["allocatable"]


def test_several_warnings_of_one_answer_are_told_apart() -> None:
    header = r'299 - "unknown field \"spec.a\", really", 299 kube "second"'
    assert warnings_in(header) == ['unknown field "spec.a", really', "second"]
    assert warnings_in("") == []


REFUSED = [
    (("h100", "4", ""), "GPU=h100 is not known. Accepted: h200, gb200, gb300."),
    (("cpu", "4", ""), "GPU=cpu is not known."),
    (("gb200", "0", ""), "NODES=0 is not accepted. Accepted: 1 to 200."),
    (("gb200", "²", ""), "NODES=² is not accepted."),
    (
        ("gb200", "4", "/nowhere"),
        "CRD_DIR=/nowhere is not accepted: /nowhere holds no YAML file with a Custom",
    ),
]


@pytest.mark.parametrize(("given", "words"), REFUSED)
def test_a_wish_that_cannot_be_met_is_refused_before_anything_starts(
    given: tuple[str, str, str], words: str
) -> None:
    with pytest.raises(ToolsError) as refused:
        wish_of(*given)
    assert str(refused.value).startswith(words)


def test_without_other_crds_the_projects_own_are_installed() -> None:
    assert wish_of("gb200", "4", "").crd_folder == FOLDER
