"""What the stand-in sees of the cluster, and where things are."""

import threading
from collections.abc import Callable

from tests.stand_in.operator.api import Api
from tests.stand_in.operator.knobs import Knobs, knobs_in, knobs_of
from tests.stand_in.operator.marks import CONFIG, Manifest
from tests.stand_in.operator.watched import Watched

GRAPHS = "nvidia.com/v1beta1/dynamographdeployments"
DOMAINS = "resource.nvidia.com/v1beta1/computedomains"
CLAIM_TEMPLATES = "resource.k8s.io/v1/resourceclaimtemplates"
JOBS = "batch/v1/jobs"
PODS = "v1/pods"
SERVICES = "v1/services"
CONFIG_MAPS = "v1/configmaps"

Heard = Callable[[Manifest], None]


def path(resource: str, namespace: str = "", name: str = "", subresource: str = "") -> str:
    """URL path of `group/version/plural`, or of `version/plural` of the core group."""
    *group_version, plural = resource.split("/")
    parts = ["/apis" if len(group_version) > 1 else "/api", *group_version]
    if namespace:
        parts += ["namespaces", namespace]
    return "/".join(part for part in [*parts, plural, name, subresource] if part)


class Cluster:
    """Copies of what is watched, and the API for the rest."""

    def __init__(self, api: Api, *, graph: Heard, domain: Heard, pod: Heard, config: Heard) -> None:
        self.api = api
        self.graphs = Watched(api, path(GRAPHS), graph)
        self.domains = Watched(api, path(DOMAINS), domain)
        self.pods = Watched(api, path(PODS), pod)
        self._own_configs = Watched(
            api, path(CONFIG_MAPS), config, {"fieldSelector": f"metadata.name={CONFIG}"}
        )
        self._central_configs = Watched(api, path(CONFIG_MAPS, CONFIG), config)

    def threads(self, stop: threading.Event) -> list[threading.Thread]:
        """One thread for each kind that is watched, the settings first."""
        kinds = [self._own_configs, self._central_configs, self.graphs, self.domains, self.pods]
        return [threading.Thread(target=kind.run, args=(stop,), daemon=True) for kind in kinds]

    def knobs(self, namespace: str, graph: Manifest | None = None) -> Knobs:
        layers = [self._central_configs.get(CONFIG, namespace), self._own_configs.get(namespace, CONFIG)]
        data = [layer.get("data") or {} for layer in layers if layer]
        return knobs_of(*data, *([knobs_in(graph)] if graph else []))
