"""A team's own stack: a model cache, and a deployment that uses it, in a namespace that the team has already.

Two components of kimi-k3 are enough for that. The program decides everything else: its provider, its names, its config.
Run it with this repository on PYTHONPATH, in a project of your own:

    pulumi config set storageClassName shared-rwx
    pulumi config set context prod
    pulumi up

The cache is filled by the team's own job here; `ModelDownload` would do it as published.
"""

import pulumi
import pulumi_kubernetes as k8s

from components import DynamoGraphArgs, ModelCache, ModelCacheArgs, VllmAggregated
from recipes import load_catalog
from settings import (
    MetadataSettings,
    ModelCacheSettings,
    Overrides,
    PlacementSettings,
    PodPlacement,
    ServingSettings,
)

NAMESPACE = "research"
# Everything that the team makes carries its label, and only nodes of its pool run its pods.
TEAM = MetadataSettings(labels={"team": "research"})
POOL = PodPlacement(node_selector={"example.com/pool": "research"})


def main() -> None:
    config = pulumi.Config()
    provider = k8s.Provider(
        "cluster",
        context=config.require("context"),
        enable_secret_mutable=True,
        enable_config_map_mutable=True,
    )
    opts = pulumi.ResourceOptions(provider=provider)

    cache = ModelCache(
        "weights",
        ModelCacheArgs(
            ModelCacheSettings(claim_name="weights", storage_class_name=config.require("storageClassName")),
            NAMESPACE,
            metadata=TEAM,
        ),
        opts,
    )
    target = load_catalog().target("vllm", "h200", "agg")
    VllmAggregated(
        "chat",
        DynamoGraphArgs(
            target,
            ServingSettings(context_length=262144),
            NAMESPACE,
            claim_name="weights",
            after=[cache.claim],
            overrides=Overrides(metadata=TEAM, placement=PlacementSettings(frontend=POOL, workers=POOL)),
        ),
        opts,
    )
    pulumi.export("frontendUrl", f"http://{target.frontend_service}.{NAMESPACE}.svc:8000")


main()
