"""The ordered list of all manifests of a stack."""

from manifests.compute_domain import compute_domain
from manifests.engines import engine_of
from manifests.graph import dynamo_graph
from manifests.model_cache import model_cache_claim
from manifests.model_download import download_job
from manifests.namespace import model_namespace
from manifests.shape import Manifest
from recipes import load_catalog
from settings import Settings


def stack_manifests(settings: Settings) -> list[Manifest]:
    """What the stack makes, in the order in which it can be applied. The token's Secret is left out: no file, and no
    output of a command, ever holds a token.
    """
    facts, namespace = load_catalog().facts, settings.namespace.name
    made: list[Manifest] = []
    if settings.namespace.create:
        made.append(model_namespace(namespace))
    if settings.model_cache.create:
        made.append(model_cache_claim(facts, settings.model_cache, namespace))
    if settings.model_download.enabled:
        secret, claim = settings.hugging_face.secret_name, settings.model_cache.claim_name
        made.append(download_job(facts, settings.model_download, namespace, secret, claim))
    return made + (_serving(settings) if settings.serving.deploy else [])


def _serving(settings: Settings) -> list[Manifest]:
    facts, target, namespace = load_catalog().facts, settings.target, settings.namespace.name
    made: list[Manifest] = []
    if target.compute_domain:
        made.append(compute_domain(facts, target, namespace))
    if config := engine_of(facts, target).config_map(namespace):
        made.append(config)
    return [*made, dynamo_graph(facts, target, settings.serving, namespace, settings.model_cache.claim_name)]
