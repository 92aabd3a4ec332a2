"""A small client of the API server for tests: objects are plain dicts, kinds are found by discovery."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import requests

from manifests import Manifest
from tests.stand_in.discovery import Discovery, Kind

MANAGER = "tests"
CONNECT_SECONDS = 5
ANSWER_SECONDS = 30
WATCH_CHUNK = 65536  # at most; an event is handed on as it comes

PATCH_TYPES = {
    "merge": "application/merge-patch+json",
    "json": "application/json-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "apply": "application/apply-patch+yaml",
}
_WARNING = re.compile(r'299 \S+ "((?:[^"\\]|\\.)*)"')


class ApiError(Exception):
    """A refusal of the API server, in its own words."""

    def __init__(self, method: str, path: str, status: int, reason: str, message: str) -> None:
        super().__init__(f"{method} {path}: HTTP {status} {reason}: {message}")
        self.status = status
        self.reason = reason
        self.message = message


@dataclass(frozen=True)
class Written:
    """An object as the server has it after a write, and what the server warned of."""

    object: Manifest
    warnings: list[str]


class Client:
    """`kind` is `Pod`, or `batch/v1/Job` where several groups serve the name. Namespace "": a cluster-wide kind."""

    def __init__(self, url: str, token: str, ca_file: Path) -> None:
        self.url = url
        self._session = requests.Session()
        self._session.trust_env = False  # no proxy and no other CA bundle for a server on this machine
        self._session.verify = str(ca_file)
        self._session.headers["Authorization"] = f"Bearer {token}"
        self.discovery = Discovery(self.get_path)

    def get(self, kind: str, name: str, namespace: str = "") -> Manifest:
        return self.get_path(self._kind(kind).path(namespace, name))

    def find(self, kind: str, name: str, namespace: str = "") -> Manifest | None:
        """The object, or None where there is none."""
        try:
            return self.get(kind, name, namespace)
        except ApiError as error:
            if error.status == requests.codes.not_found:
                return None
            raise

    def items(self, kind: str, namespace: str = "", *, labels: str = "", fields: str = "") -> list[Manifest]:
        """Namespace "" lists all namespaces."""
        query = _given({"labelSelector": labels, "fieldSelector": fields})
        found: list[Manifest] = self.get_path(self._kind(kind).path(namespace), query)["items"]
        return found

    def create(self, manifest: Manifest, *, strict: bool = True, dry_run: bool = False) -> Written:
        """Not `strict`, unknown fields are dropped with a warning. A `dry_run` keeps nothing."""
        kind, namespace, _ = self._address(manifest)
        query = {"fieldManager": MANAGER, "fieldValidation": _validation(strict)} | _dry(dry_run)
        return self._write("POST", kind.path(namespace), manifest, query)

    def apply(
        self,
        manifest: Manifest,
        *,
        manager: str = MANAGER,
        strict: bool = True,
        force: bool = False,
        dry_run: bool = False,
    ) -> Written:
        """Server-side apply. Unknown fields are always errors; not `strict`, duplicates are warnings."""
        kind, namespace, name = self._address(manifest)
        query = {"fieldManager": manager, "fieldValidation": _validation(strict)} | _dry(dry_run)
        query |= _given({"force": "true" if force else ""})
        return self._write("PATCH", kind.path(namespace, name), manifest, query, "apply")

    def patch(
        self,
        kind: str,
        name: str,
        body: Manifest | list[Manifest],
        namespace: str = "",
        *,
        how: str = "merge",
        subresource: str = "",
    ) -> Written:
        """`how` is merge, json (then `body` is a list) or strategic; `subresource` for example status or scale."""
        path = self._kind(kind).path(namespace, name, subresource)
        return self._write("PATCH", path, body, {"fieldManager": MANAGER}, how)

    def delete(
        self,
        kind: str,
        name: str,
        namespace: str = "",
        *,
        propagation: str = "Background",
        missing_ok: bool = False,
    ) -> None:
        """Asks for the deletion. Finalizers may delay it: `wait_gone` waits for the end."""
        path = self._kind(kind).path(namespace, name)
        try:
            self.request("DELETE", path, {"propagationPolicy": propagation})
        except ApiError as error:
            if not (missing_ok and error.status == requests.codes.not_found):
                raise

    def watch(
        self, kind: str, namespace: str = "", *, fields: str = "", version: str = "", seconds: int = 60
    ) -> Iterator[tuple[str, Manifest]]:
        """(ADDED | MODIFIED | DELETED, object), first those that are there, until `seconds` are over."""
        query = {"watch": "1", "timeoutSeconds": str(seconds)} | _given(
            {"fieldSelector": fields, "resourceVersion": version}
        )
        path, timeout = self._kind(kind).path(namespace), (CONNECT_SECONDS, seconds + ANSWER_SECONDS)
        with self._session.get(self.url + path, params=query, stream=True, timeout=timeout) as answer:
            _raise_for(answer)
            for line in filter(None, answer.iter_lines(chunk_size=WATCH_CHUNK)):
                event = json.loads(line)
                yield event["type"], event["object"]

    def get_path(
        self, path: str, query: Mapping[str, str] | None = None, accept: str = "application/json"
    ) -> Manifest:
        """The JSON at any path of the server, such as `/version`."""
        found: Manifest = self.request("GET", path, query, accept=accept).json()
        return found

    def request(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        body: object = None,
        content_type: str = "application/json",
        *,
        accept: str = "application/json",
    ) -> requests.Response:
        """Any request; raises ApiError with the server's message."""
        answer = self._session.request(
            method,
            self.url + path,
            params=dict(query or {}),
            # As it is: an escaped character outside the first plane is no YAML, which an apply is read as.
            data=None if body is None else json.dumps(body, ensure_ascii=False).encode(),
            headers={"Content-Type": content_type, "Accept": accept},
            timeout=(CONNECT_SECONDS, ANSWER_SECONDS),
        )
        _raise_for(answer)
        return answer

    def _write(
        self, method: str, path: str, body: object, query: Mapping[str, str], how: str = ""
    ) -> Written:
        answer = self.request(method, path, query, body, PATCH_TYPES[how] if how else "application/json")
        return Written(answer.json(), warnings_in(answer.headers.get("Warning", "")))

    def _address(self, manifest: Manifest) -> tuple[Kind, str, str]:
        kind = self._kind(f"{manifest['apiVersion']}/{manifest['kind']}")
        meta = manifest["metadata"]
        namespace = meta.get("namespace", "default") if kind.namespaced else ""
        return kind, namespace, meta.get("name", "")

    def _kind(self, name: str) -> Kind:
        return self.discovery.kind(name)


def warnings_in(header: str) -> list[str]:
    """The texts of a Warning header; several are joined by commas."""
    return [re.sub(r"\\(.)", r"\1", text) for text in _WARNING.findall(header)]


def _validation(strict: bool) -> str:
    return "Strict" if strict else "Warn"


def _dry(wanted: bool) -> dict[str, str]:
    return {"dryRun": "All"} if wanted else {}


def _given(query: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in query.items() if value}


def _raise_for(answer: requests.Response) -> None:
    if answer.ok:
        return
    try:
        told = answer.json()
    except ValueError:
        told = {}
    request = answer.request
    raise ApiError(
        request.method or "",
        request.path_url,
        answer.status_code,
        told.get("reason", answer.reason),
        told.get("message", answer.text),
    )
