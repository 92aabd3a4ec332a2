"""A config key as `pulumi config set --path` reads it: kimi-k3:modelCache.size, a.b[0], a["x.y"]."""

from dataclasses import dataclass

from recipes import Refusal
from settings import paths
from tools.errors import ToolsError
from tools.stack_file import NAMESPACE

Step = str | int
EXAMPLE = "modelCache.storageClassName"


@dataclass(frozen=True)
class ConfigPath:
    """The top-level config key, such as kimi-k3:modelCache, and the steps below it."""

    key: str
    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        """The top-level key without the project's namespace."""
        return self.key.removeprefix(f"{NAMESPACE}:")


def parse_path(text: str) -> ConfigPath:
    namespace, colon, rest = text.partition(":")
    if not colon or "." in namespace or "[" in namespace:
        namespace, rest = NAMESPACE, text
    try:
        first, *further = paths.parse_path(rest)
    except Refusal:
        raise _unreadable(text) from None
    if not namespace:
        raise _unreadable(text)
    return ConfigPath(f"{namespace}:{first}", tuple(further))


def _unreadable(text: str) -> ToolsError:
    return ToolsError(
        f"KEY={text!r} cannot be read as a path. Accepted: names joined by dots, [0] for a list, "
        f'["a.b"] for a name with a dot, with or without `{NAMESPACE}:` before it.\n'
        f"For example: KEY={EXAMPLE}"
    )
