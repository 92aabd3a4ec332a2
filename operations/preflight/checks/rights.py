"""What the caller may do, as the API server itself says it."""

from collections.abc import Iterator

from operations.cluster import Unreadable
from operations.preflight.facts import Facts
from operations.preflight.needs import Needs, Right, RightNeed
from operations.preflight.verdict import Check, Result


def rights(needs: Needs, facts: Facts) -> Iterator[Result]:
    """One result a kind: all of its verbs together."""
    by_kind: dict[tuple[str, str, str], list[RightNeed]] = {}
    for need in needs.rights:
        by_kind.setdefault((need.right.group, need.right.resource, need.right.namespace), []).append(need)
    for wanted in by_kind.values():
        yield _of_a_kind(wanted, facts)


def _of_a_kind(wanted: list[RightNeed], facts: Facts) -> Result:
    first = wanted[0].right
    check = Check("Rights", _kind(first))
    found = {need.right.verb: facts.rights[need.right] for need in wanted}
    needed = f"{', '.join(found)} {_place(first)}: {wanted[0].reason}"
    denied = [verb for verb, allowed in found.items() if allowed is False]
    unread = [allowed for allowed in found.values() if isinstance(allowed, Unreadable)]
    if denied:
        remedy = f"Ask for {', '.join(denied)} on {_kind(first)} {_place(first)}"
        return check.fails(f"you may not {', '.join(denied)}", needed, remedy)
    if unread:
        return check.unread("selfsubjectaccessreviews", unread[0], needed)
    return check.passes(", ".join(found))


def _kind(right: Right) -> str:
    return f"{right.resource}.{right.group}" if right.group else right.resource


def _place(right: Right) -> str:
    return f"in namespace {right.namespace}" if right.namespace else "in the cluster"
