"""The DynamoGraphDeployment of a target."""

from manifests.engines import Engine, engine_of, tokens
from manifests.shape import SKIP_AWAIT, WAIT_FOR, Manifest, cache_mount, cache_volume, env_entries, metadata
from recipes import ModelFacts, Role, Target
from recipes.schema import Port, Requests
from settings import ServingSettings
from settings.values import PUBLISHED


def dynamo_graph(
    facts: ModelFacts, target: Target, serving: ServingSettings, namespace: str, claim_name: str
) -> Manifest:
    """Frontend and workers as published. Fields that the operator owns (minAvailable, its annotations) are left to it,
    and `spec.restart` is refused on create.
    """
    # `condition=` compares the observed generation, so that an old Ready does not end the wait; `jsonpath=` would not.
    wait = {WAIT_FOR: "condition=Ready"} if serving.wait else {SKIP_AWAIT: "true"}
    return {
        "apiVersion": "nvidia.com/v1beta1",
        "kind": "DynamoGraphDeployment",
        "metadata": metadata(target.dgd_name, namespace, wait),
        "spec": {
            "backendFramework": str(target.framework),
            "components": [
                _frontend(facts, target, serving),
                *(_worker(facts, target, role, serving, claim_name) for role in target.workers),
            ],
        },
    }


def _frontend(facts: ModelFacts, target: Target, serving: ServingSettings) -> Manifest:
    published = facts.graph.frontend
    container = _container(facts, target, serving) | {
        "command": list(published.command),
        "args": tokens(target.frontend.args),
        "env": env_entries(target.frontend.env),
        **_ports(target.frontend.ports),
        "resources": {"requests": _requests(published.requests)},
    }
    return {
        "name": published.name,
        "type": published.type,
        "replicas": published.replicas,
        **_runtime_version(serving),
        "podTemplate": {"spec": {"containers": [container]}},
    }


def _worker(
    facts: ModelFacts, target: Target, role: Role, serving: ServingSettings, claim_name: str
) -> Manifest:
    common, engine = facts.graph.worker, engine_of(facts, target)
    container = _container(facts, target, serving) | _worker_container(facts, target, role, engine)
    annotations = engine.annotations(role)
    return {
        "name": role.name,
        "type": role.type,
        "replicas": role.replicas,
        "multinode": {"nodeCount": role.node_count},
        "sharedMemorySize": common.shared_memory_size,
        **_runtime_version(serving),
        "podTemplate": {
            **({"metadata": {"annotations": annotations}} if annotations else {}),
            "spec": {
                "containers": [container],
                "volumes": [cache_volume(facts, claim_name), *engine.volumes()],
                **_pod_claims(facts, target),
                "terminationGracePeriodSeconds": common.termination_grace_period_seconds,
            },
        },
    }


def _container(facts: ModelFacts, target: Target, serving: ServingSettings) -> Manifest:
    image = facts.images[target.framework] if serving.image == PUBLISHED else serving.image
    return {"name": facts.graph.container, "image": image, "imagePullPolicy": facts.graph.image_pull_policy}


def _worker_container(facts: ModelFacts, target: Target, role: Role, engine: Engine) -> Manifest:
    return {
        "command": list(role.command),
        "args": engine.args(role),
        "env": env_entries(role.env),
        **_ports(role.ports),
        "resources": _worker_resources(facts, target, role),
        "securityContext": dict(facts.graph.worker.security_context[target.framework]),
        "volumeMounts": [cache_mount(facts), *engine.mounts()],
    }


def _worker_resources(facts: ModelFacts, target: Target, role: Role) -> Manifest:
    gpus = {facts.graph.worker.gpu_resource: str(role.gpus_per_node)}
    resources: Manifest = {"requests": _requests(role.requests) | gpus, "limits": gpus}
    if target.compute_domain:
        resources["claims"] = [{"name": facts.compute_domain.claim}]
    return resources


def _pod_claims(facts: ModelFacts, target: Target) -> Manifest:
    if not target.compute_domain:
        return {}
    claim = {"name": facts.compute_domain.claim, "resourceClaimTemplateName": target.claim_template_name}
    return {"resourceClaims": [claim]}


def _requests(requests: Requests) -> Manifest:
    quantities = {"cpu": requests.cpu, "memory": requests.memory}
    if requests.ephemeral_storage:
        quantities["ephemeral-storage"] = requests.ephemeral_storage
    return quantities


def _ports(ports: tuple[Port, ...]) -> Manifest:
    """A list of ports replaces the operator's, whose probes and Services look for the names; so none or all."""
    if not ports:
        return {}
    return {"ports": [{"name": p.name, "containerPort": p.container_port, "protocol": "TCP"} for p in ports]}


def _runtime_version(serving: ServingSettings) -> Manifest:
    """On every component: one image whose version cannot be told has the whole deployment refused."""
    return {"runtimeVersionOverride": serving.runtime_version} if serving.runtime_version else {}
