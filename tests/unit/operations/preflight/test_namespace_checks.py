"""What the checks say of namespaces, their quotas and limits, and of what is left in them."""

import pytest

from tests.unit.operations.preflight.cases import (
    CLAIM,
    EXISTING,
    INSIDE,
    KEPT,
    NAMESPACE,
    Case,
    claim,
    limit_range,
    lists,
    put,
    quota,
    served,
    then,
)

CASES = {
    "a namespace that is there": Case(NAMESPACE, []),
    "a missing namespace": Case(served(), [("namespace", "FAIL", "kimi-k3 is not there")], KEPT),
    "a namespace in deletion": Case(
        put(
            INSIDE,
            {
                "metadata": {"name": "kimi-k3", "deletionTimestamp": "2026-01-01T00:00:00Z"},
                "status": {
                    "conditions": [{"status": "True", "message": "Some content has finalizers remaining: x"}]
                },
            },
        ),
        [("namespace", "FAIL", "kimi-k3 is being deleted: Some content has finalizers remaining: x")],
    ),
    "baseline": Case(
        put(INSIDE, {"metadata": {"labels": {"pod-security.kubernetes.io/enforce": "baseline"}}}),
        [
            (
                "Pod Security",
                "FAIL",
                "baseline refuses worker: capabilities IPC_LOCK, SYS_PTRACE, SYS_RESOURCE",
            )
        ],
    ),
    "baseline that the stack lifts": Case(
        put(INSIDE, {"metadata": {"labels": {"pod-security.kubernetes.io/enforce": "baseline"}}}),
        [],
        {"namespace": {"podSecurity": "privileged"}},
    ),
    # Quotas: 4 workers with 4 GPUs and 16 processors, one frontend with 16 processors, one download without requests
    "a quota of GPUs that is enough": Case(quota(requests_nvidia_com__gpu="16"), []),
    "a quota of GPUs that is short": Case(
        lists(
            f"{INSIDE}/resourcequotas",
            {
                "metadata": {"name": "team"},
                "spec": {"hard": {"requests.nvidia.com/gpu": "16"}},
                "status": {"used": {"requests.nvidia.com/gpu": "4"}},
            },
        ),
        [("quota", "FAIL", "team leaves 12 of 16 requests.nvidia.com/gpu")],
    ),
    "a quota of pods": Case(quota(pods="5"), [("quota", "FAIL", "team leaves 5 of 5 pods")]),
    "a quota of pods that is enough": Case(quota(pods="6"), []),
    "a quota of processors, of which the download says nothing": Case(
        quota(cpu="200"),
        [("quota", "FAIL", "team counts cpu, and model-download say nothing of it")],
    ),
    "a quota of limits with defaults": Case(
        then(quota(limits_cpu="200"), limit_range(type="Container", default={"cpu": "16"})), []
    ),
    "a quota of Secrets": Case(quota(secrets="0"), [("quota", "FAIL", "team leaves 0 of 0 secrets")]),
    "a quota of storage": Case(
        quota(requests_storage="1Ti"), [("quota", "FAIL", "team leaves 1024Gi of 1024Gi requests.storage")]
    ),
    "a quota of storage that the claim has already": Case(
        then(quota(requests_storage="3000Gi"), put(CLAIM, claim())), []
    ),
    # Limit ranges
    "containers that may be small only": Case(
        limit_range(type="Container", max={"memory": "100Gi"}, default={"memory": "100Gi"}),
        [
            ("limit ranges", "FAIL", "sizes allows 100Gi memory at most; worker takes 200Gi"),
            ("limit ranges", "FAIL", "sizes allows 100Gi memory at most; Frontend takes 128Gi"),
        ],
    ),
    "a claim that may be small only": Case(
        limit_range(type="PersistentVolumeClaim", max={"storage": "1Ti"}),
        [
            (
                "limit ranges",
                "FAIL",
                "sizes allows 1024Gi storage at most; the claim shared-model-cache takes 3000Gi",
            )
        ],
    ),
    "a default limit below what is asked for": Case(
        limit_range(type="Container", default={"cpu": "8"}),
        [
            ("limit ranges", "FAIL", "sizes gives containers a limit of 8 cpu; worker asks for 16"),
            ("limit ranges", "FAIL", "sizes gives containers a limit of 8 cpu; Frontend asks for 16"),
        ],
    ),
    # Secrets
    "no token": Case(NAMESPACE, [("token", "FAIL", "hf-token-secret is not there")], EXISTING),
    "a pull secret before its namespace": Case(
        served(),
        [("pull secret pull", "WARN", "it cannot be there before its namespace")],
        {"images": {"pullSecrets": ["pull"]}},
    ),
    "a pull secret": Case(
        then(NAMESPACE, put(f"{INSIDE}/secrets/pull", {"type": "kubernetes.io/dockerconfigjson"})),
        [],
        {"images": {"pullSecrets": ["pull"]}},
    ),
    # Rights and leftovers
    "a failed download": Case(
        put(
            "/apis/batch/v1/namespaces/kimi-k3/jobs/model-download",
            {"metadata": {}, "status": {"conditions": [{"type": "Failed", "status": "True"}]}},
        ),
        [("download", "WARN", "Job model-download has failed")],
    ),
    "a right that is denied": Case(
        lambda it: it.denied.update(
            {("create", "dynamographdeployments"), ("patch", "dynamographdeployments")}
        ),
        [("dynamographdeployments.nvidia.com", "FAIL", "you may not create, patch")],
    ),
    "a claim template without its domain": Case(
        lists(
            "/apis/resource.k8s.io/v1/namespaces/kimi-k3/resourceclaimtemplates",
            {"metadata": {"name": "kimi-k3-vllm-gb200-agg-agentic-compute-domain-channel"}},
        ),
        [
            (
                "claim template",
                "FAIL",
                "kimi-k3-vllm-gb200-agg-agentic-compute-domain-channel is there, and its ComputeDomain is not",
            )
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_check(name: str) -> None:
    CASES[name].is_told()
