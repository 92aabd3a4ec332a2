"""The reader of a cluster against a server that answers as it is told."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from operations.cluster import Cluster, Unreadable
from recipes import Refusal
from settings import ClusterSettings

Answer = tuple[int, bytes]


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[Callable[[int, bytes], tuple[Cluster, list[str]]]]:
    """Starts a server that gives one answer to all requests; a reader of it, and the requests that came."""
    servers: list[ThreadingHTTPServer] = []

    def start(status: int, body: bytes) -> tuple[Cluster, list[str]]:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(f"{self.path} {self.headers.get('Authorization')}")
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """The test looks at `asked`."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return reader(tmp_path, f"http://127.0.0.1:{server.server_port}"), asked

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def reader(folder: Path, url: str) -> Cluster:
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "another",
        "clusters": [{"name": "c", "cluster": {"server": url}}],
        "users": [{"name": "u", "user": {"token": "a-token"}}],
        "contexts": [
            {"name": "prod", "context": {"cluster": "c", "user": "u"}},
            {"name": "another", "context": {"cluster": "nowhere", "user": "u"}},
        ],
    }
    path = folder / "kubeconfig"
    path.write_text(yaml.safe_dump(config))
    return Cluster.of(ClusterSettings(context="prod", kubeconfig=str(path), cluster_identifier=None))


Start = Callable[[int, bytes], tuple[Cluster, list[str]]]
FORBIDDEN = json.dumps({"kind": "Status", "message": 'jobs.batch "x" is forbidden'}).encode()
# status, body, what the reader makes of it
ANSWERS: dict[str, tuple[int, bytes, object]] = {
    "an object": (200, b'{"kind": "Job"}', {"kind": "Job"}),
    "nothing": (404, b'{"kind": "Status", "message": "not found"}', None),
    "forbidden": (403, FORBIDDEN, Unreadable('HTTP 403: jobs.batch "x" is forbidden')),
    "an error without words": (500, b"{}", Unreadable("HTTP 500")),
    "a login page": (200, b"<html>", Unreadable("the answer is not JSON (HTTP 200)")),
    "a list of something else": (200, b"[]", Unreadable("HTTP 200")),
    "an empty answer": (200, b"", Unreadable("the answer is not JSON (HTTP 200)")),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_an_answer_is_an_object_nothing_or_a_reason(answers: Start, case: str) -> None:
    status, body, expected = ANSWERS[case]
    cluster, asked = answers(status, body)
    assert cluster.get("/apis/batch/v1/namespaces/n/jobs/x") == expected
    assert asked == ["/apis/batch/v1/namespaces/n/jobs/x Bearer a-token"], (
        "the stack's own context, and no retry"
    )


def test_items_are_asked_for_by_label_and_field(answers: Start) -> None:
    cluster, asked = answers(200, b'{"items": [{"kind": "Pod"}]}')
    assert cluster.items("/api/v1/pods", "a=b", "type=Warning") == [{"kind": "Pod"}]
    assert cluster.items("/api/v1/pods") == [{"kind": "Pod"}]
    assert asked == [
        "/api/v1/pods?labelSelector=a%3Db&fieldSelector=type%3DWarning&limit=500 Bearer a-token",
        "/api/v1/pods?limit=500 Bearer a-token",
    ]


def test_items_of_a_kind_that_is_not_served_are_none_and_a_refusal_stays_one(answers: Start) -> None:
    cluster, _ = answers(404, b"{}")
    assert cluster.items("/apis/nvidia.com/v1beta1/x") == []
    refusing, _ = answers(403, FORBIDDEN)
    assert isinstance(refusing.items("/api/v1/pods"), Unreadable)


def test_a_server_that_does_not_answer_is_a_reason(tmp_path: Path) -> None:
    found = reader(tmp_path, "http://127.0.0.1:1").get("/version")
    assert isinstance(found, Unreadable)
    assert found.reason.startswith("the API server does not answer (")


@pytest.mark.parametrize("content", ["", "- a list", "{", "clusters: 5"])
def test_a_kubeconfig_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(content)
    with pytest.raises(Refusal, match=r"^The context 'prod' cannot be used: "):
        Cluster.of(ClusterSettings(context="prod", kubeconfig=str(path), cluster_identifier=None))


def test_a_kubeconfig_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "none")
    with pytest.raises(Refusal) as refusal:
        Cluster.of(ClusterSettings(context="prod", kubeconfig=path, cluster_identifier=None))
    assert f"Accepted: a context of {path}." in str(refusal.value)
