"""The Job that downloads the checkpoint and both drafts into the cache."""

from manifests.shape import SKIP_AWAIT, Manifest, cache_mount, cache_volume, env_entries, metadata
from recipes import ModelFacts
from settings import ModelDownloadSettings


def download_job(
    facts: ModelFacts, download: ModelDownloadSettings, namespace: str, secret_name: str, claim_name: str
) -> Manifest:
    """The published Job. Nothing of the target is in it: a change of its template would download 1.5 TB again.

    It has no time to live: a Job that vanishes by itself is made, and run, again.
    """
    published = facts.download
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata(published.name, namespace, None if download.wait else {SKIP_AWAIT: "true"}),
        "spec": {
            "backoffLimit": published.backoff_limit,
            "completions": published.completions,
            "parallelism": published.parallelism,
            "template": {
                "metadata": {"labels": dict(published.pod_labels)},
                "spec": {
                    "restartPolicy": published.restart_policy,
                    "containers": [_container(facts, secret_name)],
                    "volumes": [cache_volume(facts, claim_name)],
                },
            },
        },
    }


def _container(facts: ModelFacts, secret_name: str) -> Manifest:
    published = facts.download
    return {
        "name": published.name,
        "image": facts.images["download"],
        "command": list(published.command),
        "args": [_script(facts)],
        "envFrom": [{"secretRef": {"name": secret_name}}],
        "env": env_entries(published.env),
        "securityContext": dict(published.security_context),
        "volumeMounts": [cache_mount(facts)],
    }


def _script(facts: ModelFacts) -> str:
    downloads = [f"hf download {repository}" for repository in facts.download.repositories]
    return "\n".join([*facts.download.script, *downloads]) + "\n"
