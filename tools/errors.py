"""What the commands say, and how they stop: words on stderr, never a traceback for a user's mistake."""

import sys

DONE = 0
REFUSED = 1
USAGE = 2
INTERRUPTED = 130  # what a shell reports for SIGINT
TERMINATED = 143  # ... and for SIGTERM


class ToolsError(Exception):
    """A refusal or failure whose text is all a person needs: what was given, what is accepted, what to do."""


class PulumiFailedError(ToolsError):
    """Pulumi ended with an error and has said so itself."""


def say(text: str) -> None:
    """Prints a line for a person. It goes to stderr, so that stdout stays free for results."""
    print(text, file=sys.stderr, flush=True)
