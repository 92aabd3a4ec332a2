"""The real engine refuses what the stack-file reader refuses, in the same words, and registers nothing."""

import json
import subprocess
import sys

import pytest

from tests.engine.test_render import settings_of
from tests.project import Project

GOOD = settings_of("vllm", "gb200", "agg")
ON_CLUSTER = {key: value for key, value in GOOD.items() if key != "render"} | {"cluster": {"context": "prod"}}
CASES = {
    "a typo in a key": (
        GOOD | {"topolgy": "disagg"},
        "kimi-k3:topolgy is not a setting. Did you mean topology?",
    ),
    "a typo inside a group": (
        GOOD | {"serving": {"wiat": True}},
        "kimi-k3:serving.wiat is not a setting. Did you mean wait?",
    ),
    "a word for a boolean": (GOOD | {"serving": {"wait": "yes"}}, "kimi-k3:serving.wait is 'yes'."),
    "a duration with a unit": (
        GOOD | {"serving": {"timeoutSeconds": "3h"}},
        "kimi-k3:serving.timeoutSeconds is '3h'.",
    ),
    "a number for a name": (GOOD | {"namespace": {"name": 7}}, "kimi-k3:namespace.name is 7."),
    "a scalar for a group": (GOOD | {"serving": True}, "kimi-k3:serving is 'true'."),
    "a combination without a recipe": (
        GOOD | {"topology": "disagg"},
        "No recipe is published for vllm on gb200 (disagg).",
    ),
    "cluster and render": (
        GOOD | {"cluster": {"context": "prod"}},
        "Both kimi-k3:cluster and kimi-k3:render are set.",
    ),
    "a token in clear text": (ON_CLUSTER | {"hfToken": "hf_canary"}, "kimi-k3:hfToken stands in clear text"),
    "a token in a group": (
        GOOD | {"huggingFace": {"secretName": "hf_canary"}},
        "looks like a Hugging Face token",
    ),
    "a placeholder": (
        GOOD | {"modelCache": {"storageClassName": "<yours>"}},
        "is still the placeholder '<yours>'.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_engine_and_render_refuse_alike(project: Project, case: str) -> None:
    config, message = CASES[case]
    project.write_stack("bad", config)
    project.init("bad")
    command = [sys.executable, "-m", "operations", "render", "--stack", "bad"]
    printed = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, check=False)
    ran = project.pulumi("preview", "--stack", "bad")
    assert ran.returncode != 0
    for output in (ran.stdout + ran.stderr, printed.stderr):
        assert message in output
        assert "Traceback" not in output, "a user's mistake is no crash"
        assert "hf_canary" not in output, "a token is never repeated"
    assert printed.returncode == 1


def test_a_refused_up_registers_nothing(project: Project) -> None:
    project.write_stack("bad", GOOD | {"topolgy": "disagg"})
    project.init("bad")
    assert project.pulumi("up", "--yes", "--stack", "bad").returncode != 0
    state = json.loads(project.demand("stack", "export", "--stack", "bad"))
    types = {resource["type"] for resource in state["deployment"].get("resources", [])}
    assert types <= {"pulumi:pulumi:Stack"}


def test_a_cluster_stack_without_a_token_says_how_to_store_one(project: Project) -> None:
    project.write_stack("bad", ON_CLUSTER)
    project.init("bad")
    ran = project.pulumi("preview", "--stack", "bad")
    assert ran.returncode != 0
    assert "Store it: make set STACK=bad KEY=hfToken SECRET=1" in ran.stdout + ran.stderr


@pytest.mark.parametrize("token", ["hf_canary with space", " ", "hf_canary\nhf_second"])
def test_a_broken_token_is_refused_without_being_shown(project: Project, token: str) -> None:
    project.write_stack("bad", ON_CLUSTER)
    project.init("bad")
    project.demand("config", "set", "--secret", "kimi-k3:hfToken", "--stack", "bad", given=token)
    ran = project.pulumi("preview", "--stack", "bad")
    assert ran.returncode != 0
    assert "Accepted: one Hugging Face token" in ran.stdout + ran.stderr
    assert "hf_canary" not in ran.stdout + ran.stderr
