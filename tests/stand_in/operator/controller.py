"""Runs the stand-in: events become keys, workers bring what a key names to what is asked."""

import logging
import threading
from collections.abc import Callable
from pathlib import Path

import requests

from tests.stand_in.operator.api import Api, ApiError, api_of
from tests.stand_in.operator.cluster import Cluster
from tests.stand_in.operator.domains import Domains
from tests.stand_in.operator.graphs import Graphs
from tests.stand_in.operator.job_pods import JobPods
from tests.stand_in.operator.marks import (
    CLAIM_TEMPLATES,
    CONFIG,
    GRAPH_NAME,
    JOB_NAME,
    Manifest,
    annotations,
    key_of,
)
from tests.stand_in.operator.marks import labels as labels_of
from tests.stand_in.operator.work import Key, Work

log = logging.getLogger(__name__)

_WORKERS = 3
_STOP_SECONDS = 5

GRAPH, DOMAIN, JOB_POD = "graph", "domain", "job pod"


class StandIn:
    """The stand-in operator of one cluster. `stop` ends all work; the threads that watch end with the process."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._work = Work()
        self._stop = threading.Event()
        self._cluster = Cluster(
            api,
            graph=self._graph_changed,
            domain=self._domain_changed,
            pod=self._pod_changed,
            config=self._config_changed,
        )
        self._reconcilers: dict[str, Callable[[str, str], bool]] = {
            GRAPH: Graphs(self._cluster).reconcile,
            DOMAIN: Domains(self._cluster).reconcile,
            JOB_POD: JobPods(self._cluster).reconcile,
        }
        self._workers = [threading.Thread(target=self._run, daemon=True) for _ in range(_WORKERS)]

    def start(self) -> None:
        self._make_config_namespace()
        for thread in [*self._cluster.threads(self._stop), *self._workers]:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._work.close()
        for worker in self._workers:
            worker.join(_STOP_SECONDS)

    def _make_config_namespace(self) -> None:
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": CONFIG}}
        try:
            self._api.create("/api/v1/namespaces", body)
        except ApiError as error:
            if not error.expected:
                raise

    def _graph_changed(self, graph: Manifest) -> None:
        self._work.add(Key(GRAPH, *key_of(graph)))

    def _domain_changed(self, domain: Manifest) -> None:
        self._work.add(Key(DOMAIN, *key_of(domain)))

    def _pod_changed(self, pod: Manifest) -> None:
        namespace, name = key_of(pod)
        if graph := labels_of(pod).get(GRAPH_NAME):
            self._work.add(Key(GRAPH, namespace, graph))
        if CLAIM_TEMPLATES in annotations(pod):
            for domain in self._cluster.domains.all(namespace):
                self._domain_changed(domain)
        if JOB_NAME in labels_of(pod):
            self._work.add(Key(JOB_POD, namespace, name))

    def _config_changed(self, config: Manifest) -> None:
        namespace, name = key_of(config)
        turned = namespace if name == CONFIG else name
        for graph in self._cluster.graphs.all(turned):
            self._graph_changed(graph)
        for domain in self._cluster.domains.all(turned):
            self._domain_changed(domain)
        for pod in self._cluster.pods.all(turned):
            self._pod_changed(pod)

    def _run(self) -> None:
        while key := self._work.take():
            if self._reconcile(key):
                self._work.done(key)
            else:
                self._work.failed(key)

    def _reconcile(self, key: Key) -> bool:
        try:
            return self._reconcilers[key.kind](key.namespace, key.name)
        except ApiError as error:
            log.log(logging.DEBUG if error.expected else logging.WARNING, "%s: %s", key, error.message)
            return False
        except requests.RequestException as error:
            log.warning("%s: %s", key, error)
            return False
        except Exception:
            # One object, or a knob with a wrong word, must not end the stand-in for every other test.
            log.exception("%s", key)
            return False


def stand_in(kubeconfig: Path) -> StandIn:
    return StandIn(api_of(kubeconfig))
