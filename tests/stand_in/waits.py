"""Waits for a state of the cluster, with a limit, and with words that tell what was there instead."""

import json
import time
from collections.abc import Callable

from manifests import Manifest
from tests.stand_in.client import Client

POLL_SECONDS = 0.1
# A limit that only a hang reaches: everything here takes a few seconds on a quiet machine.
SECONDS = 60.0


class WaitError(AssertionError):
    """The state did not come; the text holds the last one seen."""


def wait_until(holds: Callable[[], bool], what: str, seconds: float = SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise WaitError(f"{what}: not there after {seconds:.0f} s")
        time.sleep(POLL_SECONDS)


def wait_for(
    client: Client,
    kind: str,
    name: str,
    namespace: str,
    until: Callable[[Manifest], bool],
    seconds: float = SECONDS,
) -> Manifest:
    """The object, once it is there and `until` holds. Namespace "" for cluster-wide kinds."""
    deadline = time.monotonic() + seconds
    while True:
        found = client.find(kind, name, namespace)
        if found and until(found):
            return found
        if time.monotonic() > deadline:
            status = json.dumps(found.get("status", {}), indent=2) if found else "it is not there"
            raise WaitError(f"{kind} {namespace}/{name}: not as awaited after {seconds:.0f} s: {status}")
        time.sleep(POLL_SECONDS)


def wait_gone(client: Client, kind: str, name: str, namespace: str = "", seconds: float = SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while found := client.find(kind, name, namespace):
        if time.monotonic() > deadline:
            meta = {key: found["metadata"].get(key) for key in ("deletionTimestamp", "finalizers")}
            raise WaitError(f"{kind} {namespace}/{name}: still there after {seconds:.0f} s: {meta}")
        time.sleep(POLL_SECONDS)


def condition(name: str, status: str = "True") -> Callable[[Manifest], bool]:
    """For `wait_for`: whether the object has the condition with that status."""

    def holds(found: Manifest) -> bool:
        conditions = (found.get("status") or {}).get("conditions") or []  # either may be null
        return any(each["type"] == name and each["status"] == status for each in conditions)

    return holds


def phase(name: str) -> Callable[[Manifest], bool]:
    """For `wait_for`: whether `status.phase` is this."""
    return lambda found: found.get("status", {}).get("phase") == name
