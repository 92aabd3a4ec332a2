"""Pod Security levels against pods, one field at a time."""

from typing import Any  # Any: Kubernetes objects are JSON of any depth

import pytest

from operations.preflight.pod_security import violations
from tests.unit.manifests.rendered import components, graph_of

SOUND: dict[str, Any] = {
    "runAsNonRoot": True,
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}
# What is changed of a sound container, what the level has against it.
FIELDS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "sound": ("restricted", {}, []),
    "more capabilities": (
        "baseline",
        {"capabilities": {"add": ["SYS_PTRACE", "CHOWN", "IPC_LOCK"]}},
        ["capabilities IPC_LOCK, SYS_PTRACE"],
    ),
    "capabilities of baseline": ("baseline", {"capabilities": {"add": ["CHOWN"]}}, []),
    "privileged": ("baseline", {"privileged": True}, ["privileged"]),
    "unconfined": ("baseline", {"seccompProfile": {"type": "Unconfined"}}, ["seccompProfile Unconfined"]),
    "privileged where all is allowed": ("privileged", {"privileged": True}, []),
    "privileged at a level that nobody knows": ("strict", {"privileged": True}, []),
    "escalation": ("restricted", {"allowPrivilegeEscalation": None}, ["allowPrivilegeEscalation not false"]),
    "capabilities kept": ("restricted", {"capabilities": {}}, ["capabilities not all dropped"]),
    "a port below 1024": (
        "restricted",
        {"capabilities": {"drop": ["ALL"], "add": ["NET_BIND_SERVICE"]}},
        [],
    ),
    "root": ("restricted", {"runAsUser": 0}, ["runAsUser 0"]),
    "maybe root": ("restricted", {"runAsNonRoot": None}, ["runAsNonRoot not true"]),
    "no profile": ("restricted", {"seccompProfile": None}, ["no seccompProfile"]),
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_field(name: str) -> None:
    level, change, expected = FIELDS[name]
    context = {key: value for key, value in {**SOUND, **change}.items() if value is not None}
    assert violations({"containers": [{"securityContext": context}]}, level) == expected


def test_the_pods_own_context_counts_for_its_containers() -> None:
    pod = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
    own = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    assert violations({"securityContext": pod, "containers": [{"securityContext": own}]}, "restricted") == []
    sysctls = {"sysctls": [{"name": "kernel.msgmax", "value": "1"}]}
    assert violations({"securityContext": sysctls, "containers": [{}]}, "baseline") == [
        "sysctl kernel.msgmax"
    ]


@pytest.mark.parametrize("target", ["vllm-h200-agg", "sglang-gb300-agg"])
def test_published_workers_are_not_baseline(target: str) -> None:
    """Both engines ask for three capabilities beyond it (published security contexts)."""
    frontend, worker = sorted(components(graph_of(target)), key=lambda each: each["type"] != "frontend")
    assert violations(worker["podTemplate"]["spec"], "baseline") == [
        "capabilities IPC_LOCK, SYS_PTRACE, SYS_RESOURCE"
    ]
    assert violations(frontend["podTemplate"]["spec"], "baseline") == []
