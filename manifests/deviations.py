"""How far a stack is from the published target: every field of its manifests that its overrides have changed."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from manifests.engine_config import CHECKSUM, read_engine_config
from manifests.shape import Manifest
from manifests.stack import stack_manifests
from settings import ModelCacheSettings, ServingSettings, Settings
from settings.overrides import Overrides

Key = tuple[str, str]

_PULUMI = "pulumi.com/"
_NAMING = ("name", "mountPath")  # the keys by which Kubernetes tells the items of a list apart
_WHOLE = ("livenessProbe", "affinity")  # one decision each, however many fields it has
_CONTAINER = re.compile(r"^podTemplate\.spec\.containers\.[^.]+\.")


class Deviation(NamedTuple):
    """`where` are components and objects, `what` the path of a field; None stands for a field that is not there."""

    where: tuple[str, ...]
    what: str
    published: str | None
    now: str | None


def deviations(settings: Settings) -> list[Deviation]:
    """Every field in which the stack differs from what is published, as far as its overrides have changed it.

    The same change in several places is one deviation.
    Names, storage, limits and what is left out are where a stack lives, not what it runs, and do not count.
    """
    plain = _without_overrides(settings)
    if plain == settings:
        return []
    published, now = (_fields(stack_manifests(chosen)) for chosen in (plain, settings))
    keys = dict.fromkeys([*published, *now])
    places: dict[tuple[str, str | None, str | None], list[str]] = {}
    for where, what in keys:
        before, after = published.get((where, what)), now.get((where, what))
        if before != after:
            places.setdefault((what, *_parted(before, after)), []).append(where)
    return [Deviation(tuple(where), *change) for change, where in places.items()]


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
        for where, part in _parts(manifest, manifests):
            found |= {(where, _short(path)): text for path, text in _leaves(part, "")}
    return {key: text for key, text in found.items() if CHECKSUM not in key[1] and _PULUMI not in key[1]}


def _parts(manifest: Manifest, manifests: Sequence[Manifest]) -> Iterator[tuple[str, Manifest]]:
    """A manifest parted into what a reviewer calls by a name of its own."""
    kind, body = str(manifest["kind"]), {key: value for key, value in manifest.items() if key != "spec"}
    spec = dict(manifest.get("spec", {}))
    for component in spec.pop("components", []):
        yield component["name"], component
    if kind == "Job":
        yield manifest["metadata"]["name"], {"podTemplate": spec.pop("template")}
    for file, text in body.pop("data", {}).items():
        yield _reader_of(file, manifests), {"engineConfig": read_engine_config(text, file)}
    yield kind, {**body, "spec": spec}


def _reader_of(file: str, manifests: Sequence[Manifest]) -> str:
    """The component whose engine reads a file of the ConfigMap."""
    components = [c for manifest in manifests for c in manifest.get("spec", {}).get("components", [])]
    for component in components:
        for container in component["podTemplate"]["spec"]["containers"]:
            if any(item.endswith(f"/{file}") for item in container["args"]):
                return str(component["name"])
    return "ConfigMap"


def _short(path: str) -> str:
    return _CONTAINER.sub("", path).replace("podTemplate.spec.", "pod.").replace("podTemplate.", "pod.")


def _leaves(node: Any, path: str) -> Iterator[tuple[str, str]]:  # Any: JSON of any depth
    """Every value below `node` with a path that stays the same when a neighbour comes or goes."""
    if isinstance(node, Mapping) and node and not path.endswith(_WHOLE):
        for key, value in node.items():
            yield from _leaves(value, f"{path}.{key}" if path else str(key))
    elif path.endswith("args") and isinstance(node, list) and str(node[:1]).startswith("['--"):
        yield from ((f"{path}.{flag}", value) for flag, value in _flags(node))
    elif isinstance(node, list) and (naming := _naming(node)):
        for item in node:
            inner = {key: value for key, value in item.items() if key != naming}
            simple = inner["value"] if list(inner) == ["value"] else inner  # an entry of env
            yield from _leaves(simple, f"{path}.{item[naming]}")
    elif isinstance(node, list) and len(node) == 1 and isinstance(node[0], str):
        yield path, node[0]  # the script of the download
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
