"""What Kubernetes' Pod Security Standards have against a pod, as far as the pods of this program can go.

Source: the Pod Security Standards of Kubernetes' documentation; fields that no pod here can have are left out.
"""

from collections.abc import Iterator, Mapping
from typing import Any

Raw = Mapping[str, Any]  # Any: Kubernetes objects are JSON of any depth

PRIVILEGED, BASELINE, RESTRICTED = "privileged", "baseline", "restricted"
_BASELINE_CAPABILITIES = frozenset(
    {
        "AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP",
        "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT",
    }
)  # fmt: skip
_SYSCTLS = frozenset(
    {
        "kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start",
        "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_local_reserved_ports",
        "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl",
        "net.ipv4.tcp_keepalive_probes",
    }
)  # fmt: skip
_PROFILES = ("RuntimeDefault", "Localhost")


def violations(spec: Raw, level: str) -> list[str]:
    """What the level refuses in a pod, each once; nothing is refused by `privileged` or an unknown level."""
    found: list[str] = []
    if level in (BASELINE, RESTRICTED):
        found += _baseline(spec)
    if level == RESTRICTED:
        found += _restricted(spec)
    return list(dict.fromkeys(found))


def _baseline(spec: Raw) -> Iterator[str]:
    pod = spec.get("securityContext") or {}
    for sysctl in pod.get("sysctls") or []:
        if sysctl.get("name") not in _SYSCTLS:
            yield f"sysctl {sysctl.get('name')}"
    if _profile(pod) == "Unconfined":
        yield "seccompProfile Unconfined"
    for own in _contexts(spec):
        added = set((own.get("capabilities") or {}).get("add") or []) - _BASELINE_CAPABILITIES
        if added:
            yield f"capabilities {', '.join(sorted(added))}"
        if own.get("privileged"):
            yield "privileged"
        if _profile(own) == "Unconfined":
            yield "seccompProfile Unconfined"


def _restricted(spec: Raw) -> Iterator[str]:
    pod = spec.get("securityContext") or {}
    for own in _contexts(spec):
        capabilities = own.get("capabilities") or {}
        if own.get("allowPrivilegeEscalation") is not False:
            yield "allowPrivilegeEscalation not false"
        if "ALL" not in (capabilities.get("drop") or []) or set(capabilities.get("add") or []) - {
            "NET_BIND_SERVICE"
        }:
            yield "capabilities not all dropped"
        if own.get("runAsNonRoot", pod.get("runAsNonRoot")) is not True:
            yield "runAsNonRoot not true"
        if own.get("runAsUser", pod.get("runAsUser")) == 0:
            yield "runAsUser 0"
        if (_profile(own) or _profile(pod)) not in _PROFILES:
            yield "no seccompProfile"


def _contexts(spec: Raw) -> list[Raw]:
    containers = [*(spec.get("initContainers") or []), *spec["containers"]]
    return [container.get("securityContext") or {} for container in containers]


def _profile(context: Raw) -> str:
    return str((context.get("seccompProfile") or {}).get("type", ""))
