"""The rights that the program needs: for every kind that it makes, and for what it looks at while it waits."""

from collections.abc import Sequence

from manifests import Manifest
from operations.preflight.needs import Right, RightNeed
from settings import Settings, TokenSource

_WRITES = ("get", "list", "watch", "create", "patch", "delete")
_LOOKS = ("get", "list", "watch")
_OF_KIND = {
    "Namespace": ("", "namespaces"),
    "PersistentVolumeClaim": ("", "persistentvolumeclaims"),
    "ConfigMap": ("", "configmaps"),
    "Secret": ("", "secrets"),
    "Job": ("batch", "jobs"),
    "ComputeDomain": ("resource.nvidia.com", "computedomains"),
    "DynamoGraphDeployment": ("nvidia.com", "dynamographdeployments"),
}


def right_needs(settings: Settings, manifests: Sequence[Manifest]) -> list[RightNeed]:
    """Every verb that `pulumi up`, a switch of target and `destroy` use. What is protected is never deleted."""
    namespace = settings.namespace.name
    kinds = list(dict.fromkeys(str(item["kind"]) for item in manifests))
    if settings.hugging_face.source is TokenSource.CONFIG:
        kinds.append("Secret")
    protected = {
        "Namespace": settings.namespace.protect,
        "PersistentVolumeClaim": settings.model_cache.protect,
    }
    found = []
    for kind in kinds:
        group, resource = _OF_KIND[kind]
        place = "" if kind == "Namespace" else namespace
        verbs = [verb for verb in _WRITES if not (verb == "delete" and protected.get(kind))]
        found += [RightNeed(Right(verb, group, resource, place), f"the stack's {kind}") for verb in verbs]
    for resource, reason in (("pods", "waiting looks at pods"), ("events", "failures are told from events")):
        found += [RightNeed(Right(verb, "", resource, namespace), reason) for verb in _LOOKS]
    return found
