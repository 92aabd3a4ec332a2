"""Preflight of a stack on a cluster in memory: needs, facts and checks, without commands and sockets."""

from typing import Any

from operations.preflight.checks import results
from operations.preflight.derive import needs_of
from operations.preflight.reader import Reader
from operations.preflight.verdict import Result, Verdict
from tests.unit.manifests.rendered import settings_of
from tests.unit.operations.preflight.clusters import FakeCluster

Problem = tuple[str, str, str]
"""Check, verdict, what was found."""


def looked_at(
    target: str,
    cluster: FakeCluster,
    former: str | None = None,
    **groups: dict[str, Any],  # Any: settings hold values of several kinds
) -> list[Result]:
    needs = needs_of(settings_of(target, **groups), "prod", former)
    reader = Reader(cluster, needs)
    return results(needs, reader.facts(reader.version()))


def problems(
    target: str,
    cluster: FakeCluster,
    former: str | None = None,
    **groups: dict[str, Any],  # Any: as above
) -> list[Problem]:
    """Everything that is not PASS."""
    found = looked_at(target, cluster, former, **groups)
    return [(each.name, str(each.verdict), each.found) for each in found if each.verdict is not Verdict.PASS]
