"""The command line: one thin function a command; exit codes 0 done, 1 refused or failed, 2 usage."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from manifests import deviations, deviations_line, refuse_mistakes, stack_manifests
from manifests.yaml_text import yaml_stream
from operations.deviations_table import deviations_json, deviations_table
from operations.settings_table import settings_markdown
from operations.targets_table import target_rows, targets_table, unavailable_lines
from recipes import Refusal, load_catalog
from settings import Settings, read_stack_file, warnings

_UNBOUNDED = 1000
REFUSED, CANNOT_RUN = 1, 2

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Commands around a Kimi-K3 stack. They read its stack file; none needs the token, Pulumi or its state.",
)

Stack = Annotated[str, typer.Option("--stack", "-s", help="Stack whose Pulumi.<stack>.yaml is read.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="A change laid over the stack file; repeatable."),
]


@app.command()
def targets(
    name: Annotated[str | None, typer.Argument(metavar="[TARGET]", help="One target alone.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All columns as JSON.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="How far --stack is from its target.")] = False,
    stack: Annotated[str | None, typer.Option("--stack", "-s", help="The stack of --diff.")] = None,
    changes: Changes = None,
) -> None:
    """Show all published targets side by side, and the combinations without a recipe."""
    with refusals():
        if diff:
            show_deviations(name, stack, changes, as_json)
            return
        catalog = load_catalog()
        shown = catalog.only(name) if name else catalog
        if as_json:
            typer.echo(json.dumps(target_rows(shown), indent=2))
            return
        console = screen()
        console.print(targets_table(shown, console.width if sys.stdout.isatty() else None))
        for line in [] if name else unavailable_lines(shown):
            console.print(line, highlight=False)


def show_deviations(name: str | None, stack: str | None, changes: list[str] | None, as_json: bool) -> None:
    """Every field in which a stack differs from its published target."""
    if stack is None:
        raise Refusal(
            "--diff was given without --stack.\nAccepted: the stack that is compared with its target.\n"
            "For example: python -m operations targets --diff --stack dev"
        )
    settings = chosen(stack, changes)
    target = settings.target.name
    if name and load_catalog().named(name).name != target:
        raise Refusal(
            f"The stack {stack} deploys {target}, not {name}.\nAccepted: {target}, or no target at all.\n"
            f"Name that one: python -m operations targets {target} --diff --stack {stack}"
        )
    if as_json:
        typer.echo(deviations_json(target, deviations(settings)))
        return
    console = screen()
    console.print(f"{stack}: {deviations_line(settings)} {target}", highlight=False)
    if found := deviations(settings):
        console.print(deviations_table(found), highlight=False)


def screen() -> Console:
    """The terminal, or whole lines where stdout is a file or a pipe."""
    return Console(width=None if sys.stdout.isatty() else _UNBOUNDED)


@app.command()
def render(stack: Stack, changes: Changes = None) -> None:
    """Write the manifests of a stack to stdout, in the order in which they can be applied."""
    with refusals():
        settings = chosen(stack, changes)
        typer.echo(yaml_stream(stack_manifests(settings)), nl=False)
        needed = "; the download Job needs it" if settings.model_download.enabled else ""
        note(f"The token's Secret {settings.hugging_face.secret_name} is left out{needed}.")


@app.command()
def watch(
    stack: Stack,
    changes: Changes = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on after it is ready, until interrupted.")
    ] = False,
) -> None:
    """Say what a stack is waiting for on its cluster, until it is ready, has failed or its limit is over."""
    with refusals():
        settings = chosen(stack, changes)
        if settings.cluster is None:
            raise Refusal(rendering_stack(stack, "watch"))
        # Only here: the client takes most of a second to load, and render and targets do without it.
        from operations.cluster import Cluster
        from operations.progress import State
        from operations.watch import watch as watch_stack

        state = watch_stack(Cluster.of(settings.cluster), settings, typer.echo, follow)
        if state is State.FAILED:
            raise typer.Exit(1)


@app.command()
def preflight(  # noqa: PLR0913, PLR0917 - options of a command
    stack: Stack,
    changes: Changes = None,
    strict: Annotated[bool, typer.Option("--strict", help="A WARN counts as a FAIL.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The results as JSON.")] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="Only what is needed; no cluster is asked.")
    ] = False,
    every: Annotated[
        bool,
        typer.Option(
            "--all-targets", help="Which published targets fit; of the stack its place alone counts."
        ),
    ] = False,
    former: Annotated[
        str | None,
        typer.Option(
            "--switch-from", metavar="TARGET", help="Target that this stack's switch deletes; '' for none."
        ),
    ] = None,
    seconds: Annotated[int, typer.Option("--timeout-seconds", min=1, help="Limit of all reading.")] = 120,
) -> None:
    """Check whether a stack fits its cluster. Changes nothing; ends with 0 it fits, 1 it does not, 2 cannot tell."""
    with refusals(CANNOT_RUN):
        from operations.preflight.command import Options, run

        options = Options(as_json, strict, offline, every, former, seconds)
        raise typer.Exit(run(chosen(stack, changes), stack, options, screen(), typer.echo))


@app.command()
def settings() -> None:
    """Show every setting with its default, as the README's table."""
    typer.echo(settings_markdown(), nl=False)


def chosen(stack: str, changes: list[str] | None) -> Settings:
    """The settings that a command works on; warnings go to stderr."""
    found = read_stack_file(Path.cwd(), stack, changes or ())
    refuse_mistakes(stack_manifests(found), stack)
    for warning in warnings(found):
        note(f"Warning: {warning}")
    return found


def note(text: str) -> None:
    """A line for a person, kept apart from the command's result."""
    typer.echo(text, err=True)


def rendering_stack(stack: str, command: str) -> str:
    """The refusal of a stack that has no cluster by a command that reads one."""
    return (
        f"The stack {stack} renders files; there is no cluster to {command}.\n"
        "Accepted: a stack with kimi-k3:cluster.\n"
        "Name such a stack with --stack."
    )


@contextmanager
def refusals(code: int = REFUSED) -> Iterator[None]:
    """A user's mistake ends with its message and an exit code, never with a traceback."""
    try:
        yield
    except Refusal as refusal:
        note(str(refusal))
        raise typer.Exit(code) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None  # the shell's code for an interrupt
