"""Where the Hugging Face token is on a real server and on disk: in one Secret's field, and nowhere else."""

import base64
import json
from collections.abc import Callable

from tests.cluster.stack import CANARY, GRAPH, ClusterStack, Step

SECOND = "hf_SecondCanaryThatNobodyMaySee"
READABLE = ("Pod", "Job", "ConfigMap", "v1/Event", "PersistentVolumeClaim", "ComputeDomain", GRAPH, "Service")


def secret_value(stack: ClusterStack) -> str:
    found = stack.find("Secret", "hf-token-secret")
    assert found
    assert list(found["data"]) == ["HF_TOKEN"]
    return base64.b64decode(found["data"]["HF_TOKEN"]).decode()


def on_the_server_but_for_secrets(stack: ClusterStack) -> str:
    return json.dumps([stack.client.items(kind, stack.namespace) for kind in READABLE])


def test_the_token_is_in_the_secret_and_nowhere_else(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.project.environ["HF_TOKEN"] = CANARY
    outputs = [
        stack.project.demand("preview", "--diff", "--stack", stack.name),
        stack.project.up(stack.name, "--diff"),
        stack.project.demand("stack", "output", "--stack", stack.name),
        stack.project.demand("stack", "export", "--stack", stack.name),
        stack.project.demand("stack", "history", "--stack", stack.name),
        stack.operations("watch").stdout,
        stack.operations("render").stdout,
    ]
    assert secret_value(stack) == CANARY
    encoded = base64.b64encode(CANARY.encode()).decode()
    for token in (CANARY, encoded):
        assert token not in "".join(outputs), "the token was printed"
        assert token not in stack.project.everything_written(), "the token lies on disk in clear text"
        assert token not in on_the_server_but_for_secrets(stack), "the token left its Secret"


def test_rotating_the_token_touches_nothing_but_the_secret(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("sglang-gb300-disagg")
    stack.up()
    before = [stack.uid(kind, name) for kind, name in ((GRAPH, stack.dgd), ("Job", "model-download"))]
    graph = stack.find(GRAPH, stack.dgd)
    assert graph
    stack.set_token(f"{SECOND}\n")
    assert stack.up() == [Step("update", "hugging-face-secret", "Secret")], (
        "a rotation must never download 1.5 TB again"
    )
    assert secret_value(stack) == SECOND, "the newline that files end with is no part of a token"
    assert [stack.uid(kind, name) for kind, name in ((GRAPH, stack.dgd), ("Job", "model-download"))] == before
    after = stack.find(GRAPH, stack.dgd)
    assert after
    assert after["metadata"]["generation"] == graph["metadata"]["generation"]


def test_an_existing_secret_is_used_by_name_and_left_alone(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    stack.project.demand("config", "rm", "kimi-k3:hfToken", "--stack", stack.name)
    stack.change({"namespace.create": False, "huggingFace.source": "existingSecret"})
    stack.client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": stack.namespace}})
    metadata = {"name": "hf-token-secret", "namespace": stack.namespace}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": {"HF_TOKEN": CANARY}}
    stack.client.create(secret)
    uid = stack.uid("Secret", "hf-token-secret")
    steps = stack.up()
    assert not {step.kind for step in steps} & {"Secret", "Namespace"}
    stack.is_quiet()
    assert CANARY not in stack.project.everything_written()
    stack.destroy()
    assert stack.uid("Secret", "hf-token-secret") == uid
    assert secret_value(stack) == CANARY
