"""A stack on nodes of its own, and preflight run on it, without an engine."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from manifests import Manifest
from operations.cli import app
from tests.stand_in.control_plane import ControlPlane
from tests.stand_in.nodes import MACHINES, Machine, add_nodes
from tests.stand_in.platform import resource_slice

Values = dict[str, Any]  # Any: whatever a stack file may hold
POOL = "example.com/pool"
PRODUCT = "nvidia.com/gpu.product"


@dataclass(frozen=True)
class Ran:
    code: int
    results: list[dict[str, str]]
    output: str
    errors: str

    def problems(self) -> list[tuple[str, str, str, str, str]]:
        """Everything that is not PASS: group, check, verdict, what was found and what to do."""
        return [
            (each["group"], each["name"], each["verdict"], each["found"], each["remedy"])
            for each in self.results
            if each["verdict"] != "PASS"
        ]


class Room:
    """`values` are the stack's settings; its workers go only to nodes that `add` has made."""

    def __init__(self, cluster: ControlPlane, folder: Path, target: str = "vllm-gb200-agg") -> None:
        self.cluster, self.folder, self.client = cluster, folder, cluster.client
        self.name = f"p{uuid.uuid4().hex[:8]}"
        self.namespace = f"k-{self.name}"
        self.nodes: list[str] = []
        framework, gpu, topology = target.split("-")
        self.product = MACHINES[gpu].product
        self.values: Values = {
            "framework": framework,
            "gpu": gpu,
            "topology": topology,
            "namespace": {"name": self.namespace},
            "modelCache": {"storageClassName": "shared-rwx"},
            "placement": {"workers": {"nodeSelector": {POOL: self.name, PRODUCT: self.product}}},
            "cluster": {"context": cluster.context, "kubeconfig": str(cluster.kubeconfig)},
        }

    @property
    def dgd(self) -> str:
        return f"kimi-k3-{self.values['framework']}-{self.values['gpu']}-{self.values['topology']}-agentic"

    def add(self, machine: Machine, number: int, prefix: str) -> list[str]:
        """Nodes for this stack alone."""
        made = add_nodes(self.client, machine, number, f"{prefix}-{self.name}", self.cluster.kubelet_port)
        for name in made:
            self.label(name, {POOL: self.name})
        self.nodes += made
        return made

    def remove(self, nodes: list[str]) -> None:
        for name in nodes:
            self.nodes.remove(name)
            self.client.delete("Node", name, missing_ok=True)
            self.client.delete("ResourceSlice", resource_slice(name)["metadata"]["name"], missing_ok=True)

    def label(self, node: str, labels: Mapping[str, str | None]) -> None:
        self.client.patch("Node", node, {"metadata": {"labels": dict(labels)}})

    def run(self, *options: str, changes: Mapping[str, object] | None = None) -> Ran:
        """Preflight in this process, with changes laid over the settings by dotted path."""
        changed = json.loads(json.dumps(self.values))
        for path, value in (changes or {}).items():
            *groups, key = path.split(".")
            place = changed
            for group in groups:
                place = place.setdefault(group, {})
            place[key] = value
        document = {"config": {f"kimi-k3:{key}": value for key, value in changed.items()}}
        (self.folder / f"Pulumi.{self.name}.yaml").write_text(yaml.safe_dump(document))
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            asked = ["preflight", "--stack", self.name, *options]
            ran = CliRunner().invoke(app, asked, catch_exceptions=False)
        found = json.loads(ran.stdout)["checks"] if "--json" in options and ran.stdout.startswith("{") else []
        return Ran(ran.exit_code, found, ran.stdout, ran.stderr)

    def pod(self, node: str, **requests: str) -> Manifest:
        """Somebody else's pod that runs on a node."""
        names = {"gpu": "nvidia.com/gpu", "disk": "ephemeral-storage"}
        asked = {names.get(name, name): value for name, value in requests.items()}
        limits = {name: value for name, value in asked.items() if name == "nvidia.com/gpu"}
        container = {
            "name": "main",
            "image": "example.com/x:1",
            "resources": {"requests": asked, "limits": limits},
        }
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"busy-{node}", "namespace": "default"},
            "spec": {"nodeName": node, "containers": [container]},
        }

    def clean_up(self) -> None:
        self.client.delete("Namespace", self.namespace, missing_ok=True)
        self.remove([*self.nodes])
