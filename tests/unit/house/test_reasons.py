"""Where types are given up, the reason stands beside it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.unit.house.source_files import modules, name, tree

# `# type: ignore[code] # reason` or `# type: ignore[code]  # reason`
_IGNORE = re.compile(r"#\s*type:\s*ignore")
_IGNORE_WITH_REASON = re.compile(r"#\s*type:\s*ignore\[[a-z, -]+\]\s*(#|-|\()\s*\w.{8,}")
_COMMENT = re.compile(r"#\s*\S.{4,}")


def _lines_of_any(module: ast.Module) -> Iterator[tuple[int, int]]:
    """First and last line of what each `Any` belongs to: a signature, or a statement without its body."""
    for statement in ast.walk(module):
        if not isinstance(statement, ast.stmt) or isinstance(statement, ast.ClassDef | ast.ImportFrom):
            continue
        body = getattr(statement, "body", None)
        last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
        for part in ast.walk(statement):
            if isinstance(part, ast.Name) and part.id == "Any" and statement.lineno <= part.lineno <= last:
                yield statement.lineno, last


def _import_has_reason(module: ast.Module, lines: list[str]) -> bool:
    return any(
        _COMMENT.search(lines[node.lineno - 1])
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and "Any" in [alias.name for alias in node.names]
    )


def _any_without_reason(path: Path) -> Iterator[str]:
    module, lines = tree(path), path.read_text(encoding="utf-8").splitlines()
    if _import_has_reason(module, lines):
        return
    for first, last in sorted(set(_lines_of_any(module))):
        if not any(_COMMENT.search(line) for line in lines[max(first - 2, 0) : max(last, first)]):
            yield f"{name(path)}:{first}"


def test_any_has_a_reason_on_its_lines_above_them_or_at_its_import() -> None:
    assert [place for path in modules() for place in _any_without_reason(path)] == []


def test_an_ignored_type_error_has_its_code_and_a_reason() -> None:
    places = [
        f"{name(path)}:{number}"
        for path in modules()
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if _IGNORE.search(line) and not _IGNORE_WITH_REASON.search(line)
    ]
    assert places == []


def test_an_any_without_a_reason_is_found() -> None:
    found = list(_lines_of_any(ast.parse("def f(\n    a: Any,\n) -> None:\n    b: Any = a\n")))
    assert found == [(1, 3), (4, 4)]
