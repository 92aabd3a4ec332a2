"""One defect of a cluster at a time, made and taken back, and how a test tells what preflight must say of it."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from string import Template

import pytest

from manifests import Manifest
from operations.cluster import Cluster, Document, Unreadable
from tests.cluster.preflight_room import Room
from tests.stand_in.waits import wait_gone

How = Callable[[Room], AbstractContextManager[object]]


def nothing(_: Room) -> AbstractContextManager[object]:
    """The defect is in the settings."""
    return nullcontext()


@dataclass(frozen=True)
class Defect:
    """`$stack`, `$ns`, `$dgd` and `$node0` to `$node3` in the texts are the room's."""

    check: str  # group and name
    verdict: str
    found: str
    remedy: str
    how: How = nothing
    changes: Mapping[str, object] = field(default_factory=dict)

    def is_told(self, room: Room) -> None:
        """Preflight says this, nothing else, and ends with the right code."""
        with self.how(room):
            ran = room.run("--json", changes=self._filled(room))
        assert ran.problems() == [
            (*self.check.split(", ", 1), self.verdict, _in(room, self.found), _in(room, self.remedy))
        ]
        assert ran.code == (1 if self.verdict == "FAIL" else 0)

    def _filled(self, room: Room) -> dict[str, object]:
        filled: dict[str, object] = json.loads(_in(room, json.dumps(dict(self.changes))))
        return filled


def _in(room: Room, text: str) -> str:
    nodes = {f"node{index}": name for index, name in enumerate(room.nodes)}
    return Template(text).safe_substitute(nodes, stack=room.name, ns=room.namespace, dgd=room.dgd)


def labels(which: slice, **changes: str | None) -> How:
    """Other labels on some of the room's nodes, `_` and `__` for `.` and `/`."""
    return lambda room: _labels(room, which, changes)


@contextmanager
def _labels(room: Room, which: slice, changes: Mapping[str, str | None]) -> Iterator[None]:
    named = {_label(name): value for name, value in changes.items()}
    before = {name: room.client.get("Node", name)["metadata"]["labels"] for name in room.nodes[which]}
    for name in before:
        room.label(name, named)
    yield
    for name, kept in before.items():
        room.label(name, {label: kept.get(label) for label in named})


def _label(name: str) -> str:
    known = {
        "clique": "nvidia.com/gpu.clique",
        "product": "nvidia.com/gpu.product",
        "sharing": "nvidia.com/gpu.sharing-strategy",
        "domain": "resource.nvidia.com/computeDomain",
        "arch": "kubernetes.io/arch",
        "pool": "example.com/pool",
    }
    return known[name]


def spec(which: slice, body: Mapping[str, object], undone: Mapping[str, object]) -> How:
    """Another spec of some of the room's nodes."""

    @contextmanager
    def change(room: Room) -> Iterator[None]:
        for name in room.nodes[which]:
            room.client.patch("Node", name, {"spec": dict(body)})
        yield
        for name in room.nodes[which]:
            room.client.patch("Node", name, {"spec": dict(undone)})

    return change


def allocatable(which: slice, resource: str, amount: str) -> How:
    """Another size of some of the room's nodes."""

    @contextmanager
    def change(room: Room) -> Iterator[None]:
        before = {name: room.client.get("Node", name)["status"]["allocatable"] for name in room.nodes[which]}
        for name, kept in before.items():
            room.client.patch(
                "Node", name, {"status": {"allocatable": {**kept, resource: amount}}}, subresource="status"
            )
        yield
        for name, kept in before.items():
            room.client.patch("Node", name, {"status": {"allocatable": kept}}, subresource="status")

    return change


def made(*manifests: Callable[[Room], Manifest]) -> How:
    """Objects that are there for the time of the check; the first ones first, and gone in the other order."""

    @contextmanager
    def change(room: Room) -> Iterator[None]:
        with ExitStack() as stack:
            for make in manifests:
                stack.enter_context(there(room, make(room)))
            yield

    return change


@contextmanager
def there(room: Room, manifest: Manifest) -> Iterator[None]:
    kind, meta = f"{manifest['apiVersion']}/{manifest['kind']}", manifest["metadata"]
    status = manifest.pop("status", None)
    room.client.create(manifest)
    if status:
        room.client.patch(
            kind, meta["name"], {"status": status}, meta.get("namespace", ""), subresource="status"
        )
    yield
    room.client.delete(kind, meta["name"], meta.get("namespace", ""), missing_ok=True)
    wait_gone(room.client, kind, meta["name"], meta.get("namespace", ""))


def gone(kind: str, name: str, namespace: str = "") -> How:
    """An object that is missing for the time of the check."""

    @contextmanager
    def change(room: Room) -> Iterator[None]:
        kept = room.client.get(kind, name, namespace)
        room.client.delete(kind, name, namespace)
        wait_gone(room.client, kind, name, namespace)
        yield
        for field_name in ("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"):
            kept["metadata"].pop(field_name, None)
        status = kept.pop("status", None)
        room.client.create(kept)
        if status:
            room.client.patch(kind, name, {"status": status}, namespace, subresource="status")

    return change


def answered(path: str, change: Callable[[Document], Document | Unreadable | None]) -> How:
    """The server's own answer at one path, changed on its way: what no test cluster can be, such as an old one."""

    @contextmanager
    def patched(_: Room) -> Iterator[None]:
        real = Cluster.get

        def get(self: Cluster, asked: str) -> Document | Unreadable | None:
            found = real(self, asked)
            return change(found) if asked == path and isinstance(found, dict) else found

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Cluster, "get", get)
            yield

    return patched


def both(first: How, second: How) -> How:
    @contextmanager
    def change(room: Room) -> Iterator[None]:
        with first(room), second(room):
            yield

    return change
