"""The token: what passes, what is refused, and that no message ever repeats any of it."""

from pathlib import Path

import pytest

from recipes import Refusal
from settings import check_token, load_settings, missing_token, read_stack_file
from tests.unit.settings.stack_files import complete, refusal_of_file, stack_text, write

CANARY = "hf_CANARYxyz0123456789"
BODY = "CANARYxyz"

_AGAIN = (
    "Accepted: one Hugging Face token, letters, digits and '_'.\n"
    "Store it again: make set STACK=prod KEY=hfToken SECRET=1"
)
NO_TOKEN = [
    pytest.param("", f"kimi-k3:hfToken is empty.\n{_AGAIN}", id="empty"),
    pytest.param("\n", f"kimi-k3:hfToken is empty.\n{_AGAIN}", id="only-a-newline"),
    pytest.param(
        f"{CANARY} second", f"kimi-k3:hfToken is a text with white space inside.\n{_AGAIN}", id="inner-space"
    ),
    pytest.param(
        f"{CANARY}\nsecond",
        f"kimi-k3:hfToken is a text with white space inside.\n{_AGAIN}",
        id="inner-newline",
    ),
    pytest.param(
        f" {CANARY}", f"kimi-k3:hfToken is a text with white space inside.\n{_AGAIN}", id="leading-space"
    ),
    pytest.param(
        f"{CANARY}é",
        f"kimi-k3:hfToken is a text with characters that no token has.\n{_AGAIN}",
        id="not-ascii",
    ),
    pytest.param(
        f"{CANARY}\x00",
        f"kimi-k3:hfToken is a text with characters that no token has.\n{_AGAIN}",
        id="control",
    ),
]


