"""Changes of the published pods that no target, or not this one, has a place for; and what deserves a warning."""

from collections.abc import Iterator

from recipes import Role, load_catalog, nearest
from recipes.consistency import draft
from settings.model import Settings
from settings.paths import path_text, set_command
from settings.quantity import amount

_CLIQUE = "nvidia.com/gpu.clique"
_OWNED = (
    "nvidia.com/",
    "grove.io/",
    "pulumi.com/",
    "checksum/",
    "pod-security.kubernetes.io/",
    "kubernetes.io/metadata",
)
_DRAFT = ("--speculative-config", "speculative-algorithm", "speculative-draft-model-path")
_ENOUGH_MEMORY = "64Gi"  # for the high-performance mode of the published download


def override_problems(settings: Settings, stack: str) -> list[str]:
    """Every refusal of what the stack would change, as far as settings and target alone can tell."""
    return [text for check in _CHECKS for text in check(settings, stack)]


def override_warnings(settings: Settings) -> list[str]:
    """What is allowed, and has a price that should be seen."""
    return [*_canary_off(settings), *_synthetic(settings), *_little_memory(settings)]


def _components(settings: Settings) -> list[str]:
    frontend = load_catalog().facts.graph.frontend.name
    return [frontend, *(role.name for role in settings.target.workers)]


def _worker(settings: Settings, name: str) -> Role | None:
    return next((role for role in settings.target.workers if role.name == name), None)


def _unknown_component(settings: Settings, stack: str) -> Iterator[str]:
    known = _components(settings)
    for name in settings.roles:
        if name not in known:
            yield (
                f"kimi-k3:{path_text(['roles', name])} is no component of {settings.target.name}."
                f"{nearest(name, known)}\nAccepted: {', '.join(known)}.\n"
                f"Correct the name in Pulumi.{stack}.yaml, or remove it."
            )


def _only_workers(settings: Settings, stack: str) -> Iterator[str]:
    frontend = _components(settings)[0]
    chosen = settings.roles.get(frontend)
    for key, given in (
        ("nodeCount", chosen and chosen.node_count),
        ("engineConfig", chosen and chosen.engine_config),
    ):
        if given:
            yield (
                f"kimi-k3:roles.{frontend}.{key} is set, and {frontend} is no worker.\n"
                f"Accepted: {key} of {', '.join(_components(settings)[1:])}.\nRemove it from Pulumi.{stack}.yaml."
            )


def _engine_config(settings: Settings, stack: str) -> Iterator[str]:
    for name, chosen in settings.roles.items():
        role = _worker(settings, name)
        if role and chosen.engine_config and not role.engine_config_file:
            yield (
                f"kimi-k3:roles.{name}.engineConfig is set, and {settings.target.name} has no config file: its engine "
                f"takes flags.\nAccepted: kimi-k3:roles.{name}.args.set.\n"
                f"Set flags instead: {set_command(stack, ['roles', name, 'args', 'set'])}"
            )
        for key, value in chosen.engine_config.items():
            if role and role.engine_config_file and value is None and key not in role.engine_config:
                known = role.engine_config
                yield (
                    f"kimi-k3:roles.{name}.engineConfig.{key} is null, and {key} is no published key of {name}."
                    f"{nearest(key, known)}\nAccepted: {', '.join(known)}.\nRemove it from Pulumi.{stack}.yaml."
                )


def _removed_flags(settings: Settings, stack: str) -> Iterator[str]:
    for name, chosen in settings.roles.items():
        role = _worker(settings, name)
        published = role.args if role else settings.target.frontend.args
        for flag in chosen.args.remove:
            if flag in chosen.args.set:
                yield (
                    f"kimi-k3:roles.{name}.args both sets and removes {flag}.\nAccepted: one of them.\n"
                    f"Remove one from Pulumi.{stack}.yaml."
                )
            elif flag not in published:
                yield (
                    f"kimi-k3:roles.{name}.args.remove holds {flag}, which is not published for {name}."
                    f"{nearest(flag, published)}\nAccepted: {', '.join(published)}.\n"
                    f"Correct it in Pulumi.{stack}.yaml, or remove it."
                )


def _context_length(settings: Settings, stack: str) -> Iterator[str]:
    for name, chosen in settings.roles.items():
        second = "--max-model-len" in chosen.args.set or "context-length" in chosen.engine_config
        if settings.serving.context_length and second:
            yield (
                f"kimi-k3:serving.contextLength and kimi-k3:roles.{name} both set the context length.\n"
                f"Accepted: one of them; serving.contextLength is for all workers.\n"
                f"Remove one from Pulumi.{stack}.yaml."
            )


def _benchmark_mode(settings: Settings, stack: str) -> Iterator[str]:
    target = settings.target
    if settings.serving.benchmark_mode and not any(draft(role, target.framework) for role in target.workers):
        with_draft = [t.name for t in load_catalog().targets if t.published.speculative_decoding]
        yield (
            f"kimi-k3:serving.benchmarkMode is true, and {target.name} has no draft whose acceptance could be "
            f"synthetic: it is measured as it is.\nAccepted: true for {', '.join(with_draft)}.\n"
            f"Turn it off: {set_command(stack, ['serving', 'benchmarkMode'], 'false')}"
        )


