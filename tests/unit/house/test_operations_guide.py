"""The operations guide: every section is a procedure that a test runs, and the marker under its heading names it."""

import ast
import re

import pytest

from tests.cluster.change_table import ROWS
from tests.unit.house.source_files import ROOT

GUIDE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## ", GUIDE, flags=re.MULTILINE)[1:]
_MARKER = re.compile(r"^<!-- test: (\S+?)(?:::(\w+))? -->$")


def test_every_section_names_a_test_that_is_there() -> None:
    wrong = []
    for section in SECTIONS:
        heading, marker = section.splitlines()[:2]
        named = _MARKER.match(marker)
        if not named or not _is_there(named.group(1), named.group(2)):
            wrong.append(f"{heading}: {marker}")
    assert wrong == []


def _is_there(path: str, name: str | None) -> bool:
    file = ROOT / path
    if not file.is_file():
        return False
    functions = [node.name for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef)]
    return name in functions if name else any(found.startswith("test_") for found in functions)


@pytest.mark.parametrize("document", ["README.md", "docs/operations.md"])
def test_every_make_command_of_a_document_is_a_target(document: str) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    commands = re.findall(
        r"(?:`|^|\(|-s )make (?:-s )?([a-z][\w-]*)", (ROOT / document).read_text(), re.MULTILINE
    )
    assert commands
    assert set(commands) - targets == set(), "a person who follows the text must not be told 'No rule'"


def test_every_setting_is_in_the_table_of_changes() -> None:
    (table,) = [section for section in SECTIONS if section.startswith("Change a setting\n")]
    named = set(re.findall(r"`([\w.<>]+)`", table))
    settings = {row.setting for row in ROWS} - {"render.directory"}
    assert settings - named == set()
    assert "`cluster` to `render`" in table
