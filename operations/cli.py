"""The command line: one thin function a command; exit codes 0 done, 1 refused or failed, 2 usage."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from manifests import stack_manifests
from manifests.yaml_text import yaml_stream
from operations.settings_table import settings_markdown
from operations.targets_table import target_rows, targets_table, unavailable_lines
from recipes import Refusal, load_catalog
from settings import Settings, read_stack_file, warnings

_UNBOUNDED = 1000

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
    as_json: Annotated[bool, typer.Option("--json", help="All columns as JSON.")] = False,
) -> None:
    """Show all published targets side by side, and the combinations without a recipe."""
    with refusals():
        catalog = load_catalog()
        if as_json:
            typer.echo(json.dumps(target_rows(catalog), indent=2))
            return
        terminal = sys.stdout.isatty()
        console = Console(width=None if terminal else _UNBOUNDED)  # a file or a pipe gets whole lines
        console.print(targets_table(catalog, console.width if terminal else None))
        for line in unavailable_lines(catalog):
            console.print(line, highlight=False)


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
def settings() -> None:
    """Show every setting with its default, as the README's table."""
    typer.echo(settings_markdown(), nl=False)


def chosen(stack: str, changes: list[str] | None) -> Settings:
    """The settings that a command works on; warnings go to stderr."""
    found = read_stack_file(Path.cwd(), stack, changes or ())
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
def refusals() -> Iterator[None]:
    """A user's mistake ends with its message and exit code 1, never with a traceback."""
    try:
        yield
    except Refusal as refusal:
        note(str(refusal))
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None  # the shell's code for an interrupt
