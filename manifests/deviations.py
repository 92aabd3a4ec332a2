"""How far a stack is from the published target: every field of its manifests that its overrides have changed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from manifests.engine_config import CHECKSUM
from manifests.shape import Manifest
from manifests.stack import stack_manifests
from recipes.yaml12 import read_yaml
from settings import ModelCacheSettings, ServingSettings, Settings
from settings.overrides import Overrides

Key = tuple[str, str]

_PULUMI = "pulumi.com/"
_NAMING = ("name", "mountPath")  # the keys by which Kubernetes tells the items of a list apart
_SHORT = (("podTemplate.spec.containers.main.", ""), ("podTemplate.spec.", "pod."), ("podTemplate.", "pod."))


class Deviation(NamedTuple):
    """`where` is a component or an object, `what` the path of a field; None stands for a field that is not there."""

    where: str
    what: str
    published: str | None
    now: str | None


def deviations(settings: Settings) -> list[Deviation]:
    """Every field in which the stack differs from what is published, as far as its overrides have changed it.

    Names, storage, limits and what is left out are where a stack lives, not what it runs, and do not count.
    """
    published, now = (_fields(stack_manifests(chosen)) for chosen in (_without_overrides(settings), settings))
    keys = dict.fromkeys([*published, *now])
    changed = [key for key in keys if published.get(key) != now.get(key)]
    return [Deviation(*key, *_parted(published.get(key), now.get(key))) for key in changed]


def deviations_line(settings: Settings) -> str:
    """One sentence for outputs: `3 deviations from the published target`."""
    count = len(deviations(settings))
    return f"{count or 'no'} deviation{'' if count == 1 else 's'} from the published target"


def _without_overrides(settings: Settings) -> Settings:
    default, serving, cache = Overrides(), settings.serving, settings.model_cache
    kept = {name: getattr(serving, name) for name in ("deploy", "wait", "timeout_seconds")}
    where = {name: getattr(cache, name) for name in ModelCacheSettings.model_fields if name != "sub_path"}
    download = settings.model_download
    return settings.model_copy(
        update={
            **{name: getattr(default, name) for name in ("images", "hub", "placement", "metadata", "roles")},
            "serving": ServingSettings(**kept),
            "model_cache": ModelCacheSettings(**where),
            "model_download": type(download)(
                enabled=download.enabled, wait=download.wait, timeout_seconds=download.timeout_seconds
            ),
            "namespace": settings.namespace.model_copy(update={"pod_security": None}),
        }
    )


def _fields(manifests: Sequence[Manifest]) -> dict[Key, str]:
    found: dict[Key, str] = {}
    for manifest in manifests:
        kind, body = str(manifest["kind"]), dict(manifest)
        if kind == "DynamoGraphDeployment":
            body = {**body, "spec": {k: v for k, v in manifest["spec"].items() if k != "components"}}
            for component in manifest["spec"]["components"]:
                found |= {(component["name"], _short(path)): text for path, text in _leaves(component, "")}
        if kind == "ConfigMap":
            body = {**body, "data": {n: read_yaml(text, n) for n, text in manifest["data"].items()}}
        found |= {(kind, path): text for path, text in _leaves(body, "")}
    return {key: text for key, text in found.items() if CHECKSUM not in key[1] and _PULUMI not in key[1]}


def _short(path: str) -> str:
    for long, short in _SHORT:
        if path.startswith(long):
            return short + path.removeprefix(long)
    return path


def _leaves(node: Any, path: str) -> Iterator[tuple[str, str]]:  # Any: JSON of any depth
    """Every value below `node` with a path that stays the same when a neighbour comes or goes."""
    if isinstance(node, Mapping) and node:
        for key, value in node.items():
            yield from _leaves(value, f"{path}.{key}" if path else str(key))
    elif path.endswith("args") and isinstance(node, list) and str(node[:1]).startswith("['--"):
        yield from ((f"{path}.{flag}", value) for flag, value in _flags(node))
    elif isinstance(node, list) and (naming := _naming(node)):
        for item in node:
            inner = {key: value for key, value in item.items() if key != naming}
            yield from _leaves(inner, f"{path}.{item[naming]}")
    else:
        yield path, node if isinstance(node, str) else json.dumps(node, separators=(",", ":"))


def _naming(items: list[Any]) -> str | None:  # Any: JSON of any depth
    """The key that tells the items of a list apart, where they have one."""
    for key in reversed(_NAMING):
        if items and all(isinstance(item, Mapping) and key in item for item in items):
            return key
    return None


def _flags(args: list[str]) -> Iterator[tuple[str, str]]:
    for index, item in enumerate(args):
        following = args[index + 1] if index + 1 < len(args) else "--"
        if item.startswith("--"):
            yield item, "set" if following.startswith("--") else following


def _parted(published: str | None, now: str | None) -> tuple[str | None, str | None]:
    """Of texts with several lines only those that differ."""
    if published is None or now is None or "\n" not in published:
        return published, now
    before, after = published.splitlines(), now.splitlines()
    changed = [line for line in before if line not in after], [line for line in after if line not in before]
    return "\n".join(changed[0]), "\n".join(changed[1])
