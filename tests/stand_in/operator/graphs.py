"""Brings the objects of a DynamoGraphDeployment to what its spec asks for."""

import logging
from collections.abc import Mapping

from tests.stand_in.operator.api import ApiError
from tests.stand_in.operator.cluster import GRAPHS, PODS, SERVICES, Cluster, path
from tests.stand_in.operator.knobs import Knobs
from tests.stand_in.operator.marks import (
    COMPONENT,
    GATE,
    GRAPH_ANNOTATIONS,
    GRAPH_FINALIZER,
    GRAPH_NAME,
    PODS_GENERATION,
    PODS_MESSAGE,
    PODS_REASON,
    PODS_RESTART,
    SLOT,
    UNPULLABLE,
    Manifest,
    annotations,
    finalizers,
    key_of,
    labels,
    leaving,
)
from tests.stand_in.operator.marks import PODS as PODS_TOLD
from tests.stand_in.operator.pods import frontend_services, pods_of, restart_id
from tests.stand_in.operator.verdict import Verdict, verdict

log = logging.getLogger(__name__)


class Graphs:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._api = cluster.api
        self._served: set[str] = set()  # UIDs of graphs whose Services were made

    def reconcile(self, namespace: str, name: str) -> bool:
        """False where the API server has refused something that may be taken later."""
        graph = self._cluster.graphs.get(namespace, name)
        if graph is None:
            return True
        there = [pod for pod in self._cluster.pods.all(namespace) if labels(pod).get(GRAPH_NAME) == name]
        knobs = self._cluster.knobs(namespace, graph)
        if leaving(graph):
            self._remove(graph, there, knobs)
            return True
        graph = self._with_defaults(graph)
        refused = self._serve(graph)
        there = self._replace(graph, there, refused, knobs)
        if knobs.graph != "stale":
            self._tell(graph, verdict(pods_of(graph), there, refused, knobs))
        return not refused

    def _with_defaults(self, graph: Manifest) -> Manifest:
        """What the webhook and the operator add, by server-side apply: it owns these fields and touches no other."""
        components = graph["spec"]["components"]
        if (
            GRAPH_FINALIZER in finalizers(graph)
            and annotations(graph).items() >= GRAPH_ANNOTATIONS.items()
            and all("minAvailable" in component for component in components)
        ):
            return graph
        namespace, name = key_of(graph)
        body = {
            "apiVersion": graph["apiVersion"],
            "kind": graph["kind"],
            "metadata": {"name": name, "annotations": GRAPH_ANNOTATIONS, "finalizers": [GRAPH_FINALIZER]},
            "spec": {
                "components": [
                    {"name": one["name"], "minAvailable": one.get("minAvailable", 1)} for one in components
                ]
            },
        }
        return self._api.apply(path(GRAPHS, namespace, name), body)

    def _serve(self, graph: Manifest) -> dict[str, str]:
        """Why a Service was refused, by component."""
        if graph["metadata"]["uid"] in self._served:
            return {}
        refused: dict[str, str] = {}
        for service in frontend_services(graph):
            try:
                self._api.create(path(SERVICES, key_of(graph)[0]), service)
            except ApiError as error:
                if not error.expected:
                    refused[labels(service)[COMPONENT]] = error.message
        if not refused:
            self._served.add(graph["metadata"]["uid"])
        return refused

    def _replace(
        self, graph: Manifest, there: list[Manifest], refused: dict[str, str], knobs: Knobs
    ) -> list[Manifest]:
        """The pods that exist after those that are not wanted were deleted and those that lack were made."""
        wanted = {pod["metadata"]["name"]: pod for pod in pods_of(graph)}
        for pod in there:
            if pod["metadata"]["name"] not in wanted and not leaving(pod):
                self._delete(pod)
        names = {pod["metadata"]["name"] for pod in there}
        taken = {labels(pod)[SLOT] for pod in there}  # a node's GPUs are free once the old pod is gone
        made = []
        for name, pod in wanted.items():
            if (
                name not in names
                and labels(pod)[SLOT] not in taken
                and (created := self._create(pod, refused))
            ):
                made.append(created)
        there = [*there, *made]
        if wanted.keys() <= {pod["metadata"]["name"] for pod in there}:
            there = [self._release(pod, knobs) for pod in there]
        return there

    def _create(self, pod: Manifest, refused: dict[str, str]) -> Manifest | None:
        try:
            return self._api.create(path(PODS, key_of(pod)[0]), pod)
        except ApiError as error:
            if not error.expected:
                refused[labels(pod)[COMPONENT]] = error.message
            return None

    def _release(self, pod: Manifest, knobs: Knobs) -> Manifest:
        """The pod with Grove's gate open, unless the test wants it closed, and with or without an image to be had."""
        body: Manifest = {}
        gates = pod["spec"].get("schedulingGates") or []
        if knobs.pods != "gated" and any(gate["name"] == GATE for gate in gates):
            body["spec"] = {"schedulingGates": [gate for gate in gates if gate["name"] != GATE]}
        if (knobs.pods == "unpullable") != (UNPULLABLE in annotations(pod)):
            body["metadata"] = {"annotations": {UNPULLABLE: "true" if knobs.pods == "unpullable" else None}}
        if not body or leaving(pod):
            return pod
        return self._api.merge(path(PODS, *key_of(pod)), body)

    def _tell(self, graph: Manifest, found: Verdict) -> None:
        """Leaves word for the stages."""
        told = {
            PODS_TOLD: found.pods,
            PODS_GENERATION: str(graph["metadata"]["generation"]),
            PODS_REASON: found.reason,
            PODS_MESSAGE: found.message,
            PODS_RESTART: restart_id(graph),
        }
        if not annotations(graph).items() >= told.items():
            self._api.merge(path(GRAPHS, *key_of(graph)), {"metadata": {"annotations": told}})

    def _remove(self, graph: Manifest, there: list[Manifest], knobs: Knobs) -> None:
        """Pods first, then the Service, then the finalizer."""
        for pod in there:
            if not leaving(pod):
                self._delete(pod)
        if there or GRAPH_FINALIZER not in finalizers(graph) or knobs.finalizers == "keep":
            return
        for service in frontend_services(graph):
            self._delete(service)
        drop_finalizer(self._cluster, GRAPHS, graph, GRAPH_FINALIZER)
        self._served.discard(graph["metadata"]["uid"])

    def _delete(self, child: Manifest) -> None:
        kind: Mapping[str, str] = {"Pod": PODS, "Service": SERVICES}
        try:
            self._api.delete(path(kind[child["kind"]], *key_of(child)))
        except ApiError as error:
            if not error.expected:
                raise


def drop_finalizer(cluster: Cluster, resource: str, manifest: Manifest, finalizer: str) -> None:
    """Takes one finalizer off; a change of the list in between is a conflict, and tried again."""
    rest = [name for name in finalizers(manifest) if name != finalizer]
    body = {"metadata": {"finalizers": rest, "resourceVersion": manifest["metadata"]["resourceVersion"]}}
    cluster.api.merge(path(resource, *key_of(manifest)), body)
