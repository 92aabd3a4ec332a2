"""NVLink domains: what fits into which, worked out by hand."""

from tests.stand_in.nodes import CLIQUE, MACHINES
from tests.unit.operations.preflight.clusters import FakeCluster, healthy
from tests.unit.operations.preflight.looked_at import looked_at, problems

GB200, GB300 = MACHINES["gb200"], MACHINES["gb300"]


def racks(gpu: str, **sizes: int) -> FakeCluster:
    """A cluster with a rack of each size; nodes are named after their rack."""
    made = healthy(gpu, 0)
    for rack, number in sizes.items():
        made.add_nodes(MACHINES[gpu], number, rack, **{CLIQUE: f"uuid.{rack}"})
    return made


def test_one_rack_that_holds_all_passes() -> None:
    assert problems("sglang-gb200-disagg", racks("gb200", a=12)) == []
    assert "all pods fit into uuid.a" in {
        each.found for each in looked_at("vllm-gb200-agg", racks("gb200", a=4))
    }


def test_a_disaggregated_target_fails_where_no_rack_holds_all_of_its_roles() -> None:
    """12 nodes are free, and no rack has more than 8 of them: NVLink does not leave a rack."""
    assert problems("sglang-gb200-disagg", racks("gb200", a=8, b=8)) == [
        ("cliques", "FAIL", "no clique has room (uuid.a: 8 free nodes, uuid.b: 8 free nodes)")
    ]


def test_replicas_of_an_aggregated_target_in_two_racks_are_a_warning() -> None:
    """Two replicas of four nodes each."""
    assert problems("sglang-gb200-agg", racks("gb200", a=4, b=5)) == [
        (
            "cliques",
            "WARN",
            "the replicas fit only into different cliques (uuid.a: 4 free nodes, uuid.b: 5 free nodes)",
        )
    ]


def test_a_replica_never_leaves_its_rack() -> None:
    """9 nodes are free for 8, and only one rack holds a replica of four."""
    assert problems("sglang-gb200-agg", racks("gb200", a=3, b=6)) == [
        ("cliques", "FAIL", "no clique has room (uuid.a: 3 free nodes, uuid.b: 6 free nodes)")
    ]


def test_two_free_racks_of_which_none_is_chosen_are_a_warning_with_the_fuller_choice() -> None:
    cluster = racks("gb200", a=4, b=6)
    (found,) = [each for each in looked_at("vllm-gb200-agg", cluster) if each.verdict == "WARN"]
    assert found.found == (
        "several have free nodes, and none is chosen (uuid.a: 4 free nodes, uuid.b: 6 free nodes)"
    )
    assert found.remedy == "Choose one: make set STACK=prod KEY=placement.clique VALUE=uuid.b"
    assert problems("vllm-gb200-agg", cluster, placement={"clique": "uuid.b"}) == []


def test_a_second_rack_without_a_free_node_is_no_choice() -> None:
    cluster = racks("gb200", a=4, b=2)
    for name in ("b-0", "b-1"):
        cluster.add_pod(name, gpu="4")
    assert problems("vllm-gb200-agg", cluster) == []


def test_a_chosen_rack_that_is_too_small_fails() -> None:
    assert problems("vllm-gb200-agg", racks("gb200", a=3, b=8), placement={"clique": "uuid.a"}) == [
        (
            "labels",
            "FAIL",
            "8 nodes have other labels than the workers ask for; cliques seen: uuid.b; 3 nodes are left",
        )
    ]


def test_a_busy_node_of_the_only_rack_is_missing() -> None:
    cluster = racks("gb200", a=4)
    cluster.add_pod("a-2", gpu="1")
    assert problems("vllm-gb200-agg", cluster) == [
        ("room", "FAIL", "no room for 1 of worker: 1 of 4 nodes have too little nvidia.com/gpu left (a-2)")
    ]


def test_one_node_never_takes_two_pods_of_a_compute_domain() -> None:
    """A node of 8 GPUs has room for two pods of 4, and one channel of a ComputeDomain."""
    cluster = racks("gb300", a=3)
    for each in cluster.lists["/api/v1/nodes"]:
        if each["metadata"]["name"].startswith("a-"):
            each["status"]["allocatable"] |= {"nvidia.com/gpu": "8"}
    assert problems("vllm-gb300-agg", cluster) == [("product", "FAIL", "nodes: 3 with NVIDIA-GB300")]


def test_h200_nodes_of_sixteen_gpus_take_two_pods_each() -> None:
    cluster = healthy("h200", 2)
    for each in cluster.lists["/api/v1/nodes"]:
        if "h200" in each["metadata"]["name"]:
            each["status"]["allocatable"] |= {"nvidia.com/gpu": "16", "memory": "3Ti"}
    assert problems("vllm-h200-agg", cluster) == []
