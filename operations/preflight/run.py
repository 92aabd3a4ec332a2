"""One run of preflight: needs, facts, checks."""

from dataclasses import dataclass

from operations.cluster import Cluster, Unreadable
from operations.preflight.checks import results
from operations.preflight.derive import needs_of
from operations.preflight.reader import Reader
from operations.preflight.verdict import Result, Verdict
from recipes import Refusal
from settings import ClusterSettings, Settings

SECONDS = 120  # of all reading together

NOT_CHECKED = (
    "whether images can be pulled, and are made for the nodes' architecture",
    "whether the token has access to the checkpoint and the drafts",
    "whether the cache holds the weights already, and how fast it is",
    "NVIDIA's driver and firmware, NVLink and network of the nodes",
    "Pod Security levels that the cluster sets for namespaces without a label, and admission policies of others",
    "custom schedulers, preemption, and what other stacks deploy between this and `make up`",
)


@dataclass(frozen=True)
class Outcome:
    """What preflight says of one stack."""

    stack: str
    target: str
    graph: str
    namespace: str
    context: str
    results: list[Result]

    def number(self, verdict: Verdict) -> int:
        return sum(result.verdict is verdict for result in self.results)

    @property
    def verdict(self) -> Verdict:
        """The worst of all."""
        worst_first = (Verdict.FAIL, Verdict.WARN)
        return next((each for each in worst_first if self.number(each)), Verdict.PASS)


def preflight(
    settings: Settings,
    cluster_settings: ClusterSettings,
    stack: str,
    former: str | None = None,
    seconds: float = SECONDS,
) -> Outcome:
    """Whether the stack fits its cluster now; raises Refusal where no server answers."""
    needs = needs_of(settings, stack, former)
    reader = Reader(Cluster.of(cluster_settings, seconds), needs)
    facts = reader.facts(reached(reader, cluster_settings))
    return Outcome(
        stack,
        needs.target,
        needs.own.graph,
        needs.namespace.name,
        cluster_settings.context,
        results(needs, facts),
    )


def reached(reader: Reader, settings: ClusterSettings) -> str | Unreadable:
    """The server's version, which is also whether there is one that knows the caller."""
    version = reader.version()
    if isinstance(version, Unreadable) and (not version.answered or version.reason.startswith("HTTP 401")):
        raise Refusal(
            f"Nothing can be checked on the cluster of the context {settings.context!r}: {version.reason}.\n"
            "Accepted: an API server that answers, and credentials that it takes.\n"
            f"Try: kubectl --context {settings.context} version"
        )
    return version
