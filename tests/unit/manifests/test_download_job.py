"""The Job that fills the cache: 1.5 TB and hours, so nothing may make it run again without need."""

import json

import pytest

from tests.targets import TARGETS
from tests.unit.manifests.rendered import keys_and_values, manifests_of, only


def test_the_job_is_byte_identical_for_all_targets() -> None:
    jobs = {json.dumps(only(manifests_of(name), "Job")) for name in TARGETS}
    assert len(jobs) == 1, "switching the target would download everything again"


def test_the_job_does_not_vanish_by_itself() -> None:
    keys = {key for key, _ in keys_and_values(only(manifests_of("vllm-gb200-agg"), "Job"))}
    assert "ttlSecondsAfterFinished" not in keys, "a Job that is gone is made, and run, again"
    assert "activeDeadlineSeconds" not in keys


def test_the_script_is_pinned_and_fills_the_cache_that_offline_workers_look_into() -> None:
    (container,) = only(manifests_of("vllm-gb200-agg"), "Job")["spec"]["template"]["spec"]["containers"]
    assert container["args"] == [
        (
            "set -eux\n"
            "pip install --no-cache-dir huggingface_hub==1.16.4\n"
            "hf download moonshotai/Kimi-K3\n"
            "hf download RadixArk/Kimi-K3-DSpark\n"
            "hf download Inferact/Kimi-K3-DSpark\n"
        )
    ]
    assert {"name": "HF_HOME", "value": "/shared-model-cache"} in container["env"]


@pytest.mark.parametrize(
    "groups",
    [
        pytest.param({"serving": {"image": "registry.example.com/vllm:2.0.0"}}, id="another-engine-image"),
        pytest.param({"serving": {"deploy": False}}, id="paused"),
        pytest.param({"modelCache": {"size": "5Ti"}}, id="a-larger-cache"),
        pytest.param({"modelDownload": {"timeoutSeconds": 20000}}, id="a-longer-wait"),
    ],
)
def test_settings_that_are_no_matter_of_the_download_leave_the_job_alone(
    groups: dict[str, dict[str, object]],
) -> None:
    before = only(manifests_of("vllm-gb200-agg"), "Job")
    assert only(manifests_of("vllm-gb200-agg", **groups), "Job") == before
