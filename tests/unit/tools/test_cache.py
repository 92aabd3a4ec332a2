"""An entry of the tool cache is there as a whole or not at all, and is made once."""

import threading
from pathlib import Path

import pytest

from tools.cache import Cache, cache_folder, digest
from tools.errors import ToolsError


def fill(folder: Path) -> None:
    (folder / "binary").write_text("made")


def test_the_cache_is_where_the_user_says_else_in_the_users_cache_folder() -> None:
    everything = {"KIMI_K3_CACHE": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}
    assert cache_folder(everything) == Path("/a")
    assert cache_folder({"XDG_CACHE_HOME": "/b", "HOME": "/c"}) == Path("/b/kimi-k3")
    assert cache_folder({"HOME": "/c"}) == Path("/c/.cache/kimi-k3")


def test_a_digest_tells_apart_where_one_part_ends() -> None:
    assert digest(["ab", "c"]) != digest(["a", "bc"])


def test_an_entry_is_made_once_and_found_afterwards(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    assert cache.find("key") is None
    made = cache.make("key", "Tool", fill)
    again = cache.make("key", "Tool", lambda _: pytest.fail("must not be made twice"))
    assert made == again == cache.find("key")
    assert (made / "binary").read_text() == "made"


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit, ToolsError])
def test_an_interrupted_build_leaves_nothing_and_the_next_one_starts_anew(
    tmp_path: Path, interruption: type[BaseException]
) -> None:
    cache = Cache(tmp_path)

    def interrupted(folder: Path) -> None:
        (folder / "half").write_text("made")
        raise interruption

    with pytest.raises(interruption):
        cache.make("key", "Tool", interrupted)
    assert [path.name for path in tmp_path.iterdir()] == ["key.lock"], "a half-made entry must not stay"
    assert (cache.make("key", "Tool", fill) / "binary").exists()


@pytest.mark.parametrize("key", ["key", "other"])
def test_the_folder_of_a_builder_that_was_killed_is_removed_at_the_next_use(tmp_path: Path, key: str) -> None:
    cache = Cache(tmp_path)
    cache.make("key", "Tool", fill)
    dead = tmp_path / f"{key}.partial-1"
    dead.mkdir()
    (dead / "half").write_text("made")
    cache.make("key", "Tool", fill)
    assert not dead.exists()


def test_two_builds_at_once_build_once_and_the_second_says_that_it_waits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    building, second_waits = threading.Event(), threading.Event()
    fills: list[Path] = []

    def slow(folder: Path) -> None:
        building.set()
        assert second_waits.wait(60)
        fills.append(folder)

    first = threading.Thread(target=lambda: Cache(tmp_path).make("key", "Pulumi CLI", slow))
    first.start()
    assert building.wait(60)

    def pause(_seconds: float) -> None:
        second_waits.set()
        first.join(5)

    entry = Cache(tmp_path, pause).make("key", "Pulumi CLI", lambda _: pytest.fail("built twice"))
    assert entry == tmp_path / "key"
    assert len(fills) == 1, "the folder of a builder at work must not be removed, nor its work be done again"
    assert "Pulumi CLI: being made by another process; waiting for it." in capsys.readouterr().err


def test_a_cache_folder_that_cannot_be_made_is_refused_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ToolsError) as refusal:
        Cache(tmp_path / "file" / "cache").make("key", "Tool", fill)
    assert str(refusal.value) == (
        f"The cache folder {tmp_path}/file/cache cannot be made: Not a directory.\n"
        "Set KIMI_K3_CACHE to a folder that can be written."
    )
