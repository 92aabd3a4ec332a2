"""How each engine spells what the rules look at, and what the operator adds to its command line by itself.

Sources: vLLM's engine arguments, SGLang's server arguments, Dynamo operator (multinode rendering).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Dialect:
    """Words that start with `--` are flags, all others are keys of the engine's config file."""

    tensor: str = ""
    pipeline: str = ""
    model: str = ""
    served_name: str = ""
    context_length: str = ""
    mode: str = ""
    nodes: str = ""  # a flag that has to repeat the node count
    executor: str = ""
    hidden_file: str = ""  # a flag for a file that the operator does not read
    injected: tuple[str, ...] = ()
    only_flags: tuple[str, ...] = ()  # switches that the engine's file must not hold
    foreign_env: str = ""  # prefix of the variables that only the other engine reads
    foreign: Mapping[str, str] = field(default_factory=dict)  # the other engine's words, with this one's

    @property
    def has_file(self) -> bool:
        return bool(self.tensor) and not self.tensor.startswith("--")


# vLLM's flag and SGLang's key for the same thing.
_COUNTERPARTS = {
    "--block-size": "page-size",
    "--data-parallel-size": "dp-size",
    "--enable-expert-parallel": "ep-size",
    "--enforce-eager": "disable-cuda-graph",
    "--gpu-memory-utilization": "mem-fraction-static",
    "--kv-transfer-config": "disaggregation-transfer-backend",
    "--max-model-len": "context-length",
    "--max-num-batched-tokens": "chunked-prefill-size",
    "--max-num-seqs": "max-running-requests",
    "--model": "model-path",
    "--no-enable-prefix-caching": "disable-radix-cache",
    "--pipeline-parallel-size": "pp-size",
    "--speculative-config": "speculative-algorithm",
    "--tensor-parallel-size": "tp-size",
}

DIALECTS = {
    "vllm": Dialect(
        tensor="--tensor-parallel-size",
        pipeline="--pipeline-parallel-size",
        model="--model",
        served_name="--served-model-name",
        context_length="--max-model-len",
        mode="--disaggregation-mode",
        nodes="--nnodes",
        executor="--distributed-executor-backend",
        hidden_file="--config",
        injected=("--node-rank", "--master-addr", "--master-port", "--headless"),
        foreign_env="SGLANG_",
        foreign={f"--{key}": flag for flag, key in _COUNTERPARTS.items()},
    ),
    "sglang": Dialect(
        tensor="tp-size",
        pipeline="pp-size",
        model="model-path",
        served_name="served-model-name",
        context_length="context-length",
        mode="disaggregation-mode",
        injected=("--dist-init-addr", "--nnodes", "--node-rank"),
        only_flags=("enable-linear-replayssm-spec",),
        foreign_env="VLLM_",
        foreign=_COUNTERPARTS,
    ),
}
UNKNOWN = Dialect()
