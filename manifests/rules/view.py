"""The manifests of one deployment, as rules look at them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from manifests.engine_config import read_engine_config
from manifests.rules.dialects import DIALECTS, UNKNOWN, Dialect
from manifests.shape import Manifest
from recipes import ModelFacts, Role, Target, load_catalog

_MAIN = "main"


@dataclass(frozen=True)
class Component:
    """One component of a graph; `config` is its engine's config file, where it has one."""

    manifest: Manifest
    dialect: Dialect
    config: Mapping[str, Any] | None  # Any: an engine key may hold any YAML value

    @property
    def name(self) -> str:
        return str(self.manifest["name"])

    @property
    def type(self) -> str:
        return str(self.manifest["type"])

    @property
    def is_frontend(self) -> bool:
        return self.type == "frontend"

    @property
    def replicas(self) -> int:
        return int(self.manifest.get("replicas", 1))

    @property
    def node_count(self) -> int | None:
        """Pods of one replica, or None where the component is on one node."""
        multinode = self.manifest.get("multinode")
        return None if multinode is None else int(multinode.get("nodeCount", 2))

    @property
    def pod(self) -> Manifest:
        spec: Manifest = self.manifest["podTemplate"]["spec"]
        return spec

    @cached_property
    def main(self) -> Manifest:
        """The container that the operator merges its defaults into."""
        found: Manifest = next((c for c in self.pod["containers"] if c["name"] == _MAIN), {})
        return found

    @property
    def command(self) -> list[str]:
        return [*self.main.get("command", [])]

    @property
    def args(self) -> list[str]:
        return [*self.main.get("args", [])]

    @cached_property
    def flags(self) -> list[tuple[str, str | None]]:
        """Flags in their order, each with the item after it unless that is a flag itself."""
        pairs: list[tuple[str, str | None]] = []
        for item in self.args:
            if item.startswith("--"):
                pairs.append((item, None))
            elif pairs and pairs[-1][1] is None:
                pairs[-1] = (pairs[-1][0], item)
        return pairs

    def word(self, word: str) -> object:
        """What the component has for a word of its dialect: the value of a flag or of a key of its config file."""
        return self.flag(word) if word.startswith("--") else (self.config or {}).get(word)

    @property
    def readable(self) -> bool:
        """Whether the engine's words are all there: a config file may not be among the manifests."""
        return self.dialect is not UNKNOWN and (self.config is not None or not self.dialect.has_file)

    def path_of(self, word: str) -> tuple[str | int, ...]:
        """The setting that gives a word of its dialect another value."""
        inside = ("args", "set", word) if word.startswith("--") else ("engineConfig", word)
        return ("roles", self.name, *inside)

    def flag(self, name: str, default: str | None = None) -> str | None:
        """The value of a flag; the last one counts."""
        return next((value for flag, value in reversed(self.flags) if flag == name), default)

    @cached_property
    def env(self) -> dict[str, str | None]:
        return {entry["name"]: entry.get("value") for entry in self.main.get("env", [])}

    def quantities(self, kind: str) -> dict[str, str]:
        """`requests` or `limits` of the main container."""
        return dict(self.main.get("resources", {}).get(kind, {}))


@dataclass(frozen=True)
class View:
    """All manifests of one deployment, or some of them."""

    manifests: Sequence[Manifest]

    def of_kind(self, kind: str) -> list[Manifest]:
        return [manifest for manifest in self.manifests if manifest["kind"] == kind]

    @cached_property
    def graph(self) -> Manifest | None:
        return next(iter(self.of_kind("DynamoGraphDeployment")), None)

    @property
    def graph_name(self) -> str:
        return str(self.graph["metadata"]["name"]) if self.graph else ""

    @cached_property
    def components(self) -> list[Component]:
        if self.graph is None:
            return []
        spec = self.graph["spec"]
        dialect = DIALECTS.get(str(spec.get("backendFramework", "")), UNKNOWN)
        return [Component(c, dialect, self._config(c, dialect)) for c in spec["components"]]

    @property
    def workers(self) -> list[Component]:
        return [component for component in self.components if not component.is_frontend]

    @property
    def frontends(self) -> list[Component]:
        return [component for component in self.components if component.is_frontend]

    @property
    def facts(self) -> ModelFacts:
        return load_catalog().facts

    @cached_property
    def target(self) -> Target | None:
        """The published target of the graph's name, if it is one's."""
        return next((t for t in load_catalog().targets if t.dgd_name == self.graph_name), None)

    def published(self, component: Component) -> Role | None:
        """The published role of a worker."""
        workers = self.target.workers if self.target else ()
        return next((role for role in workers if role.name == component.name), None)

    def _config(
        self, component: Manifest, dialect: Dialect
    ) -> Mapping[str, Any] | None:  # Any: see Component.config
        if not dialect.has_file:
            return None
        file = (Component(component, dialect, None).flag("--config") or "").rpartition("/")[2]
        texts = {name: text for m in self.of_kind("ConfigMap") for name, text in m.get("data", {}).items()}
        return read_engine_config(texts[file], file) if file in texts else None
