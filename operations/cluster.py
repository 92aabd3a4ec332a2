"""The one reader of a stack's cluster: raw documents, or the reason why they could not be read."""

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import urllib3
import yaml
from kubernetes import client, config

from recipes import Refusal
from settings import ClusterSettings

# What the official client raises for a file that is no kubeconfig.
_MALFORMED = (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError)
Document = dict[str, Any]  # Any: Kubernetes objects are JSON of any depth
_SILENCE_SECONDS = 10  # without a byte; a server that answers slower than that counts as unreadable for now
_ANSWER_SECONDS = 30  # of one whole answer, however slowly it drips
_LARGEST_ANSWER = 64 * 1024 * 1024  # bytes; 500 objects take some 10 MB
_PAGE = 500  # objects in one answer, as kubectl asks for them
_CHUNK = 1024 * 1024
_OK, _CREATED, _NOT_FOUND, _GONE = 200, 201, 404, 410  # HTTP


@dataclass(frozen=True)
class Unreadable:
    """What could not be read, and why: not allowed, not answered, not served."""

    reason: str
    answered: bool = True  # whether it was a server that said so


class Cluster:
    """Reads through the official client with the stack's own kubeconfig and context. Changes nothing."""

    def __init__(self, api: client.ApiClient, seconds: float | None = None) -> None:
        self._api = api
        self._seconds = seconds
        self._until = None if seconds is None else time.monotonic() + seconds

    @classmethod
    def of(cls, settings: ClusterSettings, seconds: float | None = None) -> "Cluster":
        """The cluster of a stack, for at most `seconds`; what is asked later is unreadable.

        Raises Refusal when its kubeconfig or context cannot be used.
        """
        path = str(Path(settings.kubeconfig).expanduser()) if settings.kubeconfig else None
        try:
            chosen = client.Configuration()
            config.load_kube_config(config_file=path, context=settings.context, client_configuration=chosen)
            chosen.retries = False  # whoever asks, asks again
            return cls(client.ApiClient(chosen), seconds)
        except (config.ConfigException, OSError, *_MALFORMED) as error:
            told = "its kubeconfig is malformed" if isinstance(error, _MALFORMED) else str(error).rstrip(".")
            raise Refusal(
                f"The context {settings.context!r} cannot be used: {told}.\n"
                f"Accepted: a context of {path or 'KUBECONFIG or ~/.kube/config'}.\n"
                "List them: kubectl config get-contexts"
            ) from None

    def get(self, path: str) -> Document | Unreadable | None:
        """The object at an API path such as `/api/v1/namespaces/x`; None when there is none."""
        return self._answer("GET", path, [])

    def items(self, path: str, labels: str = "", fields: str = "") -> list[Document] | Unreadable:
        """The objects of a collection whose labels and fields match; none where the kind is not served."""
        found: list[Document] = []
        for page in self.pages(path, labels, fields):
            if isinstance(page, Unreadable):
                return page
            found += page
        return found

    def pages(self, path: str, labels: str = "", fields: str = "") -> Iterator[list[Document] | Unreadable]:
        """The same, 500 at a time, so that nobody has to hold them all; Unreadable is the last one."""
        selectors = {"labelSelector": labels, "fieldSelector": fields}
        query = [(name, value) for name, value in selectors.items() if value]
        token = ""
        while True:
            following = [("continue", token)] if token else []
            found = self._answer("GET", path, [*query, ("limit", str(_PAGE)), *following])
            page = found if isinstance(found, Unreadable) else _items(found)
            yield page
            known, token = token, "" if isinstance(page, Unreadable) else _continue(found)
            if not token:
                return
            if token == known:
                yield Unreadable("the server gives the same page again and again")
                return

    def ask(self, path: str, question: Document) -> Document | Unreadable | None:
        """The answer to a review, such as a SelfSubjectAccessReview: a POST that keeps nothing."""
        return self._answer("POST", path, [], question)

    def _answer(
        self, method: str, path: str, query: list[tuple[str, str]], body: Document | None = None
    ) -> Document | Unreadable | None:
        left = _ANSWER_SECONDS if self._until is None else self._until - time.monotonic()
        if left <= 0:
            return Unreadable(f"the {self._seconds:.0f} s of this run are over", answered=False)
        return _bounded(lambda: self._read(method, path, query, body), min(left, _ANSWER_SECONDS))

    def _read(
        self, method: str, path: str, query: list[tuple[str, str]], body: Document | None
    ) -> Document | Unreadable | None:
        try:
            response = self._api.call_api(
                path,
                method,
                query_params=query,
                body=body,
                header_params={"Content-Type": "application/json"} if body else {},
                auth_settings=["BearerToken"],
                _return_http_data_only=True,
                _preload_content=False,  # typed decoding is slow, and knows no custom resources
                _request_timeout=_SILENCE_SECONDS,
            )
            return _document(response.status, _body(response))
        except client.ApiException as error:
            return _document(error.status, error.body)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            return Unreadable(f"the API server does not answer ({type(error).__name__})", answered=False)


def _bounded(
    read: Callable[[], Document | Unreadable | None], seconds: float
) -> Document | Unreadable | None:
    """What `read` gives, or that it took too long: no timeout of a socket ends an answer that drips."""
    answers: queue.SimpleQueue[Document | Unreadable | Exception | None] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(read())
        except Exception as error:  # noqa: BLE001 - handed to whoever has asked
            answers.put(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        found = answers.get(timeout=seconds)
    except queue.Empty:
        return Unreadable(f"the API server has not answered within {seconds:.0f} s", answered=False)
    if isinstance(found, Exception):
        raise found
    return found


def _body(response: urllib3.HTTPResponse) -> bytes | None:
    """The answer, or None when it is too large to be one."""
    parts: list[bytes] = []
    size = 0
    for part in response.stream(_CHUNK):
        parts.append(part)
        size += len(part)
        if size > _LARGEST_ANSWER:
            response.close()
            return None
    return b"".join(parts)


def _document(status: int, body: bytes | str | None) -> Document | Unreadable | None:
    if body is None:
        return Unreadable(f"the answer is larger than {_LARGEST_ANSWER // 1024**2} MiB")
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return Unreadable(f"the answer is not JSON (HTTP {status})")
    if status == _NOT_FOUND:
        return None
    if status == _GONE and _continue(document):
        return {"items": [], **document}  # an expired list goes on with a new token, a little later in time
    if status not in (_OK, _CREATED) or not isinstance(document, dict):
        message = document.get("message", "") if isinstance(document, dict) else ""
        return Unreadable(f"HTTP {status}: {message}" if message else f"HTTP {status}")
    return document


def _items(document: Document | None) -> list[Document] | Unreadable:
    """The objects of a list, where it is one."""
    items = document.get("items") or [] if document else []
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return Unreadable("the answer is not a list of objects")
    return items


def _continue(document: object) -> str:
    meta = document.get("metadata") if isinstance(document, dict) else None
    token = meta.get("continue") if isinstance(meta, dict) else None
    return token if isinstance(token, str) else ""
