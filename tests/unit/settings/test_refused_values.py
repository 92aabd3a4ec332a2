"""Single values that no stack can have: each with its full message, which names key, value, rule and next step."""

from pathlib import Path

import pytest

from tests.unit.settings.stack_files import GONE, complete, refusal

_LABEL = (
    "Accepted: a DNS label: lower-case letters, digits and '-', at most 63 characters, no '-' at either end.\n"
    "For example: make set STACK=prod KEY=namespace.name VALUE=kimi-k3"
)
_NAME = (
    "Accepted: a DNS name: lower-case letters, digits, '-' and '.', at most 253 characters, no '-' or '.' at either "
    "end.\nFor example: make set STACK=prod KEY="
)
_SIZE = (
    "Accepted: a Kubernetes quantity of storage, in whole bytes.\n"
    "For example: make set STACK=prod KEY=modelCache.size VALUE=3000Gi"
)
_SECONDS = (
    "Accepted: a whole number of seconds from 1 to 2592000, without a unit.\n"  # 30 days
    "For example: make set STACK=prod KEY="
)
_FLAG = "Accepted: true or false.\nFor example: make set STACK=prod KEY="
_IMAGE = (
    "Accepted: 'published', or an image reference: registry/path:tag or registry/path:tag@sha256:digest.\n"
    "For example: make set STACK=prod KEY=serving.image VALUE=registry.example.com/vllm-runtime:1.5.0"
)
_VERSION = (
    "Accepted: the Dynamo version inside the image, as MAJOR.MINOR.PATCH.\n"
    "For example: make set STACK=prod KEY=serving.runtimeVersion VALUE=1.5.0"
)
_CONTEXT = (
    "Accepted: the name of a context of the kubeconfig.\n"
    "For example: make set STACK=prod KEY=cluster.context VALUE=prod"
)
_CLASS = f"{_NAME}modelCache.storageClassName VALUE=shared-rwx"
_CLAIM = f"{_NAME}modelCache.claimName VALUE=shared-model-cache"
_SECRET = f"{_NAME}huggingFace.secretName VALUE=hf-token-secret"
_SERVING_SECONDS = f"{_SECONDS}serving.timeoutSeconds VALUE=10800"

Row = tuple[str, object, str, str]

