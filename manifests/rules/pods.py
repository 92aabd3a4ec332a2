"""Ports, probes, security and mounts of the pods."""

from collections.abc import Iterator

from manifests.namespace import ENFORCE
from manifests.rules.rule import Finding, role_path, rule
from manifests.rules.view import View
from manifests.shape import Manifest

_PORTS = {True: ("http", 8000), False: ("system", 9090)}  # of a frontend, of a worker
_LARGEST_ID = 2**31 - 1
_POLICIES = {
    "fsGroupChangePolicy": ("OnRootMismatch", "Always"),
    "supplementalGroupsPolicy": ("Merge", "Strict"),
    "seLinuxChangePolicy": ("MountOption", "Recursive"),
}
_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")


@rule("container-main", "operator: its defaults go into the container main, started without a shell (#5719)")
def _main(view: View) -> Iterator[Finding]:
    for component in view.components:
        if component.command[:1] != ["python3"] or not component.main.get("image"):
            yield Finding(
                f"{component.name} has no container main that starts python3 from an image",
                "the published command, without a shell around it",
                step="Mend its recipe",
            )


@rule("ports", "operator: probes and Services look for the ports http and system by name (#9200)")
def _ports(view: View) -> Iterator[Finding]:
    for component in view.components:
        ports = component.main.get("ports")
        name, number = _PORTS[component.is_frontend]
        if ports and {"name": name, "containerPort": number} not in [
            {"name": port.get("name"), "containerPort": port.get("containerPort")} for port in ports
        ]:
            yield Finding(
                f"{component.name} has ports without {name} ({number}), and a list of ports replaces the operator's",
                f"a list with {name} on {number}, or none",
                step="Mend its recipe",
            )


@rule("probes", "operator: a probe replaces its own as a whole; readiness is how workers are found (#9200)")
def _probes(view: View) -> Iterator[Finding]:
    for component in view.components:
        name, _ = _PORTS[component.is_frontend]
        for kind in _PROBES:
            probe = component.main.get(kind)
            port = (probe or {}).get("httpGet", {}).get("port")
            if probe is not None and (kind == "readinessProbe" or port != name):
                yield Finding(
                    f"{component.name} has a {kind} of its own on port {port}",
                    f"the operator's, or a liveness probe on the named port {name}",
                    ("serving", "livenessProbe"),
                    "6",
                    "Set its threshold alone",
                )


@rule("frontend-root", "Pod Security: frontends need no root and no capabilities (ai-dynamo/dynamo#12944)")
def _frontend_root(view: View) -> Iterator[Finding]:
    for frontend in view.frontends:
        contexts = [frontend.pod.get("securityContext") or {}, frontend.main.get("securityContext") or {}]
        if any(c.get("runAsUser") == 0 or c.get("capabilities", {}).get("add") for c in contexts):
            yield Finding(
                f"{frontend.name} would run as root or with added capabilities",
                "a user above 0, or the image's own",
                role_path(frontend.name, "podSecurityContext", "runAsUser"),
                "1000",
            )


@rule("worker-root", "kubelet: a container that must not be root and is told to be ends in an error")
def _worker_root(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        pod, main = worker.pod.get("securityContext") or {}, worker.main.get("securityContext") or {}
        if pod.get("runAsNonRoot") is True and main.get("runAsUser") == 0:
            yield Finding(
                f"{worker.name} has runAsNonRoot: true, and its published container runs as user 0",
                "false or nothing, since the engines need root for their memory and tracing rights",
                role_path(worker.name, "podSecurityContext", "runAsNonRoot"),
                "false",
            )


@rule("security-context", "Kubernetes API: validation of a pod's security context")
def _security_context(view: View) -> Iterator[Finding]:
    for component in view.components:
        for key, value in (component.pod.get("securityContext") or {}).items():
            ids = value if isinstance(value, list) else [value]
            numbers = [each for each in ids if isinstance(each, int) and not isinstance(each, bool)]
            words = _POLICIES.get(key)
            if any(not 0 <= number <= _LARGEST_ID for number in numbers):
                yield _context(component.name, key, value, f"numbers from 0 to {_LARGEST_ID}")
            elif words and value not in words:
                yield _context(component.name, key, value, ", ".join(words))


def _context(component: str, key: str, value: object, accepted: str) -> Finding:
    path = role_path(component, "podSecurityContext", key)
    return Finding(f"{component} has {key} {value!r} in its pod's security context", accepted, path)


@rule("pod-security", "Kubernetes: Pod Security admission of the namespace (kubernetes/kubernetes#103197)")
def _pod_security(view: View) -> Iterator[Finding]:
    for namespace in view.of_kind("Namespace"):
        level = namespace["metadata"].get("labels", {}).get(ENFORCE)
        needs = "privileged" if view.workers else "baseline" if view.of_kind("Job") else "restricted"
        order = ("privileged", "baseline", "restricted")
        if level in order and order.index(level) > order.index(needs):
            who = (
                "the workers, which add IPC_LOCK, SYS_PTRACE and SYS_RESOURCE"
                if view.workers
                else ("the download, which runs as root")
            )
            yield Finding(
                f"kimi-k3:namespace.podSecurity is {level!r}: no pod of {who}, would be admitted",
                needs,
                ("namespace", "podSecurity"),
                needs,
            )


@rule(
    "mounts",
    "Kubernetes: a mount needs its volume; operator: one that is missing becomes a claim of that name",
)
def _mounts(view: View) -> Iterator[Finding]:
    for name, pod in _pods(view):
        volumes = {volume["name"] for volume in pod.get("volumes", [])}
        mounted = [
            mount["name"] for container in pod["containers"] for mount in container.get("volumeMounts", [])
        ]
        for missing in sorted(set(mounted) - volumes):
            yield Finding(
                f"{name} mounts {missing}, which is none of its volumes",
                ", ".join(sorted(volumes)) or "no mount, without volumes",
                step="Mend its recipe",
            )


def _pods(view: View) -> Iterator[tuple[str, Manifest]]:
    for job in view.of_kind("Job"):
        yield str(job["metadata"]["name"]), job["spec"]["template"]["spec"]
    for component in view.components:
        yield component.name, component.pod


RULES = (_main, _ports, _probes, _frontend_root, _worker_root, _security_context, _pod_security, _mounts)
