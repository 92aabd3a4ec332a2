"""A Python language host for machines without Pulumi's own, which is not a module that can be built.

The engine starts it, reads the port that it prints and asks it to run the program. It is a fallback,
nothing more: the program runs on the interpreter that runs this file.
"""

import os
import runpy
import signal
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import grpc
from pulumi import RunError
from pulumi.automation._server import LanguageServer
from pulumi.runtime.proto import language_pb2_grpc

TRACEBACK_FRAMES = 4
ENGINE_CHECK_SECONDS = 1.0


class ProgramServer(LanguageServer):
    """Pulumi's own server for inline programs, made to run `__main__.py` of the folder the engine names."""

    def __init__(self) -> None:
        super().__init__(lambda: None)

    # Any: requests and responses are generated protobuf classes without types.
    def Run(self, request: Any, context: Any) -> Any:  # noqa: N802 (the name that gRPC calls)
        folder = Path(request.info.program_directory)
        self.program = lambda: run_program(folder)
        response = super().Run(request, context)  # type: ignore[no-untyped-call] # the SDK has no types here
        if response.error:
            # The server has logged the message already; `bail` keeps the engine from printing it again.
            response.bail = True
            response.error = ""
        return response


def run_program(folder: Path) -> None:
    """Runs `folder`/__main__.py as Python would, with fresh modules; errors become RunErrors."""
    os.chdir(folder)
    forget_modules_of(folder)
    sys.path[:] = [str(folder), *(entry for entry in sys.path if entry != str(folder))]
    try:
        runpy.run_path(str(folder / "__main__.py"), run_name="__main__")
    except (RunError, grpc.RpcError):
        raise
    except Exception as error:  # noqa: BLE001 (whatever the program raises is shown, shortened)
        raise RunError(short_traceback(error)) from None


def forget_modules_of(folder: Path) -> None:
    """An update runs the program twice in one process: no module of the first run may be in the second."""
    packages = Path(sys.prefix)  # the virtual environment may be inside the folder
    for name, module in list(sys.modules.items()):
        source = getattr(module, "__file__", None)
        if not source or name == "__main__":
            continue
        path = Path(source)
        if path.is_relative_to(folder) and not path.is_relative_to(packages):
            del sys.modules[name]


def short_traceback(error: Exception) -> str:
    """The last frames, without those of this file and of runpy."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename != __file__ and "runpy" not in frame.filename]
    lines = traceback.format_list(own[-TRACEBACK_FRAMES:]) + traceback.format_exception_only(error)
    return "The program failed:\n" + "".join(lines).rstrip()


def serve() -> None:
    stopped = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopped.set()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    unlimited = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
    server = grpc.server(ThreadPoolExecutor(max_workers=4), options=unlimited)
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(ProgramServer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    engine = os.getppid()
    while not stopped.wait(ENGINE_CHECK_SECONDS) and os.getppid() == engine:
        pass  # an engine that was killed says no goodbye, and its host must not live on
    server.stop(None)
    os._exit(0)  # a program thread that still runs must not keep the process, nor print a traceback


if __name__ == "__main__":
    serve()
