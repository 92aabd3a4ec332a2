"""`targets`: all eight side by side, readable at 80 and at 160 columns, plain in a pipe, complete as JSON."""

import io
import json
import os
import pty
import subprocess
import sys

import pytest
from rich.console import Console

from operations.targets_table import targets_table
from recipes import load_catalog
from tests.unit.operations.commands import ROOT, operations, python

# The figures of the page, by hand: framework, GPU, topology, GPUs, nodes, routing, draft, output tokens/s/GPU.
NARROW = [
    "vLLM H200 agg 32 4 KV-aware none 3.54",
    "vLLM GB200 agg 16 4 KV-aware none 20.1",
    "vLLM GB300 agg 16 4 KV-aware DSPARK 62.2",
    "vLLM GB300 disagg 16 4 KV-aware DSPARK 50.3",
    "SGLang GB200 agg 32 8 Load-aware DSPARK 32.9",
    "SGLang GB200 disagg 48 12 Load-aware DSPARK 29.3",
    "SGLang GB300 agg 16 4 Load-aware DSPARK 91.3",
    "SGLang GB300 disagg 16 4 Load-aware DSPARK 62.0",
]
BELOW = [
    "No recipe is published for:",
    "  SGLang H200 agg",
    "  SGLang H200 disagg",
    "  vLLM H200 disagg",
    "  vLLM GB200 disagg",
]
NARROW_HEADER = "Framework GPU Topology GPUs Nodes Routing Draft tok/s/GPU"
WIDE_HEADER = (
    "Framework GPU Topology Replicas GPUs Nodes Parallelism Precision Routing Draft Context Conc. tok/s/GPU tok/s/user "
    "TTFT ms"
)
WIDEST = (
    "SGLang GB200 disagg 2P1D 48 12 Prefill TEP16; decode DCP16 attention, TEP16 MoE MXFP4 experts, FP8 KV "
    "Load-aware DSPARK 1M 24 29.3 77.9 3090"
)


def _lines(text: str) -> list[str]:
    """The lines without the space between columns."""
    return [" ".join(line.split()) for line in text.splitlines()]


def _table(width: int | None) -> str:
    screen = io.StringIO()
    Console(width=width or 1000, file=screen).print(targets_table(load_catalog(), width))
    return screen.getvalue()


@pytest.mark.parametrize("width", [80, 100, 120, 140])
def test_below_150_columns_each_target_is_one_line_of_what_matters_most(width: int) -> None:
    header, *rows = _lines(_table(width))
    assert (header, rows) == (NARROW_HEADER, NARROW)
    assert max(map(len, _table(width).splitlines())) <= 80


def test_at_160_columns_every_column_is_there_and_words_are_wrapped_not_cut() -> None:
    text = _table(160)
    assert _lines(text)[0] == WIDE_HEADER
    assert max(map(len, text.splitlines())) <= 160
    starts = [line.split(maxsplit=4)[:3] for line in text.splitlines() if line.startswith(("vLLM", "SGLang"))]
    assert starts == [row.split(maxsplit=4)[:3] for row in NARROW]


@pytest.mark.parametrize("width", [72, 80, 100, 120, 149, 150, 155, 160, 200, 250])
def test_no_cell_is_cut_at_any_usual_width(width: int) -> None:
    assert "…" not in _table(width), "a figure that is cut is worse than none"


def test_a_pipe_gets_every_column_on_one_line_a_target_without_colours() -> None:
    answer = python("-m", "operations", "targets")
    assert (answer.exit_code, answer.stderr) == (0, "")
    lines = _lines(answer.stdout)
    assert lines[0] == WIDE_HEADER
    assert lines[6] == WIDEST
    assert [line.split(maxsplit=3)[:3] for line in lines[1:9]] == [
        row.split(maxsplit=3)[:3] for row in NARROW
    ]
    assert answer.stdout.splitlines()[9:] == BELOW, "the unavailable combinations stand below"
    assert "\x1b" not in answer.stdout
    assert "…" not in answer.stdout


def test_on_a_terminal_the_table_follows_its_width() -> None:
    controller, terminal = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "LINES")}
    process = subprocess.Popen(
        [sys.executable, "-m", "operations", "targets"],
        cwd=ROOT,
        env=environment | {"COLUMNS": "160", "LINES": "40", "NO_COLOR": "1", "TERM": "dumb"},
        stdout=terminal,
        stderr=terminal,
        stdin=subprocess.DEVNULL,
    )
    os.close(terminal)
    shown = _read_all(controller)
    assert process.wait(timeout=60) == 0
    assert _lines(shown)[0] == WIDE_HEADER
    assert [line.strip() for line in shown.splitlines()[-4:]] == [line.strip() for line in BELOW[1:]]
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 160


def _read_all(controller: int) -> str:
    read = b""
    try:
        while chunk := os.read(controller, 65536):
            read += chunk
    except OSError:  # the other end is closed
        pass
    os.close(controller)
    return read.decode()


def test_json_holds_every_column_as_values() -> None:
    answer = operations("targets", "--json")
    assert (answer.exit_code, answer.stderr) == (0, "")
    found = json.loads(answer.stdout)
    assert found["targets"][5] == {
        "name": "sglang-gb200-disagg",
        "framework": "sglang",
        "gpu": "gb200",
        "topology": "disagg",
        "gpus": 48,
        "nodes": 12,
        "replicas": "2P1D",
        "parallelism": "Prefill TEP16; decode DCP16 attention, TEP16 MoE",
        "precision": "MXFP4 experts, FP8 KV",
        "routing": "Load-aware",
        "speculativeDecoding": "DSPARK",
        "contextLength": "1M",
        "concurrency": 24,
        "outputTokensPerSecondPerGpu": 29.3,
        "userTokensPerSecondP50": 77.9,
        "ttftP50Milliseconds": 3090,
    }
    assert len(found["targets"]) == 8
    assert found["unavailable"] == [
        {"framework": "sglang", "gpu": "h200", "topology": "agg"},
        {"framework": "sglang", "gpu": "h200", "topology": "disagg"},
        {"framework": "vllm", "gpu": "h200", "topology": "disagg"},
        {"framework": "vllm", "gpu": "gb200", "topology": "disagg"},
    ]


def test_a_target_without_speculative_decoding_says_null_in_json() -> None:
    assert json.loads(operations("targets", "--json").stdout)["targets"][0]["speculativeDecoding"] is None
