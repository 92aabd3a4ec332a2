"""Mistakes that only show when several settings are read together, and what deserves a warning."""

from collections.abc import Iterator

from recipes import Target
from settings.images import tells_version
from settings.model import Settings, TokenSource
from settings.quantity import amount
from settings.values import PUBLISHED

_LABEL_VALUE = 63  # the operator labels pods and Services with <namespace>-<dgd>
_SYSTEM_NAMESPACES = ("default", "kube-node-lease", "kube-public", "kube-system")
_SMALLEST_CACHE = "2Ti"  # the checkpoint is 1.5 TB, the drafts and the download's partial files come on top


def problems(settings: Settings, stack: str) -> list[str]:
    """Every refusal of `settings` as a whole; empty when they fit together."""
    return [text for check in _CHECKS for text in check(settings, stack)]


def longest_namespace(target: Target) -> int:
    """Characters that a namespace may have so that `<namespace>-<dgd>` is still a label value."""
    return _LABEL_VALUE - 1 - len(target.dgd_name)


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


def _namespace_length(settings: Settings, stack: str) -> Iterator[str]:
    longest, name = longest_namespace(settings.target), settings.namespace.name
    if len(name) > longest:
        yield (
            f"kimi-k3:namespace.name is {name!r}, {len(name)} characters long.\n"
            f"Accepted: at most {longest} with {settings.target.dgd_name}, since <namespace>-<deployment> becomes a "
            f"label value of at most {_LABEL_VALUE}.\n"
            f"Choose a shorter one: make set STACK={stack} KEY=namespace.name VALUE={name[:longest].rstrip('-')}"
        )


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


def _runtime_version(settings: Settings, stack: str) -> Iterator[str]:
    image = settings.serving.image
    if image != PUBLISHED and settings.serving.runtime_version is None and not tells_version(image):
        yield (
            f"kimi-k3:serving.image is {image!r}, whose tag is not a semantic version, and "
            "kimi-k3:serving.runtimeVersion is not set: the operator would refuse the deployment.\n"
            "Accepted: a tag such as 1.5.0 or 1.5.0-kimi-k3-dev.1, or any image together with its Dynamo version.\n"
            f"Say which Dynamo it holds: make set STACK={stack} KEY=serving.runtimeVersion VALUE=1.5.0"
        )


def _cache_size(settings: Settings, stack: str) -> Iterator[str]:
    cache = settings.model_cache
    if cache.create and amount(cache.size) < amount(_SMALLEST_CACHE):
        yield (
            f"kimi-k3:modelCache.size is {cache.size!r}; the download would run out of space after hours.\n"
            f"Accepted: at least {_SMALLEST_CACHE} for the checkpoint of 1.5 TB and both drafts; "
            "published are 3000Gi.\n"
            f"Set it: make set STACK={stack} KEY=modelCache.size VALUE=3000Gi"
        )


_CHECKS = (
    _one_destination,
    _namespace_length,
    _system_namespace,
    _existing_secret,
    _unprotected_namespace,
    _runtime_version,
    _cache_size,
)


def warnings(settings: Settings) -> list[str]:
    """What is allowed but should be seen, each as one sentence or two."""
    return [*_half_shared(settings), *_no_wait(settings)]


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
