"""What a stack may change about the published pods; without a word about it, nothing."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field

from settings.engine_values import EngineConfig, Flags, FlagValues
from settings.group import Group
from settings.network_values import HubUrl, PackageIndexUrl, Registry
from settings.pod_values import (
    Affinity,
    Annotations,
    Clique,
    Env,
    Labels,
    PodSecurityContext,
    Quantities,
    Quantity,
    SecretNames,
    Tolerations,
)
from settings.values import PUBLISHED, DownloadImage, Image, NodeCount, ObjectName, Price, Replicas, refuse


class ImageSettings(Group):
    registry: Registry | None = Field(
        None, description="Registry, with or without a path, that stands for the host of the published images"
    )
    pull_secrets: SecretNames = Field(
        default_factory=list, description="Secrets of the namespace that all pods pull their images with"
    )
    download: DownloadImage = Field(
        PUBLISHED, description="Image of the download, or `published`; needs sh and pip"
    )


class HubSettings(Group):
    endpoint: HubUrl | None = Field(None, description="Mirror of the Hugging Face Hub that the download uses")
    package_index: PackageIndexUrl | None = Field(
        None, description="Python package index that the download installs its client from"
    )


class PodPlacement(Group):
    """Where the pods of one group may run."""

    node_selector: Labels = Field(default_factory=dict, description="Labels that the node must have")
    tolerations: Tolerations = Field(default_factory=list, description="Taints that do not keep the pods off")
    affinity: Affinity = Field(
        default_factory=dict, description="Affinity to nodes and other pods, as Kubernetes writes it"
    )
    priority_class_name: ObjectName | None = Field(None, description="Priority class of the pods")


class PlacementSettings(Group):
    frontend: PodPlacement = Field(default_factory=PodPlacement)
    workers: PodPlacement = Field(default_factory=PodPlacement)
    download: PodPlacement = Field(default_factory=PodPlacement)
    benchmark: PodPlacement = Field(default_factory=PodPlacement)
    clique: Clique | None = Field(
        None,
        description="One rack for all workers: the value of the node label `nvidia.com/gpu.clique`; GB200 and GB300",
    )


class MetadataSettings(Group):
    labels: Labels = Field(
        default_factory=dict, description="Labels of all objects and pods that the stack makes"
    )
    annotations: Annotations = Field(
        default_factory=dict, description="Annotations of all objects and pods that the stack makes"
    )


class ResourceSettings(Group):
    requests: Quantities = Field(default_factory=dict, description="Requests, laid over the published ones")
    limits: Quantities = Field(default_factory=dict, description="Limits, laid over the published ones")


class ArgSettings(Group):
    set: FlagValues = Field(
        default_factory=dict,
        description="Flags of the engine to add or to give another value; `true`: no value",
    )
    remove: Flags = Field(default_factory=list, description="Published flags to leave out")


class RoleSettings(Group):
    """Changes of one component, by its published name (`Frontend`, `worker`, `PrefillWorker`)."""

    replicas: Replicas | None = Field(None, description="Replicas; the router's minimum follows")
    node_count: NodeCount | None = Field(
        None,
        description="Nodes of one replica: tensor x pipeline parallelism has to stay nodes x GPUs of a node",
    )
    args: ArgSettings = Field(default_factory=ArgSettings)
    engine_config: EngineConfig = Field(
        default_factory=dict,
        description="Keys of SGLang's config file to add or to give another value; null drops one",
    )
    env: Env = Field(
        default_factory=dict, description="Environment variables to add or to give another value"
    )
    resources: ResourceSettings = Field(default_factory=ResourceSettings)
    shared_memory: Quantity | None = Field(
        None, description="Size of /dev/shm; published are 64Gi for workers"
    )
    image: Image | None = Field(None, description="Image of this component alone")
    pod_security_context: PodSecurityContext | None = Field(
        None,
        description="Security context of the pod, as Kubernetes writes it; `{}` keeps the operator from adding "
        "`fsGroup: 1000`",
    )


class CostSettings(Group):
    price_per_gpu_hour: Price | None = Field(
        None,
        description="Price of one GPU and hour; the outputs tell cost per hour and per million output tokens",
    )


def _roles(value: object) -> object:
    accepted = "a mapping of component names, such as worker, to their settings"
    named = isinstance(value, Mapping) and all(isinstance(name, str) for name in value)
    return value if named else refuse(accepted, "")


Roles = Annotated[dict[str, RoleSettings], BeforeValidator(_roles)]


class Overrides(Group):
    """The changes that reach pods, in one piece; `Overrides()` is what is published."""

    images: ImageSettings = Field(default_factory=ImageSettings)
    hub: HubSettings = Field(default_factory=HubSettings)
    placement: PlacementSettings = Field(default_factory=PlacementSettings)
    metadata: MetadataSettings = Field(default_factory=MetadataSettings)
    roles: Mapping[str, RoleSettings] = Field(default_factory=dict)
    cache_sub_path: str | None = None

    def role(self, name: str) -> RoleSettings:
        """The changes of one component; of most there are none."""
        return self.roles.get(name, _UNCHANGED)


_UNCHANGED = RoleSettings()
