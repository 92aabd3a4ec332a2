"""Changes of the published pods through the real engine: it keeps their types, and taken back they leave no trace.

They decide that what `up` writes is what `render` shows. They cannot decide whether a cluster takes it.
"""

from pathlib import Path
from typing import Any

from tests.engine.test_render import by_name, read_both_ways, rendered, settings_of
from tests.project import Project

Values = dict[str, Any]  # Any: a stack file's values

OVERRIDES: Values = {
    "images": {"registry": "registry.example.com/mirror", "pullSecrets": ["pull"]},
    "placement": {
        "clique": "rack.1",
        "workers": {
            "nodeSelector": {"nvidia.com/gpu.product": "NVIDIA-GB300"},
            "tolerations": [{"key": "kubernetes.io/arch", "value": "arm64", "effect": "NoSchedule"}],
        },
    },
    "metadata": {"labels": {"team": "ml"}, "annotations": {"note": "yes"}},
    "roles": {
        "Worker": {
            "replicas": 1,
            "engineConfig": {"mem-fraction-static": 0.9, "page-size": 128, "enable-metrics": None},
            "env": {"NCCL_DEBUG": "INFO", "EMPTY": "", "WORD": "no"},
            "args": {"set": {"--stream-output": True, "--options": {"a": [1, 2.5], "b": "x"}}, "remove": []},
            "resources": {"limits": {"memory": "600Gi"}},
            "podSecurityContext": {},
        }
    },
    "serving": {
        "contextLength": 262144,
        "livenessProbe": 6,
        "modulesCache": True,
        "canaryHealthCheck": False,
    },
    "cost": {"pricePerGpuHour": 4.5},
}


def test_five_changes_on_and_off_again_leave_the_published_files_byte_by_byte(project: Project) -> None:
    """Each of the groups by itself, one after the other, in one stack."""
    published = settings_of("sglang", "gb300", "agg")
    project.write_stack("sglang-gb300-agg", published)
    project.init("sglang-gb300-agg")
    project.up("sglang-gb300-agg")
    before = contents(project, "rendered/sglang-gb300-agg")
    for group in ("images", "placement", "metadata", "roles", "serving"):
        project.write_stack("sglang-gb300-agg", published | {group: OVERRIDES[group]})
        project.up("sglang-gb300-agg")
        assert contents(project, "rendered/sglang-gb300-agg") != before, f"{group} has changed nothing"
        project.write_stack("sglang-gb300-agg", published)
        project.up("sglang-gb300-agg")
        assert contents(project, "rendered/sglang-gb300-agg") == before, f"{group} has left a trace"


def test_the_engine_hands_over_every_kind_of_value_as_it_is_written(project: Project) -> None:
    stack = "sglang-gb300-agg"
    project.write_stack(stack, settings_of("sglang", "gb300", "agg") | OVERRIDES)
    project.init(stack)
    told = project.up(stack)
    written = [
        document
        for file in project.files(f"rendered/{stack}")
        for document in read_both_ways(file.read_text())
    ]
    assert by_name(written) == by_name(rendered(project, stack)), "the engine would deploy something else"
    (config,) = [document for document in written if document["kind"] == "ConfigMap"]
    (engine,) = [read_both_ways(text)[0] for text in config["data"].values()]
    assert (engine["mem-fraction-static"], engine["page-size"], "enable-metrics" in engine) == (
        0.9,
        128,
        False,
    )
    assert "liveness no longer covers the generate endpoint" in told, "the trade-off is printed"
    assert project.demand("stack", "output", "costPerHour", "--stack", stack).strip() == "36"  # 8 GPUs of 16


def contents(project: Project, folder: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(Path(project.folder / folder).rglob("*.yaml"))}
