"""The deployment component: a DynamoGraphDeployment and the engine's config files, in four variants."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import pulumi
import pulumi_kubernetes as k8s

from components.resource_args import custom_resource_args, resource_args
from manifests import Manifest, customized, dynamo_graph, engine_of, refuse_mistakes
from recipes import Framework, Refusal, Target, Topology, load_catalog
from settings import Overrides, ServingSettings


@dataclass(frozen=True)
class DynamoGraphArgs:
    """`after` holds what the pods use: namespace, claim, ComputeDomain, finished download."""

    target: Target
    serving: ServingSettings
    namespace: str
    claim_name: str = "shared-model-cache"
    after: Sequence[pulumi.Resource] = ()
    overrides: Overrides = field(default_factory=Overrides)


class DynamoGraph(pulumi.ComponentResource):
    """Base of the four variants. They share one type token: a switch of target is the replacement of one URN."""

    framework: ClassVar[Framework]
    topology: ClassVar[Topology]

    deployment: k8s.apiextensions.CustomResource
    engine_config: k8s.core.v1.ConfigMap | None = None

    def __init__(self, name: str, args: DynamoGraphArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        _refuse_other_target(type(self), args.target)
        config, manifest = _manifests(args)
        super().__init__("kimi-k3:index:DynamoGraph", name, None, opts)
        target, limit, after = args.target, f"{args.serving.timeout_seconds}s", list(args.after)
        if config:
            self.engine_config = k8s.core.v1.ConfigMap(
                f"{name}-engine-config",
                **resource_args(config),
                opts=pulumi.ResourceOptions(parent=self, depends_on=after),
            )
            after = [*after, self.engine_config]
        self.deployment = k8s.apiextensions.CustomResource(
            f"{name}-deployment",
            **custom_resource_args(manifest),
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=after,
                # The new deployment would wait for the very GPUs that the old one holds.
                delete_before_replace=True,
                # Loading weights and capturing graphs takes tens of minutes; deletion waits for the operator.
                custom_timeouts=pulumi.CustomTimeouts(create=limit, update=limit, delete=limit),
            ),
        )
        self.register_outputs({"name": target.dgd_name, "frontendService": target.frontend_service})


class VllmAggregated(DynamoGraph):
    """vLLM, prefill and decode in the same workers."""

    framework, topology = Framework.VLLM, Topology.AGG


class VllmDisaggregated(DynamoGraph):
    """vLLM, prefill and decode in workers of their own."""

    framework, topology = Framework.VLLM, Topology.DISAGG


class SglangAggregated(DynamoGraph):
    """SGLang, prefill and decode in the same workers."""

    framework, topology = Framework.SGLANG, Topology.AGG


class SglangDisaggregated(DynamoGraph):
    """SGLang, prefill and decode in workers of their own."""

    framework, topology = Framework.SGLANG, Topology.DISAGG


_VARIANTS = (VllmAggregated, VllmDisaggregated, SglangAggregated, SglangDisaggregated)


def graph_class(target: Target) -> type[DynamoGraph]:
    """The variant that `target` belongs to."""
    return next(v for v in _VARIANTS if (v.framework, v.topology) == (target.framework, target.topology))


def _manifests(args: DynamoGraphArgs) -> tuple[Manifest | None, Manifest]:
    """The engine's config, where it has one, and the deployment; raises Refusal for what would fail later."""
    facts, namespace = load_catalog().facts, args.namespace
    target = customized(facts, args.target, args.serving, args.overrides)
    config = engine_of(facts, target).config_map(namespace, args.overrides.metadata)
    graph = dynamo_graph(facts, target, args.serving, namespace, args.claim_name, args.overrides)
    refuse_mistakes([config, graph] if config else [graph])
    return config, graph


def _refuse_other_target(variant: type[DynamoGraph], target: Target) -> None:
    if not issubclass(variant, graph_class(target)):
        raise Refusal(
            f"{variant.__name__} was given the target {target.name}.\n"
            f"Accepted: targets of the variant that they belong to, here {graph_class(target).__name__}.\n"
            "Use that class, or graph_class(target)."
        )
