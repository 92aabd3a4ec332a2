"""What a single component makes of its arguments, where a stack's settings do not reach."""

import functools
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any

import pulumi
import pulumi_kubernetes as k8s
import pytest

import components
from components import (
    DynamoGraph,
    DynamoGraphArgs,
    HuggingFaceToken,
    HuggingFaceTokenArgs,
    ModelCache,
    ModelCacheArgs,
    ModelDownload,
    ModelDownloadArgs,
    ModelNamespace,
    ModelNamespaceArgs,
    NvlinkDomain,
    NvlinkDomainArgs,
    SglangAggregated,
    SglangDisaggregated,
    VllmAggregated,
    VllmDisaggregated,
    graph_class,
)
from recipes import Refusal
from settings import (
    ArgSettings,
    ModelCacheSettings,
    ModelDownloadSettings,
    Overrides,
    RoleSettings,
    ServingSettings,
)
from tests.unit import mocks
from tests.unit.components.builds import TOKEN, target

VARIANTS = {
    "vllm-h200-agg": VllmAggregated,
    "vllm-gb200-agg": VllmAggregated,
    "vllm-gb300-agg": VllmAggregated,
    "vllm-gb300-disagg": VllmDisaggregated,
    "sglang-gb200-agg": SglangAggregated,
    "sglang-gb200-disagg": SglangDisaggregated,
    "sglang-gb300-agg": SglangAggregated,
    "sglang-gb300-disagg": SglangDisaggregated,
}
CLASSES: tuple[type[DynamoGraph], ...] = (
    VllmAggregated,
    VllmDisaggregated,
    SglangAggregated,
    SglangDisaggregated,
    DynamoGraph,
)


def graph_args(name: str) -> DynamoGraphArgs:
    return DynamoGraphArgs(target(name), ServingSettings(), "models")


def options(run: mocks.Run, kind: str) -> tuple[bool, bool]:
    request = run.only(kind).request
    return request.protect, request.retainOnDelete


@pytest.mark.parametrize("name", VARIANTS)
def test_every_target_has_its_variant(name: str) -> None:
    assert graph_class(target(name)) is VARIANTS[name]


@pytest.mark.parametrize("variant", CLASSES)
def test_a_variant_refuses_every_target_that_is_not_its_own(variant: type[DynamoGraph]) -> None:
    for name, own in VARIANTS.items():
        if own is not variant:
            run = mocks.attempt(functools.partial(variant, "serving", graph_args(name)))
            assert isinstance(run.error, Refusal), name
            assert f"{variant.__name__} was given the target {name}." in str(run.error)
            assert f"here {own.__name__}." in str(run.error)
            assert not run.resources, "a refusal must leave no trace"


def test_the_config_files_of_an_engine_come_before_its_deployment() -> None:
    run = mocks.run(lambda: SglangAggregated("serving", graph_args("sglang-gb300-agg")))
    assert run.edges() == {"ConfigMap": set(), "DynamoGraphDeployment": {"ConfigMap"}}


def test_an_engine_without_config_files_has_no_config_map() -> None:
    found = []
    run = mocks.run(
        lambda: found.append(VllmAggregated("serving", graph_args("vllm-h200-agg")).engine_config)
    )
    assert (found, run.kinds) == ([None], {"DynamoGraphDeployment"})


def test_the_deployment_uses_the_claim_that_it_is_given() -> None:
    args = DynamoGraphArgs(target("vllm-h200-agg"), ServingSettings(), "models", claim_name="weights")
    run = mocks.run(lambda: VllmAggregated("serving", args))
    worker = run.only("DynamoGraphDeployment").plain["spec"]["components"][1]
    assert worker["podTemplate"]["spec"]["volumes"][0]["persistentVolumeClaim"] == {"claimName": "weights"}


def test_the_download_uses_the_secret_and_the_claim_that_it_is_given() -> None:
    args = ModelDownloadArgs(ModelDownloadSettings(), "models", "my-token", "weights")
    pod = mocks.run(lambda: ModelDownload("x", args)).only("Job").plain["spec"]["template"]["spec"]
    assert pod["containers"][0]["envFrom"] == [{"secretRef": {"name": "my-token"}}]
    assert pod["volumes"][0]["persistentVolumeClaim"] == {"claimName": "weights"}


@pytest.mark.parametrize("protect", [True, False])
def test_a_namespace_is_protected_and_retained_as_its_user_says(protect: bool) -> None:
    run = mocks.run(lambda: ModelNamespace("x", ModelNamespaceArgs("models", protect=protect)))
    assert options(run, "Namespace") == (protect, protect)


@pytest.mark.parametrize("protect", [True, False])
def test_a_claim_is_protected_and_retained_as_its_user_says(protect: bool) -> None:
    settings = ModelCacheSettings(storage_class_name="fast-rwx", protect=protect)
    run = mocks.run(lambda: ModelCache("x", ModelCacheArgs(settings, "models")))
    assert options(run, "PersistentVolumeClaim") == (protect, protect)


def test_namespace_and_claim_are_protected_when_nobody_says_anything() -> None:
    def program() -> None:
        ModelNamespace("x", ModelNamespaceArgs("models"))
        ModelCache("y", ModelCacheArgs(ModelCacheSettings(storage_class_name="fast-rwx"), "models"))

    run = mocks.run(program)
    assert options(run, "Namespace") == options(run, "PersistentVolumeClaim") == (True, True)


