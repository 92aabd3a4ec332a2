"""Nothing must be scrolled: files, functions and nesting stay small. Data files are not counted."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.unit.house.source_files import modules, name, tree

FILE, FUNCTION, CONSTRUCTOR, NESTING = 300, 40, 50, 3

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _functions(path: Path) -> Iterator[_Function]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _length(node: _Function) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _depth(node: ast.AST, depth: int = 0) -> int:
    """The deepest block below `node`; an `elif` is as deep as its `if`, and a scope starts anew."""
    deepest = depth
    for child in ast.iter_child_nodes(node):
        inner = 0 if isinstance(child, _SCOPES) else depth
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        if isinstance(child, _BLOCKS) and not is_elif:
            inner += 1
        deepest = max(deepest, _depth(child, inner))
    return deepest


def test_a_file_fits_into_a_readers_head() -> None:
    lines = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert not {path: count for path, count in lines.items() if count > FILE}


def test_a_function_fits_on_a_screen() -> None:
    lengths = {
        f"{name(path)}:{node.lineno} {node.name}": _length(node)
        for path in modules()
        for node in _functions(path)
        if _length(node) > (CONSTRUCTOR if node.name == "__init__" else FUNCTION)
    }
    assert not lengths


def test_blocks_are_at_most_three_deep() -> None:
    depths = {name(path): _depth(tree(path)) for path in modules()}
    assert not {path: depth for path, depth in depths.items() if depth > NESTING}


def test_depth_is_counted_as_a_reader_counts_it() -> None:
    text = "def f():\n if a:\n  pass\n elif b:\n  for c in d:\n   with e:\n    def g():\n     if h:\n      pass\n"
    assert _depth(ast.parse(text)) == 3
