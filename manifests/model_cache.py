"""The claim of the model cache."""

from manifests.shape import NO_EXTRAS, SKIP_AWAIT, Manifest, metadata
from recipes import ModelFacts
from settings import MetadataSettings, ModelCacheSettings


def model_cache_claim(
    facts: ModelFacts, cache: ModelCacheSettings, namespace: str, extra: MetadataSettings = NO_EXTRAS
) -> Manifest:
    """ReadWriteMany claim that holds the checkpoint and both drafts (HF_HOME of every worker)."""
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        # A claim of a WaitForFirstConsumer class binds only when the download Job mounts it.
        "metadata": metadata(cache.claim_name, namespace, {SKIP_AWAIT: "true"}, extra),
        "spec": {
            "accessModes": list(facts.cache.access_modes),
            "storageClassName": cache.storage_class_name,
            "resources": {"requests": {"storage": cache.size}},
        },
    }
