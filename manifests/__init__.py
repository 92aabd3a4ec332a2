"""How a stack looks to Kubernetes: pure functions from typed facts to plain dicts. Knows nothing of Pulumi."""

from manifests.compute_domain import compute_domain
from manifests.customized import customized, customized_target
from manifests.deviations import Deviation, deviations, deviations_line
from manifests.engines import engine_of
from manifests.graph import dynamo_graph
from manifests.model_cache import model_cache_claim
from manifests.model_download import DownloadUses, download_job
from manifests.namespace import model_namespace
from manifests.rules import refuse_mistakes
from manifests.shape import Manifest
from manifests.stack import stack_manifests
from manifests.token_secret import token_secret

__all__ = [
    "Deviation",
    "DownloadUses",
    "Manifest",
    "compute_domain",
    "customized",
    "customized_target",
    "deviations",
    "deviations_line",
    "download_job",
    "dynamo_graph",
    "engine_of",
    "model_cache_claim",
    "model_namespace",
    "refuse_mistakes",
    "stack_manifests",
    "token_secret",
]
