"""The ConfigMap of SGLang's engine config files, one file a role."""

import hashlib

from manifests.shape import NO_EXTRAS, Manifest, metadata
from manifests.yaml_text import yaml_text
from recipes import Role, Target
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
    return yaml_text(role.engine_config)


def checksum(role: Role) -> str:
    """SHA-256 of the role's config file; as a pod annotation it rolls this role, and no other, when a key changes."""
    return hashlib.sha256(engine_config(role).encode()).hexdigest()
