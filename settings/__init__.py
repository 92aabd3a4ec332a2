"""What the user chose: the typed, frozen settings model and its refusals. Knows nothing of Pulumi."""

from settings.checks import SMALLEST_CACHE, warnings
from settings.loading import load_settings
from settings.model import (
    ClusterSettings,
    HuggingFaceSettings,
    ModelCacheSettings,
    ModelDownloadSettings,
    NamespaceSettings,
    PodSecurity,
    RenderSettings,
    ServingSettings,
    Settings,
    TokenSource,
)
from settings.overrides import (
    ArgSettings,
    HubSettings,
    ImageSettings,
    MetadataSettings,
    Overrides,
    PlacementSettings,
    PodPlacement,
    ResourceSettings,
    RoleSettings,
)
from settings.stack_file import read_stack_file
from settings.token import check_token, missing_token, plaintext_token

__all__ = [
    "SMALLEST_CACHE",
    "ArgSettings",
    "ClusterSettings",
    "HubSettings",
    "HuggingFaceSettings",
    "ImageSettings",
    "MetadataSettings",
    "ModelCacheSettings",
    "ModelDownloadSettings",
    "NamespaceSettings",
    "Overrides",
    "PlacementSettings",
    "PodPlacement",
    "PodSecurity",
    "RenderSettings",
    "ResourceSettings",
    "RoleSettings",
    "ServingSettings",
    "Settings",
    "TokenSource",
    "check_token",
    "load_settings",
    "missing_token",
    "plaintext_token",
    "read_stack_file",
    "warnings",
]
