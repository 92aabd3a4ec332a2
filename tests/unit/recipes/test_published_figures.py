"""Holds the catalog against figures written by hand from the published page. Says nothing about manifests."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from recipes import Catalog, Target, load_catalog
from recipes.consistency import draft, routable_replicas
from tests.targets import TARGETS

_FILE = Path(__file__).parents[1] / "published" / "figures.yaml"
FIGURES: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))  # Any: figures of several shapes

ROWS = [pytest.param(name, figures, id=name) for name, figures in FIGURES["targets"].items()]


def _page_row(target: Target, catalog: Catalog) -> dict[str, object]:
    result = catalog.result(target)
    return {
        "dgd": target.dgd_name,
        "gpus": target.gpus,
        "nodes": target.nodes,
        "replicas": target.published.replicas,
        "parallelism": target.published.parallelism,
        "precision": target.published.precision,
        "routing": target.published.routing,
        "speculativeDecoding": target.published.speculative_decoding or "None",
        "contextLength": target.published.context_length,
        "concurrency": result.concurrency,
        "systemOutputTokPerSecPerGpu": result.output_tokens_per_second_per_gpu,
        "userOutputTokPerSecP50": result.user_tokens_per_second_p50,
        "ttftP50Ms": result.ttft_p50_milliseconds,
    }


def test_the_catalog_holds_the_eight_published_targets_in_the_order_of_the_page() -> None:
    assert tuple(target.name for target in load_catalog().targets) == TARGETS
    assert set(FIGURES["targets"]) == set(TARGETS), "the expectations cover every target and no other"


@pytest.mark.parametrize(("name", "figures"), ROWS)
def test_a_target_says_what_its_row_of_the_page_says(name: str, figures: dict[str, object]) -> None:
    catalog = load_catalog()
    row = _page_row(catalog.named(name), catalog)
    assert row == {key: figures[key] for key in row}, "people choose hardware by these figures"


@pytest.mark.parametrize(("name", "figures"), ROWS)
def test_the_draft_of_every_worker_is_the_published_one(name: str, figures: dict[str, object]) -> None:
    target = load_catalog().named(name)
    drafts = {role.name: draft(role, target.framework) for role in target.workers}
    assert set(drafts.values()) == {figures["draft"]}, drafts


@pytest.mark.parametrize(("name", "figures"), ROWS)
def test_the_router_waits_for_the_workers_it_can_route_to(name: str, figures: dict[str, object]) -> None:
    target = load_catalog().named(name)
    assert target.frontend.args["--router-min-initial-workers"] == str(figures["routerMinimum"])
    assert routable_replicas(target) == figures["routerMinimum"], "with more the frontend never gets ready"


@pytest.mark.parametrize(("name", "figures"), ROWS)
def test_nothing_of_a_benchmark_run_is_in_what_is_deployed(
    name: str, figures: dict[str, Any]
) -> None:  # Any: as above
    added = FIGURES["vllmSyntheticAcceptance"]
    for role in load_catalog().named(name).workers:
        assert not set(role.env) & set(figures["benchmarkOnlyEnv"].get(role.name, {})), (
            "answers would be made up"
        )
        assert not set(role.args.get(added["flag"], {})) & set(added["adds"]), "answers would be made up"


@pytest.mark.parametrize(
    ("gpu", "gpus_per_node"), [("h200", 8), ("gb200", 4), ("gb300", 4)], ids=["h200", "gb200", "gb300"]
)
def test_a_worker_pod_takes_all_gpus_of_a_node(gpu: str, gpus_per_node: int) -> None:
    roles = [role for target in load_catalog().targets if target.gpu == gpu for role in target.workers]
    assert {role.gpus_per_node for role in roles} == {gpus_per_node}, (
        "two pods of a worker would share a machine"
    )
    assert all(role.node_count >= 2 for role in roles), "multinode of one node is refused by the CRD"


def test_limitations_are_the_published_ones() -> None:
    assert list(load_catalog().facts.limitations) == FIGURES["limitations"]


def test_the_health_check_workaround_is_the_published_one() -> None:
    published, ours = FIGURES["healthCheckWorkaround"], load_catalog().facts.health_check_workaround
    assert ours.model_dump() == {
        "env": published["env"],
        "framework": "sglang",
        "applies_to": published["appliesTo"],
        "log_line": published["logLine"],
        "trade_off": published["tradeOff"],
    }


def test_the_four_unavailable_combinations_are_the_published_ones() -> None:
    assert [item.model_dump(mode="json") for item in load_catalog().facts.unavailable] == FIGURES[
        "unavailable"
    ]


def test_the_model_has_the_published_names_and_context() -> None:
    model = load_catalog().facts.model
    assert (model.checkpoint, model.served_name, model.max_context) == (
        "moonshotai/Kimi-K3",
        "moonshotai/Kimi-K3",
        1048576,
    )


def test_the_catalog_cannot_be_changed_by_those_who_use_it() -> None:
    target = load_catalog().targets[0]
    with pytest.raises(ValueError, match="frozen"):
        target.compute_domain = True  # type: ignore[misc] # what is frozen is assigned to on purpose
