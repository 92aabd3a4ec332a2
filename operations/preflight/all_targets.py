"""Which of the published targets a cluster could run: now, when it is empty, or not at all, and for want of what."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from operations.cluster import Cluster, Unreadable
from operations.preflight.checks import OF_THE_TARGET, results
from operations.preflight.derive import needs_of
from operations.preflight.facts import Facts
from operations.preflight.needs import Needs
from operations.preflight.ownership import stays_when_empty
from operations.preflight.products import DOMAIN
from operations.preflight.reader import Reader
from operations.preflight.run import SECONDS, reached
from operations.preflight.verdict import Result, Verdict
from recipes import Target, load_catalog
from settings import ClusterSettings, ModelCacheSettings, Settings


@dataclass(frozen=True)
class Answer:
    """`now` and `empty`: what the checks of the target say of the cluster as it is, and with nobody on it."""

    target: str
    nodes: int
    gpus: int
    now: list[Result]
    empty: list[Result]

    @property
    def fits_now(self) -> bool:
        return not _failures(self.now)

    @property
    def fits_empty(self) -> bool:
        return not _failures(self.empty)

    @property
    def lacks(self) -> list[Result]:
        """What is in the way now; where that is more than other pods, what would be even then."""
        return _failures(self.empty) or _failures(self.now)

    @property
    def warnings(self) -> list[Result]:
        return [result for result in self.now if result.verdict is Verdict.WARN]


def _failures(found: list[Result]) -> list[Result]:
    return [result for result in found if result.verdict is Verdict.FAIL]


def all_targets(
    settings: Settings, cluster_settings: ClusterSettings, stack: str, seconds: float = SECONDS
) -> list[Answer]:
    """One answer a target. Of the stack's settings only cluster, namespace and placement count."""
    targets = load_catalog().targets
    needs = [_needs(settings, cluster_settings, target, stack) for target in targets]
    reader = Reader(Cluster.of(cluster_settings, seconds), _of_all(needs))
    facts = reader.facts(reached(reader, cluster_settings))
    return [_answer(target, need, facts) for target, need in zip(targets, needs, strict=True)]


def _needs(settings: Settings, cluster_settings: ClusterSettings, target: Target, stack: str) -> Needs:
    """What the stack would need with another target; its own deployment is what the switch deletes."""
    placement = settings.placement
    if not target.compute_domain:
        placement = placement.model_copy(update={"clique": None})  # its machines have no such label
    if target.gpu != settings.gpu:
        cluster_settings = cluster_settings.model_copy(update={"gpu_product": None})
    own = settings.target.name
    chosen = Settings(
        framework=target.framework,
        gpu=target.gpu,
        topology=target.topology,
        namespace=settings.namespace,
        model_cache=ModelCacheSettings(storage_class_name=settings.model_cache.storage_class_name),
        placement=placement,
        cluster=cluster_settings,
    )
    return needs_of(chosen, stack, None if target.name == own else own)


def _of_all(needs: list[Needs]) -> Needs:
    """What has to be read for all of them: what one with a ComputeDomain needs, and everybody's kinds."""
    most = next((each for each in needs if each.domain), needs[0])
    kinds = {kind.version: kind for each in needs for kind in each.kinds}
    return replace(most, kinds=list(kinds.values()), rights=[])


def _answer(target: Target, needs: Needs, facts: Facts) -> Answer:
    return Answer(
        target=target.name,
        nodes=target.nodes,
        gpus=target.gpus,
        now=results(needs, facts, OF_THE_TARGET),
        empty=results(needs, emptied(facts), OF_THE_TARGET),
    )


def emptied(facts: Facts) -> Facts:
    """The cluster with nobody on it: what every node runs anyway stays."""
    if isinstance(facts.pods, Unreadable) or isinstance(facts.nodes, Unreadable):
        return facts
    nodes = [replace(node, labels=_without(node.labels, DOMAIN)) for node in facts.nodes]
    return replace(facts, nodes=nodes, pods=[pod for pod in facts.pods if stays_when_empty(pod)], domains=[])


def _without(labels: Mapping[str, str], name: str) -> Mapping[str, str]:
    return {key: value for key, value in labels.items() if key != name} if name in labels else labels
