"""Arrows point one way: recipes <- settings <- manifests <- components <- stacks <- __main__; operations uses three."""

import ast
from pathlib import Path

import pytest

from tests.unit.house.source_files import imports, layer, modules, name, program, tree

MAY_USE = {
    "recipes": set(),
    "settings": {"recipes"},
    "manifests": {"recipes", "settings"},
    "components": {"recipes", "settings", "manifests"},
    "stacks": {"recipes", "settings", "manifests", "components"},
    "operations": {"recipes", "settings", "manifests", "policies"},
    "policies": {"recipes", "settings", "manifests"},
    "__main__": {"recipes", "settings", "stacks"},
}
PACKAGES = {*MAY_USE, "tools", "tests"}
WITHOUT_PULUMI = {"recipes", "settings", "manifests", "operations"}

# Each with the one place that may do it.
READS_ENVIRONMENT = {"stacks/provider.py"}
READS_PULUMI_CONFIG = {"stacks/config.py"}

_WORDS = ("vllm", "sglang", "h200", "gb200", "gb300", "agg", "disagg")
_ENUMS = {"Framework", "Gpu", "Topology"}


@pytest.mark.parametrize("package", MAY_USE)
def test_a_layer_uses_only_those_below_it(package: str) -> None:
    used = {name(path): imports(path) & PACKAGES - {package} for path in program() if layer(path) == package}
    assert not {path: found for path, found in used.items() if not found <= MAY_USE[package]}


@pytest.mark.parametrize("package", sorted(WITHOUT_PULUMI))
def test_a_layer_that_has_to_work_without_pulumi_does_not_import_it(package: str) -> None:
    paths = [path for path in program() if layer(path) == package]
    assert paths
    assert not [name(path) for path in paths if any(used.startswith("pulumi") for used in imports(path))]


def _takes(node: ast.AST, owner: str, attributes: set[str]) -> bool:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value.id == owner and node.attr in attributes
    imported = {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else set()
    return isinstance(node, ast.ImportFrom) and node.module == owner and bool(attributes & imported)


def _mentions(path: Path, owner: str, attributes: set[str]) -> bool:
    """Whether a module takes one of `attributes` from the module `owner`, as an attribute or by import."""
    return any(_takes(node, owner, attributes) for node in ast.walk(tree(path)))


def test_only_one_place_reads_the_environment() -> None:
    readers = {
        name(path) for path in program() if _mentions(path, "os", {"environ", "environb", "getenv", "putenv"})
    }
    assert readers == READS_ENVIRONMENT, "what a stack does must follow from its config alone"


def test_only_one_place_reads_pulumis_config() -> None:
    readers = {
        name(path)
        for path in program()
        if _mentions(path, "pulumi", {"Config"}) or _mentions(path, "pulumi.runtime", {"config"})
    }
    assert readers == READS_PULUMI_CONFIG, "a second reader would skip the checks of the first"


def test_nothing_but_tests_uses_tests() -> None:
    assert not [name(path) for path in modules() if layer(path) != "tests" and "tests" in imports(path)]


def _asked_in(module: ast.Module) -> set[str]:
    """Frameworks, GPUs and topologies that a module's comparisons and matches name, as members or as words."""
    found: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Compare | ast.MatchValue):
            parts = list(ast.walk(node))
            found |= {str(part.value) for part in parts if isinstance(part, ast.Constant)} & set(_WORDS)
            owners = [part.value for part in parts if isinstance(part, ast.Attribute)]
            found |= {owner.id for owner in owners if isinstance(owner, ast.Name)} & _ENUMS
    return found


@pytest.mark.parametrize("package", ["settings", "manifests", "components", "stacks", "__main__"])
def test_targets_are_data_no_code_asks_which_one_it_is(package: str) -> None:
    asking = {name(path): _asked_in(tree(path)) for path in program() if layer(path) == package}
    assert not {path: words for path, words in asking.items() if words}, (
        "what differs belongs into the target's file"
    )


@pytest.mark.parametrize(
    "code", ["if target.gpu == 'h200': pass", "x = f is Framework.VLLM", "match g:\n  case Gpu.H200: pass"]
)
def test_code_that_asks_for_a_target_is_found(code: str) -> None:
    assert _asked_in(ast.parse(code))


def test_the_program_itself_is_short_and_does_not_branch_on_the_target() -> None:
    (main,) = [path for path in program() if layer(path) == "__main__"]
    text = main.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    assert not [word for word in ("framework", "gpu", "topology", *_WORDS) if word in text.lower()]
