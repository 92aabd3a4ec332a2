"""The process that tests run in."""

import signal

import pytest

# Rows of tables that assert for themselves: without this a failure would show no values.
pytest.register_assert_rewrite("tests.cluster.preflight_defects", "tests.unit.operations.preflight.cases")


def pytest_configure() -> None:
    """A shell has its background jobs ignore interrupts, and the programs that tests start would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
