"""The repository works anywhere: no text of it names the machine on which it was written."""

import re
from pathlib import Path

from tests.unit.house.source_files import ROOT, files, name

_BINARY = {".png", ".jpg", ".gz", ".zip", ".pyc"}
TEXTS = [path for path in files("*") if path.suffix not in _BINARY]
# Somebody's own folder: a home, or this clone and the home of whoever runs the tests.
_HOMES = re.compile(r"(?<![\w.~])/(?:home|Users)/(?!me\b|you\b|user\b|somebody\b)[a-z]\w*")
_HERE = sorted({str(ROOT), str(Path.home())} - {"/"})


def _folders_named_in(text: str) -> list[str]:
    return [f for f in _HERE if re.search(rf"(?<![\w.~]){re.escape(f)}(?![\w-])", text)] + _HOMES.findall(
        text
    )


def test_no_text_names_a_folder_of_somebodys_machine() -> None:
    named = {name(path): _folders_named_in(path.read_text(encoding="utf-8")) for path in TEXTS}
    del named[name(Path(__file__))]
    assert not {path: folders for path, folders in named.items() if folders}, (
        "it is not there for anybody else"
    )


def test_texts_end_with_a_newline_and_have_no_trailing_spaces() -> None:
    texts = {name(path): path.read_text(encoding="utf-8") for path in TEXTS}
    assert not [path for path, text in texts.items() if text and not text.endswith("\n")]
    assert not [path for path, text in texts.items() if re.search(r"[ \t\r]$", text, re.MULTILINE)]


def test_a_named_folder_is_found() -> None:
    assert _folders_named_in(f"see {ROOT}/recipes") == [str(ROOT)]
    assert _folders_named_in("see /home/alice/kimi") == ["/home/alice"]
    assert _folders_named_in("for example /home/you/.kube/config") == []
