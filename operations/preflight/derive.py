"""Needs, read from the manifests that would be applied."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from manifests import Manifest, stack_manifests
from operations.preflight.amounts import thousandths, times, total
from operations.preflight.needs import (
    CacheNeed,
    DomainNeed,
    GpuNeed,
    KindNeed,
    NamespaceNeed,
    Needs,
    OrchestratorNeed,
    Own,
    PodsNeed,
    ServerNeed,
    TokenNeed,
)
from operations.preflight.pods import requests_of
from operations.preflight.products import MACHINES, PRODUCT
from operations.preflight.rights import right_needs
from recipes import load_catalog
from settings import SMALLEST_CACHE, Settings, TokenSource

GRAPH, JOB, DOMAIN = "DynamoGraphDeployment", "Job", "ComputeDomain"
_REASONS = {
    GRAPH: "the operator's kind, which all of the serving is",
    DOMAIN: "NVLink over several nodes",
}
# Chart 1.5.0 of the Dynamo platform; prerequisites of NVIDIA's DRA driver (1.34.0 and 1.34.1 lose its registration).
_PLATFORM, _DRA, _DRA_BY_DEFAULT, _DRA_SOUND = (1, 30, 0), (1, 32, 0), (1, 34, 0), (1, 34, 2)
_DEVICE_CLASS, _DRIVER = "compute-domain-default-channel.nvidia.com", "compute-domain.nvidia.com"


def needs_of(settings: Settings, stack: str, former: str | None = None) -> Needs:
    """What `settings` need. `former`: the target whose deployment a switch deletes, or "" where there is none."""
    manifests = stack_manifests(settings)
    pods = list(_pods(manifests))
    workers = [need for need in pods if need.group == "workers"]
    others = [need for need in pods if need.group != "workers"]
    domain = _domain(manifests)
    return Needs(
        stack=stack,
        target=settings.target.name,
        server=_server(domain),
        kinds=_kinds(manifests, domain),
        orchestrator=_orchestrator(workers),
        gpus=_gpus(settings, workers, domain) if workers else None,
        domain=domain,
        others=others,
        cache=_cache(settings),
        token=_token(settings),
        namespace=NamespaceNeed(
            settings.namespace.name,
            settings.namespace.create,
            str(settings.namespace.pod_security or ""),
            "everything of the stack is in it",
        ),
        pull_secrets=settings.images.pull_secrets,
        priority_classes=sorted(
            {str(need.spec["priorityClassName"]) for need in pods if need.spec.get("priorityClassName")}
        ),
        queue=(settings.serving.queue or "") if workers else "",
        objects=_objects(settings, manifests, pods),
        rights=right_needs(settings, manifests),
        own=_own(settings, former),
    )


def _server(domain: DomainNeed | None) -> ServerNeed:
    if domain:
        return ServerNeed(
            _DRA, _DRA_BY_DEFAULT, _DRA_SOUND, "ComputeDomains need dynamic resource allocation"
        )
    return ServerNeed(_PLATFORM, _PLATFORM, _PLATFORM, "the Dynamo platform asks for it")


def _kinds(manifests: Sequence[Manifest], domain: DomainNeed | None) -> list[KindNeed]:
    """What a cluster has only with something installed; the server's own kinds are always there."""
    found = {item["kind"]: str(item["apiVersion"]) for item in manifests if item["kind"] in _REASONS}
    return [
        KindNeed(version, kind, _REASONS[kind]) for kind, version in found.items() if kind != DOMAIN or domain
    ]


def _pods(manifests: Sequence[Manifest]) -> Iterator[PodsNeed]:
    for item in manifests:
        if item["kind"] == GRAPH:
            yield from map(_component, item["spec"]["components"])
        if item["kind"] == JOB:
            spec = item["spec"]["template"]["spec"]
            yield PodsNeed(
                "download", str(item["metadata"]["name"]), 1, 1, requests_of(spec), spec, "fills the cache"
            )


