"""What is allowed and still deserves a word."""

import pytest

from settings import load_settings, warnings
from tests.unit.settings.stack_files import complete

_SHARED = {
    "namespace.create": False,
    "huggingFace.source": "existingSecret",
    "modelCache.create": False,
    "modelDownload.enabled": False,
}
HALF_SHARED = [
    pytest.param(
        ["namespace.create"],
        "This stack uses existing things (namespace.create: false) and makes others. If another stack owns the "
        "namespace and its cache, set also: huggingFace.source: existingSecret, modelCache.create: false, "
        "modelDownload.enabled: false.",
        id="one-of-four",
    ),
    pytest.param(
        ["namespace.create", "modelCache.create"],
        "This stack uses existing things (namespace.create: false, modelCache.create: false) and makes others. If "
        "another stack owns the namespace and its cache, set also: huggingFace.source: existingSecret, "
        "modelDownload.enabled: false.",
        id="two-of-four",
    ),
    pytest.param(
        ["namespace.create", "huggingFace.source", "modelCache.create"],
        "This stack uses existing things (namespace.create: false, huggingFace.source: existingSecret, "
        "modelCache.create: false) and makes others. If another stack owns the namespace and its cache, set also: "
        "modelDownload.enabled: false.",
        id="three-of-four",
    ),
]


@pytest.mark.parametrize(("shared", "warning"), HALF_SHARED)
def test_a_half_shared_namespace_is_a_warning_that_names_what_is_missing(
    shared: list[str], warning: str
) -> None:
    settings = load_settings(complete({key: _SHARED[key] for key in shared}), "prod")
    assert warnings(settings) == [warning]


@pytest.mark.parametrize("changes", [{}, _SHARED], ids=["owner", "guest"])
def test_a_stack_that_owns_everything_or_nothing_is_not_warned_of(changes: dict[str, object]) -> None:
    assert warnings(load_settings(complete(changes), "prod")) == []


def test_serving_beside_the_download_is_a_warning() -> None:
    assert warnings(load_settings(complete({"modelDownload.wait": False}), "prod")) == [
        (
            "kimi-k3:modelDownload.wait is false: the deployment starts beside the download, and its pods restart "
            "again and again until the weights are there."
        )
    ]


@pytest.mark.parametrize(
    "also", [{"serving.deploy": False}, {"modelDownload.enabled": False}], ids=["paused", "none"]
)
def test_a_download_that_nothing_is_served_beside_is_none(also: dict[str, object]) -> None:
    settings = load_settings(complete({"modelDownload.wait": False, **also}), "prod")
    assert not [warning for warning in warnings(settings) if "modelDownload.wait" in warning]
