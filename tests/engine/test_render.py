"""The real engine and provider in render mode: what `up` writes, and that nothing moves afterwards.

They decide that the files are the manifests. They cannot decide whether a cluster takes them.
"""

import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from ruamel.yaml import YAML

from tests.project import Project

TARGETS = [
    ("vllm", "h200", "agg"),
    ("vllm", "gb200", "agg"),
    ("vllm", "gb300", "agg"),
    ("vllm", "gb300", "disagg"),
    ("sglang", "gb200", "agg"),
    ("sglang", "gb200", "disagg"),
    ("sglang", "gb300", "agg"),
    ("sglang", "gb300", "disagg"),
]
CONFIG_MAPS = {"sglang"}


def settings_of(framework: str, gpu: str, topology: str) -> dict[str, Any]:  # Any: a stack file's values
    return {
        "framework": framework,
        "gpu": gpu,
        "topology": topology,
        "modelCache": {"storageClassName": "shared-rwx"},
        "render": {},
    }


def by_name(
    documents: list[dict[str, Any]],
) -> dict[tuple[str, str], dict[str, Any]]:  # Any: Kubernetes objects
    return {(document["kind"], document["metadata"]["name"]): document for document in documents}


def read_both_ways(text: str) -> list[Any]:  # Any: Kubernetes objects
    old = list(yaml.safe_load_all(text))
    new = list(YAML(typ="safe", pure=True).load_all(StringIO(text)))
    assert old == new, "a reader of YAML 1.1 and one of YAML 1.2 would apply different objects"
    return old


def rendered(project: Project, stack: str) -> list[Any]:  # Any: Kubernetes objects
    command = [sys.executable, "-m", "operations", "render", "--stack", stack]
    ran = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, check=True)
    return read_both_ways(ran.stdout)


@pytest.mark.parametrize(
    ("framework", "gpu", "topology"), TARGETS, ids=["-".join(target) for target in TARGETS]
)
def test_the_engine_writes_what_render_prints_and_then_rests(
    project: Project, framework: str, gpu: str, topology: str
) -> None:
    stack = f"{framework}-{gpu}-{topology}"
    project.write_stack(stack, settings_of(framework, gpu, topology))
    project.init(stack)
    project.up(stack)
    files = project.files(f"rendered/{stack}")
    written = [document for path in files for document in read_both_ways(path.read_text())]
    expected = rendered(project, stack)
    kinds = ["Namespace", "PersistentVolumeClaim", "Job"]
    kinds += ["ComputeDomain"] if gpu != "h200" else []
    kinds += ["ConfigMap"] if framework in CONFIG_MAPS else []
    assert [document["kind"] for document in expected] == [*kinds, "DynamoGraphDeployment"]
    assert len(files) == len(expected), "one file an object, and none besides"
    assert by_name(written) == by_name(expected), "a reviewer of `render` would not see what `up` makes"
    project.demand("preview", "--expect-no-changes", "--stack", stack)
    project.demand("destroy", "--yes", "--stack", stack)
    assert project.files(f"rendered/{stack}") == [], "destroy leaves no file behind"


def test_the_dev_stack_writes_five_objects_into_rendered_dev(project: Project) -> None:
    (project.folder / "Pulumi.dev.yaml").write_bytes(
        (Path(__file__).parents[2] / "Pulumi.dev.yaml").read_bytes()
    )
    project.environ["PULUMI_CONFIG_PASSPHRASE"] = ""
    before = (project.folder / "Pulumi.dev.yaml").read_text()
    project.init("dev")
    project.up("dev")
    assert [path.name for path in project.files("rendered/dev")] == [
        "batch_v1-job-kimi-k3-model-download.yaml",
        "nvidia.com_v1beta1-dynamographdeployment-kimi-k3-kimi-k3-vllm-gb200-agg-agentic.yaml",
        "resource.nvidia.com_v1beta1-computedomain-kimi-k3-kimi-k3-vllm-gb200-agg-agentic-compute-domain.yaml",
        "v1-namespace-default-kimi-k3.yaml",
        "v1-persistentvolumeclaim-kimi-k3-shared-model-cache.yaml",
    ]
    assert (project.folder / "Pulumi.dev.yaml").read_text() == before, "`up` must leave the clone clean"
