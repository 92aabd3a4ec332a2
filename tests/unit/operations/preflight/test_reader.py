"""The reader against servers that lie: what has another shape than Kubernetes gives is unreadable, never a crash."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operations.cluster import Document, Unreadable
from operations.preflight.checks import results
from operations.preflight.derive import needs_of
from operations.preflight.reader import Reader
from operations.preflight.verdict import Verdict
from tests.unit.manifests.rendered import settings_of
from tests.unit.operations.preflight.clusters import FakeCluster, healthy

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["metadata", "spec", "status", "name", "labels", "conditions", "containers", "items"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
NEEDS = needs_of(
    settings_of(
        "vllm-gb200-agg", images={"pullSecrets": ["pull"]}, placement={"workers": {"priorityClassName": "a"}}
    ),
    "prod",
)


class Liar(FakeCluster):
    """Gives one answer to everything."""

    def __init__(self, answer: Document) -> None:
        super().__init__()
        self.answer = answer

    def get(self, path: str) -> Document | Unreadable | None:
        return self.answer

    def pages(self, path: str, labels: str = "", fields: str = "") -> Any:  # Any: as the reader takes it
        yield [self.answer]

    def ask(self, path: str, question: Document) -> Document | Unreadable | None:
        return self.answer


def looked_at(cluster: FakeCluster) -> set[str]:
    reader = Reader(cluster, NEEDS)
    return {result.verdict for result in results(NEEDS, reader.facts(reader.version()))}


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(["metadata", "spec", "status", "groups", "resources"]), JSON))
def test_whatever_a_server_says_there_is_a_result(answer: Document) -> None:
    assert looked_at(Liar(answer)) & {Verdict.WARN, Verdict.FAIL}


LIES: dict[str, tuple[str, Callable[[FakeCluster], None]]] = {
    "groups": ("groups", lambda it: it.objects["/apis"].update(groups={"v1": 1})),
    "version": ("version", lambda it: it.objects["/version"].clear()),
    "nodes": ("nodes", lambda it: it.lists["/api/v1/nodes"].append({"metadata": []})),
    "pods": ("pods", lambda it: it.lists.update({"/api/v1/pods": [{"metadata": {}, "spec": None}]})),
    "kinds": ("kinds", lambda it: it.objects["/apis/nvidia.com/v1beta1"].update(resources=[1])),
    "slices": (
        "driver_nodes",
        lambda it: it.lists["/apis/resource.k8s.io/v1/resourceslices"].append({"spec": {}}),
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_an_answer_of_another_shape_is_unreadable(name: str) -> None:
    field, lie = LIES[name]
    cluster = healthy()
    lie(cluster)
    reader = Reader(cluster, NEEDS)
    facts = reader.facts(reader.version())
    found = getattr(facts, field)
    found = found["nvidia.com/v1beta1"] if field == "kinds" else found
    assert found == Unreadable("the answer has another shape than Kubernetes gives")
    unreadable = {each.name for each in fields(facts) if isinstance(getattr(facts, each.name), Unreadable)}
    told_by_groups = {"queues", "automatic_domains"} if field == "groups" else set()
    assert unreadable - {field} == told_by_groups, "the others are read all the same"


def test_a_secret_is_read_for_what_is_wrong_with_it_and_its_value_goes_nowhere() -> None:
    kept = settings_of(
        "vllm-gb200-agg", namespace={"create": False}, huggingFace={"source": "existingSecret"}
    )
    cluster = healthy()
    cluster.objects["/api/v1/namespaces/kimi-k3/secrets/hf-token-secret"] = {
        "data": {"HF_TOKEN": "aGZfc2VjcmV0LXZhbHVl", "OTHER": "AAEC/w==", "EMPTY": ""}
    }
    reader = Reader(cluster, needs_of(kept, "prod"))
    facts = reader.facts(reader.version())
    assert facts.token is not None
    assert not isinstance(facts.token, Unreadable)
    assert facts.token.keys == {"HF_TOKEN": "", "OTHER": "is no text", "EMPTY": "is empty"}
    assert "hf_secret-value" not in repr(facts)
    assert "aGZfc2VjcmV0LXZhbHVl" not in repr(facts)


def test_objects_that_can_be_seen_in_the_own_namespace_only_are_read_there() -> None:
    cluster = healthy()
    path = "/apis/nvidia.com/v1beta1/dynamographdeployments"
    cluster.broken[path] = Unreadable("HTTP 403: forbidden")
    inside = "/apis/nvidia.com/v1beta1/namespaces/kimi-k3/dynamographdeployments"
    cluster.lists[inside] = [{"metadata": {"namespace": "kimi-k3", "name": "a"}}]
    reader = Reader(cluster, NEEDS)
    graphs = reader.facts(reader.version()).graphs
    assert not isinstance(graphs, Unreadable)
    assert [graph.name for graph in graphs] == ["a"]


def test_a_server_that_does_not_answer_is_not_asked_again_for_the_same() -> None:
    """Each silence takes its time: the second question would only take as long again."""
    cluster = healthy()
    asked: list[str] = []
    silent = Unreadable("the API server has not answered within 30 s", answered=False)

    def pages(path: str, labels: str = "", fields: str = "") -> Any:  # Any: as the reader takes it
        asked.append(path)
        yield silent if "dynamographdeployments" in path else []

    cluster.pages = pages  # type: ignore[method-assign] # this one cluster, in this one test
    reader = Reader(cluster, NEEDS)
    assert reader.facts(reader.version()).graphs == silent
    assert len([path for path in asked if "dynamographdeployments" in path]) == 1