@pytest.mark.parametrize(("token", "message"), NO_TOKEN)
def test_what_cannot_be_a_token_is_refused_without_being_repeated(token: str, message: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_token(token, "prod")
    assert str(refused.value) == message
    assert BODY not in repr(refused.value)


@pytest.mark.parametrize("end", ["", "\n", "\r\n", " \t\n"], ids=repr)
def test_the_newline_that_files_end_with_is_stripped(end: str) -> None:
    assert check_token(CANARY + end, "prod") == CANARY


def test_a_missing_token_is_refused_with_the_command_that_stores_one() -> None:
    assert missing_token("prod") == (
        "kimi-k3:hfToken is not set.\n"
        "Accepted: a Hugging Face token with access to the checkpoint, as an encrypted secret.\n"
        "Store it: make set STACK=prod KEY=hfToken SECRET=1"
    )


@pytest.mark.parametrize(
    "value",
    [CANARY, [CANARY], {"value": CANARY}, {"secure": CANARY, "plain": CANARY}, {"secure": 1}],
    ids=repr,
)
def test_a_token_in_clear_text_is_refused(tmp_path: Path, value: object) -> None:
    assert refusal_of_file(tmp_path, stack_text(complete({"hfToken": value}))) == (
        "kimi-k3:hfToken stands in clear text in Pulumi.prod.yaml.\n"
        "Accepted: the token as an encrypted secret.\n"
        "Revoke that token at Hugging Face, then store a new one: make set STACK=prod KEY=hfToken SECRET=1"
    )


def test_an_encrypted_token_counts_as_there_and_is_part_of_no_settings(tmp_path: Path) -> None:
    write(tmp_path, stack_text(complete({"hfToken": {"secure": "v1:ciphertext"}})))
    settings = read_stack_file(tmp_path, "prod")
    assert settings == load_settings(complete({}), "prod")
    assert "ciphertext" not in repr(settings)


def test_settings_never_hold_the_token_even_when_it_is_handed_to_them() -> None:
    assert BODY not in repr(load_settings(complete({"hfToken": CANARY}), "prod"))


def _looks_like(key: str) -> str:
    return (
        f"kimi-k3:{key} looks like a Hugging Face token, which would end up in state and manifests in clear text.\n"
        "Accepted: the token as the encrypted secret kimi-k3:hfToken, and nowhere else.\n"
        "Revoke it at Hugging Face if it was committed, and remove it from this setting."
    )


LEAVES = [
    "framework",
    "gpu",
    "topology",
    "namespace.name",
    "namespace.create",
    "namespace.protect",
    "huggingFace.source",
    "huggingFace.secretName",
    "modelCache.create",
    "modelCache.claimName",
    "modelCache.storageClassName",
    "modelCache.size",
    "modelCache.protect",
    "modelDownload.enabled",
    "modelDownload.wait",
    "modelDownload.timeoutSeconds",
    "serving.deploy",
    "serving.image",
    "serving.runtimeVersion",
    "serving.wait",
    "serving.timeoutSeconds",
    "cluster.context",
    "cluster.kubeconfig",
    "cluster.clusterIdentifier",
]


@pytest.mark.parametrize("key", LEAVES)
def test_a_token_in_any_other_setting_is_refused_once_and_not_repeated(tmp_path: Path, key: str) -> None:
    assert refusal_of_file(tmp_path, stack_text(complete({key: CANARY}))) == _looks_like(key)


_BEGIN = stack_text(complete({})).replace('"config": {', f'"config": {{"kimi-k3:gpu": "{CANARY}",', 1)
MISPLACED = [
    pytest.param(stack_text(complete({"hfTokn": CANARY})), (), id="misspelt-key"),
    pytest.param(stack_text(complete({"huggingFace.hfToken": CANARY})), (), id="inside-a-group"),
    pytest.param(stack_text(complete({"huggingFace": CANARY})), (), id="instead-of-a-group"),
    pytest.param(stack_text(complete({"cluster": [CANARY]})), (), id="in-a-list-instead-of-a-group"),
    pytest.param(stack_text(complete({"cluster.context": [CANARY]})), (), id="in-a-list"),
    pytest.param(stack_text(complete({"cluster.context": {"a": CANARY}})), (), id="in-a-mapping"),
    pytest.param(stack_text(complete({"cluster.context": {CANARY: "a"}})), (), id="as-a-key-of-a-mapping"),
    pytest.param(stack_text(complete({CANARY: "a"})), (), id="as-a-key"),
    pytest.param(stack_text(complete({f"serving.{CANARY}": "a"})), (), id="as-a-key-of-a-group"),
    pytest.param(stack_text(complete({"namespace.name": f"x {CANARY}"})), (), id="behind-other-text"),
    pytest.param(stack_text(complete({"cluster.context": f"{CANARY}\n"})), (), id="with-a-newline"),
    pytest.param(stack_text(complete({"cluster.context": f" {CANARY}"})), (), id="with-a-space"),
    pytest.param(
        stack_text(complete({"cluster.kubeconfig": f"token: {CANARY}\n"})), (), id="in-a-kubeconfig"
    ),
    pytest.param(_BEGIN, (), id="under-a-key-that-stands-twice"),
    pytest.param(f"config:\n  kimi-k3:hfToken: {{secure: {CANARY}\n", (), id="on-a-broken-line"),
    pytest.param(f"config: {CANARY}\n", (), id="instead-of-the-config"),
    pytest.param(CANARY, (), id="instead-of-the-file"),
    pytest.param(f"config:\n  a: *{CANARY}\n", (), id="as-an-alias"),
    pytest.param(f"config:\n  a: !{CANARY} b\n", (), id="as-a-tag"),
    pytest.param(stack_text(complete({})), (f"hfToken={CANARY}",), id="set-hfToken"),
    pytest.param(stack_text(complete({})), (f"kimi-k3:hfToken={CANARY}",), id="set-with-namespace"),
    pytest.param(stack_text(complete({})), (f"hfToken.secure={CANARY}",), id="set-below-hfToken"),
    pytest.param(stack_text(complete({})), (f'["hfToken"]={CANARY}',), id="set-quoted"),
    pytest.param(stack_text(complete({})), (f"hftoken={CANARY}",), id="set-misspelt"),
    pytest.param(stack_text(complete({})), (f"serving.image={CANARY}",), id="set-another"),
    pytest.param(stack_text(complete({})), (f"serving.image=[{CANARY}",), id="set-broken-yaml"),
    pytest.param(
        stack_text(complete({})), (f"serving.image.x={CANARY}", "serving.image.y=1"), id="set-below-another"
    ),
    pytest.param(stack_text(complete({})), (f"gpu.{CANARY}=1",), id="set-path-below-text"),
    pytest.param(stack_text(complete({})), (f"..{CANARY}=1",), id="set-no-path"),
    pytest.param(stack_text(complete({})), (CANARY,), id="set-without-value"),
]


@pytest.mark.parametrize(("text", "changes"), MISPLACED)
def test_no_message_repeats_a_token_wherever_it_was_put(
    tmp_path: Path, text: str, changes: tuple[str, ...]
) -> None:
    message = refusal_of_file(tmp_path, text, *changes)
    assert message
    assert BODY not in message, "the token would stand in a terminal and in a build log"


def test_a_stack_named_like_a_token_is_not_repeated_either(tmp_path: Path) -> None:
    with pytest.raises(Refusal) as refused:
        read_stack_file(tmp_path, CANARY)
    assert BODY not in str(refused.value)
