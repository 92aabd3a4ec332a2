"""Nothing here reaches a network, the user's home or a real Pulumi: those are stand-ins, or are not there."""

import shutil
from pathlib import Path

import pytest

from tests.unit.tools.stand_in import StandIn
from tools.pulumi_cli import provider_version
from tools.versions import ROOT


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("home")
    dropped = (
        "PULUMI_BACKEND_URL",
        "PULUMI_ACCESS_TOKEN",
        "PULUMI_CREDENTIALS_PATH",
        "KIMI_K3_CACHE",
        "TOOLS",
        "YES",
        "SKIP_PREFLIGHT",
    )
    for name in (*dropped, "PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PULUMI_HOME", str(home / ".pulumi"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    return home


@pytest.fixture
def pulumi(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """On PATH, with its provider there, so that nothing is fetched or built."""
    plugin = own_home / ".pulumi" / "plugins" / f"resource-kubernetes-v{provider_version()}"
    plugin.mkdir(parents=True)
    (plugin / "pulumi-resource-kubernetes").touch()
    stand_in = StandIn(tmp_path / "pulumi")
    monkeypatch.setenv("PATH", f"{stand_in.folder}:/usr/bin:/bin")
    return stand_in


OPERATIONS = """
import os, sys
from pathlib import Path

with Path("asked").open("a") as asked:
    asked.write(" ".join(sys.argv[1:]) + f" {os.environ.get('KUBECONFIG', '')}\\n")
sys.exit(int(os.environ.get("PREFLIGHT_ENDS_WITH", 0)))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a rendering stack, `dev`, and one that touches a cluster, `prod`.

    Its `operations` writes what it is asked for into `asked`, and ends as PREFLIGHT_ENDS_WITH says.
    """
    root = tmp_path / "project"
    (root / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "versions.toml", root / "tools")
    (root / "tools" / "go").symlink_to(ROOT / "tools" / "go")
    (root / "operations").mkdir()
    (root / "operations" / "__main__.py").write_text(OPERATIONS)
    (root / "Pulumi.yaml").write_text("name: kimi-k3\nruntime: python\n")
    (root / "Pulumi.dev.yaml").write_text("config:\n  kimi-k3:render: {}\n")
    (root / "Pulumi.prod.yaml").write_text("config:\n  kimi-k3:cluster:\n    context: gpu-cluster\n")
    return root
