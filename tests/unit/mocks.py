"""Runs a Pulumi program to its end against a stand-in for the engine that records what it is asked for.

It decides what a program registers, with which options and inputs. It cannot decide what the engine and the
provider make of that: replacement, protection at work and waiting are left to the tests with the real ones.

Every run has an event loop, a context (settings, config, root resource) and an environment of its own, so
that nothing leaks into the next one; work that is left over at the end fails the run.
"""

import asyncio
import contextvars
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]  # no stubs pinned
from pulumi.runtime import config as pulumi_config
from pulumi.runtime import mocks, settings
from pulumi.runtime.proto import resource_pb2, source_pb2
from pulumi.runtime.stack import run_in_stack

from tests.unit.recorded import PROVIDER_TYPE, STACK_TYPE, WARNING, Json, Registration, Run, is_secret, unwrap

__all__ = [
    "PROJECT",
    "PROVIDER_TYPE",
    "STACK_TYPE",
    "WARNING",
    "Json",
    "Registration",
    "Run",
    "attempt",
    "is_secret",
    "run",
    "unwrap",
]

PROJECT = "kimi-k3"
_PREFIXES = ("PULUMI_", "AWS_")
_VARIABLES = ("HF_TOKEN", "KUBECONFIG")


class Monitor(mocks.MockMonitor):
    """The recording stand-in. Unlike its base it forms URNs as the engine does, and refuses what the engine
    refuses: a URN given twice, a parent or a dependency that is not registered.
    """

    def __init__(self, run: Run, preview: bool) -> None:
        super().__init__(_NoMocks())
        self.run = run
        self.preview = preview

    def make_urn(self, parent: str, type_: str, name: str) -> str:
        above = parent.split("::")[2] if parent else STACK_TYPE
        qualified = type_ if above == STACK_TYPE else f"{above}${type_}"
        return f"urn:pulumi:{settings.get_stack()}::{settings.get_project()}::{qualified}::{name}"

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802 - the base's name; Any: see Registration
        urn = self.make_urn(request.parent, request.type, request.name)
        known = {r.urn for r in self.run.registrations}
        if urn in known:
            raise AssertionError(f"duplicate resource URN {urn}")
        strangers = {request.parent, *request.dependencies} - {""} - known
        if strangers:
            raise AssertionError(f"{urn} names resources that are not registered: {sorted(strangers)}")
        self.run.registrations.append(Registration(urn, request))
        # Objects come back as they were asked for; in a preview without an id, as nothing has one yet.
        id_ = f"{request.name}-id" if request.custom and not self.preview else ""
        return resource_pb2.RegisterResourceResponse(urn=urn, id=id_, object=request.object)

    def RegisterResourceOutputs(self, request: Any) -> Any:  # noqa: N802 - the base's name; Any: see Registration
        self.run.outputs.append((request.urn, MessageToDict(request.outputs)))
        return super().RegisterResourceOutputs(request)  # type: ignore[no-untyped-call] # the SDK has no types here

    def ReadResource(self, request: Any) -> Any:  # noqa: N802 - the base's name; Any: see Registration
        self.run.reads.append(f"{request.type} {request.id}")
        return super().ReadResource(request)  # type: ignore[no-untyped-call] # the SDK has no types here

    def Invoke(self, request: Any) -> Any:  # noqa: N802 - the base's name; Any: see Registration
        self.run.invokes.append(request.tok)
        return super().Invoke(request)  # type: ignore[no-untyped-call] # the SDK has no types here


class _NoMocks(mocks.Mocks):
    """The base's hooks, for calls to the provider that no program here may make."""

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str, dict[str, Json]]:
        return "read-id", args.inputs

    def call(self, args: mocks.MockCallArgs) -> tuple[dict[str, Json], None]:
        return {}, None


class _Inline(ThreadPoolExecutor):
    """Runs what it is given at once: the monitor answers without waiting, a thread would only cost time."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:  # Any: the base's own signature
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - handed on to who asked
            future.set_exception(error)
        return future


class _Log:
    """The engine's side of `pulumi.log`, debug messages included."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def Log(self, request: Any) -> None:  # noqa: N802 - the engine's name; Any: see Registration
        self.run.logs.append((request.severity, request.message))


def attempt(
    program: Callable[[], object],
    *,
    stack: str = "test",
    config: Mapping[str, str] | None = None,
    secrets: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    preview: bool = False,
) -> Run:
    """Runs `program` to its end. `config` has full keys (`kimi-k3:gpu`) and texts, as the engine hands it
    over; `secrets` are the keys stored as secrets. An error of the program is kept in the result; a failed
    assertion, of the program or the harness, is raised.
    """

    def execute() -> Run:
        pulumi_config.set_all_config(dict(config or {}), list(secrets))
        return _execute(program, stack, preview)

    context = contextvars.copy_context()
    # In a thread of its own, without the caller's event loop; without source positions, a third of the time.
    untraced = patch("pulumi.runtime.resource._get_stack_trace", source_pb2.StackTrace)
    with untraced, _environment(environment or {}), ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(context.run, execute).result()


def run(program: Callable[[], object], **how: Any) -> Run:  # Any: the arguments of `attempt`
    """Like `attempt`, for programs that must succeed."""
    result = attempt(program, **how)
    if result.error is not None:
        raise result.error
    return result


def _execute(program: Callable[[], object], stack: str, preview: bool) -> Run:
    result, loop = Run(), asyncio.new_event_loop()
    loop.set_default_executor(_Inline(max_workers=1))
    asyncio.set_event_loop(loop)

    def body() -> None:
        program()  # its value is not awaited: programs here return nothing

    try:
        _configure(result, stack, preview)
        try:
            loop.run_until_complete(run_in_stack(body))
        except AssertionError:
            raise
        except BaseException as error:  # noqa: BLE001 - kept for the test, whatever it is
            result.error = error
        left = [task for task in asyncio.all_tasks(loop) if not task.done()]
        if left and result.error is None:
            raise AssertionError(f"the program left work behind: {left}")
    finally:
        _close(loop)
    return result


def _configure(result: Run, stack: str, preview: bool) -> None:
    settings.SETTINGS.outputs = set()
    settings.SETTINGS.package_refs = {}
    placeholder: Any = object()  # Any: keeps set_mocks from making a stack, which is run_in_stack's business
    settings.set_root_resource(placeholder)
    monitor = Monitor(result, preview)
    mocks.set_mocks(monitor.mocks, project=PROJECT, stack=stack, preview=preview, monitor=monitor)
    settings.SETTINGS.engine = _Log(result)
    nothing: Any = None  # Any: the setter is annotated as if there always were one
    settings.set_root_resource(nothing)


def _close(loop: asyncio.AbstractEventLoop) -> None:
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.set_exception_handler(lambda *_: None)  # errors of tasks are told already, by the first that failed
    loop.close()
    asyncio.set_event_loop(None)


@contextmanager
def _environment(extra: Mapping[str, str]) -> Iterator[None]:
    """The caller's environment without HF_TOKEN and what Pulumi, AWS and kubectl read, for a while."""
    before = dict(os.environ)
    for name in before:
        if name in _VARIABLES or name.startswith(_PREFIXES):
            del os.environ[name]
    os.environ |= {"PULUMI_ERROR_OUTPUT_STRING": "true", **extra}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
