"""The Job that downloads the checkpoint and both drafts into the cache."""

from dataclasses import dataclass

from manifests.images import image_of
from manifests.placement import placed
from manifests.resources import resources_of
from manifests.shape import SKIP_AWAIT, Manifest, cache_mount, cache_volume, described, env_entries, metadata
from recipes import ModelFacts
from settings import ModelDownloadSettings, Overrides

_PUBLISHED = Overrides()


@dataclass(frozen=True)
class DownloadUses:
    """Names of what the Job finds in its namespace."""

    namespace: str
    secret_name: str
    claim_name: str


def download_job(
    facts: ModelFacts, download: ModelDownloadSettings, uses: DownloadUses, overrides: Overrides = _PUBLISHED
) -> Manifest:
    """The published Job. Nothing of the target is in it: a change of its template would download 1.5 TB again.

    It has no time to live: a Job that vanishes by itself is made, and run, again.
    """
    published, extra = facts.download, overrides.metadata
    waits = None if download.wait else {SKIP_AWAIT: "true"}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata(published.name, uses.namespace, waits, extra),
        "spec": {
            "backoffLimit": published.backoff_limit,
            "completions": published.completions,
            "parallelism": published.parallelism,
            "template": {
                "metadata": described({}, extra, published.pod_labels),
                "spec": {
                    "restartPolicy": published.restart_policy,
                    "containers": [_container(facts, download, uses.secret_name, overrides)],
                    "volumes": [cache_volume(facts, uses.claim_name)],
                    **placed(overrides.placement.download, overrides.images),
                },
            },
        },
    }


def _container(
    facts: ModelFacts, download: ModelDownloadSettings, secret_name: str, overrides: Overrides
) -> Manifest:
    published, images = facts.download, overrides.images
    resources = resources_of({}, {}, download.resources)
    return {
        "name": published.name,
        "image": image_of(facts.images["download"], images, images.download),
        "command": list(published.command),
        "args": [_script(facts, download)],
        "envFrom": [{"secretRef": {"name": secret_name}}],
        "env": env_entries({**published.env, **_closed_network(overrides)}),
        **({"resources": resources} if resources else {}),
        "securityContext": dict(published.security_context),
        "volumeMounts": [cache_mount(facts, overrides.cache_sub_path)],
    }


def _closed_network(overrides: Overrides) -> dict[str, str]:
    """Variables by which the Hub's client and pip find their mirrors."""
    mirrors = {"HF_ENDPOINT": overrides.hub.endpoint, "PIP_INDEX_URL": overrides.hub.package_index}
    return {name: url for name, url in mirrors.items() if url}


def _script(facts: ModelFacts, download: ModelDownloadSettings) -> str:
    workers = f" --max-workers {download.max_workers}" if download.max_workers else ""
    downloads = [f"hf download {repository}{workers}" for repository in facts.download.repositories]
    return "\n".join([*facts.download.script, *downloads]) + "\n"
