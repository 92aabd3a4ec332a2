"""The Hugging Face token's Secret."""

from typing import Any

from manifests.shape import Manifest, metadata
from recipes import ModelFacts


def token_secret(
    facts: ModelFacts, name: str, namespace: str, token: Any
) -> Manifest:  # Any: text, or an Output of it
    """Opaque Secret that the download Job takes its environment from; the only place the token ever goes."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": metadata(name, namespace),
        "type": facts.token.type,
        "stringData": {facts.token.key: token},
    }
