"""The pieces that several manifests are made of: metadata, env entries, the cache volume."""

from collections.abc import Mapping
from typing import Any

from recipes import ModelFacts
from settings import MetadataSettings

Manifest = dict[str, Any]  # Any: Kubernetes objects are JSON of any depth

WAIT_FOR = "pulumi.com/waitFor"
SKIP_AWAIT = "pulumi.com/skipAwait"


NO_EXTRAS = MetadataSettings()


def metadata(
    name: str,
    namespace: str,
    annotations: Mapping[str, str] | None = None,
    extra: MetadataSettings = NO_EXTRAS,
) -> Manifest:
    """Name and explicit namespace of an object, with the stack's labels and annotations where there are any."""
    return {"name": name, "namespace": namespace, **described(annotations or {}, extra)}


def described(
    annotations: Mapping[str, str], extra: MetadataSettings, labels: Mapping[str, str] | None = None
) -> Manifest:
    """Labels and annotations of an object or a pod: its own laid over the stack's; left out where there are none."""
    found = {
        "labels": {**extra.labels, **(labels or {})},
        "annotations": {**extra.annotations, **annotations},
    }
    return {key: value for key, value in found.items() if value}


def env_entries(env: Mapping[str, str]) -> list[Manifest]:
    """Env as a list of entries. An empty value is an entry without `value`.

    Dropping the entry would bring the operator's own value back; the operator's webhook stores it without its empty
    value, which would show as a change after every refresh.
    """
    return [{"name": name, "value": value} if value else {"name": name} for name, value in env.items()]


def cache_volume(facts: ModelFacts, claim_name: str) -> Manifest:
    return {"name": facts.cache.volume, "persistentVolumeClaim": {"claimName": claim_name}}


def cache_mount(facts: ModelFacts, sub_path: str | None = None) -> Manifest:
    inside = {"subPath": sub_path} if sub_path else {}
    return {"name": facts.cache.volume, "mountPath": facts.cache.mount_path, **inside}
