"""Mistakes that only show when several settings are read together, and what deserves a warning."""

from collections.abc import Iterator

from settings.model import Settings, TokenSource
from settings.override_checks import override_problems, override_warnings
from settings.quantity import amount

_SYSTEM_NAMESPACES = ("default", "kube-node-lease", "kube-public", "kube-system")
SMALLEST_CACHE = "2Ti"  # the checkpoint is 1.5 TB, the drafts and the download's partial files come on top


def problems(settings: Settings, stack: str) -> list[str]:
    """Every refusal of `settings` as a whole; empty when they fit together."""
    return [
        *(text for check in _CHECKS for text in check(settings, stack)),
        *override_problems(settings, stack),
    ]


def _one_destination(settings: Settings, stack: str) -> Iterator[str]:
    if (settings.cluster is None) == (settings.render is None):
        given = (
            "Both kimi-k3:cluster and kimi-k3:render are"
            if settings.cluster
            else ("Neither kimi-k3:cluster nor kimi-k3:render is")
        )
        step = (
            f"Remove one of them from Pulumi.{stack}.yaml."
            if settings.cluster
            else f"Name the cluster: make set STACK={stack} KEY=cluster.context"
        )
        yield f"{given} set.\nAccepted: exactly one; cluster deploys, render writes files.\n{step}"


def _system_namespace(settings: Settings, stack: str) -> Iterator[str]:
    if settings.namespace.create and settings.namespace.name in _SYSTEM_NAMESPACES:
        yield (
            f"kimi-k3:namespace.name is {settings.namespace.name!r}, which every cluster has already.\n"
            "Accepted: a namespace of the stack's own, or an existing one with create: false.\n"
            f"Choose another: make set STACK={stack} KEY=namespace.name VALUE=kimi-k3"
        )


def _existing_secret(settings: Settings, stack: str) -> Iterator[str]:
    existing = settings.hugging_face.source is TokenSource.EXISTING_SECRET
    if existing and settings.namespace.create and not settings.rendering:
        yield (
            "kimi-k3:huggingFace.source is 'existingSecret' while kimi-k3:namespace.create is true: a Secret cannot "
            "exist in a namespace that is yet to be made.\n"
            "Accepted: an existing Secret in an existing namespace, or source: config.\n"
            f"Use the existing namespace: make set STACK={stack} KEY=namespace.create VALUE=false"
        )


def _unprotected_namespace(settings: Settings, stack: str) -> Iterator[str]:
    namespace, cache = settings.namespace, settings.model_cache
    if namespace.create and not namespace.protect and cache.create and cache.protect:
        yield (
            "kimi-k3:namespace.protect is false while kimi-k3:modelCache.protect is true: deleting the namespace "
            "would delete the protected claim and its weights.\n"
            "Accepted: both protected, or neither.\n"
            f"Protect the namespace: make set STACK={stack} KEY=namespace.protect VALUE=true"
        )


def _cache_size(settings: Settings, stack: str) -> Iterator[str]:
    cache = settings.model_cache
    if cache.create and amount(cache.size) < amount(SMALLEST_CACHE):
        yield (
            f"kimi-k3:modelCache.size is {cache.size!r}; the download would run out of space after hours.\n"
            f"Accepted: at least {SMALLEST_CACHE} for the checkpoint of 1.5 TB and both drafts; "
            "published are 3000Gi.\n"
            f"Set it: make set STACK={stack} KEY=modelCache.size VALUE=3000Gi"
        )


_CHECKS = (
    _one_destination,
    _system_namespace,
    _existing_secret,
    _unprotected_namespace,
    _cache_size,
)


def warnings(settings: Settings) -> list[str]:
    """What is allowed but should be seen, each as one sentence or two."""
    return [*_half_shared(settings), *_no_wait(settings), *override_warnings(settings)]


def _half_shared(settings: Settings) -> Iterator[str]:
    shared = {
        "namespace.create: false": not settings.namespace.create,
        "huggingFace.source: existingSecret": settings.hugging_face.source is TokenSource.EXISTING_SECRET,
        "modelCache.create: false": not settings.model_cache.create,
        "modelDownload.enabled: false": not settings.model_download.enabled,
    }
    missing = [setting for setting, chosen in shared.items() if not chosen]
    if 0 < len(missing) < len(shared):
        chosen = [setting for setting in shared if setting not in missing]
        yield (
            f"This stack uses existing things ({', '.join(chosen)}) and makes others. If another stack owns the "
            f"namespace and its cache, set also: {', '.join(missing)}."
        )


def _no_wait(settings: Settings) -> Iterator[str]:
    download = settings.model_download
    if download.enabled and not download.wait and settings.serving.deploy:
        yield (
            "kimi-k3:modelDownload.wait is false: the deployment starts beside the download, and its pods restart "
            "again and again until the weights are there."
        )
