"""How the programs of the control plane are called: pure functions from where things are to command lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.stand_in.ports import LOOPBACK, Ports
from tools.cluster import ClusterBinaries

# What the loops do for a deployment: jobs and their pods, namespaces, claims, quotas, services and their ends.
# Without signers, autoscalers, daemon and stateful sets, which would only use memory.
CONTROLLERS = (
    "deployment-controller",
    "endpointslice-controller",
    "garbage-collector-controller",
    "job-controller",
    "namespace-controller",
    "node-lifecycle-controller",
    "persistentvolume-binder-controller",
    "persistentvolume-expander-controller",
    "persistentvolume-protection-controller",
    "persistentvolumeclaim-protection-controller",
    "pod-garbage-collector-controller",
    "replicaset-controller",
    "resourceclaim-controller",
    "resourcequota-controller",
    "root-ca-certificate-publisher-controller",
    "serviceaccount-controller",
    "taint-eviction-controller",
    "ttl-after-finished-controller",
)

NODE_STAGES = Path(__file__).with_name("nodes.yaml")
NODE_ANNOTATION = ("kwok.x-k8s.io/node", "fake")
"""KWOK plays the kubelet of the nodes that have it."""


@dataclass(frozen=True)
class Layout:
    """Where the files of a control plane are."""

    folder: Path

    @property
    def kubeconfig(self) -> Path:
        return self.folder / "kubeconfig"

    @property
    def components_kubeconfig(self) -> Path:
        """For the components: what tests do to the other one does not reach them."""
        return self.folder / "components.kubeconfig"

    @property
    def etcd_data(self) -> Path:
        return self.folder / "etcd"

    @property
    def tokens(self) -> Path:
        return self.folder / "tokens.csv"

    @property
    def scheduler_config(self) -> Path:
        return self.folder / "scheduler.yaml"

    @property
    def certificates(self) -> Path:
        return self.folder / "certificates"

    @property
    def certificate(self) -> Path:
        """Made by the API server, with the CA that signed it. It serves the other components, too."""
        return self.certificates / "apiserver.crt"

    @property
    def key(self) -> Path:
        """It also signs the tokens of service accounts: what one key proves here, the other would."""
        return self.certificates / "apiserver.key"


def etcd(binaries: ClusterBinaries, layout: Layout, ports: Ports) -> list[str]:
    client, peer = f"http://{ports['etcd'].address}", f"http://{ports['etcd-peer'].address}"
    return [
        str(binaries.etcd),
        "--name=stand-in",
        f"--data-dir={layout.etcd_data}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=stand-in={peer}",
        "--socket-reuse-port",
        "--unsafe-no-fsync",  # what a crash could lose is thrown away anyway
        "--log-level=warn",
    ]


def api_server(binaries: ClusterBinaries, layout: Layout, ports: Ports) -> list[str]:
    return [
        str(binaries.kube_apiserver),
        f"--etcd-servers=http://{ports['etcd'].address}",
        *_served(ports, "kube-apiserver"),
        f"--advertise-address={LOOPBACK}",
        "--endpoint-reconciler-type=none",  # a loopback address is no endpoint for the Service `kubernetes`
        f"--cert-dir={layout.certificates}",
        "--service-cluster-ip-range=10.0.0.0/16",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={layout.key}",
        f"--service-account-signing-key-file={layout.key}",
        f"--token-auth-file={layout.tokens}",
        "--authorization-mode=RBAC",
        "--kubelet-preferred-address-types=InternalIP",  # names of nodes are known to no resolver
    ]


def controller_manager(binaries: ClusterBinaries, layout: Layout, ports: Ports) -> list[str]:
    return [
        str(binaries.kube_controller_manager),
        f"--kubeconfig={layout.components_kubeconfig}",
        *_served(ports, "kube-controller-manager"),
        *_certified(layout),
        "--leader-elect=false",
        f"--controllers={','.join(CONTROLLERS)}",
        f"--service-account-private-key-file={layout.key}",
        f"--root-ca-file={layout.certificate}",
        "--pvclaimbinder-sync-period=1s",
        # A busy machine delays heartbeats; no node of a test is lost by that.
        "--node-monitor-grace-period=1h",
        "--kube-api-qps=200",
        "--kube-api-burst=400",
    ]


def scheduler(binaries: ClusterBinaries, layout: Layout, ports: Ports) -> list[str]:
    return [
        str(binaries.kube_scheduler),
        f"--config={layout.scheduler_config}",
        *_served(ports, "kube-scheduler"),
        *_certified(layout),
    ]


def scheduler_config(layout: Layout) -> dict[str, object]:
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "clientConnection": {"kubeconfig": str(layout.components_kubeconfig), "qps": 200, "burst": 400},
        "leaderElection": {"leaderElect": False},
        "podInitialBackoffSeconds": 1,
        "podMaxBackoffSeconds": 2,  # a pod that found no room is tried again while a test still waits
    }


def kwok(binaries: ClusterBinaries, layout: Layout, ports: Ports, stages: Sequence[Path]) -> list[str]:
    return [
        str(binaries.kwok),
        f"--kubeconfig={layout.components_kubeconfig}",
        f"--manage-nodes-with-annotation-selector={'='.join(NODE_ANNOTATION)}",
        f"--server-address={ports['kwok'].address}",
        f"--node-ip={LOOPBACK}",
        f"--node-port={ports['kwok'].number}",
        *_certified(layout),
        *(f"--config={file}" for file in (NODE_STAGES, *stages)),
    ]


def _served(ports: Ports, name: str) -> list[str]:
    # Ports are held by us until the end: sharing is what lets the server take its own.
    return [f"--bind-address={LOOPBACK}", f"--secure-port={ports[name].number}", "--permit-port-sharing"]


def _certified(layout: Layout) -> list[str]:
    return [f"--tls-cert-file={layout.certificate}", f"--tls-private-key-file={layout.key}"]
