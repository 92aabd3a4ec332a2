"""A rule, and what it finds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from manifests.rules.view import View
from settings.paths import path_text, set_command


class Finding(NamedTuple):
    """`given`, `accepted` and `step` are sentences without their full stop.

    `path` leads to the setting that mends it, by a command after the step; without one the step says it all.
    """

    given: str
    accepted: str
    path: Sequence[str | int] = ()
    value: str = ""
    step: str = "Change it"

    def text(self, stack: str = "") -> str:
        """The refusal: what was given, what is accepted, what to do next.

        Without a stack, in somebody else's program, the step names the setting in place of the command that sets it.
        """
        return f"{self.given}.\nAccepted: {self.accepted}.\n{self.step}{self._where(stack)}"

    def _where(self, stack: str) -> str:
        if not self.path:
            return "."
        if stack:
            return f": {set_command(stack, self.path, self.value)}"
        return f": {path_text(self.path)}{f' = {self.value}' if self.value else ''}"


Check = Callable[[View], Iterator[Finding]]


@dataclass(frozen=True)
class Rule:
    """`name` is how a policy and its exceptions call it; `source` says who would refuse, and where that is written."""

    name: str
    source: str
    check: Check


def rule(name: str, source: str) -> Callable[[Check], Rule]:
    """Makes a rule of a check."""
    return lambda check: Rule(name, source, check)


def of_role(component: str, *inside: str | int) -> str:
    """A setting of one component, as a sentence names it."""
    return f"kimi-k3:{path_text(role_path(component, *inside))}"


def role_path(component: str, *inside: str | int) -> tuple[str | int, ...]:
    """The path of a setting of one component."""
    return ("roles", component, *inside)
