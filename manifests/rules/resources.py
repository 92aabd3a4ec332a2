"""Quantities that no pod would be made with, or that would have it killed."""

from collections.abc import Iterator, Mapping

from manifests.rules.rule import Finding, of_role, rule
from manifests.rules.view import View
from settings.quantity import amount

_GPU = "nvidia.com/gpu"
_SHARED_MEMORY = "8Gi"  # the operator's default

Containers = tuple[str, tuple[str | int, ...], Mapping[str, str], Mapping[str, str]]


def _containers(view: View) -> Iterator[Containers]:
    """Name, path of its resources in the settings, requests and limits of every container."""
    for job in view.of_kind("Job"):
        for container in job["spec"]["template"]["spec"]["containers"]:
            found = container.get("resources", {})
            requests, limits = found.get("requests", {}), found.get("limits", {})
            yield str(container["name"]), ("modelDownload", "resources"), requests, limits
    for component in view.components:
        path = ("roles", component.name, "resources")
        yield component.name, path, component.quantities("requests"), component.quantities("limits")


@rule("requests-above-limits", "Kubernetes API: a request is at most its limit")
def _above(view: View) -> Iterator[Finding]:
    for name, path, requests, limits in _containers(view):
        for resource in sorted(requests.keys() & limits.keys()):
            if amount(requests[resource]) > amount(limits[resource]):
                yield Finding(
                    f"{name} requests {requests[resource]} of {resource} with a limit of {limits[resource]}",
                    "a limit of at least the request; published requests stay unless they are changed too",
                    (*path, "limits", resource),
                    requests[resource],
                )


@rule("gpus", "Dynamo recipes: a pod takes all GPUs of its node (ai-dynamo/dynamo#4975)")
def _gpus(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        published = view.published(worker)
        found = (worker.quantities("requests").get(_GPU), worker.quantities("limits").get(_GPU))
        if published and found != (str(published.gpus_per_node),) * 2:
            yield Finding(
                f"{worker.name} would get {found[1]} GPUs a pod, its nodes have {published.gpus_per_node}",
                f"{published.gpus_per_node}; nodeCount and replicas change how many GPUs the role has",
                step=f"Leave {_GPU} out of {of_role(worker.name, 'resources')}",
            )


@rule("devices", "Kubernetes API: devices and huge pages are whole, and their request is their limit")
def _devices(view: View) -> Iterator[Finding]:
    for name, path, requests, limits in _containers(view):
        for resource in sorted(requests.keys() | limits.keys()):
            if "/" not in resource and not resource.startswith("hugepages-"):
                continue
            limit, request = limits.get(resource), requests.get(resource, limits.get(resource))
            if limit is None or amount(limit) != amount(request or "0"):
                yield Finding(
                    f"{name} requests {request} of {resource} with {f'a limit of {limit}' if limit else 'no limit'}",
                    "a limit equal to the request",
                    (*path, "limits", resource),
                    request or "1",
                )
            elif "/" in resource and amount(limit).denominator != 1:
                yield Finding(
                    f"{name} asks for {limit} of {resource}",
                    "whole devices",
                    (*path, "limits", resource),
                    "1",
                )


@rule("shared-memory", "kubelet: /dev/shm counts against the memory limit; operator: 0 removes it")
def _shared_memory(view: View) -> Iterator[Finding]:
    for component in view.components:
        size = str(component.manifest.get("sharedMemorySize", _SHARED_MEMORY))
        limit = component.quantities("limits").get("memory")
        path = ("roles", component.name, "sharedMemory")
        if amount(size) <= 0:
            yield Finding(f"{component.name} has no /dev/shm", "more than 0", path, "64Gi")
        elif limit is not None and amount(size) >= amount(limit):
            yield Finding(
                f"{component.name} has a /dev/shm of {size} and a memory limit of {limit}: filling it would have the "
                "pod killed",
                "less than the memory limit",
                path,
            )


RULES = (_above, _gpus, _devices, _shared_memory)
