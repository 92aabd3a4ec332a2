"""Which image references tell the operator their version, by the operator's own rule."""

from pathlib import Path

import pytest

from settings.images import tells_version
from tests.unit.settings.stack_files import complete, read, refusal

_DIGEST = "@sha256:" + "0123456789abcdef" * 4

TELLS = [
    "nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.5.0-kimi-k3-dev.1",
    "nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.5.0-kimi-k3-post.1",
    "registry.example.com:5000/kimi:1.5.0",
    "kimi:1.5.0",
    "kimi:v1.5.0",
    "localhost:5000/kimi/runtime:10.20.30-rc.1",
    f"registry.example.com/kimi:1.5.0{_DIGEST}",
]
DOES_NOT_TELL = [
    "kimi",
    "registry.example.com:5000/kimi",
    "kimi:latest",
    "kimi:kimi-k3",
    "kimi:1.5",
    "kimi:1",
    "kimi:01.5.0",
    "kimi:1.5.0.1",
    "kimi:1.5.0-",
    "kimi:1.5.0_1",
    "kimi:release-1.5.0",
    "kimi:V1.5.0",
    f"kimi{_DIGEST}",
    f"kimi:latest{_DIGEST}",
]


@pytest.mark.parametrize("image", TELLS)
def test_an_image_with_a_semantic_version_needs_nothing_else(tmp_path: Path, image: str) -> None:
    assert tells_version(image)
    assert read(tmp_path, complete({"serving.image": image})).serving.image == image


@pytest.mark.parametrize("image", DOES_NOT_TELL)
def test_an_image_without_one_needs_the_runtime_version(tmp_path: Path, image: str) -> None:
    assert not tells_version(image)
    assert refusal(tmp_path, complete({"serving.image": image})) == (
        f"the image of Frontend is '{image}', whose tag is not a semantic version, and "
        "kimi-k3:serving.runtimeVersion is not set: the operator would refuse the deployment.\n"
        "Accepted: a tag such as 1.5.0 or 1.5.0-kimi-k3-dev.1, or any image together with its Dynamo version.\n"
        "Say which Dynamo it holds: make set STACK=prod KEY=serving.runtimeVersion VALUE=1.5.0"
    )
    named = read(tmp_path, complete({"serving.image": image, "serving.runtimeVersion": "1.5.0"}))
    assert named.serving.runtime_version == "1.5.0"


def test_build_metadata_is_part_of_a_semantic_version() -> None:
    assert tells_version("kimi:1.5.0+build.7")
