"""Mistakes in a stack's config, refused by the program itself before anything is registered.

Decides that every kind of refusal comes out of the real `__main__.py` as one message and leaves no trace; the
rules of each single setting have tests of their own.
"""

import pulumi
import pytest

from tests.targets import TARGETS
from tests.unit import mocks
from tests.unit.stacks.runs import CANARY, FILLED, Values, attempt, filled

PLACEHOLDERS: Values = {}
NO_TOKEN: Values = {"token": None}

# name: changes over a filled stack file of vllm-gb200-agg, how it is run, what the message must say
ROWS: dict[str, tuple[Values, Values, tuple[str, ...]]] = {
    "unknown key": (
        {"topolgy": "disagg"},
        {},
        ("kimi-k3:topolgy is not a setting. Did you mean topology?", "Accepted: framework, gpu, topology"),
    ),
    "unknown key in a group": (
        {"serving": {"timeout": 60}},
        {},
        ("kimi-k3:serving.timeout is not a setting.", "timeoutSeconds"),
    ),
    "missing key": ({"gpu": None}, {}, ("kimi-k3:gpu is not set", "h200, gb200, gb300", "KEY=gpu")),
    "unknown word": (
        {"framework": "vlm"},
        {},
        ("kimi-k3:framework is 'vlm'. Did you mean vllm?", "Accepted: vllm, sglang."),
    ),
    "combination without a recipe": (
        {"framework": "sglang", "gpu": "h200"},
        {},
        ("No recipe is published for sglang on h200 (agg).", "Published for h200: vllm agg"),
    ),
    "placeholder of the storage class": (
        {"modelCache": {"storageClassName": "<a class>"}},
        {},
        (
            "kimi-k3:modelCache.storageClassName is still the placeholder '<a class>'.",
            "make set STACK=vllm-gb200-agg KEY=modelCache.storageClassName",
        ),
    ),
    "placeholder of the context": (
        {"cluster": {"context": "<a context>"}},
        {},
        (
            "kimi-k3:cluster.context is still the placeholder",
            "make set STACK=vllm-gb200-agg KEY=cluster.context",
        ),
    ),
    "no storage class": (
        {"modelCache": None},
        {},
        ("kimi-k3:modelCache.storageClassName is not set", "KEY=modelCache.storageClassName"),
    ),
    "missing token": (
        {},
        NO_TOKEN,
        ("kimi-k3:hfToken is not set.", "make set STACK=vllm-gb200-agg KEY=hfToken SECRET=1"),
    ),
    "token in clear text": (
        {},
        {"secrets": []},
        ("kimi-k3:hfToken stands in clear text in Pulumi.vllm-gb200-agg.yaml.", "KEY=hfToken SECRET=1"),
    ),
    "token in clear text of a stack that renders": (
        {"cluster": None, "render": {"directory": "rendered/x"}},
        {"secrets": []},
        ("kimi-k3:hfToken stands in clear text",),
    ),
    "token in clear text of a stack that needs none": (
        {"namespace": {"create": False}, "huggingFace": {"source": "existingSecret"}},
        {"secrets": []},
        ("kimi-k3:hfToken stands in clear text",),
    ),
    "empty token": ({}, {"token": ""}, ("kimi-k3:hfToken is empty.", "KEY=hfToken SECRET=1")),
    "blank token": ({}, {"token": " \n"}, ("kimi-k3:hfToken is empty.",)),
    "token with a space": (
        {},
        {"token": f"{CANARY} x"},
        ("kimi-k3:hfToken is a text with white space inside.",),
    ),
    "encrypted group": (
        {},
        {"secrets": ["hfToken", "modelCache"]},
        ("kimi-k3:modelCache is encrypted.", "only kimi-k3:hfToken is a secret"),
    ),
    "encrypted word": ({}, {"secrets": ["hfToken", "gpu"]}, ("kimi-k3:gpu is encrypted.",)),
    "two encrypted settings": (
        {},
        {"secrets": ["hfToken", "cluster", "modelCache"]},
        ("kimi-k3:cluster is encrypted.", "kimi-k3:modelCache is encrypted."),
    ),
    "cluster and render": ({"render": {}}, {}, ("Both kimi-k3:cluster and kimi-k3:render are set.",)),
    "neither cluster nor render": (
        {"cluster": None},
        {},
        ("Neither kimi-k3:cluster nor kimi-k3:render is set.",),
    ),
    "a word where a group belongs": (
        {"serving": "no"},
        {},
        ("kimi-k3:serving is 'no'.", "a mapping with the keys"),
    ),
    "a broken group": ({"serving": "{deploy: no"}, {}, ("kimi-k3:serving is '{deploy: no'.",)),
    "a list where a group belongs": (
        {"cluster": ["prod"]},
        {},
        ("kimi-k3:cluster is", "a mapping with the keys"),
    ),
    "a duration with a unit": (
        {"serving": {"timeoutSeconds": "2h"}},
        {},
        ("kimi-k3:serving.timeoutSeconds is '2h'.", "without a unit"),
    ),
    "a boolean as a word": (
        {"serving": {"wait": "no"}},
        {},
        ("kimi-k3:serving.wait is 'no'.", "true or false"),
    ),
    "an existing secret in a namespace to be made": (
        {"huggingFace": {"source": "existingSecret"}},
        {},
        ("kimi-k3:huggingFace.source is 'existingSecret' while kimi-k3:namespace.create is true",),
    ),
    "a protected claim in an unprotected namespace": (
        {"namespace": {"protect": False}},
        {},
        ("kimi-k3:namespace.protect is false while kimi-k3:modelCache.protect is true",),
    ),
    "a namespace too long for the target": (
        {"namespace": {"name": "n" * 33}},
        {},
        ("33 characters long", "at most 32 with kimi-k3-vllm-gb200-agg-agentic"),
    ),
    "an image without a version": (
        {"serving": {"image": "registry.example.com/vllm:latest"}},
        {},
        ("the image of Frontend is 'registry.example.com/vllm:latest'", "serving.runtimeVersion"),
    ),
    "several mistakes at once": (
        {"topolgy": "agg", "serving": {"wait": "no"}, "cluster": {"context": "<x>"}},
        {},
        ("kimi-k3:topolgy", "kimi-k3:serving.wait", "kimi-k3:cluster.context"),
    ),
}


