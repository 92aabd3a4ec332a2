"""The process that tests run in."""

import signal


def pytest_configure() -> None:
    """A shell has its background jobs ignore interrupts, and the programs that tests start would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
