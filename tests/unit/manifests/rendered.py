"""What the manifest tests start from: the eight targets' settings as a user would fill them in, and their manifests."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from manifests import Manifest, stack_manifests
from settings import Settings, load_settings
from tests.targets import TARGETS

SGLANG = tuple(name for name in TARGETS if name.startswith("sglang"))


def settings_of(
    name: str, **groups: dict[str, Any]
) -> Settings:  # Any: settings hold values of several kinds
    """The settings of a target's stack, with `groups` laid over them."""
    framework, gpu, topology = name.split("-")
    given: dict[str, Any] = {  # Any: as above
        "framework": framework,
        "gpu": gpu,
        "topology": topology,
        "modelCache": {"storageClassName": "shared-rwx"},
        "cluster": {"context": "prod"},
    }
    for key, group in groups.items():
        given[key] = {**given.get(key, {}), **group}
    return load_settings(given, name)


@cache
def _as_published(name: str) -> list[Manifest]:
    return stack_manifests(settings_of(name))


def manifests_of(name: str, **groups: dict[str, Any]) -> list[Manifest]:  # Any: as above
    """The manifests of a target's stack; those without changes are made once, so look at them only."""
    return stack_manifests(settings_of(name, **groups)) if groups else _as_published(name)


def only(manifests: list[Manifest], kind: str) -> Manifest:
    """The one manifest of a kind."""
    (found,) = [manifest for manifest in manifests if manifest["kind"] == kind]
    return found


def graph_of(name: str, **groups: dict[str, Any]) -> Manifest:  # Any: as above
    return only(manifests_of(name, **groups), "DynamoGraphDeployment")


def components(graph: Manifest) -> list[Manifest]:
    found: list[Manifest] = graph["spec"]["components"]
    return found


def workers(graph: Manifest) -> list[Manifest]:
    return [component for component in components(graph) if component["type"] != "frontend"]


def pod(component: Manifest) -> Manifest:
    found: Manifest = component["podTemplate"]["spec"]
    return found


def main(component: Manifest) -> Manifest:
    """The one container of a component."""
    (container,) = pod(component)["containers"]
    found: Manifest = container
    return found


def env(component: Manifest) -> dict[str, str | None]:
    return {entry["name"]: entry.get("value") for entry in main(component)["env"]}


def argument(component: Manifest, flag: str) -> str | None:
    """The item after `flag` in the args, or None without the flag."""
    args: list[str] = main(component)["args"]
    return args[args.index(flag) + 1] if flag in args else None


def keys_and_values(node: object) -> Iterator[tuple[str, object]]:
    """Every key of every mapping below `node`, with its value."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield key, value
            yield from keys_and_values(value)
    elif isinstance(node, list):
        for item in node:
            yield from keys_and_values(item)
