"""Unknown keys at every level, keys that are missing, and placeholders that still stand: each with its full message."""

from pathlib import Path

import pytest

from tests.unit.settings.stack_files import GONE, complete, refusal

_TOP = (
    "Accepted: framework, gpu, topology, namespace, huggingFace, modelCache, modelDownload, serving, images, hub, "
    "placement, metadata, roles, cost, cluster, render, hfToken.\nCorrect the key, or remove it."
)


def _inner(group: str, keys: str) -> str:
    return f"Accepted in kimi-k3:{group}: {keys}.\nCorrect the key, or remove it."


_NAMESPACE = _inner("namespace", "name, create, protect, podSecurity")
_HUGGING_FACE = _inner("huggingFace", "source, secretName")
_CACHE = _inner("modelCache", "create, claimName, storageClassName, size, protect, subPath")
_DOWNLOAD = _inner("modelDownload", "enabled, wait, timeoutSeconds, resources, maxWorkers")
_SERVING = _inner(
    "serving",
    "deploy, image, runtimeVersion, wait, timeoutSeconds, canaryHealthCheck, benchmarkMode, contextLength, queue, "
    "schedulerName, livenessProbe, modulesCache",
)
_CLUSTER = _inner("cluster", "context, kubeconfig, clusterIdentifier, gpuProduct")

UNKNOWN = [
    ("topolgy", "kimi-k3:topolgy is not a setting. Did you mean topology?", _TOP),
    ("modelcache", "kimi-k3:modelcache is not a setting. Did you mean modelCache?", _TOP),
    ("replicas", "kimi-k3:replicas is not a setting.", _TOP),
    ("hfTokn", "kimi-k3:hfTokn is not a setting. Did you mean hfToken?", _TOP),
    ("namespace.nmae", "kimi-k3:namespace.nmae is not a setting. Did you mean name?", _NAMESPACE),
    ("huggingFace.hfToken", "kimi-k3:huggingFace.hfToken is not a setting.", _HUGGING_FACE),
    (
        "huggingFace.secretname",
        "kimi-k3:huggingFace.secretname is not a setting. Did you mean secretName?",
        _HUGGING_FACE,
    ),
    (
        "modelCache.storageClass",
        "kimi-k3:modelCache.storageClass is not a setting. Did you mean storageClassName?",
        _CACHE,
    ),
    (
        "modelCache.storage_class_name",
        "kimi-k3:modelCache.storage_class_name is not a setting. Did you mean storageClassName?",
        _CACHE,
    ),
    (
        "modelDownload.enable",
        "kimi-k3:modelDownload.enable is not a setting. Did you mean enabled?",
        _DOWNLOAD,
    ),
    ("serving.imagee", "kimi-k3:serving.imagee is not a setting. Did you mean image?", _SERVING),
    ("serving.timeout", "kimi-k3:serving.timeout is not a setting. Did you mean timeoutSeconds?", _SERVING),
    ("cluster.contxt", "kimi-k3:cluster.contxt is not a setting. Did you mean context?", _CLUSTER),
]


@pytest.mark.parametrize(("key", "given", "accepted"), [pytest.param(*row, id=row[0]) for row in UNKNOWN])
def test_an_unknown_key_is_refused_with_the_nearest_known_name(
    tmp_path: Path, key: str, given: str, accepted: str
) -> None:
    assert refusal(tmp_path, complete({key: "x"})) == f"{given}\n{accepted}"


def test_an_unknown_key_of_the_render_group_is_refused_beside_the_directorys_default(tmp_path: Path) -> None:
    values = complete({"cluster": GONE, "render.folder": "out"})
    assert refusal(tmp_path, values) == (
        "kimi-k3:render.folder is not a setting.\n"
        "Accepted in kimi-k3:render: directory.\n"
        "Correct the key, or remove it."
    )


