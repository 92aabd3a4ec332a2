"""A published target with a stack's changes of counts, args, env and engine config."""

from collections.abc import Mapping
from typing import Any

from manifests.engines import Engine, engine_of
from recipes import ModelFacts, Refusal, Role, Target, nearest
from recipes.consistency import routable_replicas
from recipes.schema import Frontend
from settings import Overrides, RoleSettings, ServingSettings, Settings

MODULES_CACHE = "HF_MODULES_CACHE"
MODULES_PATH = "/hf-modules"
ROUTER_MINIMUM = "--router-min-initial-workers"
NODES = "--nnodes"


def customized(facts: ModelFacts, target: Target, serving: ServingSettings, overrides: Overrides) -> Target:
    """`target` as the stack wants it; equal to itself without changes. What a role says wins over what serving says.

    Raises Refusal for a role that the target does not have.
    """
    known = [facts.graph.frontend.name, *(role.name for role in target.workers)]
    for name in overrides.roles:
        if (
            name not in known
        ):  # in a stack file this is refused already; components take overrides from anywhere
            raise Refusal(
                f"{name} is no component of {target.name}.{nearest(name, known)}\nAccepted: {', '.join(known)}.\n"
                "Correct the name, or remove it."
            )
    engine = engine_of(facts, target)
    workers = tuple(_worker(engine, role, serving, overrides.role(role.name)) for role in target.workers)
    changed = target.model_copy(update={"workers": workers})
    frontend = _frontend(changed, overrides.role(facts.graph.frontend.name))
    return changed.model_copy(update={"frontend": frontend})


def customized_target(facts: ModelFacts, settings: Settings) -> Target:
    """The target of a stack with all its changes."""
    return customized(facts, settings.target, settings.serving, settings.overrides)


def _worker(engine: Engine, role: Role, serving: ServingSettings, chosen: RoleSettings) -> Role:
    if serving.context_length:
        role = engine.with_context_length(role, serving.context_length)
    count = chosen.node_count or role.node_count
    follows = {NODES: str(count)} if NODES in role.args and chosen.node_count else {}
    changed = role.model_copy(
        update={
            "replicas": chosen.replicas or role.replicas,
            "node_count": count,
            "args": _changed_args({**role.args, **follows}, chosen),
            "env": {**role.env, **_switched(engine, serving), **chosen.env},
            "engine_config": _without_nulls({**role.engine_config, **chosen.engine_config}),
        }
    )
    # Last: a draft that the stack has changed is measured in the same way.
    return engine.for_benchmark(changed) if serving.benchmark_mode else changed


def _switched(engine: Engine, serving: ServingSettings) -> dict[str, str]:
    """Variables that the switches of serving add to every worker."""
    workaround = engine.facts.health_check_workaround
    without_canary = not serving.canary_health_check and engine.target.framework == workaround.framework
    modules = {MODULES_CACHE: MODULES_PATH} if serving.modules_cache else {}
    return {**(workaround.env if without_canary else {}), **modules}


def _frontend(target: Target, chosen: RoleSettings) -> Frontend:
    """The router waits for all routable workers, however many there are now."""
    frontend = target.frontend
    follows = {ROUTER_MINIMUM: str(routable_replicas(target))} if ROUTER_MINIMUM in frontend.args else {}
    return frontend.model_copy(
        update={
            "args": _changed_args({**frontend.args, **follows}, chosen),
            "env": {**frontend.env, **chosen.env},
        }
    )


def _changed_args(
    args: Mapping[str, Any], chosen: RoleSettings
) -> dict[str, Any]:  # Any: see recipes.schema.Args
    changed = {**args, **chosen.args.set}
    return {flag: value for flag, value in changed.items() if flag not in chosen.args.remove}


def _without_nulls(config: Mapping[str, Any]) -> dict[str, Any]:  # Any: see recipes.schema.JsonObject
    return {key: value for key, value in config.items() if value is not None}
