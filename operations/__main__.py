"""Entry point of `python -m operations`."""

from operations.cli import app

app(prog_name="python -m operations")
