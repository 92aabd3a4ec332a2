"""A copy of one kind's objects, kept up to date by list and watch."""

import logging
import threading
from collections.abc import Callable, Mapping

import requests

from tests.stand_in.operator.api import Api, ApiError
from tests.stand_in.operator.marks import Manifest, key_of

log = logging.getLogger(__name__)

_RETRY_SECONDS = 0.5  # also how soon a kind is seen whose CRD comes late


class Watched:
    """`changed` is called, from the thread that watches, with each object that came, changed or went."""

    def __init__(
        self,
        api: Api,
        path: str,
        changed: Callable[[Manifest], None],
        selection: Mapping[str, str] | None = None,
    ) -> None:
        self._api = api
        self._path = path
        self._changed = changed
        self._selection = dict(selection or {})
        self._lock = threading.Lock()
        self._objects: dict[tuple[str, str], Manifest] = {}

    def get(self, namespace: str, name: str) -> Manifest | None:
        """Not to be changed by the caller."""
        with self._lock:
            return self._objects.get((namespace, name))

    def all(self, namespace: str) -> list[Manifest]:
        with self._lock:
            return [found for (where, _), found in self._objects.items() if where == namespace]

    def run(self, stop: threading.Event) -> None:
        """Lists and watches until `stop` is set. Survives a server that is away and a kind that is not there."""
        while not stop.is_set():
            try:
                version = self._list()
                while not stop.is_set():
                    version = self._watch(version, stop)
            except (ApiError, requests.RequestException, ValueError) as error:
                log.debug("%s: %s", self._path, error)
                stop.wait(_RETRY_SECONDS)

    def _list(self) -> str:
        found = self._api.get(self._path, self._selection)
        # Items of a list do not say what they are.
        described = {"apiVersion": found["apiVersion"], "kind": found["kind"].removesuffix("List")}
        objects = {key_of(item): described | item for item in found["items"]}
        with self._lock:
            gone = [was for key, was in self._objects.items() if key not in objects]
            self._objects = objects
        for each in [*objects.values(), *gone]:
            self._changed(each)
        return str(found["metadata"]["resourceVersion"])

    def _watch(self, version: str, stop: threading.Event) -> str:
        """The version to go on from. An error event (the version is too old) ends in a new list."""
        for event in self._api.watch(self._path, self._selection | {"resourceVersion": version}):
            if stop.is_set():
                break
            found: Manifest = event["object"]
            if event["type"] == "ERROR":
                raise ApiError(found.get("code", 0), found.get("reason", ""), found.get("message", ""))
            version = found["metadata"]["resourceVersion"]
            if event["type"] != "BOOKMARK":
                self._take(event["type"], found)
        return version

    def _take(self, kind: str, found: Manifest) -> None:
        with self._lock:
            if kind == "DELETED":
                self._objects.pop(key_of(found), None)
            else:
                self._objects[key_of(found)] = found
        self._changed(found)
