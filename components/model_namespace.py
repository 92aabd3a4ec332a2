"""The namespace component."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_kubernetes as k8s

from components.resource_args import resource_args
from manifests import model_namespace
from settings import MetadataSettings, PodSecurity


@dataclass(frozen=True)
class ModelNamespaceArgs:
    """`protect` keeps the namespace, and so everything in it, when the stack is destroyed."""

    name: str
    protect: bool = True
    after: Sequence[pulumi.Resource] = ()
    pod_security: PodSecurity | None = None
    metadata: MetadataSettings = field(default_factory=MetadataSettings)


class ModelNamespace(pulumi.ComponentResource):
    """The namespace of a deployment and its cache."""

    namespace: k8s.core.v1.Namespace

    def __init__(
        self, name: str, args: ModelNamespaceArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("kimi-k3:index:ModelNamespace", name, None, opts)
        self.namespace = k8s.core.v1.Namespace(
            f"{name}-namespace",
            **resource_args(model_namespace(args.name, args.pod_security, args.metadata)),
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=list(args.after),
                protect=args.protect,  # deleting it would delete the claim, and 1.5 TB, with it
                retain_on_delete=args.protect,
            ),
        )
        self.register_outputs({"name": args.name})
