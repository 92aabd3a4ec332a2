"""The ordered list of all manifests of a stack."""

from manifests.compute_domain import compute_domain
from manifests.customized import customized_target
from manifests.engines import engine_of
from manifests.graph import dynamo_graph
from manifests.model_cache import model_cache_claim
from manifests.model_download import DownloadUses, download_job
from manifests.namespace import model_namespace
from manifests.shape import Manifest
from recipes import load_catalog
from settings import Settings


def stack_manifests(settings: Settings) -> list[Manifest]:
    """What the stack makes, in the order in which it can be applied. The token's Secret is left out: no file, and no
    output of a command, ever holds a token.
    """
    facts, chosen, extra = load_catalog().facts, settings.namespace, settings.metadata
    made: list[Manifest] = []
    if chosen.create:
        made.append(model_namespace(chosen.name, chosen.pod_security, extra))
    if settings.model_cache.create:
        made.append(model_cache_claim(facts, settings.model_cache, chosen.name, extra))
    if settings.model_download.enabled:
        uses = DownloadUses(chosen.name, settings.hugging_face.secret_name, settings.model_cache.claim_name)
        made.append(download_job(facts, settings.model_download, uses, settings.overrides))
    return made + (_serving(settings) if settings.serving.deploy else [])


def _serving(settings: Settings) -> list[Manifest]:
    facts, namespace, extra = load_catalog().facts, settings.namespace.name, settings.metadata
    target, overrides = customized_target(facts, settings), settings.overrides
    made: list[Manifest] = []
    if target.compute_domain:
        made.append(compute_domain(facts, target, namespace, extra))
    if config := engine_of(facts, target).config_map(namespace, extra):
        made.append(config)
    claim = settings.model_cache.claim_name
    return [*made, dynamo_graph(facts, target, settings.serving, namespace, claim, overrides)]