WORDS: list[Row] = [
    (
        "framework",
        "vLLM",
        "'vLLM'. Did you mean vllm?",
        "Accepted: vllm, sglang.\nFor example: make set STACK=prod KEY=framework VALUE=vllm",
    ),
    (
        "gpu",
        "GB300",
        "'GB300'. Did you mean gb300?",
        "Accepted: h200, gb200, gb300.\nFor example: make set STACK=prod KEY=gpu VALUE=gb300",
    ),
    (
        "topology",
        "aggregated",
        "'aggregated'.",
        "Accepted: agg, disagg.\nFor example: make set STACK=prod KEY=topology VALUE=agg",
    ),
    (
        "huggingFace.source",
        "existing-secret",
        "'existing-secret'. Did you mean existingSecret?",
        (
            "Accepted: config, existingSecret.\n"
            "For example: make set STACK=prod KEY=huggingFace.source VALUE=existingSecret"
        ),
    ),
]
NAMES: list[Row] = [
    ("namespace.name", "Kimi", "'Kimi'.", _LABEL),
    ("namespace.name", "kimi.k3", "'kimi.k3'.", _LABEL),
    ("namespace.name", "-kimi", "'-kimi'.", _LABEL),
    ("namespace.name", "kimi-", "'kimi-'.", _LABEL),
    ("namespace.name", "kimi_k3", "'kimi_k3'.", _LABEL),
    ("namespace.name", "", "''.", _LABEL),
    ("namespace.name", "kimi\n", "'kimi\\n'.", _LABEL),
    ("namespace.name", "k" * 64, f"'{'k' * 64}'.", _LABEL),
    ("namespace.name", 123, "123.", _LABEL),
    ("namespace.name", None, "null.", _LABEL),
    ("modelCache.storageClassName", "Shared", "'Shared'.", _CLASS),
    ("modelCache.storageClassName", "shared..rwx", "'shared..rwx'.", _CLASS),
    ("modelCache.storageClassName", "s" * 254, f"'{'s' * 76}....", _CLASS),
    ("modelCache.storageClassName", 7, "7.", _CLASS),
    ("modelCache.claimName", "cache_1", "'cache_1'.", _CLAIM),
    ("huggingFace.secretName", "HF_TOKEN", "'HF_TOKEN'.", _SECRET),
]
SIZES: list[Row] = [
    ("modelCache.size", value, f"{value!r}.", _SIZE)
    for value in (
        "3000GB",
        "3 Ti",
        "3TiB",
        "-3Ti",
        "lots",
        "",
        "0x3Ti",
        "3,5Ti",
        "3000gi",
        "0.5",
        "0.0000001Ki",
    )
]
SECONDS: list[Row] = [
    ("serving.timeoutSeconds", "3h", "'3h'.", _SERVING_SECONDS),
    ("serving.timeoutSeconds", "10800s", "'10800s'.", _SERVING_SECONDS),
    ("serving.timeoutSeconds", "10800.0", "'10800.0'.", _SERVING_SECONDS),
    ("serving.timeoutSeconds", 10800.0, "10800.0.", _SERVING_SECONDS),
    ("serving.timeoutSeconds", "010800", "'010800'.", _SERVING_SECONDS),
    ("serving.timeoutSeconds", "10800\n", "'10800\\n'.", _SERVING_SECONDS),
    ("serving.timeoutSeconds", 0, "0.", _SERVING_SECONDS),
    ("serving.timeoutSeconds", -1, "-1.", _SERVING_SECONDS),
    ("serving.timeoutSeconds", 2592001, "2592001.", _SERVING_SECONDS),
    ("serving.timeoutSeconds", "9" * 5000, f"'{'9' * 76}....", _SERVING_SECONDS),
    ("serving.timeoutSeconds", True, "true.", _SERVING_SECONDS),
    (
        "modelDownload.timeoutSeconds",
        "PT4H",
        "'PT4H'.",
        f"{_SECONDS}modelDownload.timeoutSeconds VALUE=10800",
    ),
]
FLAGS: list[Row] = [
    ("serving.wait", "yes", "'yes'.", f"{_FLAG}serving.wait VALUE=true"),
    ("serving.deploy", "off", "'off'.", f"{_FLAG}serving.deploy VALUE=true"),
    ("namespace.create", "True", "'True'.", f"{_FLAG}namespace.create VALUE=true"),
    ("namespace.protect", 1, "1.", f"{_FLAG}namespace.protect VALUE=true"),
    ("modelCache.create", "", "''.", f"{_FLAG}modelCache.create VALUE=true"),
    ("modelCache.protect", 0, "0.", f"{_FLAG}modelCache.protect VALUE=true"),
    ("modelDownload.enabled", "n", "'n'.", f"{_FLAG}modelDownload.enabled VALUE=true"),
    ("modelDownload.wait", [True], "[true].", f"{_FLAG}modelDownload.wait VALUE=true"),
]
TEXTS: list[Row] = [
    ("serving.image", "Registry/Kimi K3:1.5.0", "'Registry/Kimi K3:1.5.0'.", _IMAGE),
    ("serving.image", "registry.example.com/kimi:", "'registry.example.com/kimi:'.", _IMAGE),
    (
        "serving.image",
        "https://registry.example.com/kimi:1.5.0",
        "'https://registry.example.com/kimi:1.5.0'.",
        _IMAGE,
    ),
    ("serving.image", "kimi@sha256:abc", "'kimi@sha256:abc'.", _IMAGE),
    ("serving.image", 1.5, "1.5.", _IMAGE),
    ("serving.runtimeVersion", "v1.5.0", "'v1.5.0'.", _VERSION),
    ("serving.runtimeVersion", "1.5", "'1.5'.", _VERSION),
    ("serving.runtimeVersion", 1.5, "1.5.", _VERSION),
    ("serving.runtimeVersion", "1.5.0-dev.1", "'1.5.0-dev.1'.", _VERSION),
    ("cluster.context", "", "''.", _CONTEXT),
    ("cluster.context", " prod", "' prod'.", _CONTEXT),
    ("cluster.context", "prod\n", "'prod\\n'.", _CONTEXT),
    ("cluster.context", 5, "5.", _CONTEXT),
    (
        "cluster.clusterIdentifier",
        "",
        "''.",
        (
            "Accepted: any word that stays the same for this cluster.\n"
            "For example: make set STACK=prod KEY=cluster.clusterIdentifier VALUE=prod-cluster"
        ),
    ),
    (
        "cluster.kubeconfig",
        "",
        "''.",
        (
            "Accepted: the path of a kubeconfig file.\n"
            "For example: make set STACK=prod KEY=cluster.kubeconfig VALUE=~/.kube/config"
        ),
    ),
]
GROUPS: list[Row] = [
    (
        "serving",
        "published",
        "'published'.",
        (
            "Accepted: a mapping with the keys deploy, image, runtimeVersion, wait, timeoutSeconds, canaryHealthCheck, "
            "benchmarkMode, contextLength, queue, schedulerName, livenessProbe, modulesCache.\n"
            "Set one of its keys instead: make set STACK=prod KEY=serving.deploy"
        ),
    ),
    (
        "cluster",
        "prod",
        "'prod'.",
        (
            "Accepted: a mapping with the keys context, kubeconfig, clusterIdentifier, gpuProduct.\n"
            "Set one of its keys instead: make set STACK=prod KEY=cluster.context"
        ),
    ),
]