MISSING = [
    pytest.param(
        {"framework": GONE},
        "kimi-k3:framework is not set, and has no default.\n"
        "Accepted: vllm, sglang.\n"
        "Set it: make set STACK=prod KEY=framework",
        id="framework",
    ),
    pytest.param(
        {"gpu": GONE},
        "kimi-k3:gpu is not set, and has no default.\n"
        "Accepted: h200, gb200, gb300.\n"
        "Set it: make set STACK=prod KEY=gpu",
        id="gpu",
    ),
    pytest.param(
        {"topology": GONE},
        "kimi-k3:topology is not set, and has no default.\n"
        "Accepted: agg, disagg.\n"
        "Set it: make set STACK=prod KEY=topology",
        id="topology",
    ),
    pytest.param(
        {"modelCache": GONE},
        "kimi-k3:modelCache.storageClassName is not set, and has no default.\n"
        "Accepted: a class that can do ReadWriteMany.\n"
        "Set it: make set STACK=prod KEY=modelCache.storageClassName",
        id="model-cache-group",
    ),
    pytest.param(
        {"modelCache.storageClassName": GONE},
        "kimi-k3:modelCache.storageClassName is not set, and has no default.\n"
        "Accepted: a class that can do ReadWriteMany.\n"
        "Set it: make set STACK=prod KEY=modelCache.storageClassName",
        id="storage-class",
    ),
    pytest.param(
        {"cluster.context": GONE},
        "kimi-k3:cluster.context is not set, and has no default.\n"
        "Accepted: context of the kubeconfig; never the current one by accident.\n"
        "Set it: make set STACK=prod KEY=cluster.context",
        id="context",
    ),
    pytest.param(
        {"gpu": GONE, "cluster.context": GONE},
        "kimi-k3:gpu is not set, and has no default.\n"
        "Accepted: h200, gb200, gb300.\n"
        "Set it: make set STACK=prod KEY=gpu\n\n"
        "kimi-k3:cluster.context is not set, and has no default.\n"
        "Accepted: context of the kubeconfig; never the current one by accident.\n"
        "Set it: make set STACK=prod KEY=cluster.context",
        id="two-at-once",
    ),
]


@pytest.mark.parametrize(("changes", "message"), MISSING)
def test_what_has_no_default_must_be_set(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    assert refusal(tmp_path, complete(changes)) == message


PLACEHOLDERS = [
    pytest.param(
        {"modelCache.storageClassName": "<a class>"},
        "kimi-k3:modelCache.storageClassName is still the placeholder '<a class>'.\n"
        "Accepted: your own value.\n"
        "Set it: make set STACK=prod KEY=modelCache.storageClassName",
        id="storage-class",
    ),
    pytest.param(
        {"cluster.context": "<your context>"},
        "kimi-k3:cluster.context is still the placeholder '<your context>'.\n"
        "Accepted: your own value.\n"
        "Set it: make set STACK=prod KEY=cluster.context",
        id="context-which-takes-any-text",
    ),
    pytest.param(
        {"gpu": "<gpu>", "serving.runtimeVersion": "<version>"},
        "kimi-k3:gpu is still the placeholder '<gpu>'.\n"
        "Accepted: your own value.\n"
        "Set it: make set STACK=prod KEY=gpu\n\n"
        "kimi-k3:serving.runtimeVersion is still the placeholder '<version>'.\n"
        "Accepted: your own value.\n"
        "Set it: make set STACK=prod KEY=serving.runtimeVersion",
        id="two-at-once",
    ),
]


@pytest.mark.parametrize(("changes", "message"), PLACEHOLDERS)
def test_a_placeholder_is_refused_once_and_with_the_command_that_fills_it(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    assert refusal(tmp_path, complete(changes)) == message


def test_all_mistakes_of_a_stack_are_told_at_once(tmp_path: Path) -> None:
    values = complete({"gpu": "b200", "topolgy": "agg", "serving.wait": "no", "cluster.context": "<context>"})
    assert refusal(tmp_path, values) == (
        "kimi-k3:cluster.context is still the placeholder '<context>'.\n"
        "Accepted: your own value.\n"
        "Set it: make set STACK=prod KEY=cluster.context\n\n"
        "kimi-k3:gpu is 'b200'. Did you mean gb200?\n"
        "Accepted: h200, gb200, gb300.\n"
        "For example: make set STACK=prod KEY=gpu VALUE=gb200\n\n"
        "kimi-k3:serving.wait is 'no'.\n"
        "Accepted: true or false.\n"
        "For example: make set STACK=prod KEY=serving.wait VALUE=true\n\n"
        "kimi-k3:topolgy is not a setting. Did you mean topology?\n"
        f"{_TOP}"
    )
