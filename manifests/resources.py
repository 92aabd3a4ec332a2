"""What a container asks for: the published quantities with the stack's laid over them."""

from collections.abc import Mapping

from manifests.shape import Manifest
from recipes.schema import Requests
from settings import ResourceSettings


def resources_of(
    requests: Mapping[str, str], limits: Mapping[str, str], chosen: ResourceSettings
) -> Manifest:
    """Requests and limits of a container, each left out where it is empty."""
    found = {"requests": {**requests, **chosen.requests}, "limits": {**limits, **chosen.limits}}
    return {key: value for key, value in found.items() if value}


def published_requests(requests: Requests) -> dict[str, str]:
    """The recipe's requests under the names that Kubernetes has for them."""
    quantities = {"cpu": requests.cpu, "memory": requests.memory}
    if requests.ephemeral_storage:
        quantities["ephemeral-storage"] = requests.ephemeral_storage
    return quantities
