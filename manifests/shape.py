"""The pieces that several manifests are made of: metadata, env entries, the cache volume."""

from collections.abc import Mapping
from typing import Any

from recipes import ModelFacts

Manifest = dict[str, Any]  # Any: Kubernetes objects are JSON of any depth

WAIT_FOR = "pulumi.com/waitFor"
SKIP_AWAIT = "pulumi.com/skipAwait"


def metadata(name: str, namespace: str, annotations: Mapping[str, str] | None = None) -> Manifest:
    """Name and explicit namespace of an object; the annotations only where there are any."""
    described: Manifest = {"name": name, "namespace": namespace}
    if annotations:
        described["annotations"] = dict(annotations)
    return described


def env_entries(env: Mapping[str, str]) -> list[Manifest]:
    """Env as a list of entries. An empty value is an entry without `value`.

    Dropping the entry would bring the operator's own value back; the operator's webhook stores it without its empty
    value, which would show as a change after every refresh.
    """
    return [{"name": name, "value": value} if value else {"name": name} for name, value in env.items()]


def cache_volume(facts: ModelFacts, claim_name: str) -> Manifest:
    return {"name": facts.cache.volume, "persistentVolumeClaim": {"claimName": claim_name}}


def cache_mount(facts: ModelFacts) -> Manifest:
    return {"name": facts.cache.volume, "mountPath": facts.cache.mount_path}
