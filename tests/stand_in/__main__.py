"""`python -m tests.stand_in up|down`: what `make cluster` and `make cluster-down` run."""

import argparse
import signal
import sys
from pathlib import Path
from types import FrameType

from tests.stand_in import background, definitions
from tests.stand_in.background import Wish
from tests.stand_in.nodes import MACHINES
from tools.errors import DONE, INTERRUPTED, REFUSED, TERMINATED, ToolsError, say

GPUS = [name for name, machine in MACHINES.items() if machine.gpus]
MOST_NODES = 200  # a few hundred objects in one etcd; more was never tried


def main() -> int:
    signal.signal(signal.SIGTERM, _terminate)
    parser = argparse.ArgumentParser(prog="python -m tests.stand_in", description=__doc__)
    parser.add_argument("command", choices=["up", "down", "host"], help="host is what `up` leaves behind")
    parser.add_argument("--gpu", default="gb200")
    parser.add_argument("--nodes", default="4")
    parser.add_argument("--crd-dir", default="")
    asked = parser.parse_args()
    try:
        match asked.command:
            case "down":
                background.down()
            case "up":
                background.up(wish_of(asked.gpu, asked.nodes, asked.crd_dir))
            case "host":
                background.host(wish_of(asked.gpu, asked.nodes, asked.crd_dir))
    except ToolsError as error:
        say(str(error))
        return REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


def wish_of(gpu: str, nodes: str, crd_dir: str) -> Wish:
    """The wish in words that make has passed on; refuses what is none."""
    if gpu not in GPUS:
        raise ToolsError(
            f"GPU={gpu} is not known. Accepted: {', '.join(GPUS)}.\n  make cluster GPU=gb200 NODES=4"
        )
    if not (nodes.isascii() and nodes.isdigit() and 1 <= int(nodes) <= MOST_NODES):
        raise ToolsError(
            f"NODES={nodes} is not accepted. Accepted: 1 to {MOST_NODES}.\n  make cluster GPU={gpu} NODES=4"
        )
    folder = Path(crd_dir).expanduser().absolute() if crd_dir else definitions.FOLDER
    try:
        definitions.crds_in(folder)
    except FileNotFoundError as error:
        raise ToolsError(f"CRD_DIR={crd_dir} is not accepted: {error}.") from None
    return Wish(gpu, int(nodes), folder)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


if __name__ == "__main__":
    sys.exit(main())
