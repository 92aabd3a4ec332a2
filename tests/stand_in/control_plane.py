"""A real control plane on loopback ports: etcd, the API server, its controllers, the scheduler, and KWOK for nodes.

It is there within seconds and gone with whoever started it: after an exception, a signal, even SIGKILL.
"""

import csv
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import requests
import yaml

from tests.stand_in import flags
from tests.stand_in.client import ApiError, Client
from tests.stand_in.definitions import install_crds
from tests.stand_in.kubeconfig import Kubeconfig
from tests.stand_in.ports import Ports
from tests.stand_in.processes import Processes
from tools.cluster import ClusterBinaries

ADMIN = "stand-in"
"""Name of the context and the user that may do everything."""
PORTS = ("etcd", "etcd-peer", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok")
START_SECONDS = 60.0
"""Of each program. On two cores all of them together take six, and ten while other things run."""
ANSWER_SECONDS = 5.0


class ControlPlane:
    """Used by `with`. `folder` must be new or empty, and is removed at the end.

    `crds` are folders of CRDs, installed before the controllers start: so these know the kinds at once.
    `stages` are KWOK's files; each kind that a Stage names must be served.
    """

    def __init__(
        self,
        binaries: ClusterBinaries,
        folder: Path | None = None,
        *,
        stages: Sequence[Path] = (),
        crds: Sequence[Path] = (),
    ) -> None:
        self._binaries = binaries
        self._stages = stages
        self._crds = crds
        self.token = secrets.token_hex(16)
        self.folder = folder or Path(tempfile.gettempdir()) / f"kimi-k3-cluster-{secrets.token_hex(4)}"
        self.layout = flags.Layout(self.folder.absolute())
        self.context = ADMIN
        self._ports = Ports(*PORTS)
        # What follows is there once the cluster has started.
        self._processes: Processes
        self.client: Client
        self._kubeconfig: Kubeconfig

    @property
    def kubeconfig(self) -> Path:
        return self.layout.kubeconfig

    @property
    def ca_file(self) -> Path:
        return self.layout.certificate

    @property
    def logs(self) -> Path:
        """One file for each program; removed at the end, see `copy_logs`."""
        return self._processes.logs

    @property
    def url(self) -> str:
        return f"https://{self._ports['kube-apiserver'].address}"

    @property
    def kubelet_port(self) -> int:
        return self._ports["kwok"].number

    def __enter__(self) -> Self:
        self._processes = Processes(self.layout.folder)
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        self._processes.stop()
        self._ports.release()

    def add_context(
        self, name: str, token: str | None = None, *, server: str = "", namespace: str = ""
    ) -> str:
        """Adds a context to the kubeconfig, for the administrator unless a token is given, and gives its name."""
        self._kubeconfig.add(name, {"token": token or self.token}, server=server, namespace=namespace)
        return name

    def remove_context(self, name: str) -> None:
        self._kubeconfig.remove(name)

    def client_for(self, token: str) -> Client:
        return Client(self.url, token, self.ca_file)

    def run(self, name: str, command: Sequence[str], environ: Mapping[str, str] = os.environ) -> None:
        """Runs another program that ends with the cluster, logged beside the others."""
        self._processes.start(name, command, environ)

    def pids(self) -> dict[str, int]:
        return self._processes.pids()

    def ended(self) -> str | None:
        """Which program has ended though it should run, with the end of its log."""
        return self._processes.ended()

    def copy_logs(self, target: Path) -> Path:
        """Copies the logs so far to where they stay."""
        return Path(shutil.copytree(self.logs, target, dirs_exist_ok=True))

    def _start(self) -> None:
        self._write_tokens()
        self._start_and_wait(
            "etcd", flags.etcd, lambda: _answers(f"http://{self._ports['etcd'].address}/readyz")
        )
        self._start_and_wait("kube-apiserver", flags.api_server, self._api_is_ready)
        for folder in self._crds:
            install_crds(self.client, folder)
        self.layout.scheduler_config.write_text(yaml.safe_dump(flags.scheduler_config(self.layout)))
        self._command("kube-controller-manager", flags.controller_manager)
        self._command("kube-scheduler", flags.scheduler)
        self._ports["kwok"].release()  # it cannot share a port
        self.run("kwok", flags.kwok(self._binaries, self.layout, self._ports, self._stages))
        self._wait("kwok", lambda: self._is_healthy("kwok"))
        self._wait("kube-scheduler", lambda: self._is_healthy("kube-scheduler"))
        self._wait("kube-controller-manager", self._controllers_work)

    def _command(
        self, name: str, command: Callable[[ClusterBinaries, flags.Layout, Ports], list[str]]
    ) -> None:
        self.run(name, command(self._binaries, self.layout, self._ports))

    def _start_and_wait(
        self,
        name: str,
        command: Callable[[ClusterBinaries, flags.Layout, Ports], list[str]],
        ready: Callable[[], bool],
    ) -> None:
        self._command(name, command)
        self._wait(name, ready)

    def _wait(self, name: str, ready: Callable[[], bool]) -> None:
        self._processes.wait(name, ready, START_SECONDS)

    def _write_tokens(self) -> None:
        self.layout.tokens.touch(mode=0o600)
        with self.layout.tokens.open("w", newline="") as file:
            csv.writer(file).writerow([self.token, ADMIN, ADMIN, "system:masters"])

    def _api_is_ready(self) -> bool:
        if not self.layout.key.exists():  # the certificate is written first
            return False
        if not _answers(f"{self.url}/readyz", self.layout.certificate, self.token):
            return False
        self.client = self.client_for(self.token)
        self._kubeconfig = Kubeconfig(self.kubeconfig, self.url, self.ca_file)
        self._kubeconfig.add(ADMIN, {"token": self.token})
        Kubeconfig(self.layout.components_kubeconfig, self.url, self.ca_file).add(
            ADMIN, {"token": self.token}
        )
        return True

    def _is_healthy(self, name: str) -> bool:
        return _answers(f"https://{self._ports[name].address}/healthz", self.layout.certificate)

    def _controllers_work(self) -> bool:
        """Not only healthy: pods need the service account that one of the controllers makes."""
        try:
            return bool(self.client.find("v1/ServiceAccount", "default", "default"))
        except (ApiError, requests.RequestException):
            return False


def _answers(url: str, ca_file: Path | None = None, token: str = "") -> bool:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with requests.Session() as session:
        session.trust_env = False
        try:
            answer = session.get(
                url, headers=headers, verify=str(ca_file) if ca_file else True, timeout=ANSWER_SECONDS
            )
        except (requests.RequestException, OSError):
            return False
        return answer.ok
