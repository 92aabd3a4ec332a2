"""Which binaries the test cluster runs. Building them is shown by the tools' own tests."""

from pathlib import Path

import pytest

from tools.cluster import in_assets
from tools.errors import ToolsError
from tools.versions import load

GROUP = load().group("cluster")


def executable(path: Path) -> Path:
    path.touch(mode=0o755)
    return path


def test_the_group_holds_what_a_cluster_needs() -> None:
    assert [tool.binary for tool in GROUP] == [
        "etcd",
        "kwok",
        "kube-apiserver",
        "kube-controller-manager",
        "kube-scheduler",
    ]


def test_without_assets_all_is_built() -> None:
    assert in_assets(GROUP, {}) == {}
    assert in_assets(GROUP, {"KUBEBUILDER_ASSETS": ""}) == {}


def test_what_the_assets_hold_is_used_and_the_rest_is_built(tmp_path: Path) -> None:
    etcd, server = executable(tmp_path / "etcd"), executable(tmp_path / "kube-apiserver")
    executable(tmp_path / "kubectl")
    (tmp_path / "kwok").touch(mode=0o644)
    found = in_assets(GROUP, {"KUBEBUILDER_ASSETS": str(tmp_path)})
    assert found == {"etcd": etcd, "kube-apiserver": server}, "what cannot be executed is not there"


def test_assets_that_are_no_folder_are_refused_rather_than_built_in_silence(tmp_path: Path) -> None:
    with pytest.raises(ToolsError, match="which is no folder") as refused:
        in_assets(GROUP, {"KUBEBUILDER_ASSETS": str(tmp_path / "bin")})
    assert "or unset it" in str(refused.value)
