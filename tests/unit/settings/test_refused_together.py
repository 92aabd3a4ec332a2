"""Settings that are sound one by one and not together: each refused with its full message."""

from pathlib import Path

import pytest

from manifests.rules.names import longest_namespace
from tests.unit.settings.stack_files import GONE, complete, read, refusal

# 63 - 1 - length of the DynamoGraphDeployment's name, counted by hand.
LONGEST = [
    ("vllm-h200-agg", "kimi-k3-vllm-h200-agg-agentic", 33),
    ("vllm-gb200-agg", "kimi-k3-vllm-gb200-agg-agentic", 32),
    ("vllm-gb300-agg", "kimi-k3-vllm-gb300-agg-agentic", 32),
    ("vllm-gb300-disagg", "kimi-k3-vllm-gb300-disagg-agentic", 29),
    ("sglang-gb200-agg", "kimi-k3-sglang-gb200-agg-agentic", 30),
    ("sglang-gb200-disagg", "kimi-k3-sglang-gb200-disagg-agentic", 27),
    ("sglang-gb300-agg", "kimi-k3-sglang-gb300-agg-agentic", 30),
    ("sglang-gb300-disagg", "kimi-k3-sglang-gb300-disagg-agentic", 27),
]


@pytest.mark.parametrize(("target", "dgd", "longest"), LONGEST, ids=[row[0] for row in LONGEST])
def test_a_namespace_too_long_for_the_target_is_refused_with_the_maximum(
    tmp_path: Path, target: str, dgd: str, longest: int
) -> None:
    framework, gpu, topology = target.split("-")
    chosen = {"framework": framework, "gpu": gpu, "topology": topology}
    fits = read(tmp_path, complete({**chosen, "namespace.name": "n" * longest}))
    assert longest_namespace(fits.target) == longest
    assert refusal(tmp_path, complete({**chosen, "namespace.name": "n" * (longest + 1)})) == (
        f"kimi-k3:namespace.name is '{'n' * (longest + 1)}', {longest + 1} characters long.\n"
        f"Accepted: at most {longest} with {dgd}, since <namespace>-<deployment> becomes a label value of at most 63.\n"
        f"Choose a shorter one: make set STACK=prod KEY=namespace.name VALUE={'n' * longest}"
    )


def test_the_shorter_namespace_that_is_proposed_is_a_valid_name(tmp_path: Path) -> None:
    message = refusal(tmp_path, complete({"namespace.name": "n" * 31 + "-mmm"}))
    assert message.endswith(f"VALUE={'n' * 31}"), "a name that ends with '-' would be refused in turn"


