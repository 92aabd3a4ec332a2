"""The harness itself: it fails when a program is wrong, and lets nothing leak from one run into the next."""

import asyncio
import os
from collections.abc import Callable, Mapping

import pulumi
import pulumi_kubernetes as k8s
import pytest
from pulumi.runtime import config as runtime

from tests.unit import mocks


def config_map(name: str, opts: pulumi.ResourceOptions | None = None) -> k8s.core.v1.ConfigMap:
    return k8s.core.v1.ConfigMap(name, metadata={"name": name}, data={"key": "value"}, opts=opts)


def test_a_failing_assertion_inside_an_apply_fails_the_run() -> None:
    def program() -> None:
        def check(data: Mapping[str, str]) -> str:
            assert data == {"key": "another value"}, "seen by the harness"
            return "never reached"

        config_map("one").data.apply(check)

    with pytest.raises(AssertionError, match="seen by the harness"):
        mocks.run(program)


def test_a_urn_given_twice_fails_the_run() -> None:
    def program() -> None:
        config_map("one")
        config_map("one")

    with pytest.raises(AssertionError, match=r"duplicate resource URN .*::kubernetes:core/v1:ConfigMap::one"):
        mocks.run(program)


def test_one_name_under_two_parents_is_two_urns() -> None:
    class Outer(pulumi.ComponentResource):
        def __init__(self, name: str) -> None:
            super().__init__(f"test:index:{name}", name)
            config_map("one", pulumi.ResourceOptions(parent=self))

    def program() -> None:
        Outer("A")
        Outer("B")

    urns = {r.urn for r in mocks.run(program).objects}
    assert urns == {
        f"urn:pulumi:test::kimi-k3::test:index:{x}$kubernetes:core/v1:ConfigMap::one" for x in "AB"
    }


def test_a_dependency_that_is_not_registered_fails_the_run() -> None:
    stranger = "urn:pulumi:test::kimi-k3::kubernetes:core/v1:ConfigMap::stranger"

    def program() -> None:
        other = config_map("other")
        other.__dict__["urn"] = pulumi.Output.from_input(stranger)
        config_map("one", pulumi.ResourceOptions(depends_on=[other]))

    with pytest.raises(AssertionError, match="names resources that are not registered"):
        mocks.run(program)


def test_work_that_is_left_behind_fails_the_run() -> None:
    tasks = []

    def program() -> None:
        tasks.append(asyncio.ensure_future(asyncio.sleep(3600)))

    with pytest.raises(AssertionError, match="left work behind"):
        mocks.run(program)
    assert tasks[0].cancelled()


def test_an_output_turned_into_text_fails_the_run() -> None:
    def program() -> None:
        config_map(f"{config_map('one').data}-two")

    with pytest.raises(Exception, match="Calling __str__ on an Output"):
        mocks.run(program)


@pytest.mark.parametrize("run", [mocks.run, mocks.attempt])
def test_an_error_of_the_program_is_raised_or_kept(run: Callable[..., mocks.Run]) -> None:
    def program() -> None:
        config_map("before")
        raise ValueError("on purpose")

    if run is mocks.run:
        with pytest.raises(ValueError, match="on purpose"):
            run(program)
        return
    result = run(program)
    assert repr(result.error) == "ValueError('on purpose')"
    assert [r.name for r in result.objects] == ["before"]


def test_a_look_up_is_seen() -> None:
    def program() -> None:
        k8s.core.v1.Secret.get("there", "kimi-k3/there")

    assert mocks.run(program).reads == ["kubernetes:core/v1:Secret kimi-k3/there"]


def test_a_secret_keeps_its_wrapper_and_messages_are_kept() -> None:
    def program() -> None:
        k8s.core.v1.Secret("one", string_data={"key": pulumi.Output.secret("value")})
        pulumi.log.warn("look out")
        pulumi.export("told", pulumi.Output.secret("value"))

    run = mocks.run(program)
    secret = run.only("Secret")
    assert mocks.is_secret(secret.inputs["stringData"])
    assert secret.plain["stringData"] == {"key": "value"}
    assert (mocks.WARNING, "look out") in run.logs
    assert mocks.is_secret(run.exports["told"])
    assert "value" in run.everything()


def test_an_input_that_comes_from_another_resource_is_seen() -> None:
    def program() -> None:
        one = config_map("one")
        k8s.core.v1.ConfigMap("two", data=one.data)

    run = mocks.run(program)
    one, two = run.objects
    assert one.property_dependencies == {}
    assert two.property_dependencies == {"data": [one.urn]}


@pytest.mark.parametrize("preview", [True, False])
def test_only_up_gives_a_resource_an_id(preview: bool) -> None:
    known: list[str] = []

    def program() -> None:
        config_map("one").id.apply(known.append)
        assert pulumi.runtime.is_dry_run() is preview

    mocks.run(program, preview=preview)
    assert known == ([] if preview else ["one-id"])


def test_a_run_sees_neither_config_nor_environment_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "PULUMI_CONFIG",
        "PULUMI_K8S_UPSERT_EXISTING_OBJECTS",
        "HF_TOKEN",
        "AWS_PROFILE",
        "KUBECONFIG",
    ):
        monkeypatch.setenv(name, "of the caller")
    seen: list[object] = []

    def program() -> None:
        names = [
            n for n in os.environ if n.startswith(("PULUMI_", "AWS_")) or n in ("HF_TOKEN", "KUBECONFIG")
        ]
        seen.append((pulumi.get_stack(), dict(runtime.CONFIG.get()), sorted(names)))
        os.environ["KUBECONFIG"] = "of the program"

    mocks.run(program, stack="first", config={"kimi-k3:a": "1"}, environment={"HF_TOKEN": "given"})
    mocks.run(program, stack="second")
    assert seen == [
        ("first", {"kimi-k3:a": "1"}, ["HF_TOKEN", "PULUMI_ERROR_OUTPUT_STRING"]),
        ("second", {}, ["PULUMI_ERROR_OUTPUT_STRING"]),
    ]
    assert os.environ["KUBECONFIG"] == "of the caller"
