"""Breaks a copy of a recipe in one figure at a time: the catalog must refuse it with the numbers that disagree."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from recipes import Catalog, ModelFacts, Refusal, Role, Target, load_catalog
from recipes.consistency import inconsistencies

Broken = tuple[Target, ModelFacts]


def _named(name: str) -> Broken:
    catalog = load_catalog()
    return catalog.named(name), catalog.facts


def _first_role(target: Target, **changes: object) -> Target:
    role, *others = target.workers
    return target.model_copy(update={"workers": (role.model_copy(update=changes), *others)})


def _with(
    mapping: Mapping[str, Any], **changes: object
) -> dict[str, Any]:  # Any: args hold values of any kind
    return {**mapping, **{key.replace("_", "-"): value for key, value in changes.items()}}


def _one_replica_more() -> Broken:
    target, facts = _named("sglang-gb200-disagg")
    return _first_role(target, replicas=3), facts


def _another_published_total() -> Broken:
    target, facts = _named("vllm-h200-agg")
    return target.model_copy(update={"published": target.published.model_copy(update={"gpus": 16})}), facts


def _half_the_tensor_parallelism() -> Broken:
    target, facts = _named("vllm-gb200-agg")
    role = target.workers[0]
    return _first_role(target, args={**role.args, "--tensor-parallel-size": "8"}), facts


def _double_pipeline_parallelism_of_sglang() -> Broken:
    target, facts = _named("sglang-gb300-disagg")
    role = target.workers[0]
    return _first_role(target, engine_config=_with(role.engine_config, pp_size=2)), facts


def _router_waits_for_prefill_too() -> Broken:
    target, facts = _named("sglang-gb300-disagg")
    args = {**target.frontend.args, "--router-min-initial-workers": "2"}
    return target.model_copy(update={"frontend": target.frontend.model_copy(update={"args": args})}), facts


def _draft_of_the_other_engine() -> Broken:
    target, facts = _named("sglang-gb300-agg")
    role = target.workers[0]
    other = _with(role.engine_config, speculative_draft_model_path="Inferact/Kimi-K3-DSpark")
    return _first_role(target, engine_config=other), facts


def _draft_where_none_is_published() -> Broken:
    target, facts = _named("vllm-gb200-agg")
    args = {**target.workers[0].args, "--speculative-config": {"model": "Inferact/Kimi-K3-DSpark"}}
    return _first_role(target, args=args), facts


def _no_draft_where_one_is_published() -> Broken:
    target, facts = _named("vllm-gb300-agg")
    args = {flag: value for flag, value in target.workers[0].args.items() if flag != "--speculative-config"}
    return _first_role(target, args=args), facts


def _compute_domain_on_h200() -> Broken:
    target, facts = _named("vllm-h200-agg")
    return target.model_copy(update={"compute_domain": True}), facts


def _gb300_without_compute_domain() -> Broken:
    target, facts = _named("vllm-gb300-agg")
    return target.model_copy(update={"compute_domain": False}), facts


def _worker_serves_another_name() -> Broken:
    target, facts = _named("vllm-gb200-agg")
    return _first_role(target, args={**target.workers[0].args, "--served-model-name": "kimi"}), facts


def _no_result() -> Broken:
    target, facts = _named("vllm-gb200-agg")
    others = tuple(result for result in facts.results if result.target != target.name)
    return target, facts.model_copy(update={"results": others})


def _two_results() -> Broken:
    target, facts = _named("vllm-gb200-agg")
    return target, facts.model_copy(update={"results": (*facts.results, *facts.results)})


_DOMAIN = "a ComputeDomain belongs to GB200 and GB300 and to nothing else"
_RESULT = "vllm-gb200-agg: there must be exactly one published result"
CASES: list[tuple[Callable[[], Broken], str]] = [
    (_one_replica_more, "sglang-gb200-disagg: the roles need 64 GPUs, published are 48"),
    (_another_published_total, "vllm-h200-agg: the roles need 32 GPUs, published are 16"),
    (_half_the_tensor_parallelism, "vllm-gb200-agg: worker has tensor x pipeline parallelism 8 on 16 GPUs"),
    (
        _double_pipeline_parallelism_of_sglang,
        "sglang-gb300-disagg: PrefillWorker has tensor x pipeline parallelism 16 on 8 GPUs",
    ),
    (_router_waits_for_prefill_too, "sglang-gb300-disagg: the router waits for 2 workers, 1 are routable"),
    (
        _draft_of_the_other_engine,
        "sglang-gb300-agg: Worker has draft Inferact/Kimi-K3-DSpark, its engine's is RadixArk/Kimi-K3-DSpark",
    ),
    (
        _draft_where_none_is_published,
        "vllm-gb200-agg: worker has draft Inferact/Kimi-K3-DSpark, its engine's is None",
    ),
    (
        _no_draft_where_one_is_published,
        "vllm-gb300-agg: worker has draft None, its engine's is Inferact/Kimi-K3-DSpark",
    ),
    (_compute_domain_on_h200, f"vllm-h200-agg: {_DOMAIN}"),
    (_gb300_without_compute_domain, f"vllm-gb300-agg: {_DOMAIN}"),
    (
        _worker_serves_another_name,
        "vllm-gb200-agg: frontend and workers serve ['moonshotai/Kimi-K3', 'kimi'] instead of moonshotai/Kimi-K3",
    ),
    (_no_result, _RESULT),
    (_two_results, _RESULT),
]


@pytest.mark.parametrize(("broken", "message"), [pytest.param(b, m, id=b.__name__[1:]) for b, m in CASES])
def test_a_recipe_that_contradicts_itself_is_refused_with_its_numbers(
    broken: Callable[[], Broken], message: str
) -> None:
    target, facts = broken()
    assert inconsistencies(target, facts) == [message]
    with pytest.raises(Refusal) as refused:
        Catalog(facts, (target,))
    assert str(refused.value) == f"The recipe files contradict themselves:\n{message}"


def test_the_published_recipes_do_not_contradict_themselves() -> None:
    catalog = load_catalog()
    assert [text for target in catalog.targets for text in inconsistencies(target, catalog.facts)] == []


def test_an_unknown_key_in_a_recipe_file_is_refused() -> None:
    role = load_catalog().targets[0].workers[0]
    with pytest.raises(ValueError, match="gpusPerNod"):
        Role.model_validate({**role.model_dump(by_alias=True), "gpusPerNod": 8})
