"""Opens a stack: every refusal first, then the tools, then the stack itself, made at its first use."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.backend import Backend, choose_backend, prepare_backend
from tools.environment import pulumi_environment
from tools.errors import ToolsError, say
from tools.passphrase import refuse_weak_passphrase
from tools.provide import provide
from tools.pulumi_process import Pulumi
from tools.stack_file import StackFile, find_stack
from tools.toolchain import Toolchain
from tools.versions import ROOT

NO_STACK = "no stack named"  # how the CLI says that a stack does not exist


@dataclass(frozen=True)
class Request:
    """What a person asked for, and where they asked it."""

    command: str
    stack: str
    root: Path = ROOT
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    arguments: tuple[str, ...] = ()
    detail: str = ""
    """More of the make command than its stack: KEY=hfToken SECRET=1."""

    @property
    def answered_yes(self) -> bool:
        return self.environ.get("YES", "") == "1"

    @property
    def as_typed(self) -> str:
        """The make command that repeats the request."""
        return f"make {self.command} STACK={self.stack} {self.detail}".rstrip()


@dataclass(frozen=True)
class OpenStack:
    file: StackFile
    toolchain: Toolchain
    pulumi: Pulumi
    is_new: bool
    confirmed: tuple[str, ...]
    """`--yes`, or nothing where the person is to be asked."""


def open_stack(request: Request, changes: bool) -> OpenStack:
    """`changes`: whether the command changes what the stack describes, so that somebody has to agree."""
    stack_file = find_stack(request.root, request.stack)
    backend = choose_backend(request.root, request.environ)
    refuse_weak_passphrase(stack_file, backend, request.environ, request.as_typed)
    confirmed = _confirmation(request, stack_file) if changes else ()
    toolchain = provide(request.root, request.environ)
    environ = pulumi_environment(request.root, stack_file, backend, toolchain, request.environ)
    pulumi = Pulumi(toolchain.pulumi, request.root, environ)
    is_new = _select_or_create(pulumi, request, backend)
    return OpenStack(stack_file, toolchain, pulumi, is_new, confirmed)


def _confirmation(request: Request, stack_file: StackFile) -> tuple[str, ...]:
    if stack_file.renders or request.answered_yes:
        return ("--yes",)
    if sys.stdin.isatty() and sys.stdout.isatty() and request.environ.get("TERM") != "dumb":
        return ()  # the CLI asks; on a dumb terminal it does not
    raise ToolsError(
        f"Stack {request.stack} changes a cluster, and there is no terminal to ask on.\n"
        f"Look at what would change:  make preview STACK={request.stack}\n"
        f"Agree without being asked:  {request.as_typed} YES=1"
    )


def _select_or_create(pulumi: Pulumi, request: Request, backend: Backend) -> bool:
    prepare_backend(request.root, backend)
    if backend.ours:
        say(
            f"State: {backend.url.removeprefix('file://')} "
            "(PULUMI_BACKEND_URL or `pulumi login` choose another place)"
        )
    selected = pulumi.ask("stack", "select", request.stack)
    if selected.returncode == 0:
        return False
    if NO_STACK not in selected.stderr:
        raise ToolsError(
            f"Stack {request.stack} cannot be opened: {selected.stderr.strip().removeprefix('error: ')}"
        )
    provider = find_stack(request.root, request.stack).secrets_provider
    chosen = ("--secrets-provider", provider) if provider else ()
    pulumi.demand("stack", "init", request.stack, *chosen)
    say(f"Stack {request.stack}: created.")
    return True
