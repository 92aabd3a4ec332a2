"""Counts that have to agree: ranks with GPUs, nodes with flags, the router with its workers."""

from collections.abc import Iterator

from manifests.rules.rule import Finding, role_path, rule
from manifests.rules.view import Component, View

_GPU = "nvidia.com/gpu"
_MANY_DIGITS = 6
_FEWEST_NODES = 2  # the CRD's own minimum; a component on one node has no multinode at all


@rule(
    "parallelism",
    "operator: multinode flags are injected by tensor x pipeline parallelism against GPUs (#4934)",
)
def _ranks(view: View) -> Iterator[Finding]:
    for worker in (worker for worker in view.workers if worker.readable):
        tensor, pipeline = _degree(worker, worker.dialect.tensor), _degree(worker, worker.dialect.pipeline)
        gpus = int(worker.quantities("limits").get(_GPU, 0))
        nodes = worker.node_count or 1
        if tensor is None or pipeline is None:
            yield _no_number(worker)
        elif tensor * pipeline != nodes * gpus:
            yield Finding(
                f"{worker.name} has tensor x pipeline parallelism {tensor} x {pipeline} = {tensor * pipeline} on "
                f"{nodes} nodes x {gpus} GPUs = {nodes * gpus}",
                f"as many GPUs as ranks, here {tensor * pipeline}: change nodeCount and the parallelism together",
                role_path(worker.name, "nodeCount"),
                _fitting(tensor * pipeline, gpus),
                "Set one of them",
            )


def _fitting(ranks: int, gpus: int) -> str:
    """The node count for so many ranks, if there is one that Dynamo takes."""
    nodes, left = divmod(ranks, gpus) if gpus else (0, 1)
    return str(nodes) if nodes >= _FEWEST_NODES and not left else ""


def _degree(worker: Component, word: str) -> int | None:
    """Tensor or pipeline parallelism of one replica, None where it is no number."""
    given = worker.word(word)
    text = "1" if given is None else str(given)
    return int(text) if text.isascii() and text.isdigit() and len(text) < _MANY_DIGITS else None


def _no_number(worker: Component) -> Finding:
    dialect = worker.dialect
    return Finding(
        f"{worker.name} has a tensor or pipeline parallelism that is no whole number",
        f"whole numbers for {dialect.tensor} and {dialect.pipeline}",
        worker.path_of(dialect.tensor),
    )


@rule("replicas", "Grove: a role without pods has the whole deployment torn down (ai-dynamo/grove#676)")
def _replicas(view: View) -> Iterator[Finding]:
    for component in view.components:
        if component.replicas < 1:
            yield Finding(
                f"{component.name} has {component.replicas} replicas; the others would be torn down with it",
                "1 or more; serving.deploy: false pauses the whole deployment",
                role_path(component.name, "replicas"),
                "1",
            )


@rule("node-count", "DynamoGraphDeployment CRD: multinode.nodeCount is 2 or more")
def _node_count(view: View) -> Iterator[Finding]:
    for component in view.components:
        if component.node_count is not None and component.node_count < _FEWEST_NODES:
            yield Finding(
                f"{component.name} has a node count of {component.node_count}",
                "2 or more, since one node does not hold the checkpoint",
                role_path(component.name, "nodeCount"),
                "4",
            )


@rule("router-minimum", "Dynamo frontend: --router-min-initial-workers (#13977)")
def _router_minimum(view: View) -> Iterator[Finding]:
    routable = sum(worker.replicas for worker in view.workers if worker.type != "prefill")
    for frontend in view.frontends:
        minimum = frontend.flag("--router-min-initial-workers")
        if minimum is not None and minimum != str(routable):
            yield Finding(
                f"the router of {frontend.name} waits for {minimum} workers, {routable} can be routed to",
                f"{routable}, which the published value follows by itself",
                role_path(frontend.name, "args", "set", "--router-min-initial-workers"),
                str(routable),
            )


@rule("node-flag", "vLLM: --nnodes; the operator appends its own (operator: multinode rendering)")
def _nodes_flag(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        flag = worker.dialect.nodes
        given = worker.flag(flag) if flag else None
        if given is not None and given != str(worker.node_count or 1):
            yield Finding(
                f"{worker.name} has {flag} {given} and a node count of {worker.node_count or 1}",
                f"the node count, which a published {flag} follows by itself",
                worker.path_of(flag),
                str(worker.node_count or 1),
            )


RULES = (_ranks, _replicas, _node_count, _router_minimum, _nodes_flag)
