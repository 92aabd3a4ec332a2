"""How far a stack is from its published target, as a table for people and as JSON."""

import json

from rich.table import Table

from manifests.deviations import Deviation


def deviations_table(found: list[Deviation]) -> Table:
    """One row a changed field: where it is, which, what is published, what the stack has."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("Where", "Field", "Published", "Stack"):
        table.add_column(title, overflow="fold")
    for deviation in found:
        table.add_row(
            ", ".join(deviation.where), deviation.what, _cell(deviation.published), _cell(deviation.now)
        )
    return table


def deviations_json(target: str, found: list[Deviation]) -> str:
    rows = [deviation._asdict() for deviation in found]
    return json.dumps({"target": target, "deviations": rows}, indent=2)


def _cell(text: str | None) -> str:
    return "-" if text is None else text
