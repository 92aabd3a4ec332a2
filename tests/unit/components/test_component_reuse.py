"""The components in somebody else's program: options, providers, order, and several instances at once.

Decides what is registered. Whether the engine would replace or protect is for the tests with the real one.
"""

import functools

import pulumi
import pulumi_kubernetes as k8s
import pytest

from tests.unit import mocks
from tests.unit.components.builds import BUILDS, TOKEN, provider

every_component = pytest.mark.parametrize("name", BUILDS)


@functools.cache
def alone(name: str) -> mocks.Run:
    """The run of a program that builds this component, called `x`, and nothing else."""
    return mocks.run(lambda: BUILDS[name].make("x", (), None))


def children(run: mocks.Run) -> list[mocks.Registration]:
    """The objects of the components, without those that the program made by itself."""
    components = {r.urn for r in run.components}
    return [r for r in run.objects if r.parent in components]


def one(run: mocks.Run) -> mocks.Registration:
    assert len(run.components) == 1
    return run.components[0]


@every_component
def test_a_component_makes_its_children_under_its_own_name(name: str) -> None:
    build = BUILDS[name]
    run = alone(name)
    assert (one(run).type, one(run).name) == (f"kimi-k3:index:{build.type}", "x")
    assert {r.name: r.kind for r in run.objects} == build.children
    assert {r.parent for r in run.objects} == {one(run).urn}


@every_component
def test_a_component_tells_its_outputs_once_as_its_last_act(name: str) -> None:
    run = alone(name)
    told = [values for urn, values in run.outputs if urn == one(run).urn]
    assert told == [BUILDS[name].outputs]


@every_component
def test_a_component_exposes_what_it_owns_so_that_others_can_wait_for_it(name: str) -> None:
    build = BUILDS[name]

    def program() -> None:
        component = build.make("x", (), None)
        owned = [getattr(component, attribute) for attribute in build.owned]
        k8s.core.v1.ConfigMap("next", opts=pulumi.ResourceOptions(depends_on=owned))

    run = mocks.run(program)
    following = next(r for r in run.objects if r.name == "next")
    assert following.dependencies == {r.urn for r in children(run)}


@every_component
def test_children_go_to_the_one_provider_of_the_component(name: str) -> None:
    def program() -> None:
        BUILDS[name].make("x", (), pulumi.ResourceOptions(provider=provider("mine")))

    run = mocks.run(program)
    assert {r.provider for r in children(run)} == {run.provider.urn}, (
        "an object would land in an ambient cluster"
    )


@every_component
def test_children_go_to_the_kubernetes_one_of_several_providers(name: str) -> None:
    def program() -> None:
        BUILDS[name].make("x", (), pulumi.ResourceOptions(providers={"kubernetes": provider("mine")}))

    run = mocks.run(program)
    assert {r.provider for r in children(run)} == {run.provider.urn}


@every_component
def test_children_go_to_the_provider_of_an_outer_component(name: str) -> None:
    class Platform(pulumi.ComponentResource):
        def __init__(self, opts: pulumi.ResourceOptions) -> None:
            super().__init__("test:index:Platform", "platform", None, opts)
            BUILDS[name].make("x", (), pulumi.ResourceOptions(parent=self))

    run = mocks.run(lambda: Platform(pulumi.ResourceOptions(providers=[provider("mine")])))
    inner = next(r for r in run.components if r.name == "x")
    assert inner.parent == next(r.urn for r in run.components if r.name == "platform")
    assert {r.provider for r in children(run)} == {run.provider.urn}
    assert {r.urn.split("::")[2].split("$")[0] for r in children(run)} == {"test:index:Platform"}


@every_component
def test_without_a_provider_the_choice_is_the_engines(name: str) -> None:
    run = alone(name)
    assert {r.provider for r in run.objects} == {""}


@every_component
def test_every_child_waits_for_what_comes_before(name: str) -> None:
    def program() -> None:
        before = [k8s.core.v1.ConfigMap(f"before-{index}") for index in range(2)]
        BUILDS[name].make("x", before, None)

    run = mocks.run(program)
    before = {r.urn for r in run.objects if r.name.startswith("before-")}
    for child in children(run):
        assert before <= child.dependencies, f"{child.name} would be made before what it uses"


@every_component
def test_a_component_can_come_after_another_component_as_a_whole(name: str) -> None:
    def program() -> None:
        earlier = BUILDS["ModelNamespace"].make("earlier", (), None)
        BUILDS[name].make("x", [earlier], None)

    run = mocks.run(program)
    earlier = next(r.urn for r in run.objects if r.name == "earlier-namespace")
    assert all(earlier in r.dependencies for r in children(run) if r.name != "earlier-namespace")


@every_component
def test_a_component_takes_the_options_of_its_user(name: str) -> None:
    def program() -> None:
        alias = pulumi.Alias(name="former")
        other = k8s.core.v1.ConfigMap("other")
        opts = pulumi.ResourceOptions(aliases=[alias], protect=True, depends_on=[other])
        BUILDS[name].make("x", (), opts)

    run = mocks.run(program)
    assert [alias.spec.name for alias in one(run).request.aliases] == ["former"]
    assert one(run).request.protect
    assert len(one(run).dependencies) == 1
    assert all(r.request.protect for r in children(run)), "protection of the whole is protection of its parts"


@every_component
def test_options_can_be_handed_to_several_components(name: str) -> None:
    def program() -> None:
        opts = pulumi.ResourceOptions(provider=provider("mine"))
        BUILDS[name].make("a", (), opts)
        BUILDS[name].make("b", (), opts)

    run = mocks.run(program)
    assert {r.provider for r in children(run)} == {run.provider.urn}


@every_component
def test_two_instances_live_in_one_program(name: str) -> None:
    def program() -> None:
        for instance in ("x", "y"):
            BUILDS[name].make(instance, (), pulumi.ResourceOptions(provider=provider(f"cluster-{instance}")))

    run = mocks.run(program)
    names = {r.urn: r.name for r in run.registrations}
    found = {(r.name, names[r.provider]) for r in children(run)}
    assert found == {
        (f"{instance}{child[1:]}", f"cluster-{instance}")
        for child in BUILDS[name].children
        for instance in "xy"
    }


def test_all_components_live_in_one_program() -> None:
    def program() -> None:
        for name, build in BUILDS.items():
            build.make(name.lower(), (), None)

    assert len(mocks.run(program).components) == len(BUILDS)


@every_component
def test_a_preview_of_a_component_shows_what_it_makes(name: str) -> None:
    planned = mocks.run(lambda: BUILDS[name].make("x", (), None), preview=True)
    assert {r.urn: r.inputs for r in planned.registrations} == {
        r.urn: r.inputs for r in alone(name).registrations
    }


@every_component
def test_only_the_secret_holds_the_token(name: str) -> None:
    run = alone(name)
    holders = [r.kind for r in run.registrations if TOKEN in f"{r.request}"]
    assert holders == (["Secret"] if name == "HuggingFaceToken" else [])
    assert TOKEN not in f"{run.outputs} {run.logs}"
