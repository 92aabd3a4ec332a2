"""Somebody else's program: each component built by itself, with plain values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as k8s

from components import (
    DynamoGraph,
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
    SglangAggregated,
    SglangDisaggregated,
    VllmAggregated,
    VllmDisaggregated,
)
from recipes import Target, load_catalog
from settings import ModelCacheSettings, ModelDownloadSettings, ServingSettings

TOKEN = "canary_of_somebody_else"
After = Sequence[pulumi.Resource]
Make = Callable[[str, After, pulumi.ResourceOptions | None], pulumi.ComponentResource]


def target(name: str) -> Target:
    return load_catalog().named(name)


def namespace(name: str, after: After, opts: pulumi.ResourceOptions | None) -> ModelNamespace:
    return ModelNamespace(name, ModelNamespaceArgs("models", after=after), opts)


def token(name: str, after: After, opts: pulumi.ResourceOptions | None) -> HuggingFaceToken:
    return HuggingFaceToken(name, HuggingFaceTokenArgs(TOKEN, "models", after=after), opts)


def cache(name: str, after: After, opts: pulumi.ResourceOptions | None) -> ModelCache:
    settings = ModelCacheSettings(storage_class_name="fast-rwx")
    return ModelCache(name, ModelCacheArgs(settings, "models", after), opts)


def download(name: str, after: After, opts: pulumi.ResourceOptions | None) -> ModelDownload:
    return ModelDownload(name, ModelDownloadArgs(ModelDownloadSettings(), "models", after=after), opts)


def domain(name: str, after: After, opts: pulumi.ResourceOptions | None) -> NvlinkDomain:
    return NvlinkDomain(name, NvlinkDomainArgs(target("vllm-gb200-agg"), "models", after=after), opts)


def graph(variant: type[DynamoGraph], target_name: str) -> Make:
    def make(name: str, after: After, opts: pulumi.ResourceOptions | None) -> DynamoGraph:
        return variant(
            name, DynamoGraphArgs(target(target_name), ServingSettings(), "models", after=after), opts
        )

    return make


@dataclass(frozen=True)
class Build:
    """How one component is built, and what it is expected to make."""

    make: Make
    type: str
    children: dict[str, str]  # kind by name, for a component called `x`
    owned: tuple[str, ...]  # attributes that expose the children
    outputs: dict[str, str]


BUILDS: dict[str, Build] = {
    "ModelNamespace": Build(
        namespace, "ModelNamespace", {"x-namespace": "Namespace"}, ("namespace",), {"name": "models"}
    ),
    "HuggingFaceToken": Build(
        token, "HuggingFaceToken", {"x-secret": "Secret"}, ("secret",), {"secretName": "hf-token-secret"}
    ),
    "ModelCache": Build(
        cache,
        "ModelCache",
        {"x-claim": "PersistentVolumeClaim"},
        ("claim",),
        {"claimName": "shared-model-cache"},
    ),
    "ModelDownload": Build(
        download, "ModelDownload", {"x-job": "Job"}, ("job",), {"jobName": "model-download"}
    ),
    "NvlinkDomain": Build(
        domain,
        "NvlinkDomain",
        {"x-vllm-gb200-agg": "ComputeDomain"},
        ("compute_domain",),
        {"claimTemplateName": "kimi-k3-vllm-gb200-agg-agentic-compute-domain-channel"},
    ),
    "VllmAggregated": Build(
        graph(VllmAggregated, "vllm-h200-agg"),
        "DynamoGraph",
        {"x-deployment": "DynamoGraphDeployment"},
        ("deployment",),
        {
            "name": "kimi-k3-vllm-h200-agg-agentic",
            "frontendService": "kimi-k3-vllm-h200-agg-agentic-frontend",
        },
    ),
    "VllmDisaggregated": Build(
        graph(VllmDisaggregated, "vllm-gb300-disagg"),
        "DynamoGraph",
        {"x-deployment": "DynamoGraphDeployment"},
        ("deployment",),
        {
            "name": "kimi-k3-vllm-gb300-disagg-agentic",
            "frontendService": "kimi-k3-vllm-gb300-disagg-agentic-frontend",
        },
    ),
    "SglangAggregated": Build(
        graph(SglangAggregated, "sglang-gb200-agg"),
        "DynamoGraph",
        {"x-engine-config": "ConfigMap", "x-deployment": "DynamoGraphDeployment"},
        ("engine_config", "deployment"),
        {
            "name": "kimi-k3-sglang-gb200-agg-agentic",
            "frontendService": "kimi-k3-sglang-gb200-agg-agentic-frontend",
        },
    ),
    "SglangDisaggregated": Build(
        graph(SglangDisaggregated, "sglang-gb300-disagg"),
        "DynamoGraph",
        {"x-engine-config": "ConfigMap", "x-deployment": "DynamoGraphDeployment"},
        ("engine_config", "deployment"),
        {
            "name": "kimi-k3-sglang-gb300-disagg-agentic",
            "frontendService": "kimi-k3-sglang-gb300-disagg-agentic-frontend",
        },
    ),
}


def provider(name: str) -> k8s.Provider:
    return k8s.Provider(name, context=name)
