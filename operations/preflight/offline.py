"""The needs of a stack in words, for the part of preflight that needs no cluster."""

from collections.abc import Iterator

from operations.preflight.amounts import all_shown, shown
from operations.preflight.needs import Needs, PodsNeed


def told(needs: Needs) -> Iterator[tuple[str, str]]:
    """What the cluster has to have, and why."""
    server = needs.server
    yield f"Kubernetes {'.'.join(map(str, server.sound))} or newer", server.reason
    for kind in needs.kinds:
        yield f"{kind.version} {kind.kind}", kind.reason
    if needs.orchestrator:
        yield "Grove, or LeaderWorkerSet and Volcano", needs.orchestrator.reason
    if needs.domain:
        yield f"DeviceClass {needs.domain.device_class}, and its driver on the nodes", needs.domain.reason
    yield from _pods(needs)
    yield from _namespace(needs)
    for wanted in _rights(needs):
        yield f"the right to {wanted}", "the program uses it"


def _pods(needs: Needs) -> Iterator[tuple[str, str]]:
    if needs.gpus:
        rack = f", clique {needs.gpus.clique}" if needs.gpus.clique else ""
        whole = ", in one NVLink domain" if needs.gpus.domain and needs.gpus.together else ""
        yield f"{needs.gpus.count} nodes with {needs.gpus.product}{rack}{whole}", needs.gpus.reason
    for need in needs.pods:
        yield _pod(need), need.reason


def _pod(need: PodsNeed) -> str:
    requests = {name: value for name, value in need.requests.items() if name != "pods"}
    pods = "pods" if need.count > 1 else "pod"
    return f"{need.count} {pods} {need.component}, each with {all_shown(requests) or 'no requests'}"


def _namespace(needs: Needs) -> Iterator[tuple[str, str]]:
    namespace, cache = needs.namespace, needs.cache
    yield f"namespace {namespace.name}{'' if namespace.made else ', which has to be there'}", namespace.reason
    if cache.made:
        size = shown("storage", cache.size)
        yield f"class {cache.storage_class} for a claim of {size}, {', '.join(cache.modes)}", cache.reason
    else:
        yield f"claim {cache.claim}, {', '.join(cache.modes)}, which has to be there", cache.reason
    if needs.token and not needs.token.made:
        yield f"Secret {needs.token.secret} with the key {needs.token.key}", needs.token.reason
    for name in needs.pull_secrets:
        yield f"pull secret {name}", "all pods pull their images with it"
    for name in needs.priority_classes:
        yield f"priority class {name}", "placement names it"
    if needs.queue:
        yield f"KAI queue {needs.queue}", "serving.queue names it"


def _rights(needs: Needs) -> list[str]:
    found: dict[tuple[str, str, str], list[str]] = {}
    for need in needs.rights:
        right = need.right
        found.setdefault((right.group, right.resource, right.namespace), []).append(right.verb)
    return [
        f"{', '.join(verbs)} {resource}{f'.{group}' if group else ''}{f' in {inside}' if inside else ''}"
        for (group, resource, inside), verbs in found.items()
    ]
