"""Results for people: grouped, what is wrong last, so that it is seen; and for machines as JSON."""

import json
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from operations.preflight.all_targets import Answer
from operations.preflight.run import NOT_CHECKED, Outcome
from operations.preflight.verdict import Result, Verdict

_STYLES = {Verdict.PASS: "green", Verdict.WARN: "yellow", Verdict.FAIL: "bold red"}
_GROUPS = ("Server", "Platform", "GPU nodes", "Other nodes", "Namespace", "Storage", "Rights", "Leftovers")


def show(console: Console, outcome: Outcome) -> None:
    """The whole outcome: what passes in groups, then the warnings, then the failures, then the sum."""
    console.print(
        Text(
            f"{outcome.stack}: {outcome.graph} in namespace {outcome.namespace}, context {outcome.context}",
            "bold",
        )
    )
    for group in _GROUPS:
        passed = [each for each in outcome.results if each.group == group and each.verdict is Verdict.PASS]
        if passed:
            console.print(Text(f"\n{group}", "bold"))
            console.print(_passes(passed))
    console.print(Text("\nNot checked", "bold"))
    for line in NOT_CHECKED:
        console.print(Text(f"  {line}"))
    for verdict in (Verdict.WARN, Verdict.FAIL):
        for each in outcome.results:
            if each.verdict is verdict:
                console.print(_problem(each))
    console.print(Text("\n" + summary(outcome), _STYLES[outcome.verdict]))


def _passes(results: Sequence[Result]) -> Table:
    table = _grid()
    for each in results:
        table.add_row(Text(f"  {each.verdict}", _STYLES[each.verdict]), Text(each.name), Text(each.found))
    return table


def _problem(result: Result) -> Table:
    """`FAIL  GPU nodes, taints`, and below it what was found, what is needed and what to do."""
    table = _grid()
    table.add_row("", "", "")
    table.add_row(
        Text(str(result.verdict), _STYLES[result.verdict]),
        Text("check"),
        Text(f"{result.group}, {result.name}"),
    )
    table.add_row("", Text("found"), Text(result.found))
    table.add_row("", Text("needed"), Text(result.needed))
    table.add_row("", Text("do"), Text(result.remedy))
    return table


def _grid() -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table


def summary(outcome: Outcome) -> str:
    numbers = ", ".join(f"{outcome.number(verdict)} {verdict}" for verdict in Verdict)
    words = {
        Verdict.PASS: "it fits",
        Verdict.WARN: "it fits, as far as could be seen; read the warnings",
        Verdict.FAIL: "it does not fit",
    }
    return f"{numbers}: {words[outcome.verdict]}"


def as_json(outcome: Outcome) -> str:
    return json.dumps(
        {
            "stack": outcome.stack,
            "target": outcome.target,
            "deployment": outcome.graph,
            "namespace": outcome.namespace,
            "context": outcome.context,
            "verdict": outcome.verdict,
            "checks": [_result(each) for each in outcome.results],
            "notChecked": NOT_CHECKED,
        },
        indent=2,
    )


def _result(result: Result) -> dict[str, str]:
    found = vars(result)
    return {key: str(value) for key, value in found.items()}


def needs_table(needs: Iterable[tuple[str, str]]) -> Table:
    """What a cluster has to have, and why."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("Needed", "Why"):
        table.add_column(title, overflow="fold")
    for what, reason in needs:
        table.add_row(Text(what), Text(reason))
    return table


def answers_table(answers: Sequence[Answer]) -> Table:
    """The published targets, whether they fit, and what each of the others lacks."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("Target", "GPUs", "Nodes", "Now", "Empty", "Lacks"):
        table.add_column(
            title,
            justify="right" if title in ("GPUs", "Nodes") else "left",
            no_wrap=title != "Lacks",
            overflow="fold",
        )
    for answer in answers:
        table.add_row(
            Text(answer.target),
            str(answer.gpus),
            str(answer.nodes),
            _yes(answer.fits_now),
            _yes(answer.fits_empty),
            Text("; ".join(f"{each.name}: {each.found}" for each in answer.lacks)),
        )
    return table


def _yes(fits: bool) -> Text:
    return Text("fits", "green") if fits else Text("no", "red")


def answers_json(answers: Sequence[Answer]) -> str:
    return json.dumps([_answer(answer) for answer in answers], indent=2)


def _answer(answer: Answer) -> dict[str, object]:
    return {
        "target": answer.target,
        "gpus": answer.gpus,
        "nodes": answer.nodes,
        "fitsNow": answer.fits_now,
        "fitsWhenEmpty": answer.fits_empty,
        "lacks": [_result(each) for each in answer.lacks],
        "warnings": [_result(each) for each in answer.warnings],
    }


def needs_json(needs: Iterable[tuple[str, str]]) -> str:
    return json.dumps([{"needed": what, "why": reason} for what, reason in needs], indent=2)
