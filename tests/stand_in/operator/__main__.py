"""python -m tests.stand_in.operator --kubeconfig PATH: runs the stand-in until it is told to stop."""

import argparse
import logging
import signal
import threading
from pathlib import Path

from tests.stand_in.operator.controller import stand_in


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.stand_in.operator", description=__doc__)
    parser.add_argument("--kubeconfig", type=Path, required=True)
    parser.add_argument("--log-level", default="INFO", choices=["DEBUG", "INFO", "WARNING"])
    asked = parser.parse_args()
    logging.basicConfig(level=asked.log_level, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    logging.getLogger("urllib3").setLevel(logging.WARNING)

    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    operator = stand_in(asked.kubeconfig)
    operator.start()
    logging.getLogger(__name__).info("running")
    ended.wait()
    operator.stop()


if __name__ == "__main__":
    main()
