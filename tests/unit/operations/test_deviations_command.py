"""`targets TARGET --diff --stack S`: what a reviewer sees of a stack's distance from what was measured."""

import json

import pytest

from tests.unit.operations.commands import operations

CHANGES = [
    "--set",
    "roles.worker.args.set.--max-num-seqs=32",
    "--set",
    "roles.worker.env.NCCL_DEBUG=INFO",
    "--set",
    "serving.schedulerName=kai-scheduler",
]


def test_a_changed_stack_is_shown_field_by_field() -> None:
    answer = operations("targets", "vllm-gb200-agg", "--diff", "--stack", "dev", *CHANGES)
    assert (answer.exit_code, answer.stderr) == (0, "")
    head, *rows = answer.stdout.splitlines()
    assert head == "dev: 3 deviations from the published target vllm-gb200-agg"
    assert [" ".join(row.split()) for row in rows] == [
        "Where Field Published Stack",
        "worker args.--max-num-seqs 1907 32",
        "Frontend, worker pod.schedulerName - kai-scheduler",
        "worker env.NCCL_DEBUG - INFO",
    ]


def test_a_stack_as_published_is_said_to_be_so() -> None:
    answer = operations("targets", "--diff", "--stack", "dev")
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert answer.stdout == "dev: no deviations from the published target vllm-gb200-agg\n"


def test_json_has_the_same_for_machines() -> None:
    answer = operations("targets", "--diff", "--stack", "dev", "--json", *CHANGES[2:4])
    assert json.loads(answer.stdout) == {
        "target": "vllm-gb200-agg",
        "deviations": [{"where": ["worker"], "what": "env.NCCL_DEBUG", "published": None, "now": "INFO"}],
    }


def test_a_target_alone_is_shown_alone() -> None:
    answer = operations("targets", "sglang-gb300-agg")
    assert answer.exit_code == 0
    assert [line.split()[0] for line in answer.stdout.splitlines()] == ["Framework", "SGLang"]


REFUSED = [
    pytest.param(
        ["vllm-h200-agg", "--diff", "--stack", "dev"],
        "The stack dev deploys vllm-gb200-agg, not vllm-h200-agg.\nAccepted: vllm-gb200-agg, or no target at all.\n"
        "Name that one: python -m operations targets vllm-gb200-agg --diff --stack dev\n",
        id="another-target",
    ),
    pytest.param(
        ["--diff"],
        "--diff was given without --stack.\nAccepted: the stack that is compared with its target.\n"
        "For example: python -m operations targets --diff --stack dev\n",
        id="no-stack",
    ),
    pytest.param(
        ["vllm-gb200-aggregated"],
        "There is no target vllm-gb200-aggregated. Did you mean vllm-gb200-agg?\n"
        "Published: vllm-h200-agg, vllm-gb200-agg, vllm-gb300-agg, vllm-gb300-disagg, sglang-gb200-agg, "
        "sglang-gb200-disagg, sglang-gb300-agg, sglang-gb300-disagg.\nName one of these.\n",
        id="unknown-target",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_cannot_be_compared_is_refused(arguments: list[str], message: str) -> None:
    answer = operations("targets", *arguments)
    assert (answer.exit_code, answer.stdout, answer.stderr) == (1, "", message)