def test_the_limit_of_a_domains_deletion_is_an_argument() -> None:
    def program() -> None:
        NvlinkDomain("default", NvlinkDomainArgs(target("vllm-gb300-agg"), "models"))
        NvlinkDomain(
            "chosen", NvlinkDomainArgs(target("vllm-gb300-agg"), "models", delete_timeout_seconds=60)
        )

    assert {r.name: r.timeouts for r in mocks.run(program).objects} == {
        "default-vllm-gb300-agg": {"delete": "1800s"},
        "chosen-vllm-gb300-agg": {"delete": "60s"},
    }


def test_the_domain_of_another_target_has_another_urn() -> None:
    def urn(name: str) -> str:
        run = mocks.run(lambda: NvlinkDomain("x", NvlinkDomainArgs(target(name), "models")))
        return run.only("ComputeDomain").urn

    assert urn("vllm-gb200-agg") != urn("sglang-gb300-disagg"), "an immutable object would be replaced"


TOKENS: dict[str, Callable[[], pulumi.Input[str]]] = {
    "plain text": lambda: TOKEN,
    "an output": lambda: pulumi.Output.from_input(TOKEN),
    "a secret": lambda: pulumi.Output.secret(TOKEN),
    "an output of another resource": lambda: k8s.core.v1.ConfigMap("other", data={"token": TOKEN}).data.apply(
        lambda data: data["token"]
    ),
}


@pytest.mark.parametrize("name", TOKENS)
def test_the_token_is_a_secret_whatever_it_comes_as(name: str) -> None:
    run = mocks.run(lambda: HuggingFaceToken("x", HuggingFaceTokenArgs(TOKENS[name](), "models")))
    secret = run.only("Secret")
    assert mocks.is_secret(secret.inputs["stringData"])
    assert secret.plain["stringData"] == {"HF_TOKEN": TOKEN}
    assert set(secret.property_dependencies) <= {"stringData"}, (
        "only the token may come from another resource"
    )


def test_the_token_is_in_no_text_of_its_arguments() -> None:
    args = HuggingFaceTokenArgs(TOKEN, "models")
    assert TOKEN not in f"{args!r} {args} {args!s}", "a log line or a traceback would hold it"
    assert "models" in repr(args)


def test_arguments_are_frozen() -> None:
    args = ModelNamespaceArgs("models")
    with pytest.raises(FrozenInstanceError):
        args.name = "others"  # type: ignore[misc]  # what is tested


def test_the_package_offers_every_component_and_its_arguments() -> None:
    classes = {
        "ModelNamespace",
        "HuggingFaceToken",
        "ModelCache",
        "ModelDownload",
        "NvlinkDomain",
        "DynamoGraph",
    }
    variants = {"VllmAggregated", "VllmDisaggregated", "SglangAggregated", "SglangDisaggregated"}
    assert set(components.__all__) == classes | variants | {f"{name}Args" for name in classes} | {
        "graph_class"
    }


def test_an_nvlink_domain_refuses_a_target_without_one() -> None:
    made = mocks.attempt(lambda: NvlinkDomain("x", NvlinkDomainArgs(target("vllm-h200-agg"), "models")))
    assert str(made.error) == (
        "NvlinkDomain was given the target vllm-h200-agg, which is published without a ComputeDomain.\n"
        "Accepted: targets on GB200 and GB300.\n"
        "Leave the component out for this target."
    )


def worker(**changes: Any) -> Overrides:  # Any: settings hold values of several kinds
    return Overrides(roles={"worker": RoleSettings(**changes)})


REFUSED_OVERRIDES = {
    "an argument that followers break": (
        worker(args=ArgSettings(set={"--chat-template": "it's"})),
        (
            "worker has an argument of --chat-template with a single quote in it: followers would not start.\n"
            "Accepted: arguments without single quotes where a replica spans nodes.\n"
            "Change it: roles.worker.args.set.--chat-template"
        ),
    ),
    "nodes without their ranks": (
        worker(node_count=2),
        (
            "worker has tensor x pipeline parallelism 8 x 4 = 32 on 2 nodes x 8 GPUs = 16.\n"
            "Accepted: as many GPUs as ranks, here 32: change nodeCount and the parallelism together.\n"
            "Set one of them: roles.worker.nodeCount = 4"
        ),
    ),
    "a role of another target": (
        Overrides(roles={"Worker": RoleSettings(replicas=2)}),
        (
            "Worker is no component of vllm-h200-agg. Did you mean worker?\nAccepted: Frontend, worker.\n"
            "Correct the name, or remove it."
        ),
    ),
}


@pytest.mark.parametrize("case", REFUSED_OVERRIDES)
def test_a_deployment_refuses_what_would_fail_later_before_it_registers_anything(case: str) -> None:
    overrides, message = REFUSED_OVERRIDES[case]
    args = DynamoGraphArgs(target("vllm-h200-agg"), ServingSettings(), "models", overrides=overrides)
    made = mocks.attempt(lambda: VllmAggregated("x", args))
    assert (str(made.error), made.objects) == (message, [])


def test_a_subclass_of_a_variant_takes_that_variants_targets() -> None:
    class Mine(VllmAggregated):
        """A user's own defaults around the component."""

    made = mocks.run(lambda: Mine("x", graph_args("vllm-h200-agg")))
    assert made.kinds == {"DynamoGraphDeployment"}
