"""What was read from a cluster. `Unreadable` stands wherever something could not be; None where nothing is there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from operations.cluster import Unreadable
from operations.preflight.amounts import Amounts
from operations.preflight.needs import Right

Raw = Mapping[str, Any]  # Any: Kubernetes objects are JSON of any depth


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    labels: Mapping[str, str]
    taints: Sequence[Raw]
    cordoned: bool
    ready: bool
    allocatable: Amounts


@dataclass(frozen=True, slots=True)
class Pod:
    """A pod that has a node and has not ended. `graph` and `job` are the names in its labels, empty where none is."""

    namespace: str
    node: str
    requests: Amounts
    graph: str
    job: str
    daemon: bool


@dataclass(frozen=True)
class NamespaceFound:
    labels: Mapping[str, str]
    deleting: str  # why it is stuck in its deletion, empty where it is not being deleted


@dataclass(frozen=True)
class StorageClass:
    provisioner: str
    binding: str
    expands: bool


@dataclass(frozen=True)
class Claim:
    """`size` in thousandths of bytes is what it asks for, `room` what its volume has."""

    phase: str
    modes: Sequence[str]
    size: int
    room: int
    storage_class: str
    deleting: bool


@dataclass(frozen=True)
class Volume:
    """A PersistentVolume that nobody has claimed."""

    storage_class: str
    modes: Sequence[str]
    size: int


@dataclass(frozen=True)
class SecretFound:
    """Never a value: for each key only what is wrong with it, empty where nothing is."""

    type: str
    keys: Mapping[str, str]


@dataclass(frozen=True)
class Quota:
    name: str
    hard: Amounts
    used: Amounts
    scoped: bool


@dataclass(frozen=True)
class Limit:
    """One item of a LimitRange."""

    name: str
    type: str
    most: Amounts
    least: Amounts
    defaults: Amounts  # of limits


@dataclass(frozen=True)
class Graph:
    namespace: str
    name: str
    deleting: bool


@dataclass(frozen=True)
class Domain:
    """A ComputeDomain with the nodes that it has daemons on."""

    namespace: str
    name: str
    uid: str
    deleting: bool
    nodes: frozenset[str]


@dataclass(frozen=True)
class Operator:
    name: str
    version: str
    available: int


@dataclass(frozen=True)
class Facts:
    """One reading of a cluster, for one stack or for all targets."""

    version: str | Unreadable
    groups: Mapping[str, Sequence[str]] | Unreadable  # versions that are served, by API group
    kinds: Mapping[str, frozenset[str] | Unreadable | None]  # kinds that are served, by group/version
    nodes: Sequence[Node] | Unreadable
    pods: Sequence[Pod] | Unreadable
    namespace: NamespaceFound | Unreadable | None
    storage_class: StorageClass | Unreadable | None
    volumes: Sequence[Volume] | Unreadable
    claim: Claim | Unreadable | None
    token: SecretFound | Unreadable | None
    pull_secrets: Mapping[str, SecretFound | Unreadable | None]
    quotas: Sequence[Quota] | Unreadable
    limits: Sequence[Limit] | Unreadable
    device_class: bool | Unreadable
    driver_nodes: frozenset[str] | Unreadable  # nodes with a ResourceSlice of the ComputeDomain driver
    priority_classes: Mapping[str, bool | Unreadable]
    queues: frozenset[str] | Unreadable
    graphs: Sequence[Graph] | Unreadable
    domains: Sequence[Domain] | Unreadable
    templates: (
        Mapping[str, bool] | Unreadable
    )  # claim templates of the namespace, and whether they are leaving
    operators: Sequence[Operator] | Unreadable
    automatic_domains: Sequence[str] | Unreadable  # gangs for which Grove makes ComputeDomains by itself
    job: str | Unreadable  # what the download Job of the namespace is at: empty, Complete, Failed, running
    rights: Mapping[Right, bool | Unreadable]
