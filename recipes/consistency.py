"""Checks that a target's own figures agree with each other; a recipe file that fails is a defect of this project."""

from collections.abc import Iterator

from recipes.schema import Framework, Gpu, ModelFacts, Role, Target, Topology


def inconsistencies(target: Target, facts: ModelFacts) -> list[str]:
    """Every contradiction inside `target`, each as a sentence with its numbers; empty when it is sound."""
    return [f"{target.name}: {text}" for check in _CHECKS for text in check(target, facts)]


def _total(target: Target, _: ModelFacts) -> Iterator[str]:
    if target.gpus != target.published.gpus:
        yield f"the roles need {target.gpus} GPUs, published are {target.published.gpus}"


def _parallelism(target: Target, _: ModelFacts) -> Iterator[str]:
    for role in target.workers:
        ranks, gpus = parallel_ranks(role, target.framework), role.node_count * role.gpus_per_node
        if ranks != gpus:
            yield f"{role.name} has tensor x pipeline parallelism {ranks} on {gpus} GPUs"


def _router(target: Target, _: ModelFacts) -> Iterator[str]:
    minimum = int(target.frontend.args["--router-min-initial-workers"])
    if minimum != routable_replicas(target):
        yield f"the router waits for {minimum} workers, {routable_replicas(target)} are routable"


def _draft(target: Target, facts: ModelFacts) -> Iterator[str]:
    expected = facts.model.drafts[target.framework] if target.published.speculative_decoding else None
    for role in target.workers:
        if draft(role, target.framework) != expected:
            yield f"{role.name} has draft {draft(role, target.framework)}, its engine's is {expected}"


def _compute_domain(target: Target, _: ModelFacts) -> Iterator[str]:
    if target.compute_domain != (target.gpu is not Gpu.H200):
        yield "a ComputeDomain belongs to GB200 and GB300 and to nothing else"


def _served_name(target: Target, facts: ModelFacts) -> Iterator[str]:
    workers = (
        r.engine_config.get("served-model-name", r.args.get("--served-model-name")) for r in target.workers
    )
    names = [target.frontend.args.get("--model-name"), *workers]
    if set(names) != {facts.model.served_name}:
        yield f"frontend and workers serve {names} instead of {facts.model.served_name}"


def _measured(target: Target, facts: ModelFacts) -> Iterator[str]:
    if [result.target for result in facts.results].count(target.name) != 1:
        yield "there must be exactly one published result"


_CHECKS = (_total, _parallelism, _router, _draft, _compute_domain, _served_name, _measured)


def routable_replicas(target: Target) -> int:
    """Replicas that the router sends requests to: the workers, or the decode workers of a disaggregated target."""
    kind = "worker" if target.topology is Topology.AGG else "decode"
    return sum(role.replicas for role in target.workers if role.type == kind)


def parallel_ranks(role: Role, framework: Framework) -> int:
    """Tensor x pipeline parallelism of one replica."""
    if framework is Framework.VLLM:
        return int(role.args["--tensor-parallel-size"]) * int(role.args.get("--pipeline-parallel-size", 1))
    return int(role.engine_config["tp-size"]) * int(role.engine_config.get("pp-size", 1))


def draft(role: Role, framework: Framework) -> str | None:
    """Hub repository of the role's draft model, or None without speculative decoding."""
    if framework is Framework.VLLM:
        found = role.args.get("--speculative-config", {}).get("model")
    else:
        found = role.engine_config.get("speculative-draft-model-path")
    return str(found) if found else None
