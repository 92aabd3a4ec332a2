"""Every target through its life on a real API server: up, no change, refresh, no change, destroy."""

from collections.abc import Callable

import pytest

from tests.cluster.fields import ALLOWED, added, missing
from tests.cluster.rendered import rendered
from tests.cluster.stack import DOMAIN, GRAPH, ClusterStack
from tests.targets import TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_lives_from_up_to_destroy(make_stack: Callable[..., ClusterStack], target: str) -> None:
    stack = make_stack(target)
    stack.up()
    for manifest in rendered(stack):
        kind, name = manifest["kind"], manifest["metadata"]["name"]
        live = stack.find(kind, name)
        assert live, f"{kind} {name} is not on the server"
        assert missing(manifest, live) == [], (
            f"{kind}: a rendered field is not on the server as it was rendered"
        )
        assert added(manifest, live) <= ALLOWED[kind], f"{kind}: somebody adds fields that nobody knows of"
    stack.is_quiet()
    stack.project.demand("refresh", "--yes", "--expect-no-changes", "--stack", stack.name)
    stack.up("--expect-no-changes")
    stack.destroy()
    namespace = stack.find("Namespace", stack.namespace)
    assert namespace
    assert "deletionTimestamp" not in namespace["metadata"]
    assert stack.left() == {("PersistentVolumeClaim", "shared-model-cache")}, (
        "destroy leaves what is protected"
    )


def test_without_protection_destroy_leaves_nothing(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("sglang-gb300-agg")
    stack.change({"namespace.protect": False, "modelCache.protect": False})
    stack.up()
    stack.destroy()
    assert stack.find("Namespace", stack.namespace) is None


@pytest.mark.parametrize("target", TARGETS)
def test_rendered_files_apply_strictly_and_without_a_warning(
    make_stack: Callable[..., ClusterStack], target: str
) -> None:
    stack = make_stack(target)
    stack.knob(graph="stale", pods="gated")
    for manifest in rendered(stack):
        written = stack.client.create(manifest, strict=True)
        assert written.warnings == [], f"{manifest['kind']}: {written.warnings}"
    assert {kind for kind, _ in stack.left()} >= {GRAPH, "Job", "PersistentVolumeClaim"}
    assert (stack.find(DOMAIN, f"{stack.dgd}-compute-domain") is None) == target.startswith("vllm-h200")
