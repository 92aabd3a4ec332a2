"""The NVLink domain component."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_kubernetes as k8s

from components.resource_args import custom_resource_args
from manifests import compute_domain
from recipes import Refusal, Target, load_catalog
from settings import MetadataSettings


@dataclass(frozen=True)
class NvlinkDomainArgs:
    """`delete_timeout_seconds`: its controller removes it only after the last pod that claims its channel is gone."""

    target: Target
    namespace: str
    delete_timeout_seconds: int = 1800
    after: Sequence[pulumi.Resource] = ()
    metadata: MetadataSettings = field(default_factory=MetadataSettings)


class NvlinkDomain(pulumi.ComponentResource):
    """The ComputeDomain that all roles of one deployment share. Never waited on: it gets ready with the pods."""

    compute_domain: k8s.apiextensions.CustomResource

    def __init__(self, name: str, args: NvlinkDomainArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        if not args.target.compute_domain:
            raise Refusal(
                f"NvlinkDomain was given the target {args.target.name}, which is published without a ComputeDomain.\n"
                "Accepted: targets on GB200 and GB300.\nLeave the component out for this target."
            )
        super().__init__("kimi-k3:index:NvlinkDomain", name, None, opts)
        self.compute_domain = k8s.apiextensions.CustomResource(
            # The target is in the logical name: a switch makes the new domain first and deletes the old one last.
            f"{name}-{args.target.name}",
            **custom_resource_args(
                compute_domain(load_catalog().facts, args.target, args.namespace, args.metadata)
            ),
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=list(args.after),
                custom_timeouts=pulumi.CustomTimeouts(delete=f"{args.delete_timeout_seconds}s"),
            ),
        )
        self.register_outputs({"claimTemplateName": args.target.claim_template_name})
