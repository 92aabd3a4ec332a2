"""The token component: the one door through which the token reaches the cluster."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_kubernetes as k8s

from components.resource_args import resource_args
from manifests import token_secret
from recipes import load_catalog
from settings import MetadataSettings


@dataclass(frozen=True)
class HuggingFaceTokenArgs:
    """`token` is made a secret whatever it comes as, and is left out of every repr."""

    token: pulumi.Input[str] = field(repr=False)
    namespace: str
    secret_name: str = "hf-token-secret"  # noqa: S105 - the name of the object, not a token
    after: Sequence[pulumi.Resource] = ()
    metadata: MetadataSettings = field(default_factory=MetadataSettings)


class HuggingFaceToken(pulumi.ComponentResource):
    """The Secret that the download Job reads. A rotation updates it in place (provider: `enable_secret_mutable`)."""

    secret: k8s.core.v1.Secret

    def __init__(
        self, name: str, args: HuggingFaceTokenArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("kimi-k3:index:HuggingFaceToken", name, None, opts)
        token = pulumi.Output.secret(args.token)
        self.secret = k8s.core.v1.Secret(
            f"{name}-secret",
            **resource_args(
                token_secret(load_catalog().facts, args.secret_name, args.namespace, token, args.metadata)
            ),
            opts=pulumi.ResourceOptions(parent=self, depends_on=list(args.after)),
        )
        self.register_outputs({"secretName": args.secret_name})
