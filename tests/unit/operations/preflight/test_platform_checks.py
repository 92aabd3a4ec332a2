"""What the checks say of servers and platforms."""

import pytest

from tests.unit.operations.preflight.cases import OPERATORS, Case, lists, operator, served, then, version

NO_DRIVER = (
    "no ResourceSlice of compute-domain.nvidia.com for gb200-0, gb200-1, gb200-2, gb200-3; 0 nodes are left"
)
CASES = {
    "1.33, which has DRA as a beta": Case(version("v1.33.4"), [("version", "WARN", "v1.33.4")]),
    "1.31": Case(version("v1.31.9"), [("version", "FAIL", "v1.31.9")]),
    "1.31 for H200": Case(version("v1.31.9-eks-1a2b3c"), [], target="vllm-h200-agg"),
    "1.29 for H200": Case(version("v1.29.0"), [("version", "FAIL", "v1.29.0")], target="vllm-h200-agg"),
    "1.34.1": Case(
        version("v1.34.1"), [("version", "FAIL", "v1.34.1, which loses the registration of DRA drivers")]
    ),
    "a fork's version": Case(version("main"), [("version", "WARN", "the version 'main' says nothing")]),
    "no v1 of DRA": Case(
        served(resource_k8s_io=["v1beta2"]),
        [
            ("resource.k8s.io", "WARN", "only v1beta2 is served"),
            ("device class", "FAIL", "it is not there"),
            ("DRA driver", "FAIL", NO_DRIVER),
        ],
    ),
    "no DRA for H200": Case(served(resource_k8s_io=None), [], target="vllm-h200-agg"),
    # The platform
    "only Grove": Case(served(), []),
    "LeaderWorkerSet and Volcano": Case(
        served(grove_io=None, leaderworkerset_x__k8s_io=["v1"], scheduling_volcano_sh=["v1beta1"]), []
    ),
    "LeaderWorkerSet alone": Case(
        served(grove_io=None, leaderworkerset_x__k8s_io=["v1"]),
        [("orchestrator", "FAIL", "only LeaderWorkerSet")],
    ),
    "nothing that starts pods together": Case(served(grove_io=None), [("orchestrator", "FAIL", "none")]),
    "an older operator": Case(
        operator(version="1.4.0"), [("operator", "WARN", "dynamo-system/dynamo-operator 1.4.0")]
    ),
    "an operator without a version": Case(
        operator(version=""), [("operator", "WARN", "dynamo-system/dynamo-operator of an unknown version")]
    ),
    "an operator that is down": Case(
        operator(available=0),
        [("operator", "FAIL", "dynamo-system/dynamo-operator 1.5.0 has no pod that is available")],
    ),
    "no operator": Case(
        lists(OPERATORS),
        [("operator", "WARN", "no Deployment is labeled app.kubernetes.io/name=dynamo-operator")],
    ),
    "a queue without KAI": Case(
        served(),
        [("KAI queue", "FAIL", "the KAI scheduler is not installed")],
        {"serving": {"queue": "team"}},
    ),
    "a queue that KAI has": Case(
        then(
            served(scheduling_run_ai=["v2"]),
            lists("/apis/scheduling.run.ai/v2/queues", {"metadata": {"name": "team"}}),
        ),
        [],
        {"serving": {"queue": "team"}},
    ),
    "a queue that KAI does not have": Case(
        then(
            served(scheduling_run_ai=["v2"]),
            lists(
                "/apis/scheduling.run.ai/v2/queues", {"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}
            ),
        ),
        [("KAI queue", "FAIL", "the queues are a, b")],
        {"serving": {"queue": "team"}},
    ),
    "KAI without the default queue": Case(
        then(
            served(scheduling_run_ai=["v2"]),
            lists("/apis/scheduling.run.ai/v2/queues", {"metadata": {"name": "a"}}),
        ),
        [("KAI queue", "WARN", "the queues are a")],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_check(name: str) -> None:
    CASES[name].is_told()
