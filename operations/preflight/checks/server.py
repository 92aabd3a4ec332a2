"""The API server: its version, and dynamic resource allocation."""

import re
from collections.abc import Iterator

from operations.cluster import Unreadable
from operations.preflight.facts import Facts
from operations.preflight.needs import Needs
from operations.preflight.verdict import Check, Result

_VERSION = re.compile(r"v?(\d+)\.(\d+)\.(\d+)")
_SERVER, _API, _CLASS = (
    Check("Server", "version"),
    Check("Server", "resource.k8s.io"),
    Check("Server", "device class"),
)
_UPGRADE = "Upgrade the cluster, or choose a target for H200, which needs no ComputeDomain"


def server_version(needs: Needs, facts: Facts) -> Iterator[Result]:
    need, found = needs.server, facts.version
    wanted = f"{_dotted(need.sound)} or newer: {need.reason}"
    match = None if isinstance(found, Unreadable) else _VERSION.match(found)
    if isinstance(found, Unreadable):
        yield _SERVER.unread("/version", found, wanted)
    elif match is None:
        yield _SERVER.warns(f"the version {found!r} says nothing", wanted, "Ask who runs the cluster")
    else:
        yield _version(needs, found, (int(match[1]), int(match[2]), int(match[3])))


def _version(needs: Needs, found: str, version: tuple[int, int, int]) -> Result:
    need = needs.server
    wanted = f"{_dotted(need.sound)} or newer: {need.reason}"
    if version < need.oldest:
        return _SERVER.fails(found, wanted, _UPGRADE if needs.domain else "Upgrade the cluster")
    if version < need.by_default:
        return _SERVER.warns(
            found, wanted, "See that dynamic resource allocation is switched on, or upgrade the cluster"
        )
    if version < need.sound:
        return _SERVER.fails(f"{found}, which loses the registration of DRA drivers", wanted, _UPGRADE)
    return _SERVER.passes(found)


def _dotted(version: tuple[int, int, int]) -> str:
    return ".".join(map(str, version))


def resource_api(needs: Needs, facts: Facts) -> Iterator[Result]:
    if needs.domain is None:
        return
    wanted = f"resource.k8s.io/v1: {needs.server.reason}"
    if isinstance(facts.groups, Unreadable):
        yield _API.unread("the API groups", facts.groups, wanted)
        return
    served = facts.groups.get("resource.k8s.io", ())
    if "v1" in served:
        yield _API.passes("v1 is served")
    elif served:
        remedy = "Upgrade the cluster to 1.34.2: KAI and the operator use v1 alone"
        yield _API.warns(f"only {', '.join(served)} is served", wanted, remedy)
    else:
        yield _API.fails(
            "it is not served", wanted, "Switch dynamic resource allocation on, or upgrade the cluster"
        )


def device_class(needs: Needs, facts: Facts) -> Iterator[Result]:
    if needs.domain is None:
        return
    wanted, found = f"DeviceClass {needs.domain.device_class}: {needs.domain.reason}", facts.device_class
    if isinstance(found, Unreadable):
        yield _CLASS.unread("deviceclasses", found, wanted)
    elif found:
        yield _CLASS.passes(needs.domain.device_class)
    else:
        yield _CLASS.fails(
            "it is not there", wanted, "Install NVIDIA's DRA driver with ComputeDomain support"
        )
