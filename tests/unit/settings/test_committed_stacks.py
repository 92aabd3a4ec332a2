"""The stack files at the root: each refused while its placeholders stand, and passing once they are filled in."""

from pathlib import Path
from typing import Any

import pytest

from recipes import Refusal
from recipes.yaml12 import read_yaml
from settings import read_stack_file
from settings.stack_file import stack_names
from tests.targets import TARGETS

ROOT = Path(__file__).parents[3]
FILLED = ["modelCache.storageClassName=shared-rwx", "cluster.context=prod"]


def _file(stack: str) -> dict[str, Any]:  # Any: what a stack file holds
    text = (ROOT / f"Pulumi.{stack}.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = read_yaml(text, stack)  # Any: as above
    return found


def test_there_is_a_stack_file_for_dev_and_for_each_target() -> None:
    assert {"dev", *TARGETS} <= set(stack_names(ROOT))


@pytest.mark.parametrize("stack", TARGETS)
def test_a_target_stack_is_refused_while_its_placeholders_stand(stack: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_stack_file(ROOT, stack)
    assert str(refused.value) == (
        "kimi-k3:modelCache.storageClassName is still the placeholder '<a class that can do ReadWriteMany>'.\n"
        "Accepted: your own value.\n"
        f"Set it: make set STACK={stack} KEY=modelCache.storageClassName\n\n"
        "kimi-k3:cluster.context is still the placeholder '<a context of your kubeconfig>'.\n"
        "Accepted: your own value.\n"
        f"Set it: make set STACK={stack} KEY=cluster.context"
    )


@pytest.mark.parametrize("stack", TARGETS)
def test_a_target_stack_passes_once_they_are_filled_in_and_is_named_after_its_target(stack: str) -> None:
    settings = read_stack_file(ROOT, stack, FILLED)
    assert settings.target.name == stack
    assert not settings.rendering
    assert settings.model_copy(update={"framework": None}) == read_stack_file(
        ROOT, "vllm-h200-agg", FILLED
    ).model_copy(update={"framework": None, "gpu": settings.gpu, "topology": settings.topology}), (
        "a target's stack differs from the others in its target only"
    )


def test_the_dev_stack_needs_nothing_and_renders_into_its_folder() -> None:
    settings = read_stack_file(ROOT, "dev")
    assert settings.target.name == "vllm-gb200-agg"
    assert settings.cluster is None
    assert settings.render is not None
    assert settings.render.directory == "rendered/dev"


@pytest.mark.parametrize("stack", ["dev", *TARGETS])
def test_default_providers_are_disabled(stack: str) -> None:
    disabled = _file(stack)["config"]["pulumi:disable-default-providers"]
    assert disabled == ["kubernetes"], "a forgotten provider would deploy to whatever cluster is current"


@pytest.mark.parametrize("stack", ["dev", *TARGETS])
def test_no_stack_file_holds_a_token(stack: str) -> None:
    assert "kimi-k3:hfToken" not in _file(stack)["config"]


@pytest.mark.parametrize("stack", TARGETS)
def test_target_files_carry_no_salt_of_a_passphrase(stack: str) -> None:
    assert "encryptionsalt" not in _file(stack), "the user's own secrets provider decides"


@pytest.mark.parametrize("stack", TARGETS)
def test_a_target_file_names_the_commands_that_fill_it(stack: str) -> None:
    text = (ROOT / f"Pulumi.{stack}.yaml").read_text(encoding="utf-8")
    for key in ("modelCache.storageClassName", "cluster.context", "hfToken SECRET=1"):
        assert f"make set STACK={stack} KEY={key}\n" in text
