"""A copy of the program in a folder of its own, run by the real CLI with its own state, home and stack files."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tools.provide import Toolchain
from tools.versions import ROOT

PROGRAM = (
    "__main__.py",
    "Pulumi.yaml",
    "recipes",
    "settings",
    "manifests",
    "components",
    "stacks",
    "operations",
    "tools",
)
DEFAULT_PROVIDERS = {"pulumi:disable-default-providers": ["kubernetes"]}
# What a user's shell may hold and a test must not see.
FOREIGN = ("PULUMI_", "KUBE", "AWS_", "HF_", "XDG_", "TOOLS")


@dataclass
class Project:
    """`environ` overrides single variables of the quiet environment that every test starts from."""

    folder: Path
    toolchain: Toolchain
    environ: dict[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        for name in PROGRAM:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, self.folder / name)  # compiled files too: they stay valid
            else:
                shutil.copy(source, self.folder / name)
        (self.folder / ".venv").symlink_to(ROOT / ".venv")
        for made in (self.home, self.state):
            made.mkdir()

    @property
    def home(self) -> Path:
        return self.folder / ".home"

    @property
    def state(self) -> Path:
        return self.folder / ".state"

    def write_stack(
        self, name: str, config: Mapping[str, Any]
    ) -> None:  # Any: whatever a stack file may hold
        """A stack file; keys get the namespace `kimi-k3:` unless they name one."""
        keys = {key if ":" in key else f"kimi-k3:{key}": value for key, value in config.items()}
        path = self.folder / f"Pulumi.{name}.yaml"
        path.write_text(yaml.safe_dump({"config": DEFAULT_PROVIDERS | keys}, sort_keys=False))

    def variables(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(FOREIGN)}
        chosen = {
            "HOME": str(self.home),
            "PULUMI_HOME": str(self.home / "pulumi"),
            "PULUMI_BACKEND_URL": f"file://{self.state}",
            "PULUMI_CONFIG_PASSPHRASE": "a passphrase of the test",
            "KUBECONFIG": str(self.folder / "no-kubeconfig"),
        }
        ready = {**kept, **chosen, **self.environ}
        return {**ready, **self.toolchain.variables(ready)}

    def pulumi(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.toolchain.pulumi), *arguments, "--non-interactive"],
            cwd=self.folder,
            env=self.variables(),
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def demand(self, *arguments: str, given: str = "") -> str:
        """`pulumi` for what must work; its stdout. The output of a failure stands in the assertion."""
        ran = self.pulumi(*arguments, given=given)
        assert ran.returncode == 0, f"pulumi {' '.join(arguments)} failed:\n{ran.stdout}\n{ran.stderr}"
        return ran.stdout

    def init(self, stack: str) -> None:
        self.demand("stack", "init", stack)

    def up(self, stack: str, *more: str) -> str:
        return self.demand("up", "--yes", "--skip-preview", "--stack", stack, *more)

    def files(self, directory: str) -> list[Path]:
        return sorted(path for path in (self.folder / directory).rglob("*") if path.is_file())

    def everything_written(self) -> str:
        """All text that the project's folder holds, state and logs included, for a search."""
        return "\n".join(
            path.read_text(errors="replace")
            for path in self.folder.rglob("*")
            if path.is_file() and ".venv" not in path.parts
        )
