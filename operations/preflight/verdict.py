"""What a check says: PASS, WARN or FAIL, with what was found, what is needed and what to do."""

from dataclasses import dataclass
from enum import StrEnum

from operations.cluster import Unreadable


class Verdict(StrEnum):
    PASS = "PASS"  # noqa: S105 - a verdict, not a secret
    WARN = "WARN"
    FAIL = "FAIL"


@dataclass(frozen=True)
class Result:
    """One check of one group; `needed` and `remedy` are empty where there is nothing to do."""

    group: str
    name: str
    verdict: Verdict
    found: str
    needed: str = ""
    remedy: str = ""


@dataclass(frozen=True)
class Check:
    """Makes the results of one check."""

    group: str
    name: str

    def passes(self, found: str) -> Result:
        return Result(self.group, self.name, Verdict.PASS, found)

    def warns(self, found: str, needed: str, remedy: str) -> Result:
        return Result(self.group, self.name, Verdict.WARN, found, needed, remedy)

    def fails(self, found: str, needed: str, remedy: str) -> Result:
        return Result(self.group, self.name, Verdict.FAIL, found, needed, remedy)

    def unread(self, what: str, why: Unreadable, needed: str) -> Result:
        """What could not be read is unknown, and never a failure."""
        remedy = f"Look at it yourself, or ask for the right to read {what}"
        return self.warns(f"could not be read: {why.reason}", needed, remedy)


def listed(names: object, shown: int = 5) -> str:
    """`a, b and 3 more`."""
    found = sorted(map(str, names))  # type: ignore[call-overload] # any iterable
    more = f" and {len(found) - shown} more" if len(found) > shown else ""
    return ", ".join(found[:shown]) + more
