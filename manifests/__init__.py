"""How a stack looks to Kubernetes: pure functions from typed facts to plain dicts. Knows nothing of Pulumi."""

from manifests.compute_domain import compute_domain
from manifests.engines import engine_of
from manifests.graph import dynamo_graph
from manifests.model_cache import model_cache_claim
from manifests.model_download import download_job
from manifests.namespace import model_namespace
from manifests.shape import Manifest
from manifests.stack import stack_manifests
from manifests.token_secret import token_secret

__all__ = [
    "Manifest",
    "compute_domain",
    "download_job",
    "dynamo_graph",
    "engine_of",
    "model_cache_claim",
    "model_namespace",
    "stack_manifests",
    "token_secret",
]
