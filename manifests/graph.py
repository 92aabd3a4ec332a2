"""The DynamoGraphDeployment of a target."""

from manifests.customized import MODULES_PATH
from manifests.engines import Engine, engine_of, tokens
from manifests.images import image_of
from manifests.placement import placed
from manifests.resources import published_requests, resources_of
from manifests.shape import (
    SKIP_AWAIT,
    WAIT_FOR,
    Manifest,
    cache_mount,
    cache_volume,
    described,
    env_entries,
    metadata,
)
from recipes import ModelFacts, Role, Target
from recipes.schema import Port
from settings import Overrides, RoleSettings, ServingSettings

QUEUE = "nvidia.com/kai-scheduler-queue"
_MODULES = "hf-modules"
_PUBLISHED = Overrides()


def dynamo_graph(
    facts: ModelFacts,
    target: Target,
    serving: ServingSettings,
    namespace: str,
    claim_name: str,
    overrides: Overrides = _PUBLISHED,
) -> Manifest:
    """Frontend and workers of `target`, which `customized` has brought into the stack's shape already.

    Fields that the operator owns (minAvailable, its annotations) are left to it; `spec.restart` is refused on create.
    """
    return _Graph(facts, target, serving, overrides).manifest(namespace, claim_name)


class _Graph:
    """One deployment: what all of its components have in common."""

    def __init__(
        self, facts: ModelFacts, target: Target, serving: ServingSettings, overrides: Overrides
    ) -> None:
        self.facts, self.target, self.serving, self.overrides = facts, target, serving, overrides
        self.engine: Engine = engine_of(facts, target)

    def manifest(self, namespace: str, claim_name: str) -> Manifest:
        serving = self.serving
        # `condition=` compares the observed generation, so that an old Ready is not the end; `jsonpath=` does not.
        annotations = {WAIT_FOR: "condition=Ready"} if serving.wait else {SKIP_AWAIT: "true"}
        if serving.queue:
            annotations[QUEUE] = serving.queue  # the operator looks for it here, not on the pods
        return {
            "apiVersion": "nvidia.com/v1beta1",
            "kind": "DynamoGraphDeployment",
            "metadata": metadata(self.target.dgd_name, namespace, annotations, self.overrides.metadata),
            "spec": {
                "backendFramework": str(self.target.framework),
                "components": [
                    self._frontend(),
                    *(self._worker(role, claim_name) for role in self.target.workers),
                ],
            },
        }

    def _frontend(self) -> Manifest:
        published = self.facts.graph.frontend
        chosen = self.overrides.role(published.name)
        requests = published_requests(published.requests)
        container = self._container(chosen) | {
            "command": list(published.command),
            "args": tokens(self.target.frontend.args),
            "env": env_entries(self.target.frontend.env),
            **_ports(self.target.frontend.ports),
            "resources": resources_of(requests, {}, chosen.resources),
        }
        spec = {
            "containers": [container],
            **placed(self.overrides.placement.frontend, self.overrides.images),
            **self._pod(chosen),
        }
        return {
            "name": published.name,
            "type": published.type,
            "replicas": chosen.replicas or published.replicas,
            **({"sharedMemorySize": chosen.shared_memory} if chosen.shared_memory else {}),
            **self._runtime_version(),
            "podTemplate": {**self._pod_metadata({}), "spec": spec},
        }

    def _worker(self, role: Role, claim_name: str) -> Manifest:
        common, chosen = self.facts.graph.worker, self.overrides.role(role.name)
        placement, images = self.overrides.placement, self.overrides.images
        spec = {
            "containers": [self._container(chosen) | self._worker_container(role, chosen)],
            "volumes": self._volumes(claim_name),
            **self._claims(),
            "terminationGracePeriodSeconds": common.termination_grace_period_seconds,
            **placed(placement.workers, images, placement.clique),
            **self._pod(chosen),
        }
        return {
            "name": role.name,
            "type": role.type,
            "replicas": role.replicas,
            "multinode": {"nodeCount": role.node_count},
            "sharedMemorySize": chosen.shared_memory or common.shared_memory_size,
            **self._runtime_version(),
            "podTemplate": {**self._pod_metadata(self.engine.annotations(role)), "spec": spec},
        }

    def _container(self, chosen: RoleSettings) -> Manifest:
        published = self.facts.images[self.target.framework]
        return {
            "name": self.facts.graph.container,
            "image": image_of(published, self.overrides.images, chosen.image, self.serving.image),
            "imagePullPolicy": self.facts.graph.image_pull_policy,
        }

    def _worker_container(self, role: Role, chosen: RoleSettings) -> Manifest:
        return {
            "command": list(role.command),
            "args": self.engine.args(role),
            "env": env_entries(role.env),
            **_ports(role.ports),
            **self._liveness(),
            "resources": self._worker_resources(role, chosen),
            "securityContext": dict(self.facts.graph.worker.security_context[self.target.framework]),
            "volumeMounts": self._mounts(),
        }

    def _liveness(self) -> Manifest:
        """The operator's liveness probe with another threshold: a probe replaces its own as a whole."""
        if not self.serving.liveness_probe:
            return {}
        probe = {"httpGet": {"path": "/live", "port": "system"}, "periodSeconds": 5, "timeoutSeconds": 4}
        return {"livenessProbe": {**probe, "failureThreshold": self.serving.liveness_probe}}

    def _worker_resources(self, role: Role, chosen: RoleSettings) -> Manifest:
        gpus = {self.facts.graph.worker.gpu_resource: str(role.gpus_per_node)}
        resources = resources_of(published_requests(role.requests) | gpus, gpus, chosen.resources)
        if self.target.compute_domain:
            resources["claims"] = [{"name": self.facts.compute_domain.claim}]
        return resources

    def _claims(self) -> Manifest:
        if not self.target.compute_domain:
            return {}
        template = self.target.claim_template_name
        claim = {"name": self.facts.compute_domain.claim, "resourceClaimTemplateName": template}
        return {"resourceClaims": [claim]}

    def _volumes(self, claim_name: str) -> list[Manifest]:
        modules: list[Manifest] = [{"name": _MODULES, "emptyDir": {}}] if self.serving.modules_cache else []
        return [cache_volume(self.facts, claim_name), *self.engine.volumes(), *modules]

    def _mounts(self) -> list[Manifest]:
        modules = [{"name": _MODULES, "mountPath": MODULES_PATH}] if self.serving.modules_cache else []
        cache = cache_mount(self.facts, self.overrides.cache_sub_path)
        return [cache, *self.engine.mounts(), *modules]

    def _pod(self, chosen: RoleSettings) -> Manifest:
        """What all pods of the deployment take from the settings."""
        scheduler = {"schedulerName": self.serving.scheduler_name} if self.serving.scheduler_name else {}
        security = chosen.pod_security_context
        return {**scheduler, **({"securityContext": dict(security)} if security is not None else {})}

    def _pod_metadata(self, annotations: Manifest) -> Manifest:
        found = described(annotations, self.overrides.metadata)
        return {"metadata": found} if found else {}

    def _runtime_version(self) -> Manifest:
        """On every component: one image whose version cannot be told has the whole deployment refused."""
        version = self.serving.runtime_version
        return {"runtimeVersionOverride": version} if version else {}


def _ports(ports: tuple[Port, ...]) -> Manifest:
    """A list of ports replaces the operator's, whose probes and Services look for the names; so none or all."""
    if not ports:
        return {}
    return {"ports": [{"name": p.name, "containerPort": p.container_port, "protocol": "TCP"} for p in ports]}
