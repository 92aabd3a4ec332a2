"""What a deployment needs of its cluster: one frozen class a kind of need, each with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from operations.preflight.amounts import Amounts
from settings.paths import set_command

Raw = Mapping[str, Any]  # Any: Kubernetes objects are JSON of any depth


@dataclass(frozen=True)
class ServerNeed:
    """Server versions: the oldest at all, the first that has what is needed on by default, the first sound one."""

    oldest: tuple[int, int, int]
    by_default: tuple[int, int, int]
    sound: tuple[int, int, int]
    reason: str


@dataclass(frozen=True)
class KindNeed:
    """A kind that the server has to serve."""

    version: str  # group/version
    kind: str
    reason: str


@dataclass(frozen=True)
class OrchestratorNeed:
    """Something that starts the pods of one replica together on several nodes."""

    components: Sequence[str]
    reason: str


@dataclass(frozen=True)
class PodsNeed:
    """The pods of one component or of the download: `replicas` times `pods` of them, each with these requests."""

    group: str  # of placement: frontend, workers or download
    component: str
    replicas: int
    pods: int
    requests: Amounts
    spec: Raw = field(compare=False)
    reason: str

    @property
    def count(self) -> int:
        return self.replicas * self.pods


@dataclass(frozen=True)
class GpuNeed:
    """Whole nodes with GPUs of one product. `together`: all roles in one NVLink domain, not only each replica."""

    product: str
    architecture: str
    workers: Sequence[PodsNeed]
    domain: bool
    together: bool
    clique: str
    selects_product: bool
    reason: str

    @property
    def count(self) -> int:
        return sum(need.count for need in self.workers)


@dataclass(frozen=True)
class DomainNeed:
    """What one ComputeDomain takes: its driver on the nodes, and nobody else's domain there."""

    device_class: str
    driver: str
    name: str
    template: str
    reason: str


@dataclass(frozen=True)
class CacheNeed:
    """The ReadWriteMany claim. Sizes in thousandths of bytes; `smallest` is what the weights take."""

    claim: str
    made: bool
    storage_class: str
    size: int
    smallest: int
    modes: Sequence[str]
    reason: str


@dataclass(frozen=True)
class TokenNeed:
    secret: str
    key: str
    made: bool
    reason: str


@dataclass(frozen=True)
class NamespaceNeed:
    """`level`: Pod Security that the stack has it enforce, where it says so."""

    name: str
    made: bool
    level: str
    reason: str


@dataclass(frozen=True, order=True)
class Right:
    """A verb on a kind, in the stack's namespace or with "" in the whole cluster."""

    verb: str
    group: str
    resource: str
    namespace: str


@dataclass(frozen=True)
class RightNeed:
    right: Right
    reason: str


@dataclass(frozen=True)
class Own:
    """What is the stack's own in its namespace: it counts as free, and is never in the way.

    A switch of target deletes the deployment of one of `others` first: the one that is named in `former`, or, where
    that is None and the stack owns its namespace, the one that is there while `graph` is not.
    """

    namespace: str
    graph: str
    others: frozenset[str]
    former: str | None
    owner: bool
    job: str


@dataclass(frozen=True)
class Needs:
    """All needs of one stack. What is None or empty is not needed."""

    stack: str
    target: str
    server: ServerNeed
    kinds: Sequence[KindNeed]
    orchestrator: OrchestratorNeed | None
    gpus: GpuNeed | None
    domain: DomainNeed | None
    others: Sequence[PodsNeed]  # frontends and the download
    cache: CacheNeed
    token: TokenNeed | None
    namespace: NamespaceNeed
    pull_secrets: Sequence[str]
    priority_classes: Sequence[str]
    queue: str
    objects: Mapping[str, int]  # how many of each kind are made, as a quota counts them
    rights: Sequence[RightNeed]
    own: Own

    def set(self, *path: str | int, to: str) -> str:
        """The command that gives a setting of the stack a value."""
        return set_command(self.stack, path, to)

    @property
    def pods(self) -> list[PodsNeed]:
        return [*(self.gpus.workers if self.gpus else []), *self.others]
