"""The only reader of Pulumi's config: settings, and the token as a secret."""

import json
from typing import Any

import pulumi
from pulumi.runtime import config as runtime

from manifests import refuse_mistakes, stack_manifests
from recipes import Refusal
from settings import Settings, TokenSource, check_token, load_settings, missing_token, plaintext_token
from settings.stack_file import encrypted_setting

_NAMESPACE = "kimi-k3:"
_TOKEN = "hfToken"  # noqa: S105 - the name of a setting, not a token


def read_settings() -> Settings:
    """The settings of the current stack; raises Refusal with every mistake in them."""
    stack = pulumi.get_stack()
    texts = {k[len(_NAMESPACE) :]: v for k, v in runtime.CONFIG.get().items() if k.startswith(_NAMESPACE)}
    if texts.get(_TOKEN) and not runtime.is_config_secret(_NAMESPACE + _TOKEN):
        raise Refusal(plaintext_token(stack))
    encrypted = [key for key in texts if key != _TOKEN and runtime.is_config_secret(_NAMESPACE + key)]
    if encrypted:
        raise Refusal(*(encrypted_setting(key) for key in encrypted))
    settings = load_settings({key: _structured(text) for key, text in texts.items()}, stack)
    refuse_mistakes(stack_manifests(settings), stack)
    return settings


def read_token(settings: Settings) -> pulumi.Output[str] | None:
    """The token of the chosen source as a secret, or None where the stack makes no Secret.

    Raises Refusal without one. It never passes a typed getter: their errors would print it. Nor does it pass
    `get_config`, which would take an environment variable for a token that the config lacks.
    """
    if settings.rendering or settings.hugging_face.source is not TokenSource.CONFIG:
        return None
    stack, token = pulumi.get_stack(), runtime.CONFIG.get().get(_NAMESPACE + _TOKEN)
    if token is None:
        raise Refusal(missing_token(stack))
    return pulumi.Output.secret(check_token(str(token), stack))


def _structured(text: str) -> Any:  # Any: whatever the user wrote
    """A group arrives as JSON text; a word as itself."""
    if not text.startswith("{"):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
