"""Each setting that changes the published pods reaches its own and nothing else.

The expectation is the published stack with one edit made by hand; everything that is not edited has to be equal. The
hash of the SGLang config is left out there and looked at by itself.
"""

import copy
import json
from typing import Any

import pytest

from tests.unit.manifests.published_stack import (
    HASH,
    SGLANG,
    WORKERS,
    Edit,
    Groups,
    Published,
    arg_after,
    comparable,
)
from tests.unit.manifests.reach_table import ROWS
from tests.unit.manifests.rendered import components, main, manifests_of, only


@pytest.mark.parametrize(("target", "groups", "edit"), [pytest.param(*row[1:], id=row[0]) for row in ROWS])
def test_a_setting_reaches_its_own_pods_and_nothing_else(target: str, groups: Groups, edit: Edit) -> None:
    expected = Published(target, comparable(manifests_of(target)))
    edit(expected)
    assert comparable(manifests_of(target, **groups(target))) == expected.manifests


def test_fewer_nodes_of_a_replica_take_their_node_flag_along() -> None:
    """Of the targets only vLLM on H200 has a published --nnodes: half the nodes, half the pipeline."""
    roles = {"worker": {"nodeCount": 2, "args": {"set": {"--pipeline-parallel-size": 2}}}}
    expected = Published("vllm-h200-agg", copy.deepcopy(manifests_of("vllm-h200-agg")))
    (worker,) = expected.workers
    worker["multinode"]["nodeCount"] = 2
    arg_after(main(worker), "--pipeline-parallel-size", "2")
    arg_after(main(worker), "--nnodes", "2")
    assert manifests_of("vllm-h200-agg", roles=roles) == expected.manifests


@pytest.mark.parametrize("target", SGLANG)
def test_only_the_role_whose_config_changes_is_rolled(target: str) -> None:
    changed = manifests_of(target, roles={WORKERS[target][0]: {"engineConfig": {"page-size": 128}}})
    before, after = (
        {c["name"]: c["podTemplate"]["metadata"]["annotations"][HASH] for c in components(graph)[1:]}
        for graph in (
            only(manifests_of(target), "DynamoGraphDeployment"),
            only(changed, "DynamoGraphDeployment"),
        )
    )
    assert {name for name in before if before[name] != after[name]} == {WORKERS[target][0]}


def test_an_image_of_ones_own_is_not_taken_from_the_registry_of_the_published_ones() -> None:
    """A role's image wins over serving's, both over the registry; `published` takes a role back to it."""
    groups: dict[str, Any] = {  # Any: settings hold values of several kinds
        "images": {"registry": "mirror.example.com"},
        "serving": {"image": "registry.example.com/all:1.5.0"},
        "roles": {
            "decode": {"image": "registry.example.com/decode:1.5.1"},
            "prefill": {"image": "published"},
        },
    }
    graph = only(manifests_of("vllm-gb300-disagg", **groups), "DynamoGraphDeployment")
    assert {component["name"]: main(component)["image"] for component in components(graph)} == {
        "Frontend": "registry.example.com/all:1.5.0",
        "prefill": "mirror.example.com/nvidia/ai-dynamo/vllm-runtime:1.5.0-kimi-k3-dev.1",
        "decode": "registry.example.com/decode:1.5.1",
    }


@pytest.mark.parametrize("given", [{"model": "x", "method": "dspark"}, '{"model": "x", "method": "dspark"}'])
def test_a_draft_of_the_stacks_own_is_measured_in_the_same_way(given: object) -> None:
    groups: dict[str, Any] = {  # Any: settings hold values of several kinds
        "serving": {"benchmarkMode": True},
        "roles": {"worker": {"args": {"set": {"--speculative-config": given}}}},
    }
    graph = only(manifests_of("vllm-gb300-agg", **groups), "DynamoGraphDeployment")
    args = main(components(graph)[1])["args"]
    assert json.loads(args[args.index("--speculative-config") + 1]) == {
        "model": "x",
        "method": "dspark",
        "rejection_sample_method": "synthetic",
        "synthetic_acceptance_length": 4.2584,
    }