def _half_a_benchmark(settings: Settings, stack: str) -> Iterator[str]:
    for name, chosen in settings.roles.items():
        keys = [key for key, value in chosen.engine_config.items() if value is None]
        gone = [key for key in [*chosen.args.remove, *keys] if key in _DRAFT]
        if settings.serving.benchmark_mode and gone:
            yield (
                f"kimi-k3:serving.benchmarkMode is true, and kimi-k3:roles.{name} takes {', '.join(gone)} out: it "
                f"would be measured without its draft.\nAccepted: the draft in every role of the target.\n"
                f"Leave it in, or turn the mode off: {set_command(stack, ['serving', 'benchmarkMode'], 'false')}"
            )


def _canary(settings: Settings, stack: str) -> Iterator[str]:
    workaround = load_catalog().facts.health_check_workaround
    if not settings.serving.canary_health_check and settings.target.framework != workaround.framework:
        workers = ", ".join(role.name for role in settings.target.workers)
        yield (
            f"kimi-k3:serving.canaryHealthCheck is false, and {settings.target.name} has no SGLang workers, for which "
            "the workaround is published.\nAccepted: false on SGLang targets; elsewhere the variable "
            f"DYN_HEALTH_CHECK_ENABLED of {workers}.\n"
            f"Leave it on: {set_command(stack, ['serving', 'canaryHealthCheck'], 'true')}"
        )


def _clique(settings: Settings, stack: str) -> Iterator[str]:
    placement, target = settings.placement, settings.target
    pinned = placement.clique or placement.workers.node_selector.get(_CLIQUE)
    if pinned and not target.compute_domain:
        setting = "clique" if placement.clique else "workers.nodeSelector"
        yield (
            f"kimi-k3:placement.{setting} names a rack, and nodes of {target.name} have no label {_CLIQUE}: no pod "
            f"would ever be scheduled.\nAccepted: targets on GB200 and GB300.\nRemove it from Pulumi.{stack}.yaml."
        )
    if (
        placement.clique
        and placement.workers.node_selector.get(_CLIQUE, placement.clique) != placement.clique
    ):
        yield (
            f"kimi-k3:placement.clique and kimi-k3:placement.workers.nodeSelector name different values of {_CLIQUE}."
            f"\nAccepted: one of them.\nRemove one from Pulumi.{stack}.yaml."
        )


def _foreign_namespace(settings: Settings, stack: str) -> Iterator[str]:
    if settings.namespace.pod_security and not settings.namespace.create:
        yield (
            "kimi-k3:namespace.podSecurity is set while kimi-k3:namespace.create is false: the labels of an existing "
            "namespace are its owner's.\nAccepted: a level for a created namespace.\n"
            f"Remove it from Pulumi.{stack}.yaml."
        )


def _metadata(settings: Settings, stack: str) -> Iterator[str]:
    own = load_catalog().facts.download.pod_labels
    for kind, given in (("labels", settings.metadata.labels), ("annotations", settings.metadata.annotations)):
        for key in given:
            if key.startswith(_OWNED) or (kind == "labels" and key in own):
                yield (
                    f"kimi-k3:{path_text(['metadata', kind, key])} is set, and that key belongs to the operator, to "
                    f"Pulumi or to the published manifests.\nAccepted: {kind} of your own, such as team.\n"
                    f"Remove it from Pulumi.{stack}.yaml."
                )


def _pull_secrets(settings: Settings, stack: str) -> Iterator[str]:
    names = settings.images.pull_secrets
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield (
            f"kimi-k3:images.pullSecrets holds {name} more than once.\nAccepted: each Secret once.\n"
            f"Remove it from Pulumi.{stack}.yaml."
        )


_CHECKS = (
    _unknown_component,
    _only_workers,
    _engine_config,
    _removed_flags,
    _context_length,
    _benchmark_mode,
    _half_a_benchmark,
    _canary,
    _clique,
    _foreign_namespace,
    _metadata,
    _pull_secrets,
)


def _canary_off(settings: Settings) -> Iterator[str]:
    if not settings.serving.canary_health_check:
        trade_off = load_catalog().facts.health_check_workaround.trade_off
        yield f"kimi-k3:serving.canaryHealthCheck is false: {trade_off}."


def _synthetic(settings: Settings) -> Iterator[str]:
    if settings.serving.benchmark_mode:
        yield (
            "kimi-k3:serving.benchmarkMode is true: drafts are accepted synthetically and answers are wrong. Turn it "
            "off before anybody uses the deployment."
        )


def _little_memory(settings: Settings) -> Iterator[str]:
    limit = settings.model_download.resources.limits.get("memory")
    if limit and amount(limit) < amount(_ENOUGH_MEMORY):
        yield (
            f"kimi-k3:modelDownload.resources.limits.memory is {limit}: the published download's high-performance mode "
            f"takes up to {_ENOUGH_MEMORY} and may be killed."
        )