TOGETHER = [
    pytest.param(
        {"framework": "sglang", "gpu": "h200"},
        "No recipe is published for sglang on h200 (agg).\n"
        "Published for h200: vllm agg. "
        "Published for sglang: gb200 agg, gb200 disagg, gb300 agg, gb300 disagg.\n"
        "Set kimi-k3:framework, kimi-k3:gpu and kimi-k3:topology to one of these.",
        id="unpublished-combination",
    ),
    pytest.param(
        {"gpu": "h200", "topology": "disagg", "namespace.name": "n" * 60},
        "No recipe is published for vllm on h200 (disagg).\n"
        "Published for h200: vllm agg. Published for vllm: h200 agg, gb200 agg, gb300 agg, gb300 disagg.\n"
        "Set kimi-k3:framework, kimi-k3:gpu and kimi-k3:topology to one of these.",
        id="unpublished-combination-has-no-maximum",
    ),
    pytest.param(
        {"render.directory": "out"},
        "Both kimi-k3:cluster and kimi-k3:render are set.\n"
        "Accepted: exactly one; cluster deploys, render writes files.\n"
        "Remove one of them from Pulumi.prod.yaml.",
        id="cluster-and-render",
    ),
    pytest.param(
        {"cluster": GONE},
        "Neither kimi-k3:cluster nor kimi-k3:render is set.\n"
        "Accepted: exactly one; cluster deploys, render writes files.\n"
        "Name the cluster: make set STACK=prod KEY=cluster.context",
        id="neither-cluster-nor-render",
    ),
    pytest.param(
        {"huggingFace.source": "existingSecret"},
        "kimi-k3:huggingFace.source is 'existingSecret' while kimi-k3:namespace.create is true: a Secret cannot exist "
        "in a namespace that is yet to be made.\n"
        "Accepted: an existing Secret in an existing namespace, or source: config.\n"
        "Use the existing namespace: make set STACK=prod KEY=namespace.create VALUE=false",
        id="existing-secret-in-a-namespace-to-be-made",
    ),
    pytest.param(
        {"namespace.protect": False},
        "kimi-k3:namespace.protect is false while kimi-k3:modelCache.protect is true: deleting the namespace would "
        "delete the protected claim and its weights.\n"
        "Accepted: both protected, or neither.\n"
        "Protect the namespace: make set STACK=prod KEY=namespace.protect VALUE=true",
        id="unprotected-namespace-round-a-protected-claim",
    ),
    pytest.param(
        {"serving.image": "registry.example.com/kimi:latest"},
        "the image of Frontend is 'registry.example.com/kimi:latest', whose tag is not a semantic version, and "
        "kimi-k3:serving.runtimeVersion is not set: the operator would refuse the deployment.\n"
        "Accepted: a tag such as 1.5.0 or 1.5.0-kimi-k3-dev.1, or any image together with its Dynamo version.\n"
        "Say which Dynamo it holds: make set STACK=prod KEY=serving.runtimeVersion VALUE=1.5.0",
        id="image-that-does-not-tell-its-version",
    ),
    pytest.param(
        {"modelCache.size": "1500Gi"},
        "kimi-k3:modelCache.size is '1500Gi'; the download would run out of space after hours.\n"
        "Accepted: at least 2Ti for the checkpoint of 1.5 TB and both drafts; published are 3000Gi.\n"
        "Set it: make set STACK=prod KEY=modelCache.size VALUE=3000Gi",
        id="cache-too-small",
    ),
    pytest.param(
        {"modelCache.size": "2T"},
        "kimi-k3:modelCache.size is '2T'; the download would run out of space after hours.\n"
        "Accepted: at least 2Ti for the checkpoint of 1.5 TB and both drafts; published are 3000Gi.\n"
        "Set it: make set STACK=prod KEY=modelCache.size VALUE=3000Gi",
        id="cache-too-small-in-decimal-units",
    ),
    pytest.param(
        {"cluster": GONE, "namespace.name": "default"},
        "Neither kimi-k3:cluster nor kimi-k3:render is set.\n"
        "Accepted: exactly one; cluster deploys, render writes files.\n"
        "Name the cluster: make set STACK=prod KEY=cluster.context\n\n"
        "kimi-k3:namespace.name is 'default', which every cluster has already.\n"
        "Accepted: a namespace of the stack's own, or an existing one with create: false.\n"
        "Choose another: make set STACK=prod KEY=namespace.name VALUE=kimi-k3",
        id="two-at-once",
    ),
]


@pytest.mark.parametrize(("changes", "message"), TOGETHER)
def test_settings_that_contradict_each_other_are_refused(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    assert refusal(tmp_path, complete(changes)) == message


@pytest.mark.parametrize("name", ["default", "kube-node-lease", "kube-public", "kube-system"])
def test_a_namespace_that_every_cluster_has_is_not_made(tmp_path: Path, name: str) -> None:
    assert refusal(tmp_path, complete({"namespace.name": name})) == (
        f"kimi-k3:namespace.name is '{name}', which every cluster has already.\n"
        "Accepted: a namespace of the stack's own, or an existing one with create: false.\n"
        "Choose another: make set STACK=prod KEY=namespace.name VALUE=kimi-k3"
    )
    assert not read(tmp_path, complete({"namespace.name": name, "namespace.create": False})).namespace.create


PASSES = [
    pytest.param(
        {"huggingFace.source": "existingSecret", "namespace.create": False},
        id="existing-secret-and-namespace",
    ),
    pytest.param(
        {"huggingFace.source": "existingSecret", "cluster": GONE, "render.directory": "out"},
        id="existing-secret-when-rendering",
    ),
    pytest.param({"namespace.protect": False, "modelCache.protect": False}, id="neither-protected"),
    pytest.param({"namespace.protect": False, "modelCache.create": False}, id="nothing-of-ours-to-protect"),
    pytest.param({"namespace.protect": False, "namespace.create": False}, id="namespace-of-another"),
    pytest.param({"modelCache.protect": False}, id="protected-namespace-round-an-unprotected-claim"),
    pytest.param(
        {"serving.image": "kimi:latest", "serving.runtimeVersion": "1.5.0"}, id="version-told-by-hand"
    ),
    pytest.param({"modelCache.size": "2Ti"}, id="smallest-cache"),
    pytest.param({"modelCache.size": "10Gi", "modelCache.create": False}, id="size-of-another-stacks-claim"),
]


@pytest.mark.parametrize("changes", PASSES)
def test_what_only_looks_like_a_contradiction_passes(tmp_path: Path, changes: dict[str, object]) -> None:
    read(tmp_path, complete(changes))
