"""The ConfigMap of SGLang's engine config files, one file a role."""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from manifests.shape import NO_EXTRAS, Manifest, metadata
from manifests.yaml_text import yaml_text
from recipes import Refusal, Role, Target
from recipes.yaml12 import read_yaml
from settings import MetadataSettings

CHECKSUM = "checksum/sglang-config"


def engine_config_map(target: Target, namespace: str, extra: MetadataSettings = NO_EXTRAS) -> Manifest:
    """The files that the roles of an SGLang target mount as a whole; booleans and numbers are real YAML ones."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": metadata(target.engine_config_name, namespace, extra=extra),
        "data": {
            role.engine_config_file: engine_config(role) for role in target.workers if role.engine_config_file
        },
    }


def engine_config(role: Role) -> str:
    """The text of the role's config file."""
    return _as_yaml(json.dumps(role.engine_config))


@lru_cache(maxsize=64)  # a role's text is asked for by its file and by its hash, and YAML is slow
def _as_yaml(config: str) -> str:
    return yaml_text(json.loads(config))


@lru_cache(maxsize=64)
def read_engine_config(
    text: str, file: str
) -> Mapping[str, Any]:  # Any: an engine key may hold any YAML value
    """The keys of a config file's text; raises Refusal where it is no mapping in YAML. For looking at only."""
    found = read_yaml(text, file)
    if not isinstance(found, Mapping):
        raise Refusal(f"{file} holds no mapping.\nAccepted: keys with their values.\nMend the file.")
    return found


def checksum(role: Role) -> str:
    """SHA-256 of the role's config file; as a pod annotation it rolls this role, and no other, when a key changes."""
    return hashlib.sha256(engine_config(role).encode()).hexdigest()
