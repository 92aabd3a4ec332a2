"""The lifecycle options of every object, each written down by hand.

Decides what the program asks for. Whether protection holds, waits end and replacements come in the right
order is for the tests with a real engine and a real API server.
"""

import re
from typing import Any

import pytest

from tests.unit import mocks
from tests.unit.stacks.runs import CASES, CLUSTER_CASES, RENDER_CASES, case_run, cluster, rendered

HOURS = {"create": "14400s", "update": "14400s", "delete": "14400s"}
SERVING = {"create": "10800s", "update": "10800s", "delete": "10800s"}

# By kind and option, what a cluster stack asks for by default; options that are not named are not asked for.
ASKED_FOR: dict[str, dict[str, object]] = {
    "Namespace": {"protect": True, "retainOnDelete": True},
    "Secret": {},
    "PersistentVolumeClaim": {"protect": True, "retainOnDelete": True},
    "Job": {"deleteBeforeReplace": True, "customTimeouts": HOURS},
    "ComputeDomain": {"customTimeouts": {"delete": "1800s"}},
    "ConfigMap": {},
    "DynamoGraphDeployment": {"deleteBeforeReplace": True, "customTimeouts": SERVING},
}
NOT_ASKED_FOR: dict[str, object] = {
    "protect": False,
    "retainOnDelete": False,
    "deleteBeforeReplace": False,
    "customTimeouts": {},
    "replaceOnChanges": [],
}
# Options that no resource asks for, besides what the SDK adds to a Secret.
NEVER: dict[str, object] = {
    "ignoreChanges": [],
    "aliases": [],
    "aliasURNs": [],
    "importId": "",
    "deletedWith": "",
    "replace_with": [],
    "additionalSecretOutputs": [],
    "hideDiffs": [],
    "transforms": [],
    "packageRef": "",
}
# Files are nothing to protect, and `destroy` must remove them.
RENDERING = {"protect": False, "retainOnDelete": False}
# By kind, the provider's own annotations; objects that are not named carry none.
ANNOTATIONS = {
    "PersistentVolumeClaim": {"pulumi.com/skipAwait": "true"},
    "DynamoGraphDeployment": {"pulumi.com/waitFor": "condition=Ready"},
}


def asked(registration: mocks.Registration, option: str) -> object:
    if option == "customTimeouts":
        return registration.timeouts
    value = getattr(registration.request, option)
    return value if isinstance(value, bool | str) else list(value)


def provider_annotations(registration: mocks.Registration) -> dict[str, str]:
    given: dict[str, str] = registration.plain["metadata"].get("annotations", {})
    return {key: value for key, value in given.items() if key.startswith("pulumi.com/")}


def timeouts(run: mocks.Run, kind: str) -> dict[str, str]:
    return run.only(kind).timeouts


@pytest.mark.parametrize("option", NOT_ASKED_FOR)
@pytest.mark.parametrize("kind", ASKED_FOR)
def test_a_cluster_stack_asks_for_these_options(kind: str, option: str) -> None:
    found = {c: asked(r, option) for c in CLUSTER_CASES for r in case_run(c).objects if r.kind == kind}
    assert found, f"no target makes a {kind}"
    expected = ASKED_FOR[kind].get(option, NOT_ASKED_FOR[option])
    assert found == dict.fromkeys(found, expected), f"{option} of {kind}"


@pytest.mark.parametrize("option", NOT_ASKED_FOR)
@pytest.mark.parametrize("kind", [kind for kind in ASKED_FOR if kind != "Secret"])
def test_a_rendered_stack_asks_for_the_same_without_protection(kind: str, option: str) -> None:
    found = {c: asked(r, option) for c in RENDER_CASES for r in case_run(c).objects if r.kind == kind}
    assert found, f"no rendered stack makes a {kind}"
    expected = (ASKED_FOR[kind] | RENDERING).get(option, NOT_ASKED_FOR[option])
    assert found == dict.fromkeys(found, expected), f"{option} of {kind}"


@pytest.mark.parametrize("case", CASES)
def test_the_provider_and_the_components_ask_for_nothing(case: str) -> None:
    run = case_run(case)
    found = {
        r.name: {option: asked(r, option) for option in NOT_ASKED_FOR}
        for r in [run.provider, *run.components]
    }
    assert found == dict.fromkeys(found, NOT_ASKED_FOR), (
        "a protected provider could not be corrected after a first `up` with a wrong context"
    )


@pytest.mark.parametrize("case", CASES)
def test_nothing_asks_for_any_other_option(case: str) -> None:
    for r in case_run(case).resources:
        sdk = {"additionalSecretOutputs": ["data", "stringData"]} if r.kind == "Secret" else {}
        assert {option: asked(r, option) for option in NEVER} == NEVER | sdk, r.name


