"""The settings model: the one schema of a stack's `kimi-k3:` keys. Frozen, and strict about unknown keys."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from recipes import Framework, Gpu, Target, Topology, load_catalog
from settings.values import (
    PUBLISHED,
    ClaimName,
    ClusterIdentifier,
    ContextName,
    DnsLabel,
    Flag,
    Image,
    KubeconfigPath,
    RelativeFolder,
    RuntimeVersion,
    Seconds,
    SecretName,
    StorageClassName,
    StorageSize,
)


class Group(BaseModel):
    """Base of all settings: camelCase keys, frozen; errors never repeat what was given (it could be a secret)."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        hide_input_in_errors=True,
    )


class TokenSource(StrEnum):
    """Where the Hugging Face token comes from; exactly one, no fall-through."""

    CONFIG = "config"
    EXISTING_SECRET = "existingSecret"  # noqa: S105 - the name of a source, not a secret


class NamespaceSettings(Group):
    name: DnsLabel = Field("kimi-k3", description="Namespace of everything the stack makes")
    create: Flag = Field(True, description="Make the namespace; `false` uses one that exists")
    protect: Flag = Field(
        True, description="Refuse to delete it: its deletion would take the model cache along"
    )


class HuggingFaceSettings(Group):
    source: TokenSource = Field(
        TokenSource.CONFIG,
        description="`config`: the secret `hfToken`; `existingSecret`: a Secret that exists, by name",
    )
    secret_name: SecretName = Field("hf-token-secret", description="Secret with the key HF_TOKEN")


class ModelCacheSettings(Group):
    create: Flag = Field(True, description="Make the claim; `false` uses one that exists")
    claim_name: ClaimName = Field(
        "shared-model-cache", description="ReadWriteMany claim that holds the weights"
    )
    storage_class_name: StorageClassName = Field(description="A class that can do ReadWriteMany")
    size: StorageSize = Field(
        "3000Gi", description="Checkpoint (1.5 TB) and both drafts; grows, never shrinks"
    )
    protect: Flag = Field(
        True, description="Refuse to delete the claim, and keep it when the stack is destroyed"
    )


class ModelDownloadSettings(Group):
    enabled: Flag = Field(True, description="Run the download Job; `false` when the cache is filled already")
    wait: Flag = Field(
        True, description="Deploy only after the download; without it pods crash until weights exist"
    )
    timeout_seconds: Seconds = Field(14400, description="Limit of that wait, as the published page has it")


class ServingSettings(Group):
    deploy: Flag = Field(
        True, description="`false` keeps namespace, token and cache and removes the deployment"
    )
    image: Image = Field(PUBLISHED, description="Image of all components, or `published`")
    runtime_version: RuntimeVersion | None = Field(
        None, description="Dynamo version of an image whose tag does not tell it"
    )
    wait: Flag = Field(True, description="Wait until the deployment is Ready at its current generation")
    timeout_seconds: Seconds = Field(
        10800,
        description="Limit of that wait and of deletion; the operator's startup probe alone allows 7,200",
    )


class ClusterSettings(Group):
    context: ContextName = Field(description="Context of the kubeconfig; never the current one by accident")
    kubeconfig: KubeconfigPath | None = Field(
        None, description="Path of a kubeconfig; else KUBECONFIG or ~/.kube/config"
    )
    cluster_identifier: ClusterIdentifier | None = Field(
        None,
        description="A word for this cluster, else `context`: while it stays, nothing is replaced; before you rename a "
        "context, set it to the old name",
    )


class RenderSettings(Group):
    directory: RelativeFolder = Field(
        description="Folder of the files; `rendered/<stack>` when `render` is `{}`"
    )


class Settings(Group):
    """All settings of one stack. `stack` is its name; everything else is a `kimi-k3:` key."""

    framework: Framework = Field(description="Serving engine")
    gpu: Gpu = Field(description="GPU")
    topology: Topology = Field(description="Aggregated, or prefill and decode apart")
    namespace: NamespaceSettings = Field(default_factory=NamespaceSettings)
    hugging_face: HuggingFaceSettings = Field(default_factory=HuggingFaceSettings)
    model_cache: ModelCacheSettings
    model_download: ModelDownloadSettings = Field(default_factory=ModelDownloadSettings)
    serving: ServingSettings = Field(default_factory=ServingSettings)
    cluster: ClusterSettings | None = None
    render: RenderSettings | None = None

    @property
    def target(self) -> Target:
        """The published target of framework, GPU and topology; raises Refusal when there is none."""
        return load_catalog().target(self.framework, self.gpu, self.topology)

    @property
    def rendering(self) -> bool:
        """Whether the stack writes files instead of talking to a cluster."""
        return self.render is not None
