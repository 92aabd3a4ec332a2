"""The model cache component."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_kubernetes as k8s

from components.resource_args import resource_args
from manifests import model_cache_claim
from recipes import load_catalog
from settings import MetadataSettings, ModelCacheSettings


@dataclass(frozen=True)
class ModelCacheArgs:
    """`cache.protect` refuses to delete the claim and keeps it when the stack is destroyed."""

    cache: ModelCacheSettings
    namespace: str
    after: Sequence[pulumi.Resource] = ()
    metadata: MetadataSettings = field(default_factory=MetadataSettings)


class ModelCache(pulumi.ComponentResource):
    """The shared model cache. Never deletes weights: the claim is protected and survives `destroy`."""

    claim: k8s.core.v1.PersistentVolumeClaim

    def __init__(self, name: str, args: ModelCacheArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("kimi-k3:index:ModelCache", name, None, opts)
        self.claim = k8s.core.v1.PersistentVolumeClaim(
            f"{name}-claim",
            **resource_args(
                model_cache_claim(load_catalog().facts, args.cache, args.namespace, args.metadata)
            ),
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=list(args.after),  # a dependency of the component would not reach this child
                protect=args.cache.protect,  # 1.5 TB and hours of download
                retain_on_delete=args.cache.protect,  # `destroy` leaves the weights
            ),
        )
        self.register_outputs({"claimName": args.cache.claim_name})
