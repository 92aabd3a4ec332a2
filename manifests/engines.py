"""How an engine turns a role's facts into a container: vLLM by args alone, SGLang by a config file too."""

import json
from collections.abc import Mapping
from typing import Any

from manifests.engine_config import CHECKSUM, checksum, engine_config_map
from manifests.shape import NO_EXTRAS, Manifest
from recipes import Framework, ModelFacts, Role, Target
from settings import MetadataSettings

_SPECULATIVE = "--speculative-config"


class Engine:
    """What the engines have in common; a subclass says where it differs."""

    def __init__(self, facts: ModelFacts, target: Target) -> None:
        self.facts = facts
        self.target = target

    def args(self, role: Role) -> list[str]:
        return tokens(role.args)

    def annotations(self, role: Role) -> Manifest:
        return dict(role.pod_annotations)

    def volumes(self) -> list[Manifest]:
        return []

    def mounts(self) -> list[Manifest]:
        return []

    def config_map(  # for engines that have one
        self,
        namespace: str,  # noqa: ARG002
        extra: MetadataSettings = NO_EXTRAS,  # noqa: ARG002
    ) -> Manifest | None:
        """The object that holds the engine's config files, where it has any."""
        return None

    def with_context_length(self, role: Role, limit: int) -> Role:
        """The role with prompts and answers of at most `limit` tokens."""
        raise NotImplementedError

    def for_benchmark(self, role: Role) -> Role:
        """The role with synthetic acceptance of its draft, as the published figures were measured."""
        raise NotImplementedError


class VllmEngine(Engine):
    """Everything is in the args, where the operator looks for tensor and pipeline parallelism."""

    def with_context_length(self, role: Role, limit: int) -> Role:
        return role.model_copy(update={"args": {**role.args, "--max-model-len": str(limit)}})

    def for_benchmark(self, role: Role) -> Role:
        draft = _as_mapping(role.args.get(_SPECULATIVE))
        if draft is None:
            return role
        measured = {**draft, **self.facts.benchmark_speculative_config}
        return role.model_copy(update={"args": {**role.args, _SPECULATIVE: measured}})


class SglangEngine(Engine):
    """A config file per role, mounted as a whole: a subPath mount would never see a change."""

    def annotations(self, role: Role) -> Manifest:
        return super().annotations(role) | {CHECKSUM: checksum(role)}

    def volumes(self) -> list[Manifest]:
        return [
            {
                "name": self.facts.graph.engine_config.volume,
                "configMap": {"name": self.target.engine_config_name},
            }
        ]

    def mounts(self) -> list[Manifest]:
        config = self.facts.graph.engine_config
        return [{"name": config.volume, "mountPath": config.mount_path, "readOnly": True}]

    def config_map(self, namespace: str, extra: MetadataSettings = NO_EXTRAS) -> Manifest | None:
        return engine_config_map(self.target, namespace, extra)

    def with_context_length(self, role: Role, limit: int) -> Role:
        return role.model_copy(update={"engine_config": {**role.engine_config, "context-length": limit}})

    def for_benchmark(self, role: Role) -> Role:
        return role.model_copy(update={"env": {**role.env, **role.benchmark_env}})


_ENGINES: dict[Framework, type[Engine]] = {Framework.VLLM: VllmEngine, Framework.SGLANG: SglangEngine}


def engine_of(facts: ModelFacts, target: Target) -> Engine:
    return _ENGINES[target.framework](facts, target)


def _as_mapping(value: Any) -> Mapping[str, Any] | None:  # Any: see recipes.schema.Args
    """A flag's JSON, which may be given as text; None where it is something else."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return found if isinstance(found, Mapping) else None


def tokens(args: Any) -> list[str]:  # Any: see recipes.schema.Args
    """Args as the operator needs them: each flag and each value an item of its own, a mapping as compact JSON."""
    items: list[str] = []
    for flag, value in args.items():
        items.append(flag)
        if isinstance(value, str):
            items.append(value)
        elif value is not None:
            items.append(json.dumps(value, separators=(",", ":")))
    return items
