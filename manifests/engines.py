"""How an engine turns a role's facts into a container: vLLM by args alone, SGLang by a config file too."""

import json
from typing import Any

from manifests.engine_config import CHECKSUM, checksum, engine_config_map
from manifests.shape import Manifest
from recipes import Framework, ModelFacts, Role, Target


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

    def config_map(self, namespace: str) -> Manifest | None:  # noqa: ARG002 - for engines that have one
        """The object that holds the engine's config files, where it has any."""
        return None


class VllmEngine(Engine):
    """Everything is in the args, where the operator looks for tensor and pipeline parallelism."""


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

    def config_map(self, namespace: str) -> Manifest | None:
        return engine_config_map(self.target, namespace)


_ENGINES: dict[Framework, type[Engine]] = {Framework.VLLM: VllmEngine, Framework.SGLANG: SglangEngine}


def engine_of(facts: ModelFacts, target: Target) -> Engine:
    return _ENGINES[target.framework](facts, target)


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
