"""The eight published targets, written by hand: a target that the program loses must not vanish from its tests."""

TARGETS = (
    "vllm-h200-agg",
    "vllm-gb200-agg",
    "vllm-gb300-agg",
    "vllm-gb300-disagg",
    "sglang-gb200-agg",
    "sglang-gb200-disagg",
    "sglang-gb300-agg",
    "sglang-gb300-disagg",
)
