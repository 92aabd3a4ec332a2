"""The settings model: the one schema of a stack's `kimi-k3:` keys. Frozen, and strict about unknown keys."""

from enum import StrEnum

from pydantic import Field

from recipes import Framework, Gpu, Target, Topology, load_catalog
from settings.group import Group
from settings.overrides import (
    CostSettings,
    HubSettings,
    ImageSettings,
    MetadataSettings,
    Overrides,
    PlacementSettings,
    ResourceSettings,
    Roles,
)
from settings.pod_values import GpuProduct, SubPath
from settings.values import (
    PUBLISHED,
    ClaimName,
    ClusterIdentifier,
    ContextLength,
    ContextName,
    DnsLabel,
    Flag,
    Image,
    KubeconfigPath,
    ObjectName,
    RelativeFolder,
    RuntimeVersion,
    Seconds,
    SecretName,
    StorageClassName,
    StorageSize,
    Strikes,
    Workers,
)


class TokenSource(StrEnum):
    """Where the Hugging Face token comes from; exactly one, no fall-through."""

    CONFIG = "config"
    EXISTING_SECRET = "existingSecret"  # noqa: S105 - the name of a source, not a secret


class PodSecurity(StrEnum):
    """Levels of Kubernetes' Pod Security Standards."""

    PRIVILEGED = "privileged"
    BASELINE = "baseline"
    RESTRICTED = "restricted"


class NamespaceSettings(Group):
    name: DnsLabel = Field("kimi-k3", description="Namespace of everything the stack makes")
    create: Flag = Field(True, description="Make the namespace; `false` uses one that exists")
    protect: Flag = Field(
        True, description="Refuse to delete it: its deletion would take the model cache along"
    )
    pod_security: PodSecurity | None = Field(
        None,
        description="Pod Security level that a created namespace enforces, where the cluster's own is stricter; "
        "the workers need `privileged`",
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
    sub_path: SubPath | None = Field(
        None, description="Folder of the claim that all pods mount instead of its root"
    )


class ModelDownloadSettings(Group):
    enabled: Flag = Field(True, description="Run the download Job; `false` when the cache is filled already")
    wait: Flag = Field(
        True, description="Deploy only after the download; without it pods crash until weights exist"
    )
    timeout_seconds: Seconds = Field(14400, description="Limit of that wait, as the published page has it")
    resources: ResourceSettings = Field(
        default_factory=ResourceSettings, description="Resources of the download; published are none"
    )
    max_workers: Workers | None = Field(
        None, description="Files downloaded at a time; the client's default is 8"
    )


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
    canary_health_check: Flag = Field(
        True,
        description="`false` turns the canary off on SGLang workers, which it restarts during long prefills; liveness "
        "no longer covers the generate endpoint then",
    )
    benchmark_mode: Flag = Field(
        False, description="Synthetic acceptance of the draft, for measuring only: answers are wrong"
    )
    context_length: ContextLength | None = Field(
        None, description="Tokens of prompt and answer that the workers allow; published are 1,048,576"
    )
    queue: ObjectName | None = Field(None, description="KAI scheduler queue of the deployment")
    scheduler_name: ObjectName | None = Field(None, description="Scheduler of the deployment's pods")
    liveness_probe: Strikes | None = Field(
        None,
        description="Failed liveness probes in a row until a worker restarts; the operator's default is 1 or 3",
    )
    modules_cache: Flag = Field(
        False,
        description="Keep the model's Python modules (`HF_MODULES_CACHE`) on each worker's own disk, not on the "
        "shared mount",
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
    gpu_product: GpuProduct | None = Field(
        None,
        description="Value of the node label `nvidia.com/gpu.product` that `preflight` looks for, where the cluster's "
        "is not `NVIDIA-H200`, `NVIDIA-GB200` or `NVIDIA-GB300`",
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
    images: ImageSettings = Field(default_factory=ImageSettings)
    hub: HubSettings = Field(default_factory=HubSettings)
    placement: PlacementSettings = Field(default_factory=PlacementSettings)
    metadata: MetadataSettings = Field(default_factory=MetadataSettings)
    roles: Roles = Field(default_factory=dict)
    cost: CostSettings = Field(default_factory=CostSettings)
    cluster: ClusterSettings | None = None
    render: RenderSettings | None = None

    @property
    def target(self) -> Target:
        """The published target of framework, GPU and topology; raises Refusal when there is none."""
        return load_catalog().target(self.framework, self.gpu, self.topology)

    @property
    def overrides(self) -> Overrides:
        """What the stack changes about the published pods."""
        return Overrides(
            images=self.images,
            hub=self.hub,
            placement=self.placement,
            metadata=self.metadata,
            roles=self.roles,
            cache_sub_path=self.model_cache.sub_path,
        )

    @property
    def rendering(self) -> bool:
        """Whether the stack writes files instead of talking to a cluster."""
        return self.render is not None
