"""The one reader of facts: everything that preflight asks a cluster for is asked for here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from operations.cluster import Document, Unreadable
from operations.preflight import parsing
from operations.preflight.facts import (
    Claim,
    Domain,
    Facts,
    Limit,
    Node,
    Operator,
    Pod,
    SecretFound,
    StorageClass,
)
from operations.preflight.needs import Needs, Right, RightNeed
from operations.preflight.provisioners import NO_PROVISIONER

_T = TypeVar("_T")
_MISSHAPEN = Unreadable("the answer has another shape than Kubernetes gives")
_NO_GROUPS = Unreadable("the server lists no API groups")
_NOT_ASKED = Unreadable("not asked for")
# What a server that lies, or is none, may make a parser raise.
_ERRORS = (AttributeError, IndexError, KeyError, TypeError, ValueError)
_DRA = "/apis/resource.k8s.io"


class Reads(Protocol):
    """What of a cluster the reader uses."""

    def get(self, path: str) -> Document | Unreadable | None: ...

    def pages(
        self, path: str, labels: str = "", fields: str = ""
    ) -> Iterator[list[Document] | Unreadable]: ...

    def ask(self, path: str, question: Document) -> Document | Unreadable | None: ...


class Reader:
    """Reads what some needs are about; nothing else."""

    def __init__(self, cluster: Reads, needs: Needs) -> None:
        self.cluster, self.needs = cluster, needs
        self.inside = f"/api/v1/namespaces/{needs.namespace.name}"

    def version(self) -> str | Unreadable:
        return self._read("/version", lambda found: str(found["gitVersion"]), "")

    def facts(self, version: str | Unreadable) -> Facts:
        """All of it. `version` has been asked for already: whether there is a server at all."""
        needs = self.needs
        groups = self._read("/apis", parsing.groups, _NO_GROUPS)
        storage_class = self._storage_class()
        static = (
            not isinstance(storage_class, Unreadable)
            and storage_class is not None
            and storage_class.provisioner == NO_PROVISIONER
        )
        return Facts(
            version=version,
            groups=groups,
            kinds={need.version: self._kinds(need.version) for need in needs.kinds},
            nodes=self._nodes(),
            pods=self._pods(),
            namespace=self._read(self.inside, parsing.namespace, None),
            storage_class=storage_class,
            volumes=self._list("/api/v1/persistentvolumes", parsing.volume) if static else [],
            claim=self._claim(),
            token=self._secret(needs.token.secret) if needs.token else None,
            pull_secrets={name: self._secret(name) for name in needs.pull_secrets},
            quotas=self._list(f"{self.inside}/resourcequotas", parsing.quota),
            limits=self._limits(),
            device_class=self._device_class(groups),
            driver_nodes=self._driver_nodes(groups),
            priority_classes=self._priority_classes(),
            queues=self._queues(groups),
            graphs=self._anywhere("nvidia.com/v1beta1", "dynamographdeployments", parsing.graph),
            domains=self._domains(),
            templates=self._templates(),
            operators=self._operators(),
            automatic_domains=self._automatic_domains(groups),
            job=self._job(),
            rights={need.right: self._right(need) for need in needs.rights},
        )

    def _nodes(self) -> list[Node] | Unreadable:
        return self._list("/api/v1/nodes", parsing.node)

    def _pods(self) -> list[Pod] | Unreadable:
        """Those that hold room: a pod that has ended gives it back."""
        ended = "status.phase!=Succeeded,status.phase!=Failed"
        found = self._list("/api/v1/pods", parsing.pod, fields=ended)
        return found if isinstance(found, Unreadable) else [pod for pod in found if pod.node]

    def _kinds(self, version: str) -> frozenset[str] | Unreadable | None:
        return self._read(f"/apis/{version}", parsing.kinds, None)

    def _storage_class(self) -> StorageClass | Unreadable | None:
        name = self.needs.cache.storage_class
        return self._read(f"/apis/storage.k8s.io/v1/storageclasses/{name}", parsing.storage_class, None)

    def _claim(self) -> Claim | Unreadable | None:
        path = f"{self.inside}/persistentvolumeclaims/{self.needs.cache.claim}"
        return self._read(path, parsing.claim, None)

    def _job(self) -> str | Unreadable:
        own = self.needs.own
        return self._read(f"/apis/batch/v1/namespaces/{own.namespace}/jobs/{own.job}", parsing.job, "")

    def _priority_classes(self) -> dict[str, bool | Unreadable]:
        place = "/apis/scheduling.k8s.io/v1/priorityclasses"
        return {name: self._is_there(f"{place}/{name}") for name in self.needs.priority_classes}

    def _operators(self) -> list[Operator] | Unreadable:
        labels = "app.kubernetes.io/name=dynamo-operator"
        return self._list("/apis/apps/v1/deployments", parsing.operator, labels=labels)

    def _domains(self) -> list[Domain] | Unreadable:
        if self.needs.domain is None:
            return []
        return self._anywhere("resource.nvidia.com/v1beta1", "computedomains", parsing.domain)

    def _secret(self, name: str) -> SecretFound | Unreadable | None:
        return self._read(f"{self.inside}/secrets/{name}", parsing.secret, None)

    def _limits(self) -> list[Limit] | Unreadable:
        found = self._list(f"{self.inside}/limitranges", parsing.limits)
        return found if isinstance(found, Unreadable) else [each for limits in found for each in limits]

    def _dra_version(self, groups: Mapping[str, Sequence[str]] | Unreadable) -> str:
        """The newest that is served: older servers have only betas of it."""
        served = [] if isinstance(groups, Unreadable) else groups.get("resource.k8s.io", ())
        known = ("v1", "v1beta2", "v1beta1")
        return next((version for version in known if version in served), known[0])

    def _device_class(self, groups: Mapping[str, Sequence[str]] | Unreadable) -> bool | Unreadable:
        if self.needs.domain is None:
            return _NOT_ASKED
        return self._is_there(
            f"{_DRA}/{self._dra_version(groups)}/deviceclasses/{self.needs.domain.device_class}"
        )

    def _driver_nodes(self, groups: Mapping[str, Sequence[str]] | Unreadable) -> frozenset[str] | Unreadable:
        if self.needs.domain is None:
            return _NOT_ASKED
        path, driver = f"{_DRA}/{self._dra_version(groups)}/resourceslices", self.needs.domain.driver
        found = self._list(path, parsing.slice_of_a_node, fields=f"spec.driver={driver}")
        if isinstance(found, Unreadable):
            return found
        return frozenset(node for of_driver, node in found if of_driver == driver and node)

    def _queues(self, groups: Mapping[str, Sequence[str]] | Unreadable) -> frozenset[str] | Unreadable:
        if isinstance(groups, Unreadable):
            return groups
        found = (
            self._list("/apis/scheduling.run.ai/v2/queues", parsing.name_of)
            if "scheduling.run.ai" in groups
            else []
        )
        return found if isinstance(found, Unreadable) else frozenset(found)

    def _anywhere(
        self, version: str, resource: str, parse: Callable[[Document], _T]
    ) -> list[_T] | Unreadable:
        """In all namespaces, or where that is not allowed in the stack's own."""
        found = self._list(f"/apis/{version}/{resource}", parse)
        if isinstance(found, Unreadable) and found.answered:
            return self._list(f"/apis/{version}/namespaces/{self.needs.namespace.name}/{resource}", parse)
        return found

    def _templates(self) -> dict[str, bool] | Unreadable:
        if self.needs.domain is None:
            return {}
        path = f"{_DRA}/v1/namespaces/{self.needs.namespace.name}/resourceclaimtemplates"
        found = self._list(path, parsing.leaving)
        return found if isinstance(found, Unreadable) else dict(found)

    def _automatic_domains(self, groups: Mapping[str, Sequence[str]] | Unreadable) -> list[str] | Unreadable:
        if isinstance(groups, Unreadable):
            return groups
        if "grove.io" not in groups or self.needs.domain is None:
            return []
        found = self._anywhere("grove.io/v1alpha1", "podcliquesets", parsing.automatic_domain)
        return found if isinstance(found, Unreadable) else sorted(filter(None, found))

    def _right(self, need: RightNeed) -> bool | Unreadable:
        found = self.cluster.ask(
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", _review(need.right)
        )
        return self._parsed(found, parsing.allowed, Unreadable("the server has no access reviews"))

    def _is_there(self, path: str) -> bool | Unreadable:
        return self._read(path, lambda _: True, False)

    def _read(self, path: str, parse: Callable[[Document], _T], absent: _T | Unreadable) -> _T | Unreadable:
        return self._parsed(self.cluster.get(path), parse, absent)

    def _parsed(
        self, found: Document | Unreadable | None, parse: Callable[[Document], _T], absent: _T | Unreadable
    ) -> _T | Unreadable:
        if found is None or isinstance(found, Unreadable):
            return absent if found is None else found
        try:
            return parse(found)
        except _ERRORS:
            return _MISSHAPEN

    def _list(
        self, path: str, parse: Callable[[Document], _T], labels: str = "", fields: str = ""
    ) -> list[_T] | Unreadable:
        """Page by page: of 50,000 pods only what is needed stays in memory."""
        return _all(self.cluster.pages(path, labels, fields), parse)


def _all(
    pages: Iterable[list[Document] | Unreadable], parse: Callable[[Document], _T]
) -> list[_T] | Unreadable:
    found: list[_T] = []
    try:
        for page in pages:
            if isinstance(page, Unreadable):
                return page
            found += [parse(item) for item in page]
    except _ERRORS:
        return _MISSHAPEN
    return found


def _review(right: Right) -> Document:
    place = {"namespace": right.namespace} if right.namespace else {}
    attributes = {"verb": right.verb, "group": right.group, "resource": right.resource, **place}
    return {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": attributes},
    }
