"""The download component."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_kubernetes as k8s

from components.resource_args import resource_args
from manifests import DownloadUses, download_job, refuse_mistakes
from recipes import load_catalog
from settings import ModelDownloadSettings, Overrides


@dataclass(frozen=True)
class ModelDownloadArgs:
    """The Secret and the claim are used by name, so that a new token never runs the download again."""

    download: ModelDownloadSettings
    namespace: str
    secret_name: str = "hf-token-secret"  # noqa: S105 - the name of the object, not a token
    claim_name: str = "shared-model-cache"
    after: Sequence[pulumi.Resource] = ()
    overrides: Overrides = field(default_factory=Overrides)


class ModelDownload(pulumi.ComponentResource):
    """The Job that fills the cache. `up` waits for it, so that nothing starts on half a checkpoint."""

    job: k8s.batch.v1.Job

    def __init__(
        self, name: str, args: ModelDownloadArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("kimi-k3:index:ModelDownload", name, None, opts)
        limit = f"{args.download.timeout_seconds}s"
        uses = DownloadUses(args.namespace, args.secret_name, args.claim_name)
        manifest = download_job(load_catalog().facts, args.download, uses, args.overrides)
        refuse_mistakes([manifest])
        self.job = k8s.batch.v1.Job(
            f"{name}-job",
            **resource_args(manifest),
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=list(args.after),
                # A failed Job is run again by `pulumi up --replace`; under its fixed name the old one has to go first.
                delete_before_replace=True,
                # The provider's own limit is ten minutes; a cold download takes hours.
                custom_timeouts=pulumi.CustomTimeouts(create=limit, update=limit, delete=limit),
            ),
        )
        self.register_outputs({"jobName": manifest["metadata"]["name"]})