@pytest.mark.parametrize("case", CASES)
def test_the_deployment_is_waited_for_and_the_claim_is_not(case: str) -> None:
    run = case_run(case)
    found = {r.kind: given for r in run.objects if (given := provider_annotations(r))}
    assert found == ANNOTATIONS, (
        "a claim binds only with its first pod; a ComputeDomain only with the workers"
    )


@pytest.mark.parametrize("case", CASES)
def test_no_pod_template_carries_the_providers_annotations(case: str) -> None:
    for kind in ("Job", "DynamoGraphDeployment"):
        assert "pulumi.com/" not in str(case_run(case).only(kind).plain["spec"])


@pytest.mark.parametrize("case", CASES)
def test_the_download_is_never_made_again_by_itself(case: str) -> None:
    job = case_run(case).only("Job").plain
    assert "ttlSecondsAfterFinished" not in job["spec"], "a Job that vanishes is made, and run, again"
    assert "pulumi.com/replaceUnready" not in job["metadata"].get("annotations", {}), (
        "`up` would kill it while it runs"
    )


@pytest.mark.parametrize("case", CASES)
def test_durations_have_the_unit_that_the_engine_reads(case: str) -> None:
    given = [text for r in case_run(case).objects for text in r.timeouts.values()]
    assert given
    assert all(re.fullmatch(r"[1-9][0-9]*s", text) for text in given), (
        "another form silently means ten minutes"
    )


@pytest.mark.parametrize(
    ("namespace", "claim"), [(True, False), (False, False)], ids=["namespace only", "neither"]
)
def test_protection_of_a_cluster_stack_follows_its_settings(namespace: bool, claim: bool) -> None:
    run = cluster("vllm-gb200-agg", {"namespace": {"protect": namespace}, "modelCache": {"protect": claim}})
    found = {
        k: (asked(run.only(k), "protect"), asked(run.only(k), "retainOnDelete")) for k in protected_kinds()
    }
    assert found == {"Namespace": (namespace,) * 2, "PersistentVolumeClaim": (claim,) * 2}


def test_a_rendered_stack_is_never_protected_even_when_its_settings_say_so() -> None:
    run = rendered("vllm-gb200-agg", {"namespace": {"protect": True}, "modelCache": {"protect": True}})
    assert not any(asked(run.only(kind), "protect") for kind in protected_kinds()), (
        "`destroy` must remove files"
    )


def protected_kinds() -> tuple[str, str]:
    return "Namespace", "PersistentVolumeClaim"


@pytest.mark.parametrize("run_of", [cluster, rendered], ids=["cluster", "rendered"])
@pytest.mark.parametrize(
    ("group", "kind"),
    [("serving", "DynamoGraphDeployment"), ("modelDownload", "Job")],
    ids=["serving", "download"],
)
def test_a_stack_can_do_without_a_wait(
    group: str, kind: str, run_of: Any
) -> None:  # Any: one of two functions
    run = run_of("sglang-gb300-agg", {group: {"wait": False}})
    assert provider_annotations(run.only(kind)) == {"pulumi.com/skipAwait": "true"}
    others = {r.kind: given for r in run.objects if r.kind != kind and (given := provider_annotations(r))}
    assert others == {k: v for k, v in ANNOTATIONS.items() if k != kind}


@pytest.mark.parametrize("run_of", [cluster, rendered], ids=["cluster", "rendered"])
def test_the_limit_of_the_download_is_a_setting(run_of: Any) -> None:  # Any: one of two functions
    run = run_of("vllm-gb200-agg", {"modelDownload": {"timeoutSeconds": 600}})
    assert timeouts(run, "Job") == {"create": "600s", "update": "600s", "delete": "600s"}
    assert timeouts(run, "DynamoGraphDeployment") == SERVING
    assert timeouts(run, "ComputeDomain") == {"delete": "1800s"}


@pytest.mark.parametrize("run_of", [cluster, rendered], ids=["cluster", "rendered"])
def test_the_limit_of_serving_is_a_setting(run_of: Any) -> None:  # Any: one of two functions
    run = run_of("vllm-gb200-agg", {"serving": {"timeoutSeconds": 7200}})
    assert timeouts(run, "DynamoGraphDeployment") == {"create": "7200s", "update": "7200s", "delete": "7200s"}
    assert timeouts(run, "Job") == HOURS


@pytest.mark.parametrize(
    ("serving", "domain"), [(5, 5), (1799, 1799), (1800, 1800), (1801, 1800), (86400, 1800)]
)
def test_the_domain_is_given_half_an_hour_to_go_or_the_limit_of_serving_if_that_is_shorter(
    serving: int, domain: int
) -> None:
    run = cluster("vllm-gb200-agg", {"serving": {"timeoutSeconds": serving}})
    assert timeouts(run, "ComputeDomain") == {"delete": f"{domain}s"}
