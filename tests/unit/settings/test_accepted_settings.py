"""Defaults, and the few spellings beside the plain one that pass."""

from pathlib import Path

import pytest

from recipes import Refusal
from settings import Settings, load_settings
from tests.unit.settings.stack_files import GONE, Values, complete, read

ANYWHERE: Values = {"nodeSelector": {}, "tolerations": [], "affinity": {}, "priorityClassName": None}
DEFAULTS: Values = {
    "framework": "vllm",
    "gpu": "gb200",
    "topology": "agg",
    "namespace": {"name": "kimi-k3", "create": True, "protect": True, "podSecurity": None},
    "huggingFace": {"source": "config", "secretName": "hf-token-secret"},
    "modelCache": {
        "create": True,
        "claimName": "shared-model-cache",
        "storageClassName": "shared-rwx",
        "size": "3000Gi",
        "protect": True,
        "subPath": None,
    },
    "modelDownload": {
        "enabled": True,
        "wait": True,
        "timeoutSeconds": 14400,
        "resources": {"requests": {}, "limits": {}},
        "maxWorkers": None,
    },
    "serving": {
        "deploy": True,
        "image": "published",
        "runtimeVersion": None,
        "wait": True,
        "timeoutSeconds": 10800,
        "canaryHealthCheck": True,
        "benchmarkMode": False,
        "contextLength": None,
        "queue": None,
        "schedulerName": None,
        "livenessProbe": None,
        "modulesCache": False,
    },
    "images": {"registry": None, "pullSecrets": [], "download": "published"},
    "hub": {"endpoint": None, "packageIndex": None},
    "placement": {
        "frontend": ANYWHERE,
        "workers": ANYWHERE,
        "download": ANYWHERE,
        "benchmark": ANYWHERE,
        "clique": None,
    },
    "metadata": {"labels": {}, "annotations": {}},
    "roles": {},
    "cost": {"pricePerGpuHour": None},
    "cluster": {"context": "prod", "kubeconfig": None, "clusterIdentifier": None, "gpuProduct": None},
    "render": None,
}


def test_what_a_stack_does_not_say_has_these_defaults(tmp_path: Path) -> None:
    assert read(tmp_path, complete({})).model_dump(mode="json", by_alias=True) == DEFAULTS


@pytest.mark.parametrize("given", [{}, {"directory": "rendered/prod"}], ids=["empty-group", "said"])
def test_files_are_rendered_into_a_folder_of_the_stacks_name(tmp_path: Path, given: dict[str, str]) -> None:
    settings = read(tmp_path, complete({"cluster": GONE, "render": given}))
    assert settings.render is not None
    assert settings.render.directory == "rendered/prod"
    assert settings.rendering


def _leaf(settings: Settings, key: str) -> object:
    group, inner = key.split(".")
    found: object = settings.model_dump(mode="json", by_alias=True)[group][inner]
    return found


ACCEPTED = [
    ("serving.wait", "false", False),
    ("serving.wait", False, False),
    ("namespace.create", "true", True),
    ("serving.timeoutSeconds", "7200", 7200),
    ("serving.timeoutSeconds", 1, 1),
    ("serving.timeoutSeconds", 2592000, 2592000),
    ("modelDownload.timeoutSeconds", 20000, 20000),
    ("modelCache.size", "3072Gi", "3Ti"),
    ("modelCache.size", "4000000M", "4T"),
    ("modelCache.storageClassName", "csi.example.com", "csi.example.com"),
    ("namespace.name", "3-models", "3-models"),
    ("cluster.context", "arn:aws:eks:us-east-1:1:cluster/prod", "arn:aws:eks:us-east-1:1:cluster/prod"),
    ("cluster.context", "admin@prod cluster", "admin@prod cluster"),
    ("cluster.kubeconfig", "~/.kube/prod config", "~/.kube/prod config"),
    ("cluster.clusterIdentifier", "prod-1", "prod-1"),
    ("cluster.gpuProduct", "NVIDIA-H200-NVL", "NVIDIA-H200-NVL"),
    ("serving.runtimeVersion", None, None),
    ("serving.runtimeVersion", "1.4.2", "1.4.2"),
]


@pytest.mark.parametrize(
    ("key", "given", "meant"), [pytest.param(*row, id=f"{row[0]}={row[1]}") for row in ACCEPTED]
)
def test_only_the_canonical_spelling_of_a_value_is_understood(
    tmp_path: Path, key: str, given: object, meant: object
) -> None:
    found = _leaf(read(tmp_path, complete({key: given})), key)
    assert (found, type(found)) == (meant, type(meant))


def test_settings_cannot_be_changed_after_they_were_checked() -> None:
    settings = load_settings(complete({}), "prod")
    with pytest.raises(ValueError, match="frozen"):
        settings.serving.wait = False  # type: ignore[misc] # what is frozen is assigned to on purpose
    with pytest.raises(ValueError, match="frozen"):
        settings.cluster = None  # type: ignore[misc] # frozen too, as above


def test_errors_of_the_model_itself_do_not_repeat_what_was_given() -> None:
    with pytest.raises(ValueError, match="context") as refused:
        Settings.model_validate({"cluster": {"context": 5, "hfToken": "very-secret"}})
    assert "very-secret" not in str(refused.value)


def test_the_order_of_keys_in_a_file_is_of_no_meaning() -> None:
    """The engine hands mappings over sorted; args and env would have another order in `render` than on the cluster."""
    args = {"set": {"--b": 1, "--a": {"d": 1, "c": 2}}}
    first = complete({"roles": {"worker": {"env": {"B": "1", "A": "2"}, "args": args}}})
    role = load_settings(first, "prod").roles["worker"]
    assert list(role.env) == ["A", "B"]
    assert list(role.args.set) == ["--a", "--b"]
    assert list(role.args.set["--a"]) == ["c", "d"]


@pytest.mark.parametrize("key", [1, None, True])
def test_a_key_that_is_no_text_is_refused_as_the_text_that_the_engine_makes_of_it(key: object) -> None:
    with pytest.raises(
        Refusal, match=f"kimi-k3:roles.{key} is no component|kimi-k3:roles.worker.env.{key} is"
    ):
        load_settings(complete({"roles": {key: {}, "worker": {"env": {key: 1}}}}), "prod")
