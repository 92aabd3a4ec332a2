"""Follower nodes get their command through a shell: what the operator puts together must come out as it went in."""

import pytest
from hypothesis import given, settings

from manifests import Manifest, stack_manifests
from settings import load_settings
from tests.random_settings import Values, stacks
from tests.targets import TARGETS
from tests.unit.manifests.follower import INJECTED, as_the_shell_reads, follower_script, shell
from tests.unit.manifests.rendered import graph_of, main, only, workers


def _command(worker: Manifest) -> list[str]:
    return [*main(worker)["command"], *main(worker)["args"]]


def _assert_round_trip(graph: Manifest) -> None:
    injected = INJECTED[graph["spec"]["backendFramework"]]
    scripts = [follower_script(_command(worker), injected) for worker in workers(graph)]
    checked = shell(["-n"], "\n".join(scripts))
    assert (checked.returncode, checked.stderr) == (0, ""), "followers crash at their start"
    for worker, script in zip(workers(graph), scripts, strict=True):
        assert as_the_shell_reads(script) == [
            *_command(worker),
            *injected.replace("$((GROVE_PCLQ_POD_INDEX + 1))", "1").split(),
        ]


@pytest.mark.parametrize("name", TARGETS)
def test_the_shell_of_a_follower_gets_the_args_as_they_are_written(name: str) -> None:
    _assert_round_trip(graph_of(name))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(stacks())
def test_so_it_does_with_any_args_that_a_stack_may_set(stack: tuple[str, Values]) -> None:
    manifests = stack_manifests(load_settings(stack[1], "prod"))
    _assert_round_trip(only(manifests, "DynamoGraphDeployment"))


def test_a_single_quote_in_an_argument_would_have_been_noticed() -> None:
    assert shell(["-n"], follower_script(["python3", "it's"], "")).returncode != 0


def test_a_bare_sign_of_the_shell_would_have_been_noticed() -> None:
    assert as_the_shell_reads(follower_script(["python3", "a;true"], "")) != ["python3", "a;true"]
