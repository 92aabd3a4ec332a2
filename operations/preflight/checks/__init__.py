"""Checks: each compares needs with facts. None of them reads the cluster itself."""

from collections.abc import Callable, Iterator

from operations.preflight.checks.dynamo import operator, orchestrator, queue, served_kinds
from operations.preflight.checks.leftovers import (
    automatic_domains,
    claim_template,
    deletions,
    download_job,
    second_deployment,
)
from operations.preflight.checks.limit_ranges import limit_ranges
from operations.preflight.checks.namespace import namespace, pod_security
from operations.preflight.checks.nodes import gpu_nodes, other_pods
from operations.preflight.checks.quotas import quotas
from operations.preflight.checks.rights import rights
from operations.preflight.checks.secrets import priority_classes, pull_secrets, token
from operations.preflight.checks.server import device_class, resource_api, server_version
from operations.preflight.checks.storage import cache
from operations.preflight.facts import Facts
from operations.preflight.needs import Needs
from operations.preflight.verdict import Result

CheckOf = Callable[[Needs, Facts], Iterator[Result]]

OF_THE_TARGET: tuple[CheckOf, ...] = (
    server_version,
    served_kinds,
    orchestrator,
    operator,
    resource_api,
    device_class,
    automatic_domains,
    gpu_nodes,
)
"""What depends on the target and the cluster alone."""

ALL: tuple[CheckOf, ...] = (
    *OF_THE_TARGET,
    other_pods,
    second_deployment,
    queue,
    namespace,
    pod_security,
    quotas,
    limit_ranges,
    priority_classes,
    token,
    pull_secrets,
    cache,
    rights,
    deletions,
    claim_template,
    download_job,
)


def results(needs: Needs, facts: Facts, checks: tuple[CheckOf, ...] = ALL) -> list[Result]:
    """Every check's word, in the order of the groups."""
    return [result for check in checks for result in check(needs, facts)]
