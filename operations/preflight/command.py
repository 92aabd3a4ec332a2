"""What `python -m operations preflight` does with its options, and how it ends."""

from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console

from operations.preflight.all_targets import all_targets
from operations.preflight.derive import needs_of
from operations.preflight.offline import told
from operations.preflight.run import preflight
from operations.preflight.table import answers_json, answers_table, as_json, needs_json, needs_table, show
from operations.preflight.verdict import Verdict
from recipes import Refusal
from settings import ClusterSettings, Settings

FITS, DOES_NOT_FIT = 0, 1


@dataclass(frozen=True)
class Options:
    """`former`: see needs.Own. `seconds`: the limit of all reading."""

    as_json: bool = False
    strict: bool = False
    offline: bool = False
    every: bool = False
    former: str | None = None
    seconds: float = 120


def run(
    settings: Settings, stack: str, options: Options, console: Console, say: Callable[[str], None]
) -> int:
    """Prints the outcome; 0 when nothing fails, 1 when something does. Raises Refusal when it cannot run."""
    if options.offline:
        needs = list(told(needs_of(settings, stack, options.former)))
        _print(console, say, needs_json(needs) if options.as_json else needs_table(needs))
        return FITS
    cluster = _cluster(settings, stack)
    if options.every:
        answers = all_targets(settings, cluster, stack, options.seconds)
        _print(console, say, answers_json(answers) if options.as_json else answers_table(answers))
        return FITS if any(answer.fits_now for answer in answers) else DOES_NOT_FIT
    outcome = preflight(settings, cluster, stack, options.former, options.seconds)
    if options.as_json:
        say(as_json(outcome))
    else:
        show(console, outcome)
    bad = (Verdict.FAIL, Verdict.WARN) if options.strict else (Verdict.FAIL,)
    return DOES_NOT_FIT if outcome.verdict in bad else FITS


def _print(console: Console, say: Callable[[str], None], what: object) -> None:
    if isinstance(what, str):
        say(what)
    else:
        console.print(what, highlight=False)


def _cluster(settings: Settings, stack: str) -> ClusterSettings:
    if settings.cluster:
        return settings.cluster
    raise Refusal(
        f"The stack {stack} renders files; there is no cluster to check.\n"
        "Accepted: a stack with kimi-k3:cluster, or --offline for what needs none.\n"
        f"Try: python -m operations preflight --stack {stack} --offline"
    )
