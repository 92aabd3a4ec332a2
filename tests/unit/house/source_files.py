"""The project's own files, as the tests of the house see them: nothing that make, git or a tool has put there."""

import ast
import os
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
_NOT_OURS = {".git", ".venv", "rendered", "runs", "node_modules", "__pycache__"}
_HIDDEN = {".ci", ".github"}  # hidden folders that are ours
_LAYERS = ("recipes", "settings", "manifests", "components", "stacks", "operations", "policies")


def _is_ours(folder: str) -> bool:
    return folder not in _NOT_OURS and (not folder.startswith(".") or folder in _HIDDEN)


@cache
def _all_files() -> list[Path]:
    found: list[Path] = []
    for folder, inner, names in os.walk(ROOT):
        inner[:] = [name for name in inner if _is_ours(name)]  # os.walk goes into what is left
        found += [Path(folder) / name for name in names]
    return sorted(found)


def files(pattern: str) -> list[Path]:
    """Files of the project whose name fits, without caches and what is installed."""
    return [path for path in _all_files() if path.match(pattern)]


def modules() -> list[Path]:
    """All Python of the project, tests too."""
    return files("*.py")


def program() -> list[Path]:
    """The Python of the program itself: the layers and __main__.py, neither tools nor tests."""
    return [path for path in modules() if layer(path) in (*_LAYERS, "__main__")]


def layer(path: Path) -> str:
    """The first part of a module's name: its package, or `__main__`."""
    return path.relative_to(ROOT).with_suffix("").parts[0]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=name(path))


@cache
def imports(path: Path) -> set[str]:
    """First parts of all modules that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found
