"""The few calls to the API server that the stand-in needs, by the kubeconfig of a test cluster."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import requests
import yaml
from requests.adapters import HTTPAdapter

from tests.stand_in.operator.marks import MANAGER, Manifest

_APPLY = "application/apply-patch+yaml"
_MERGE = "application/merge-patch+json"
_CONNECT_SECONDS = 5
_ANSWER_SECONDS = 30
_CHUNK_BYTES = 65536  # the most at once; an event is handed on as it comes
WATCH_SECONDS = 240  # then the server ends a watch, and it is begun anew


class ApiError(Exception):
    """What the server refused."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.message = message

    @property
    def expected(self) -> bool:
        """Gone, there already or changed meanwhile: a later event, or the next try, settles it."""
        return self.status in (404, 409)


class Api:
    """Requests to one server. Safe to share between threads."""

    def __init__(self, server: str, session: requests.Session) -> None:
        self._server = server
        self._session = session

    def get(self, path: str, params: Mapping[str, str] | None = None) -> Manifest:
        return self._request("GET", path, params=params)

    def create(self, path: str, body: Manifest) -> Manifest:
        return self._request("POST", path, body, params={"fieldManager": MANAGER})

    def merge(self, path: str, body: Manifest) -> Manifest:
        return self._request("PATCH", path, body, {"fieldManager": MANAGER}, _MERGE)

    def apply(self, path: str, body: Manifest) -> Manifest:
        return self._request("PATCH", path, body, {"fieldManager": MANAGER}, _APPLY)

    def delete(self, path: str) -> None:
        self._request("DELETE", path)

    def watch(self, path: str, params: Mapping[str, str]) -> Iterator[Manifest]:
        """Events until the server ends the watch."""
        asked = {**params, "watch": "1", "allowWatchBookmarks": "true", "timeoutSeconds": str(WATCH_SECONDS)}
        timeout = (_CONNECT_SECONDS, WATCH_SECONDS + _ANSWER_SECONDS)
        with self._session.get(self._server + path, params=asked, stream=True, timeout=timeout) as answer:
            _raise_for(answer)
            for line in answer.iter_lines(chunk_size=_CHUNK_BYTES):
                if line:
                    yield json.loads(line)

    def _request(
        self,
        method: str,
        path: str,
        body: Manifest | None = None,
        params: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> Manifest:
        answer = self._session.request(
            method,
            self._server + path,
            data=None if body is None else json.dumps(body),
            params=dict(params or {}),
            headers={"Content-Type": content_type},
            timeout=(_CONNECT_SECONDS, _ANSWER_SECONDS),
        )
        _raise_for(answer)
        found: Manifest = answer.json()
        return found


def _raise_for(answer: requests.Response) -> None:
    if answer.ok:
        return
    try:
        told = answer.json()
    except ValueError:
        told = {}
    raise ApiError(answer.status_code, told.get("reason", ""), told.get("message", answer.reason))


def api_of(kubeconfig: Path) -> Api:
    """The server and credentials of the kubeconfig's current context: a token, or the files of a client certificate."""
    config = yaml.safe_load(kubeconfig.read_text())
    context = _named(config["contexts"], config["current-context"])["context"]
    cluster = _named(config["clusters"], context["cluster"])["cluster"]
    user = _named(config["users"], context["user"])["user"]
    session = requests.Session()
    session.trust_env = False  # no proxy and no other CA bundle for a server on this machine
    session.verify = cluster.get("certificate-authority") or False
    if "token" in user:
        session.headers["Authorization"] = f"Bearer {user['token']}"
    if "client-certificate" in user:
        session.cert = (user["client-certificate"], user["client-key"])
    session.mount("https://", HTTPAdapter(pool_connections=1, pool_maxsize=32))
    return Api(cluster["server"], session)


def _named(entries: list[Manifest], name: str) -> Manifest:
    return next(entry for entry in entries if entry["name"] == name)
