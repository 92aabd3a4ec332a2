"""What each stack registers, and under which names.

Decides the set of resources, their URNs, parents and provider; not what the engine makes of a changed URN.
"""

from pathlib import Path

import pytest
import yaml

from tests.targets import TARGETS
from tests.unit import mocks
from tests.unit.stacks.runs import (
    CANARY,
    CASES,
    CLUSTER_CASES,
    RENDER_CASES,
    case_run,
    deploy,
    file_config,
    filled,
)

SNAPSHOT = yaml.safe_load(Path(__file__).with_name("urns.yaml").read_text(encoding="utf-8"))
every_case = pytest.mark.parametrize("case", CASES)


@every_case
def test_a_preview_shows_exactly_what_up_registers(case: str) -> None:
    planned = {r.urn: r.inputs for r in case_run(case, preview=True).registrations}
    made = {r.urn: r.inputs for r in case_run(case, preview=False).registrations}
    assert planned == made, "a reviewer of the preview would approve something else than what is deployed"


@every_case
def test_the_urns_of_a_stack_stay_as_they_are(case: str) -> None:
    prefix = f"urn:pulumi:{CASES[case][0]}::kimi-k3::"
    urns = sorted(r.urn for r in case_run(case).resources)
    assert urns == [prefix + urn for urn in SNAPSHOT[case]], "a changed URN deletes and makes again what runs"


def test_the_snapshot_holds_every_stack_and_no_other() -> None:
    assert list(SNAPSHOT) == list(CASES)


def test_every_stack_file_of_the_repository_is_one_of_these_stacks() -> None:
    root = Path(__file__).parents[3]
    files = {path.name.split(".")[1] for path in root.glob("Pulumi.*.yaml")}
    assert {"dev", *TARGETS} <= files
    assert {stack for stack, _ in CASES.values()} == {"dev", *TARGETS}


@every_case
def test_every_object_belongs_to_a_component_and_every_component_to_the_stack(case: str) -> None:
    run = case_run(case)
    stack = run.only("Stack").urn
    components = {r.urn for r in run.components}
    assert {r.parent for r in run.components} == {stack}
    assert {r.parent for r in run.objects} == components, (
        "an object without a component, or one that owns nothing"
    )


@every_case
def test_every_object_is_named_after_its_component(case: str) -> None:
    names = {r.urn: r.name for r in case_run(case).components}
    strangers = [r.name for r in case_run(case).objects if not r.name.startswith(f"{names[r.parent]}-")]
    assert not strangers, "two instances of a component in one program would collide"


@every_case
def test_every_object_goes_to_the_one_explicit_provider(case: str) -> None:
    run = case_run(case)
    assert {r.provider for r in run.objects} == {run.provider.urn}, (
        "an object would land in an ambient cluster"
    )


@every_case
def test_every_component_tells_its_outputs_once(case: str) -> None:
    run = case_run(case)
    told = sorted(urn for urn, _ in run.outputs)
    assert told == sorted([*(r.urn for r in run.components), run.only("Stack").urn])


@every_case
def test_components_keep_nothing_but_their_outputs(case: str) -> None:
    inputs = {r.name: r.inputs for r in case_run(case).components if r.inputs}
    assert not inputs, "what a component takes would stand in the state a second time"


@every_case
def test_nothing_is_looked_up_in_a_cluster(case: str) -> None:
    for preview in (True, False):
        run = case_run(case, preview)
        assert (run.reads, run.invokes) == ([], []), "a preview without a cluster would fail"


@every_case
def test_no_input_comes_from_another_resource(case: str) -> None:
    fed = {r.urn: r.property_dependencies for r in case_run(case).resources if r.property_dependencies}
    assert not fed, "a replacement of the one would pull the other along, the download first"


@every_case
def test_every_object_but_the_namespace_names_its_namespace(case: str) -> None:
    given = {r.kind: r.plain["metadata"].get("namespace") for r in case_run(case).objects}
    assert given == {kind: None if kind == "Namespace" else "kimi-k3" for kind in given}


@pytest.mark.parametrize("stack", ["dev", *TARGETS])
def test_every_stack_file_turns_the_default_provider_off(stack: str) -> None:
    assert file_config(stack)["pulumi:disable-default-providers"] == ["kubernetes"]


@pytest.mark.parametrize("case", CLUSTER_CASES)
def test_a_published_target_deploys_without_a_warning(case: str) -> None:
    assert [text for severity, text in case_run(case).logs if severity > 0] == []


@pytest.mark.parametrize("case", RENDER_CASES)
def test_a_rendered_stack_has_no_secret_and_says_so(case: str) -> None:
    run = case_run(case)
    assert "Secret" not in run.kinds
    assert [text for severity, text in run.logs if severity > 0] == [
        "Render mode: the token's Secret is left out of the files; make it on the cluster itself."
    ]


def test_settings_that_deserve_a_warning_are_warned_about() -> None:
    run = deploy("vllm-gb200-agg", filled({"modelDownload": {"wait": False}}))
    warnings = [text for severity, text in run.logs if severity == mocks.WARNING]
    assert len(warnings) == 1
    assert "kimi-k3:modelDownload.wait is false" in warnings[0]


def switched(target: str) -> mocks.Run:
    """One stack, `prod`, set to `target`."""
    framework, gpu, topology = target.split("-")
    changes = {"framework": framework, "gpu": gpu, "topology": topology}
    return deploy("vllm-gb200-agg", filled(changes), stack="prod", token=CANARY)


@pytest.fixture(scope="module")
def one_stack() -> dict[str, mocks.Run]:
    """By target, the run of the one stack that is switched through all of them."""
    return {target: switched(target) for target in TARGETS}


def test_a_switch_of_target_keeps_the_urn_of_the_deployment(one_stack: dict[str, mocks.Run]) -> None:
    urns = {run.only("DynamoGraphDeployment").urn for run in one_stack.values()}
    assert len(urns) == 1, "the new deployment would wait for the GPUs that the old one holds"


def test_a_switch_of_target_gives_the_deployment_another_name(one_stack: dict[str, mocks.Run]) -> None:
    names = {run.only("DynamoGraphDeployment").plain["metadata"]["name"] for run in one_stack.values()}
    assert names == {f"kimi-k3-{target}-agentic" for target in TARGETS}, "the operator refuses such an update"


def test_a_switch_of_target_makes_a_compute_domain_of_its_own(one_stack: dict[str, mocks.Run]) -> None:
    names = {t: {r.name for r in run.objects if r.kind == "ComputeDomain"} for t, run in one_stack.items()}
    assert names == {t: set() if "h200" in t else {f"nvlink-domain-{t}"} for t in TARGETS}, (
        "its spec is immutable: the old one would have to go under a running deployment"
    )


@pytest.mark.parametrize("kind", ["Namespace", "Secret", "PersistentVolumeClaim", "Job"])
def test_a_switch_of_target_leaves_the_cache_alone(kind: str, one_stack: dict[str, mocks.Run]) -> None:
    seen = {str((run.only(kind).urn, run.only(kind).inputs)) for run in one_stack.values()}
    assert len(seen) == 1, "a switch must never download 1.5 TB again"


def test_a_switch_of_target_gives_config_files_a_name_of_their_own(one_stack: dict[str, mocks.Run]) -> None:
    names = [
        r.plain["metadata"]["name"]
        for run in one_stack.values()
        for r in run.objects
        if r.kind == "ConfigMap"
    ]
    assert names == [f"kimi-k3-{target}-agentic-sglang-config" for target in TARGETS if "sglang" in target]
