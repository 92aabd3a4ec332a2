"""What a stack changes about the published pods, before a real API server."""

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings

from manifests import Manifest, stack_manifests
from settings import load_settings
from tests.cluster.change_table import OVERRIDES
from tests.cluster.stack import ClusterStack
from tests.random_settings import Values, stacks
from tests.stand_in.control_plane import ControlPlane
from tests.stand_in.waits import wait_for

NAMESPACE = "dry-run"


def test_a_strict_server_takes_200_random_stacks_and_their_pods(cluster: ControlPlane) -> None:
    client = cluster.client
    client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    wait_for(client, "ServiceAccount", "default", NAMESPACE, lambda found: True)

    @settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(stacks(NAMESPACE))
    def taken(stack: tuple[str, Values]) -> None:
        for manifest in stack_manifests(load_settings(stack[1], "prod")):
            client.apply(manifest, dry_run=True)
            for pod in _pods(manifest):
                client.create(pod, dry_run=True)

    taken()
    client.delete("Namespace", NAMESPACE)


def _pods(manifest: Manifest) -> list[Manifest]:
    """A graph's pod templates as pods: the graph's own definition knows fewer rules than a pod's."""
    pods = []
    for component in manifest.get("spec", {}).get("components", []):
        template = component["podTemplate"]
        name = {"name": component["name"].lower(), "namespace": NAMESPACE}
        metadata = {**template.get("metadata", {}), **name}
        pods.append({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]})
    return pods


def test_a_stack_with_every_change_at_once_settles_and_stays_quiet(
    make_stack: Callable[..., ClusterStack],
) -> None:
    """Fields that the server writes otherwise than we do would show as a change after every refresh."""
    stack = make_stack("vllm-gb200-agg")
    for row in OVERRIDES:
        if row.target == "vllm-gb200-agg" and "nodeCount" not in row.setting:
            stack.change(row.changes)
    stack.up()
    stack.is_quiet()