def _component(component: Manifest) -> PodsNeed:
    spec = component["podTemplate"]["spec"]
    nodes = int(component["multinode"]["nodeCount"]) if "multinode" in component else 1
    frontend = component["type"] == "frontend"
    return PodsNeed(
        "frontend" if frontend else "workers",
        str(component["name"]),
        int(component.get("replicas", 1)),
        nodes,
        requests_of(spec),
        spec,
        "takes the requests" if frontend else f"one engine replica is on {nodes} nodes",
    )


def _orchestrator(workers: Sequence[PodsNeed]) -> OrchestratorNeed | None:
    several = [need.component for need in workers if need.pods > 1]
    reason = "the operator starts the pods of one replica together"
    return OrchestratorNeed(several, reason) if several else None


def _gpus(settings: Settings, workers: Sequence[PodsNeed], domain: DomainNeed | None) -> GpuNeed:
    machine = MACHINES[settings.gpu]
    named = settings.cluster.gpu_product if settings.cluster else None
    return GpuNeed(
        product=named or machine.product,
        architecture=machine.architecture,
        workers=workers,
        domain=domain is not None,
        together=len(workers) > 1,
        clique=settings.placement.clique or "",
        selects_product=all(_names_product(need.spec) for need in workers),
        reason="each worker pod has the GPUs of a whole node",
    )


def _names_product(spec: Mapping[str, object]) -> bool:
    """Whether the pods themselves say which GPUs they want."""
    return PRODUCT in str(spec.get("nodeSelector")) or PRODUCT in str(spec.get("affinity"))


def _domain(manifests: Sequence[Manifest]) -> DomainNeed | None:
    for item in manifests:
        if item["kind"] == DOMAIN:
            template = item["spec"]["channel"]["resourceClaimTemplate"]["name"]
            reason = "workers share memory over NVLink"
            return DomainNeed(_DEVICE_CLASS, _DRIVER, item["metadata"]["name"], template, reason)
    return None


def _cache(settings: Settings) -> CacheNeed:
    cache, facts = settings.model_cache, load_catalog().facts
    return CacheNeed(
        claim=cache.claim_name,
        made=cache.create,
        storage_class=cache.storage_class_name,
        size=thousandths(cache.size),
        smallest=thousandths(SMALLEST_CACHE),
        modes=facts.cache.access_modes,
        reason="all workers read the weights from one volume",
    )


def _token(settings: Settings) -> TokenNeed | None:
    if not settings.model_download.enabled:
        return None
    made = settings.hugging_face.source is TokenSource.CONFIG
    key = load_catalog().facts.token.key
    return TokenNeed(settings.hugging_face.secret_name, key, made, "the download logs in with it")


def _own(settings: Settings, former: str | None) -> Own:
    catalog = load_catalog()
    graph = settings.target.dgd_name
    named = catalog.named(former).dgd_name if former else former
    others = frozenset(target.dgd_name for target in catalog.targets) - {graph}
    return Own(
        settings.namespace.name, graph, others, named, settings.namespace.create, catalog.facts.download.name
    )


def _objects(settings: Settings, manifests: Sequence[Manifest], pods: Sequence[PodsNeed]) -> dict[str, int]:
    """Objects of the namespace by the name that a quota has for their kind, in whole numbers."""
    counted = Counter(_RESOURCES[item["kind"]] for item in manifests if item["kind"] in _RESOURCES)
    if settings.hugging_face.source is TokenSource.CONFIG:
        counted["secrets"] += 1
    if settings.serving.deploy:
        counted["services"] += len([need for need in pods if need.group != "download"])
    counted["pods"] = sum(need.count for need in pods)
    return dict(counted)


_RESOURCES = {
    "PersistentVolumeClaim": "persistentvolumeclaims",
    "ConfigMap": "configmaps",
    JOB: "jobs.batch",
    GRAPH: "dynamographdeployments.nvidia.com",
    DOMAIN: "computedomains.resource.nvidia.com",
}


def requests_in_all(pods: Sequence[PodsNeed]) -> dict[str, int]:
    """What all of these pods ask for together."""
    return total(times(need.requests, need.count) for need in pods)
