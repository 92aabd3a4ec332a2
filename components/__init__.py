"""Who owns the objects: one ComponentResource a file, for this program's stacks and for anybody else's."""

from components.dynamo_graph import (
    DynamoGraph,
    DynamoGraphArgs,
    SglangAggregated,
    SglangDisaggregated,
    VllmAggregated,
    VllmDisaggregated,
    graph_class,
)
from components.hugging_face_token import HuggingFaceToken, HuggingFaceTokenArgs
from components.model_cache import ModelCache, ModelCacheArgs
from components.model_download import ModelDownload, ModelDownloadArgs
from components.model_namespace import ModelNamespace, ModelNamespaceArgs
from components.nvlink_domain import NvlinkDomain, NvlinkDomainArgs

__all__ = [
    "DynamoGraph",
    "DynamoGraphArgs",
    "HuggingFaceToken",
    "HuggingFaceTokenArgs",
    "ModelCache",
    "ModelCacheArgs",
    "ModelDownload",
    "ModelDownloadArgs",
    "ModelNamespace",
    "ModelNamespaceArgs",
    "NvlinkDomain",
    "NvlinkDomainArgs",
    "SglangAggregated",
    "SglangDisaggregated",
    "VllmAggregated",
    "VllmDisaggregated",
    "graph_class",
]