@pytest.mark.parametrize(
    ("key", "value", "shown", "rest"),
    [
        pytest.param(*row, id=f"{row[0]}={str(row[1])[:20]!r}")
        for row in [*WORDS, *NAMES, *SIZES, *SECONDS, *FLAGS, *TEXTS, *GROUPS]
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(
    tmp_path: Path, key: str, value: object, shown: str, rest: str
) -> None:
    assert refusal(tmp_path, complete({key: value})) == f"kimi-k3:{key} is {shown}\n{rest}"


ESCAPES = [
    "../rendered",
    "rendered/../..",
    "/rendered",
    "~/rendered",
    ".git",
    "out/.hidden",
    "a//b",
    "a/",
    "a\\b",
    ".",
]
_FOLDER = (
    "Accepted: a folder below the project, relative, without '..' or hidden folders.\n"
    "For example: make set STACK=prod KEY=render.directory VALUE=rendered/dev"
)


@pytest.mark.parametrize("folder", ESCAPES)
def test_a_render_directory_outside_the_project_is_refused(tmp_path: Path, folder: str) -> None:
    values = complete({"cluster": GONE, "render.directory": folder})
    assert refusal(tmp_path, values) == f"kimi-k3:render.directory is {folder!r}.\n{_FOLDER}"


KUBECONFIGS = [
    pytest.param("apiVersion: v1\nusers:\n- user: {token: very-secret}\n", id="yaml"),
    pytest.param("users:\n- name: very-secret\n", id="part-of-it"),
    pytest.param('{"users": [{"user": {"token": "very-secret"}}]}', id="json"),
    pytest.param("apiVersion: very-secret", id="one-line"),
    pytest.param({"users": [{"user": {"token": "very-secret"}}]}, id="mapping"),
    pytest.param(["very-secret"], id="list"),
]


@pytest.mark.parametrize("content", KUBECONFIGS)
def test_the_content_of_a_kubeconfig_is_refused_and_not_repeated(tmp_path: Path, content: object) -> None:
    assert refusal(tmp_path, complete({"cluster.kubeconfig": content})) == (
        "kimi-k3:cluster.kubeconfig is the content of a kubeconfig.\n"
        "Accepted: the path of a kubeconfig file, not its content (that would end up in the state).\n"
        "For example: make set STACK=prod KEY=cluster.kubeconfig VALUE=~/.kube/config"
    )
