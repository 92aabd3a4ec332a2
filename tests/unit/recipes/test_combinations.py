"""All twelve combinations of framework, GPU and topology, and words that are none of theirs."""

import pytest

from recipes import Refusal, load_catalog

BUILD = [
    ("vllm", "h200", "agg", "kimi-k3-vllm-h200-agg-agentic"),
    ("vllm", "gb200", "agg", "kimi-k3-vllm-gb200-agg-agentic"),
    ("vllm", "gb300", "agg", "kimi-k3-vllm-gb300-agg-agentic"),
    ("vllm", "gb300", "disagg", "kimi-k3-vllm-gb300-disagg-agentic"),
    ("sglang", "gb200", "agg", "kimi-k3-sglang-gb200-agg-agentic"),
    ("sglang", "gb200", "disagg", "kimi-k3-sglang-gb200-disagg-agentic"),
    ("sglang", "gb300", "agg", "kimi-k3-sglang-gb300-agg-agentic"),
    ("sglang", "gb300", "disagg", "kimi-k3-sglang-gb300-disagg-agentic"),
]
REFUSED = [
    (
        "vllm",
        "h200",
        "disagg",
        (
            "No recipe is published for vllm on h200 (disagg).\n"
            "Published for h200: vllm agg. Published for vllm: h200 agg, gb200 agg, gb300 agg, gb300 disagg.\n"
            "Set kimi-k3:framework, kimi-k3:gpu and kimi-k3:topology to one of these."
        ),
    ),
    (
        "vllm",
        "gb200",
        "disagg",
        (
            "No recipe is published for vllm on gb200 (disagg).\n"
            "Published for gb200: vllm agg, sglang agg, sglang disagg. "
            "Published for vllm: h200 agg, gb200 agg, gb300 agg, gb300 disagg.\n"
            "Set kimi-k3:framework, kimi-k3:gpu and kimi-k3:topology to one of these."
        ),
    ),
    (
        "sglang",
        "h200",
        "agg",
        (
            "No recipe is published for sglang on h200 (agg).\n"
            "Published for h200: vllm agg. "
            "Published for sglang: gb200 agg, gb200 disagg, gb300 agg, gb300 disagg.\n"
            "Set kimi-k3:framework, kimi-k3:gpu and kimi-k3:topology to one of these."
        ),
    ),
    (
        "sglang",
        "h200",
        "disagg",
        (
            "No recipe is published for sglang on h200 (disagg).\n"
            "Published for h200: vllm agg. "
            "Published for sglang: gb200 agg, gb200 disagg, gb300 agg, gb300 disagg.\n"
            "Set kimi-k3:framework, kimi-k3:gpu and kimi-k3:topology to one of these."
        ),
    ),
]
TWELVE = [pytest.param(f, g, t, dgd, None, id=f"{f}-{g}-{t}") for f, g, t, dgd in BUILD] + [
    pytest.param(f, g, t, None, message, id=f"{f}-{g}-{t}-refused") for f, g, t, message in REFUSED
]


@pytest.mark.parametrize(("framework", "gpu", "topology", "dgd", "message"), TWELVE)
def test_each_of_the_twelve_combinations_builds_or_is_refused_with_the_published_ones(
    framework: str, gpu: str, topology: str, dgd: str | None, message: str | None
) -> None:
    if message is None:
        assert load_catalog().target(framework, gpu, topology).dgd_name == dgd
        return
    with pytest.raises(Refusal) as refused:
        load_catalog().target(framework, gpu, topology)
    assert str(refused.value) == message


WORDS = [
    pytest.param(
        ("vlm", "gb200", "agg"),
        "kimi-k3:framework is 'vlm'. Did you mean vllm?\n"
        "Accepted: vllm, sglang.\n"
        "Set kimi-k3:framework to one of these.",
        id="framework",
    ),
    pytest.param(
        ("vllm", "GB200", "agg"),
        "kimi-k3:gpu is 'GB200'. Did you mean gb200?\n"
        "Accepted: h200, gb200, gb300.\n"
        "Set kimi-k3:gpu to one of these.",
        id="gpu-in-capitals",
    ),
    pytest.param(
        ("trtllm", "a100", "aggregated"),
        "kimi-k3:framework is 'trtllm'. Did you mean vllm?\n"
        "Accepted: vllm, sglang.\n"
        "Set kimi-k3:framework to one of these.\n\n"
        "kimi-k3:gpu is 'a100'.\n"
        "Accepted: h200, gb200, gb300.\n"
        "Set kimi-k3:gpu to one of these.\n\n"
        "kimi-k3:topology is 'aggregated'.\n"
        "Accepted: agg, disagg.\n"
        "Set kimi-k3:topology to one of these.",
        id="all-three-at-once",
    ),
]


@pytest.mark.parametrize(("words", "message"), WORDS)
def test_an_unknown_word_is_refused_with_the_accepted_ones(words: tuple[str, str, str], message: str) -> None:
    with pytest.raises(Refusal) as refused:
        load_catalog().target(*words)
    assert str(refused.value) == message


def test_a_name_that_is_no_target_is_refused_with_all_names() -> None:
    with pytest.raises(Refusal) as refused:
        load_catalog().named("vllm-gb200-aggr")
    assert str(refused.value) == (
        "There is no target vllm-gb200-aggr. Did you mean vllm-gb200-agg?\n"
        "Published: vllm-h200-agg, vllm-gb200-agg, vllm-gb300-agg, vllm-gb300-disagg, sglang-gb200-agg, "
        "sglang-gb200-disagg, sglang-gb300-agg, sglang-gb300-disagg.\n"
        "Name one of these."
    )
