"""What the commands need to know of a stack file: that it exists, its mode, and how its secrets are kept."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any  # whatever a person wrote; the settings model judges it

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from settings.stack_file import stack_names
from tools.errors import ToolsError

NAMESPACE = "kimi-k3"


@dataclass(frozen=True)
class StackFile:
    """A stack and its file. `stack` is the name as given, with an organisation if the user gave one."""

    stack: str
    path: Path
    content: Mapping[str, Any]  # Any: whatever a person wrote; the settings model judges it, not this

    @property
    def renders(self) -> bool:
        """Whether the stack writes files instead of touching a cluster."""
        config = self.content.get("config")
        return isinstance(config, Mapping) and f"{NAMESPACE}:render" in config

    @property
    def context(self) -> str | None:
        """The kubeconfig context of a cluster stack."""
        config = self.content.get("config")
        cluster = config.get(f"{NAMESPACE}:cluster") if isinstance(config, Mapping) else None
        given = cluster.get("context") if isinstance(cluster, Mapping) else None
        return str(given) if given else None

    @property
    def secrets_provider(self) -> str | None:
        given = self.content.get("secretsprovider")
        return str(given) if given else None


def find_stack(root: Path, stack: str) -> StackFile:
    """The stack's file, or a refusal that lists the stacks there are."""
    name = stack.rsplit("/", 1)[-1]  # org/project/stack is a backend's name for Pulumi.<stack>.yaml
    names = stack_names(root)
    if name not in names:
        raise ToolsError(_unknown(stack, name, names))
    path = root / f"Pulumi.{name}.yaml"
    return StackFile(stack, path, read_mapping(path))


def read_mapping(path: Path) -> dict[str, Any]:
    """The YAML mapping in a file, by the rules of YAML 1.2."""
    try:
        content = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except (YAMLError, UnicodeDecodeError) as error:
        raise ToolsError(f"{path.name} is not YAML: {error}\nCorrect the file and try again.") from error
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ToolsError(
            f"{path.name} holds a {type(content).__name__}; a mapping with `config:` is expected."
        )
    return content


def _unknown(stack: str, name: str, names: list[str]) -> str:
    if not names:
        return f"No stack {stack!r}: there is no stack file (Pulumi.<stack>.yaml) here."
    near = difflib.get_close_matches(name, names, n=1)
    hint = f" Did you mean STACK={near[0]}?" if near else ""
    listed = "\n".join(f"  {known}" for known in names)
    return (
        f"No stack {stack!r}: there is no Pulumi.{name}.yaml.{hint}\n"
        f"Stacks here:\n{listed}\n"
        f"Choose one with STACK=<name>, or write Pulumi.{name}.yaml first (copy the nearest one)."
    )