def refused(name: str) -> mocks.Run:
    changes, how, _ = ROWS[name]
    return attempt("vllm-gb200-agg", filled(changes), **how)


@pytest.mark.parametrize("name", ROWS)
def test_a_mistake_is_refused_in_words_that_name_it_and_the_next_step(name: str) -> None:
    error = refused(name).error
    assert isinstance(error, pulumi.RunError), "the user would read a traceback"
    missing = [text for text in ROWS[name][2] if text not in str(error)]
    assert not missing, f"not in the message:\n{error}"


@pytest.mark.parametrize("name", ROWS)
def test_a_refused_stack_registers_nothing(name: str) -> None:
    run = refused(name)
    assert [r.type for r in run.registrations] == [mocks.STACK_TYPE], "a refusal must leave no trace"
    assert run.exports == {}


@pytest.mark.parametrize("name", ROWS)
def test_a_refusal_shows_its_message_and_neither_the_error_behind_it_nor_the_token(name: str) -> None:
    run = refused(name)
    assert run.error is not None
    assert run.error.__cause__ is None
    assert run.error.__suppress_context__, "the error behind it would be printed as well"
    assert CANARY not in run.everything()


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_is_refused_until_both_placeholders_are_filled(target: str) -> None:
    message = str(attempt(target, PLACEHOLDERS).error)
    for key in ("modelCache.storageClassName", "cluster.context"):
        assert f"kimi-k3:{key} is still the placeholder" in message
        assert f"make set STACK={target} KEY={key}" in message


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_is_refused_until_its_token_is_stored(target: str) -> None:
    message = str(attempt(target, FILLED, **NO_TOKEN).error)
    assert message.startswith("kimi-k3:hfToken is not set.")
    assert message.endswith(f"make set STACK={target} KEY=hfToken SECRET=1")


def test_keys_of_other_programs_are_left_alone() -> None:
    run = attempt("vllm-gb200-agg", FILLED, foreign={"aws:region": "eu-central-1", "kimi-k3x:topolgy": "x"})
    assert run.error is None


def test_a_mistake_of_the_program_itself_is_not_taken_for_one_of_the_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(settings: object) -> dict[str, object]:
        raise ValueError("a mistake of the program")

    monkeypatch.setattr("stacks.outputs.stack_outputs", broken)
    run = attempt("vllm-gb300-agg", FILLED, stack="broken")
    assert type(run.error) is ValueError, "its traceback is needed to mend it"
