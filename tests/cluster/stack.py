"""A stack on the stand-in cluster: its settings, what the engine does with them, and what the server holds."""

import copy
import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from manifests import Manifest
from tests.project import Project
from tests.stand_in.client import Client
from tests.stand_in.control_plane import ControlPlane
from tests.stand_in.storage import add_volumes
from tests.stand_in.waits import wait_gone

Values = dict[str, Any]  # Any: whatever a stack file may hold
CANARY = "hf_CanaryValueThatNobodyMaySee"
GRAPH, DOMAIN = "DynamoGraphDeployment", "ComputeDomain"
# The four settings by which a stack uses what another one, or nobody, has made.
USES_WHAT_IS_THERE = {
    "namespace.create": False,
    "huggingFace.source": "existingSecret",
    "modelCache.create": False,
    "modelDownload.enabled": False,
}
SECONDS = 60  # "at once": the resources' own limits are far longer


@dataclass(frozen=True)
class Step:
    """One thing that the engine did: `update`, of the URN's last part, with the kind."""

    op: str
    name: str
    kind: str


@dataclass
class ClusterStack:
    project: Project
    cluster: ControlPlane
    name: str
    namespace: str
    target: str
    values: Values = field(default_factory=dict)

    @classmethod
    def create(
        cls, project: Project, cluster: ControlPlane, target: str, namespace: str, name: str
    ) -> "ClusterStack":
        """A stack with the published settings; nothing is deployed yet."""
        stack = cls(project, cluster, name, namespace or f"k-{uuid.uuid4().hex[:8]}", target)
        framework, gpu, topology = target.split("-")
        add_volumes(cluster.client, 1)
        stack.values = {
            "framework": framework,
            "gpu": gpu,
            "topology": topology,
            "namespace": {"name": stack.namespace},
            "modelCache": {"storageClassName": "shared-rwx"},
            "cluster": {"context": "stand-in"},
        }
        # All projects of a run have one passphrase: what the first stack has encrypted the others take over.
        stack.write(_SEALED[0] if _SEALED else None)
        project.init(name)
        if not _SEALED:
            stack.set_token(CANARY)
            _SEALED.append(_kept(stack.file))
        stack.knob(downloadSeconds="0.2")
        return stack

    @property
    def file(self) -> Path:
        return self.project.folder / f"Pulumi.{self.name}.yaml"

    @property
    def client(self) -> Client:
        return self.cluster.client

    @property
    def dgd(self) -> str:
        return f"kimi-k3-{self.values['framework']}-{self.values['gpu']}-{self.values['topology']}-agentic"

    def change(self, changes: Mapping[str, object]) -> None:
        """Changes settings by dotted path; None removes one. The token stays."""
        for path, value in changes.items():
            *groups, key = path.split(".")
            places = [self.values]
            for step in groups:
                places.append(places[-1].setdefault(step, {}))
            if value is not None:
                places[-1][key] = value
                continue
            places[-1].pop(key, None)
            for place, step in reversed(list(zip(places, groups, strict=False))):
                if place[step] == {}:  # a group without settings goes too
                    del place[step]
        self.write()

    def setting(self, paths: Iterable[str]) -> Values:
        """What the settings at these dotted paths are now, None for those that are not set: the way back."""
        found: Values = {}
        for path in paths:
            value: Any = self.values  # Any: whatever a stack file may hold
            for step in path.split("."):
                value = value.get(step) if isinstance(value, dict) else None
            found[path] = copy.deepcopy(value)
        return found

    def write(self, kept: "_Kept | None" = None) -> None:
        path = self.file
        kept = kept or _kept(path)
        self.project.write_stack(self.name, {k: v for k, v in self.values.items() if v != {}} | kept.token)
        path.write_text(path.read_text() + kept.salt)

    def set_token(self, token: str) -> None:
        self.project.demand("config", "set", "--secret", "kimi-k3:hfToken", "--stack", self.name, given=token)

    def up(self, *more: str) -> list[Step]:
        """Deploys; what the engine did, in order."""
        log = self.project.folder / f"events-{uuid.uuid4().hex}.json"
        self.project.up(self.name, "--event-log", str(log), *more)
        return steps_in(log)

    def fails(self, command: str = "up", *more: str) -> str:
        """What a command says that must fail. An `up` begins with its preview, as people run it."""
        yes = () if command == "preview" else ("--yes",)
        ran = self.project.pulumi(command, *yes, "--stack", self.name, *more)
        assert ran.returncode != 0, f"{command} must fail here:\n{ran.stdout}"
        return ran.stdout + ran.stderr

    def start_up(self) -> subprocess.Popen[str]:
        """`up` in the background, its output in a file, in a process group of its own."""
        command = [str(self.project.toolchain.pulumi), "up", "--yes", "--skip-preview", "--non-interactive"]
        with self.output.open("w") as output:
            return subprocess.Popen(
                [*command, "--stack", self.name],
                cwd=self.project.folder,
                env=self.project.variables(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )

    def ends(self, run: subprocess.Popen[str], seconds: float = SECONDS) -> str:
        """The output of a run that must succeed within a deadline far below the resources' own limits."""
        assert self.status(run, seconds) == 0, self.output.read_text()
        return self.output.read_text()

    def status(self, run: subprocess.Popen[str], seconds: float = SECONDS) -> int:
        try:
            return run.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            raise AssertionError(f"`up` goes on after {seconds} s:\n{self.output.read_text()}") from None

    @property
    def output(self) -> Path:
        return self.project.folder / f"{self.name}.out"

    def is_quiet(self) -> None:
        """Nothing would change, and nothing has drifted."""
        self.project.demand("preview", "--expect-no-changes", "--stack", self.name)

    def destroy(self) -> None:
        self.project.demand("destroy", "--yes", "--skip-preview", "--exclude-protected", "--stack", self.name)

    def operations(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command of `python -m operations`, run in the project."""
        return subprocess.run(
            [sys.executable, "-m", "operations", *arguments, "--stack", self.name],
            cwd=self.project.folder,
            env=self.project.variables(),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def knob(self, **knobs: str) -> None:
        """Turns the stand-in's knobs for this namespace, which need not be there yet."""
        config: Manifest = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": self.namespace, "namespace": "stand-in"},
            "data": knobs,
        }
        self.client.apply(config, force=True)

    def state(self) -> list[Values]:
        """The resources of the stack's state."""
        exported = json.loads(self.project.demand("stack", "export", "--stack", self.name))
        return list(exported["deployment"].get("resources", []))

    def urn(self, kind: str) -> str:
        """The URN of the stack's one resource of a kind."""
        (found,) = [r["urn"] for r in self.state() if r["type"].rsplit(":", 1)[-1] == kind]
        return str(found)

    def find(self, kind: str, name: str) -> Manifest | None:
        return self.client.find(kind, name, "" if kind == "Namespace" else self.namespace)

    def uid(self, kind: str, name: str) -> str:
        found = self.find(kind, name)
        assert found, f"{kind} {name} is not there"
        return str(found["metadata"]["uid"])

    def left(self) -> set[tuple[str, str]]:
        """What of the stack's kinds is on the server, but for the namespace's own things."""
        kinds = (
            "Secret",
            "PersistentVolumeClaim",
            "Job",
            DOMAIN,
            GRAPH,
            "ConfigMap",
            "Pod",
            "ResourceClaimTemplate",
        )
        found = {
            (kind, item["metadata"]["name"])
            for kind in kinds
            for item in self.client.items(kind, self.namespace)
        }
        return found - {("ConfigMap", "kube-root-ca.crt")}

    def clean_up(self) -> None:
        """Frees the GPUs and lets the namespace go; what a test left protected included."""
        self.knob(finalizers="remove")
        for kind in (GRAPH, DOMAIN):
            for item in self.client.items(kind, self.namespace):
                self.client.delete(kind, item["metadata"]["name"], self.namespace, missing_ok=True)
                wait_gone(self.client, kind, item["metadata"]["name"], self.namespace)
        self.client.delete("Namespace", self.namespace, missing_ok=True)
        self.client.delete("ConfigMap", self.namespace, "stand-in", missing_ok=True)


@dataclass(frozen=True)
class _Kept:
    token: Values
    salt: str


_SEALED: list[_Kept] = []


def _kept(path: Path) -> _Kept:
    """The encrypted token and the salt of a stack file that is written again."""
    if not path.exists():
        return _Kept({}, "")
    document = yaml.safe_load(path.read_text())
    token = document["config"].get("kimi-k3:hfToken")
    salt = document.get("encryptionsalt")
    return _Kept({"hfToken": token} if token else {}, f"encryptionsalt: {salt}\n" if salt else "")


def steps_in(log: Path) -> list[Step]:
    """The steps that were carried out, in the order in which they ended.

    Left out: `same`, components, and `replace`, the engine's mark between a deletion and a creation.
    """
    found = []
    for line in log.read_text().splitlines():
        event = json.loads(line).get("resOutputsEvent")
        if event:
            data = event["metadata"]
            kind = data["type"].rsplit(":", 1)[-1]
            if data["op"] not in ("same", "replace") and data["type"].startswith("kubernetes:"):
                found.append(Step(data["op"], data["urn"].rsplit("::", 1)[-1], kind))
    return found
