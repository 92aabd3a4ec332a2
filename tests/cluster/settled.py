"""A deployed stack that tests borrow: whoever leaves it other than it was keeps it."""

from collections.abc import Callable

from tests.cluster.stack import ClusterStack


class SettledStack:
    def __init__(self, make: Callable[..., ClusterStack]) -> None:
        self._make = make
        self._free: ClusterStack | None = None

    def borrow(self) -> ClusterStack:
        """The stack with the defaults; a new one if the last test has failed and not given it back."""
        stack, self._free = self._free, None
        if stack is None:
            stack = self._make()
            stack.up()
        return stack

    def give_back(self, stack: ClusterStack) -> None:
        self._free = stack
