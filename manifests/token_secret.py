"""The Hugging Face token's Secret."""

from typing import Any

from manifests.shape import NO_EXTRAS, Manifest, metadata
from recipes import ModelFacts
from settings import MetadataSettings


def token_secret(
    facts: ModelFacts,
    name: str,
    namespace: str,
    token: Any,  # Any: text, or an Output of it
    extra: MetadataSettings = NO_EXTRAS,
) -> Manifest:
    """Opaque Secret that the download Job takes its environment from; the only place the token ever goes."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": metadata(name, namespace, extra=extra),
        "type": facts.token.type,
        "stringData": {facts.token.key: token},
    }
