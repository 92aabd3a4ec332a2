"""How far a stack is from its published target: what counts as a deviation, and how it reads."""

from typing import Any

import pytest

from manifests.deviations import Deviation, deviations, deviations_line
from tests.targets import TARGETS
from tests.unit.manifests.rendered import settings_of

Groups = dict[str, Any]  # Any: settings hold values of several kinds


def found(target: str, groups: Groups) -> list[Deviation]:
    return deviations(settings_of(target, **groups))


ROWS: list[tuple[str, str, Groups, list[Deviation]]] = [
    (
        "a flag, a variable and a request",
        "vllm-gb200-agg",
        {
            "roles": {
                "worker": {
                    "args": {"set": {"--max-num-seqs": 32}},
                    "env": {"NCCL_DEBUG": "INFO"},
                    "resources": {"requests": {"cpu": 24}},
                }
            }
        },
        [
            Deviation(("worker",), "args.--max-num-seqs", "1907", "32"),
            Deviation(("worker",), "resources.requests.cpu", "16", "24"),
            Deviation(("worker",), "env.NCCL_DEBUG", None, "INFO"),
        ],
    ),
    (
        "a removed flag",
        "vllm-gb200-agg",
        {"roles": {"worker": {"args": {"remove": ["--enable-prefix-caching"]}}}},
        [Deviation(("worker",), "args.--enable-prefix-caching", "set", None)],
    ),
    (
        "the same change of several pods is one",
        "sglang-gb300-disagg",
        {"placement": {"clique": "rack.1"}},
        [
            Deviation(
                ("PrefillWorker", "DecodeWorker"), "pod.nodeSelector.nvidia.com/gpu.clique", None, "rack.1"
            )
        ],
    ),
    (
        "a key of one role's config file",
        "sglang-gb300-disagg",
        {"roles": {"DecodeWorker": {"engineConfig": {"mem-fraction-static": 0.8, "enable-metrics": None}}}},
        [
            Deviation(("DecodeWorker",), "engineConfig.mem-fraction-static", "0.92", "0.8"),
            Deviation(("DecodeWorker",), "engineConfig.enable-metrics", "true", None),
        ],
    ),
    (
        "more replicas, and the router that waits for them",
        "vllm-h200-agg",
        {"roles": {"worker": {"replicas": 2}}},
        [
            Deviation(("Frontend",), "args.--router-min-initial-workers", "1", "2"),
            Deviation(("worker",), "replicas", "1", "2"),
        ],
    ),
    (
        "the download's lines that differ",
        "vllm-h200-agg",
        {"modelDownload": {"maxWorkers": 2}},
        [
            Deviation(
                ("model-download",),
                "args",
                "hf download moonshotai/Kimi-K3\nhf download RadixArk/Kimi-K3-DSpark\n"
                "hf download Inferact/Kimi-K3-DSpark",
                "hf download moonshotai/Kimi-K3 --max-workers 2\n"
                "hf download RadixArk/Kimi-K3-DSpark --max-workers 2\n"
                "hf download Inferact/Kimi-K3-DSpark --max-workers 2",
            )
        ],
    ),
    (
        "a whole probe",
        "vllm-h200-agg",
        {"serving": {"livenessProbe": 6}},
        [
            Deviation(
                ("worker",),
                "livenessProbe",
                None,
                '{"httpGet":{"path":"/live","port":"system"},"periodSeconds":5,"timeoutSeconds":4,"failureThreshold":6}',
            )
        ],
    ),
    (
        "another image of all components",
        "vllm-h200-agg",
        {"serving": {"image": "registry.example.com/own:1.6.0"}},
        [
            Deviation(
                ("Frontend", "worker"),
                "image",
                "nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.5.0-kimi-k3-dev.1",
                "registry.example.com/own:1.6.0",
            )
        ],
    ),
]


@pytest.mark.parametrize(
    ("target", "groups", "expected"), [pytest.param(*row[1:], id=row[0]) for row in ROWS]
)
def test_a_change_reads_as_what_was_and_what_is(
    target: str, groups: Groups, expected: list[Deviation]
) -> None:
    assert found(target, groups) == expected


@pytest.mark.parametrize("target", TARGETS)
def test_a_stack_without_changes_deviates_in_nothing(target: str) -> None:
    assert found(target, {}) == []


NO_DEVIATION: list[Groups] = [
    {"namespace": {"name": "models", "protect": True}, "modelCache": {"claimName": "weights", "size": "4Ti"}},
    {"modelDownload": {"enabled": False}},
    {
        "modelDownload": {"wait": False, "timeoutSeconds": 60},
        "serving": {"wait": False, "timeoutSeconds": 60},
    },
    {"serving": {"deploy": False}},
    {"cost": {"pricePerGpuHour": 4.5}},
    {"roles": {"worker": {"env": {"NCCL_CUMEM_ENABLE": "1"}}}},  # as published
]


@pytest.mark.parametrize("groups", NO_DEVIATION)
def test_where_a_stack_lives_is_no_deviation(groups: Groups) -> None:
    assert found("vllm-gb300-agg", groups) == []


@pytest.mark.parametrize(
    ("env", "line"),
    [
        ({}, "no deviations from the published target"),
        ({"A_B": "1"}, "1 deviation from the published target"),
        ({"A_B": "1", "A_C": "2", "A_D": ""}, "3 deviations from the published target"),
    ],
)
def test_one_line_tells_how_many(env: dict[str, str], line: str) -> None:
    assert deviations_line(settings_of("vllm-h200-agg", roles={"worker": {"env": env}})) == line
