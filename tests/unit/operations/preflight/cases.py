"""Changes of a healthy cluster in memory, for tables of what the checks say of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any  # Any: settings hold values of several kinds

from operations.cluster import Document
from tests.unit.operations.preflight.clusters import FakeCluster, healthy
from tests.unit.operations.preflight.looked_at import Problem, problems

INSIDE = "/api/v1/namespaces/kimi-k3"
CLAIM = f"{INSIDE}/persistentvolumeclaims/shared-model-cache"
CLASS = "/apis/storage.k8s.io/v1/storageclasses/shared-rwx"
OPERATORS = "/apis/apps/v1/deployments"
Edit = Callable[[FakeCluster], object]
KEPT: dict[str, Any] = {"namespace": {"create": False}}
EXISTING = {**KEPT, "huggingFace": {"source": "existingSecret"}}


@dataclass(frozen=True)
class Case:
    edit: Edit
    problems: list[Problem]
    groups: Mapping[str, Any] = field(default_factory=dict)  # Any: settings hold values of several kinds
    target: str = "vllm-gb200-agg"

    def is_told(self) -> None:
        """This, and nothing else."""
        cluster = healthy(self.target.split("-")[1])
        self.edit(cluster)
        assert problems(self.target, cluster, **self.groups) == self.problems


def version(text: str) -> Edit:
    return lambda it: it.objects["/version"].update(gitVersion=text)


def served(**groups: list[str] | None) -> Edit:
    """API groups that are added, or with None are not there; `_` stands for a dot, `__` for a dash."""

    def edit(it: FakeCluster) -> None:
        there = {each["name"]: each for each in it.objects["/apis"]["groups"]}
        for key, versions in groups.items():
            name = key.replace("__", "-").replace("_", ".")
            there.pop(name, None)
            if versions:
                there[name] = {"name": name, "versions": [{"version": each} for each in versions]}
        it.objects["/apis"]["groups"] = list(there.values())

    return edit


def operator(**changes: object) -> Edit:
    def edit(it: FakeCluster) -> None:
        (found,) = it.lists[OPERATORS]
        if "version" in changes:
            found["metadata"]["labels"]["app.kubernetes.io/version"] = changes["version"]
        if "available" in changes:
            found["status"]["availableReplicas"] = changes["available"]

    return edit


def put(path: str, document: Document) -> Edit:
    return lambda it: it.objects.update({path: document})


def lists(path: str, *documents: Document) -> Edit:
    return lambda it: it.lists.update({path: list(documents)})


def claim(phase: str = "Bound", size: str = "3000Gi", cls: str = "shared-rwx", **meta: str) -> Document:
    return {
        "metadata": {"name": "shared-model-cache", **meta},
        "spec": {
            "accessModes": ["ReadWriteMany"],
            "storageClassName": cls,
            "resources": {"requests": {"storage": size}},
        },
        "status": {"phase": phase, "capacity": {"storage": size} if phase == "Bound" else {}},
    }


def quota(**hard: str) -> Edit:
    """A quota of which half is used, under these names with `_` for `.` and `__` for `/`."""
    named = {key.replace("__", "/").replace("_", "."): value for key, value in hard.items()}
    return lists(
        f"{INSIDE}/resourcequotas",
        {"metadata": {"name": "team"}, "spec": {"hard": named}, "status": {"hard": named, "used": {}}},
    )


def limit_range(**item: object) -> Edit:
    return lists(f"{INSIDE}/limitranges", {"metadata": {"name": "sizes"}, "spec": {"limits": [item]}})


def then(*edits: Edit) -> Edit:
    def edit(it: FakeCluster) -> None:
        for each in edits:
            each(it)

    return edit


NAMESPACE = put(INSIDE, {"metadata": {"name": "kimi-k3"}})
