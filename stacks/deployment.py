"""Composes the components of a stack, in the order in which they depend on each other."""

from dataclasses import dataclass

import pulumi

from components import (
    DynamoGraphArgs,
    HuggingFaceToken,
    HuggingFaceTokenArgs,
    ModelCache,
    ModelCacheArgs,
    ModelDownload,
    ModelDownloadArgs,
    ModelNamespace,
    ModelNamespaceArgs,
    NvlinkDomain,
    NvlinkDomainArgs,
    graph_class,
)
from settings import Settings

# Its controller deletes it once the pods are gone; a short serving limit (tests, small changes) shortens this too.
_DOMAIN_DELETE_SECONDS = 1800


@dataclass(frozen=True)
class Deployment:
    """Makes what the settings ask for. The set of resources is a function of plain settings, never of an Output."""

    settings: Settings
    token: pulumi.Output[str] | None
    provider: pulumi.ProviderResource

    def deploy(self) -> None:
        namespace = self._namespace()
        secret, claim = self._token_secret(namespace), self._cache(namespace)
        ready = [*namespace, *secret, *claim]
        ready += self._download(ready)
        if self.settings.serving.deploy:
            self._serve([*ready, *self._domain(namespace)])

    @property
    def _opts(self) -> pulumi.ResourceOptions:
        return pulumi.ResourceOptions(provider=self.provider)

    def _protects(self, wanted: bool) -> bool:
        """Files are nothing to protect, and `destroy` must remove them."""
        return wanted and not self.settings.rendering

    def _named(self, name: str) -> str:
        """The logical name of what a cluster protects: another one for its file.

        Under one name, a stack that begins to render where it had deployed would replace everything, and so delete what
        runs. With two, the protected objects would have to go, and the engine refuses.
        """
        return f"rendered-{name}" if self.settings.rendering else name

    def _namespace(self) -> list[pulumi.Resource]:
        chosen = self.settings.namespace
        if not chosen.create:
            return []
        args = ModelNamespaceArgs(
            chosen.name,
            protect=self._protects(chosen.protect),
            pod_security=chosen.pod_security,
            metadata=self.settings.metadata,
        )
        return [ModelNamespace(self._named("model"), args, self._opts).namespace]

    def _token_secret(self, after: list[pulumi.Resource]) -> list[pulumi.Resource]:
        if self.token is None:
            return []
        settings = self.settings
        args = HuggingFaceTokenArgs(
            self.token,
            settings.namespace.name,
            settings.hugging_face.secret_name,
            after,
            settings.metadata,
        )
        return [HuggingFaceToken("hugging-face", args, self._opts).secret]

    def _cache(self, after: list[pulumi.Resource]) -> list[pulumi.Resource]:
        chosen = self.settings.model_cache
        if not chosen.create:
            return []
        cache = chosen.model_copy(update={"protect": self._protects(chosen.protect)})
        return [
            ModelCache(
                self._named("model-cache"),
                ModelCacheArgs(cache, self.settings.namespace.name, after, self.settings.metadata),
                self._opts,
            ).claim
        ]

    def _download(self, after: list[pulumi.Resource]) -> list[pulumi.Resource]:
        settings = self.settings
        if not settings.model_download.enabled:
            return []
        args = ModelDownloadArgs(
            settings.model_download,
            settings.namespace.name,
            settings.hugging_face.secret_name,
            settings.model_cache.claim_name,
            after,
            settings.overrides,
        )
        return [ModelDownload("model-download", args, self._opts).job]

    def _domain(self, after: list[pulumi.Resource]) -> list[pulumi.Resource]:
        settings, target = self.settings, self.settings.target
        if not target.compute_domain:
            return []
        limit = min(_DOMAIN_DELETE_SECONDS, settings.serving.timeout_seconds)
        args = NvlinkDomainArgs(target, settings.namespace.name, limit, after, settings.metadata)
        return [NvlinkDomain("nvlink-domain", args, self._opts).compute_domain]

    def _serve(self, after: list[pulumi.Resource]) -> None:
        settings, target = self.settings, self.settings.target
        args = DynamoGraphArgs(
            target,
            settings.serving,
            settings.namespace.name,
            settings.model_cache.claim_name,
            after,
            settings.overrides,
        )
        graph_class(target)("serving", args, self._opts)
