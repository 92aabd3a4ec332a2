"""The published targets side by side, as wide as the terminal allows."""

from dataclasses import dataclass
from typing import Any

from rich.table import Table

from recipes import Catalog, Target
from recipes.schema import Combination

_FRAMEWORKS = {"vllm": "vLLM", "sglang": "SGLang"}


@dataclass(frozen=True)
class _Column:
    """`key` in the JSON, `title` on the screen; `narrow` ones show at 80 characters too, `long` ones may wrap."""

    key: str
    title: str
    narrow: bool = False
    number: bool = False
    long: bool = False


_COLUMNS = (
    _Column("framework", "Framework", narrow=True),
    _Column("gpu", "GPU", narrow=True),
    _Column("topology", "Topology", narrow=True),
    _Column("replicas", "Replicas"),
    _Column("gpus", "GPUs", narrow=True, number=True),
    _Column("nodes", "Nodes", narrow=True, number=True),
    _Column("parallelism", "Parallelism", long=True),
    _Column("precision", "Precision", long=True),
    _Column("routing", "Routing", narrow=True),
    _Column("speculativeDecoding", "Draft", narrow=True),
    _Column("contextLength", "Context"),
    _Column("concurrency", "Conc.", number=True),
    _Column("outputTokensPerSecondPerGpu", "tok/s/GPU", narrow=True, number=True),
    _Column("userTokensPerSecondP50", "tok/s/user", number=True),
    _Column("ttftP50Milliseconds", "TTFT ms", number=True),
)
_ALL_COLUMNS_FIT = 150


def target_rows(catalog: Catalog) -> dict[str, Any]:  # Any: JSON
    """Targets with all columns, and the combinations without a recipe."""
    return {
        "targets": [_row(catalog, target) for target in catalog.targets],
        "unavailable": [item.model_dump(mode="json") for item in catalog.facts.unavailable],
    }


def targets_table(catalog: Catalog, width: int | None) -> Table:
    """A table for a terminal of `width` characters; without one (a file, a pipe) plain and with every column."""
    wide = width is None or width >= _ALL_COLUMNS_FIT
    columns = [column for column in _COLUMNS if wide or column.narrow]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(
            column.title, justify="right" if column.number else "left", no_wrap=not (width and column.long)
        )
    for target in catalog.targets:
        row = _row(catalog, target) | _in_words(target)
        table.add_row(*(_cell(row[column.key]) for column in columns))
    return table


def unavailable_lines(catalog: Catalog) -> list[str]:
    """The combinations without a recipe, for below the table."""
    combinations = [" ".join(_in_words(combination).values()) for combination in catalog.facts.unavailable]
    return ["No recipe is published for:", *(f"  {combination}" for combination in combinations)]


def _row(catalog: Catalog, target: Target) -> dict[str, Any]:  # Any: JSON
    result, published = catalog.result(target), target.published
    return {
        "name": target.name,
        "framework": str(target.framework),
        "gpu": str(target.gpu),
        "topology": str(target.topology),
        "gpus": target.gpus,
        "nodes": target.nodes,
        **published.model_dump(by_alias=True, exclude={"gpus"}),
        **result.model_dump(by_alias=True, exclude={"target"}),
    }


def _in_words(chosen: Target | Combination) -> dict[str, str]:
    """Framework and GPU as the page spells them, the topology as the settings do."""
    return {
        "framework": _FRAMEWORKS[chosen.framework],
        "gpu": chosen.gpu.upper(),
        "topology": str(chosen.topology),
    }


def _cell(value: object) -> str:
    return "none" if value is None else str(value)
