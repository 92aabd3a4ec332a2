"""Runs the test tiers one after the other; what a later tier needs is built while the first one runs."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tools.cluster import provide_cluster
from tools.errors import DONE, REFUSED, ToolsError, say
from tools.provide import provide
from tools.versions import ROOT


@dataclass(frozen=True)
class Tier:
    """A folder of tests. `options` are pytest-xdist's; `tools` is what must be provided before it runs."""

    name: str
    folder: str
    options: tuple[str, ...]
    tools: tuple[Callable[[Path, Mapping[str, str]], object], ...] = ()


TIERS = (
    Tier("unit", "tests/unit", ("-n", "auto")),
    # Two engines at once fill two cores; more would only make each of them slower.
    Tier("engine", "tests/engine", ("-n", "2"), (provide,)),
    # Each worker has a cluster of its own.
    Tier("cluster", "tests/cluster", ("-n", "2", "--dist", "worksteal"), (provide, provide_cluster)),
)


def run_tiers(names: list[str], root: Path = ROOT, environ: Mapping[str, str] = os.environ) -> int:
    """All tiers, or the named ones. None is skipped in silence: one that cannot run has failed."""
    chosen = [_tier(name) for name in names] or list(TIERS)
    with _building(root, any(tier.tools for tier in chosen) and len(chosen) > 1):
        results = {tier.name: _run_tier(tier, root, environ) for tier in chosen}
    for name, problem in results.items():
        say(f"Tier {name}: {problem or 'passed'}.")
    return REFUSED if any(results.values()) else DONE


def _tier(name: str) -> Tier:
    for tier in TIERS:
        if tier.name == name:
            return tier
    raise ToolsError(f"No test tier {name!r}. Tiers: {', '.join(tier.name for tier in TIERS)}.")


def _run_tier(tier: Tier, root: Path, environ: Mapping[str, str]) -> str | None:
    """What went wrong, or None."""
    variables = dict(environ)
    try:
        for tool in tier.tools:
            tool(root, environ)
    except ToolsError as error:
        return f"not run, so it counts as failed: {error}"
    say(f"Tier {tier.name}: pytest {tier.folder}")
    command = [sys.executable, "-m", "pytest", tier.folder, *tier.options]
    status = subprocess.run(command, cwd=root, env=variables, check=False).returncode
    return f"FAILED (pytest ended with {status})" if status else None


@contextmanager
def _building(root: Path, wanted: bool) -> Iterator[None]:
    """Provides the tools in the background. A tier that needs them waits for it, and shows its own errors."""
    if not wanted:
        yield
        return
    builder = subprocess.Popen(
        ["nice", sys.executable, "-m", "tools", "provide"],  # the tests that run meanwhile come first
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )
    try:
        yield
    finally:
        if builder.poll() is None:
            with suppress(ProcessLookupError):
                builder.send_signal(signal.SIGTERM)
            builder.wait()
