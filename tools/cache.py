"""The per-user cache of built and downloaded tools.

An entry is a folder named after a digest of everything it is made from: never out of date, never edited.
It is made in a sibling folder under a lock and renamed at the end: it is there as a whole or not at all.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO

from tools.errors import ToolsError, say
from tools.progress import Progress

LOCK_POLL_SECONDS = 1.0


def cache_folder(environ: Mapping[str, str]) -> Path:
    """KIMI_K3_CACHE, else kimi-k3 in the user's cache folder."""
    if chosen := environ.get("KIMI_K3_CACHE"):
        return Path(chosen).expanduser().absolute()
    if base := environ.get("XDG_CACHE_HOME"):
        return Path(base).absolute() / "kimi-k3"
    return Path(environ.get("HOME") or Path.home()) / ".cache" / "kimi-k3"


def digest(parts: Iterable[str | bytes]) -> str:
    """Sixteen characters that change with any of the parts and with where one part ends."""
    total = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        total.update(f"{len(content)}:".encode() + content)
    return total.hexdigest()[:16]


class Cache:
    def __init__(self, folder: Path, pause: Callable[[float], None] = time.sleep) -> None:
        self.folder = folder
        self._pause = pause

    def find(self, key: str) -> Path | None:
        entry = self.folder / key
        return entry if entry.is_dir() else None

    def make(self, key: str, title: str, fill: Callable[[Path], None]) -> Path:
        """The entry, filled by `fill` if it is not there; a second caller waits for the first and says so."""
        self._sweep()
        if found := self.find(key):
            return found
        self._create()
        with self._locked(key, title):
            return self.find(key) or self._fill(key, fill)

    def _fill(self, key: str, fill: Callable[[Path], None]) -> Path:
        self._remove_partials(key)
        partial = self.folder / f"{key}.partial-{os.getpid()}"
        partial.mkdir()
        try:
            fill(partial)
            return partial.rename(self.folder / key)
        finally:
            shutil.rmtree(partial, ignore_errors=True)

    def _sweep(self) -> None:
        """Removes what killed builders have left; what is being made is locked, and left alone."""
        for key in {path.name.split(".partial-")[0] for path in self.folder.glob("*.partial-*")}:
            with (self.folder / f"{key}.lock").open("w") as handle:
                if _try_lock(handle):
                    self._remove_partials(key)

    def _remove_partials(self, key: str) -> None:
        """For who holds the lock: then the maker of each of them is dead."""
        for dead in self.folder.glob(f"{key}.partial-*"):
            shutil.rmtree(dead, ignore_errors=True)

    def _create(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ToolsError(
                f"The cache folder {self.folder} cannot be made: {error.strerror}.\n"
                "Set KIMI_K3_CACHE to a folder that can be written."
            ) from error

    @contextlib.contextmanager
    def _locked(self, key: str, title: str) -> Iterator[None]:
        with (self.folder / f"{key}.lock").open("w") as handle:
            self._wait_for(handle, title)
            yield

    def _wait_for(self, handle: IO[str], title: str) -> None:
        if _try_lock(handle):
            return
        say(f"{title}: being made by another process; waiting for it.")
        progress = Progress(f"{title} (other process)")
        while not _try_lock(handle):
            self._pause(LOCK_POLL_SECONDS)
            progress.tick()


def _try_lock(handle: IO[str]) -> bool:
    # The lock belongs to the open file: it ends with the process, however the process ends.
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
