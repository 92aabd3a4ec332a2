"""`python -m tools`: what the Makefile runs. Exits with 0 done, 1 refused or failed, 2 usage."""

import argparse
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from tools import environment_commands, stack_commands, tiers
from tools.cluster import provide_cluster
from tools.errors import DONE, INTERRUPTED, REFUSED, TERMINATED, ToolsError, say
from tools.provide import provide
from tools.set_command import Setting, set_config
from tools.stack_room import Request

STACK_COMMANDS: dict[str, tuple[Callable[[Request], None], str]] = {
    "up": (stack_commands.up, "create or update a stack, making it at its first use"),
    "preview": (stack_commands.preview, "show what `up` would change"),
    "destroy": (stack_commands.destroy, "remove what a stack has made, except what is protected"),
}


def parser() -> argparse.ArgumentParser:
    main = argparse.ArgumentParser(
        prog="python -m tools", description="Provides Pulumi and runs it on the stacks."
    )
    commands = main.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, words) in STACK_COMMANDS.items():
        command = commands.add_parser(name, help=words)
        command.add_argument("--stack", required=True)
        command.add_argument("arguments", nargs="*", help="more arguments for pulumi, after --")
    setting = commands.add_parser("set", help="put a value, or a secret, into a stack file")
    setting.add_argument("--stack", required=True)
    setting.add_argument("--key", required=True)
    setting.add_argument("--value-in", metavar="NAME", help="environment variable that holds the value")
    setting.add_argument("--secret", action="store_true")
    commands.add_parser(
        "provide", help="make sure that all tools are there, those of the test cluster included"
    )
    commands.add_parser("env", help="print export lines for a shell")
    engine = commands.add_parser("engine-env", help="print the toolchain for tests")
    engine.add_argument("--json", action="store_true", required=True)
    tests = commands.add_parser("test", help="run the test tiers, building tools meanwhile")
    tests.add_argument("tiers", nargs="*", metavar="TIER")
    return main


def run(arguments: argparse.Namespace) -> int:
    match arguments.command:
        case "set":
            request = Request("set", arguments.stack)
            value = os.environ.get(arguments.value_in) if arguments.value_in else None
            set_config(request, Setting(arguments.key, value, arguments.secret))
        case "provide":
            provide()
            provide_cluster()
        case "env":
            print(environment_commands.shell_exports())
        case "engine-env":
            print(environment_commands.engine_environment())
        case "test":
            return tiers.run_tiers(arguments.tiers)
        case name:
            STACK_COMMANDS[name][0](Request(name, arguments.stack, arguments=tuple(arguments.arguments)))
    return DONE


def main() -> int:
    # Raised as an exception, so that a build stops its compilers and removes its folder.
    signal.signal(signal.SIGTERM, _terminate)
    try:
        return run(parser().parse_args())
    except ToolsError as error:
        say(str(error))
        return REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


if __name__ == "__main__":
    sys.exit(main())
