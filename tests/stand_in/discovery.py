"""What the API server serves: kinds and their paths."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from manifests import Manifest

# All groups, versions and kinds in one answer each for /api and /apis.
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


@dataclass(frozen=True)
class Kind:
    api_version: str
    name: str
    plural: str
    namespaced: bool

    @property
    def full_name(self) -> str:
        return f"{self.api_version}/{self.name}"

    def path(self, namespace: str = "", name: str = "", subresource: str = "") -> str:
        """Without a name the collection's; without a namespace that of all namespaces."""
        parts = ["/apis" if "/" in self.api_version else "/api", self.api_version]
        if namespace and self.namespaced:
            parts += ["namespaces", namespace]
        return "/".join(part for part in [*parts, self.plural, name, subresource] if part)


class Discovery:
    """Asks once, and again for a kind that it does not know yet."""

    def __init__(self, get: Callable[..., Manifest]) -> None:
        self._get = get
        self._kinds: list[Kind] = []

    def kind(self, name: str) -> Kind:
        """`Pod` or `v1/Pod`, `DynamoGraphDeployment` or `nvidia.com/v1beta1/DynamoGraphDeployment`."""
        found = self._find(name)
        if not found:
            self.refresh()
            found = self._find(name)
        if not found:
            raise LookupError(f"the server does not serve the kind {name}")
        if len(found) > 1:
            raise LookupError(f"{name} may be {' or '.join(kind.full_name for kind in found)}: name one")
        return found[0]

    def serves(self, name: str) -> bool:
        """Asks the server anew."""
        self.refresh()
        return bool(self._find(name))

    def refresh(self) -> None:
        answers = [self._get(path, accept=AGGREGATED) for path in ("/api", "/apis")]
        self._kinds = [kind for answer in answers for group in answer["items"] for kind in _kinds_of(group)]

    def _find(self, name: str) -> list[Kind]:
        return [kind for kind in self._kinds if name in (kind.name, kind.full_name)]


def _kinds_of(group: Manifest) -> Iterator[Kind]:
    prefix = group.get("metadata", {}).get("name", "")
    for version in group["versions"]:
        api_version = f"{prefix}/{version['version']}" if prefix else version["version"]
        for resource in version.get("resources", []):
            if kind := resource.get("responseKind", {}).get("kind"):
                yield Kind(api_version, kind, resource["resource"], resource["scope"] == "Namespaced")
