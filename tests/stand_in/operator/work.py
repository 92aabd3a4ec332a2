"""Keys that wait for work: each once, none by two workers at a time, those that failed later and later."""

import threading
import time
from typing import NamedTuple

COALESCE_SECONDS = 0.03  # events come in bursts, thirteen pods at once
_FIRST_BACKOFF_SECONDS = 0.1
_LAST_BACKOFF_SECONDS = 3.0


class Key(NamedTuple):
    kind: str
    namespace: str
    name: str


class Work:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: dict[Key, float] = {}
        self._busy: set[Key] = set()
        self._failures: dict[Key, int] = {}
        self._closed = False

    def add(self, key: Key, delay: float = COALESCE_SECONDS) -> None:
        due = time.monotonic() + delay
        with self._changed:
            self._due[key] = min(due, self._due.get(key, due))
            self._changed.notify()

    def take(self) -> Key | None:
        """The next key that is due, None once closed. The caller ends it with `done` or `failed`."""
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                due, key = min(
                    ((due, key) for key, due in self._due.items() if key not in self._busy),
                    default=(0.0, None),
                )
                if key and due <= now:
                    del self._due[key]
                    self._busy.add(key)
                    return key
                self._changed.wait(due - now if key else None)
            return None

    def done(self, key: Key) -> None:
        with self._changed:
            self._failures.pop(key, None)
            self._end(key)

    def failed(self, key: Key) -> None:
        with self._changed:
            failures = self._failures.get(key, 0)
            self._failures[key] = failures + 1
            self._end(key)
        self.add(key, min(_FIRST_BACKOFF_SECONDS * 2**failures, _LAST_BACKOFF_SECONDS))

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _end(self, key: Key) -> None:
        self._busy.discard(key)
        self._changed.notify()
