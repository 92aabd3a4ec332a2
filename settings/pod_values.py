"""The kinds of values that Kubernetes takes in a pod: labels, tolerations, quantities, security."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator

from settings import quantity
from settings.kubernetes_types import mistakes
from settings.values import PullSecretName, refuse

_LABEL_VALUE = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?")
_QUALIFIED = re.compile(
    r"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"
)
_MAX_NAME, _MAX_PREFIX = 63, 253
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

Raw = Any  # Any: JSON of any depth, checked against the client's types


def is_qualified_name(text: str) -> bool:
    """Whether Kubernetes takes `text` as the key of a label, an annotation or a taint."""
    prefix, _, name = text.rpartition("/")
    return bool(_QUALIFIED.fullmatch(text)) and len(name) <= _MAX_NAME and len(prefix) <= _MAX_PREFIX


def is_label_value(text: str) -> bool:
    return bool(_LABEL_VALUE.fullmatch(text)) and len(text) <= _MAX_NAME


def _mapping(value: object, accepted: str) -> Mapping[str, Any]:  # Any: whatever the user wrote
    return value if isinstance(value, Mapping) else refuse(accepted, "")


def _text_in(key: str, value: object, example: str) -> str:
    """A text below `key`; numbers and booleans are refused, since nobody can tell how they were spelled."""
    if isinstance(value, str):
        return value
    return refuse("a text; a number or true stands in quotes", f'"{example}"', inside=(key,))


def _labels(value: object) -> dict[str, str]:
    keys = "a label's key: letters, digits, '-', '_' and '.', at most 63, with or without a DNS name and '/' before it"
    values = "a label's value: letters, digits, '-', '_' and '.', at most 63, no sign at either end"
    found = {}
    for key, given in _mapping(value, "a mapping of labels to texts").items():
        if not is_qualified_name(str(key)):
            refuse(keys, "", shown="no label's key", inside=(str(key),))
        found[str(key)] = _text_in(str(key), given, "1")
        if not is_label_value(found[str(key)]):
            refuse(values, "platform", inside=(str(key),))
    return found


def _product(value: object) -> str:
    accepted = "the value of the node label nvidia.com/gpu.product of whole GPUs, which no two pods share"
    sound = isinstance(value, str) and bool(value) and is_label_value(value)
    shared = sound and ("-SHARED" in str(value) or "-MIG-" in str(value))
    return str(value) if sound and not shared else refuse(accepted, "NVIDIA-GB200")


def _annotations(value: object) -> dict[str, str]:
    keys = "letters, digits, '-', '_' and '.', at most 63, with or without a DNS name and '/' before it"
    found = {}
    for key, given in _mapping(value, "a mapping of annotations to texts").items():
        if not is_qualified_name(str(key)):
            refuse(keys, "", shown="no annotation's key", inside=(str(key),))
        found[str(key)] = _text_in(str(key), given, "1")
    return found


def _env(value: object) -> dict[str, str]:
    found = {}
    for key, given in _mapping(value, "a mapping of variables to texts").items():
        if not _ENV_NAME.fullmatch(str(key)):
            refuse(
                "letters, digits and '_', no digit first", "", shown="no variable's name", inside=(str(key),)
            )
        found[str(key)] = _text_in(str(key), given, "1")
    return found


def _quantities(value: object) -> dict[str, str]:
    found = {}
    for key, given in _mapping(value, "a mapping of resources to quantities").items():
        name = str(key)
        if name not in ("cpu", "memory", "ephemeral-storage") and not _is_extended(name):
            accepted = "cpu, memory, ephemeral-storage, hugepages-<size>, or a device such as rdma/ib"
            refuse(accepted, "", shown="no resource", inside=(name,))
        found[name] = _quantity(given, name)
    return found


def _is_extended(name: str) -> bool:
    return name.startswith("hugepages-") or ("/" in name and is_qualified_name(name))


def _quantity(value: object, name: str = "") -> str:
    inside, example = ((name,) if name else ()), "8" if name == "cpu" else "64Gi"
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        value = str(value)  # `cpu: 16`, as everybody writes it
    try:
        if isinstance(value, str) and quantity.amount(value) > 0:
            return quantity.canonical(value)
    except ValueError:
        pass
    return refuse("a Kubernetes quantity above 0", example, inside=inside)


def _raw(kind: str) -> Any:  # Any: what pydantic takes as a validator
    def check(value: object) -> Raw:
        for mistake in mistakes(value, kind):
            refuse(mistake.accepted, "", inside=mistake.inside)
        return value

    return BeforeValidator(check)


def _sub_path(value: object) -> str:
    accepted = "a folder inside the claim, relative, without '..'"
    if not isinstance(value, str) or not value.isprintable() or value != value.strip():
        return refuse(accepted, "models/kimi-k3")
    sound = (
        "\\" not in value
        and "$" not in value
        and all(part not in ("", ".", "..") for part in value.split("/"))
    )
    return value if sound else refuse(accepted, "models/kimi-k3")


def _clique(value: object) -> str:
    accepted = "a value of the node label nvidia.com/gpu.clique"
    sound = isinstance(value, str) and value and is_label_value(value)
    return str(value) if sound else refuse(accepted, "b2a1c6f0-5d3e-4f7a-9c11-0a2b3c4d5e6f.1")


def _names(value: object) -> object:
    return value if isinstance(value, list) else refuse("a list of names of Secrets", "")


GpuProduct = Annotated[str, BeforeValidator(_product)]
Labels = Annotated[dict[str, str], BeforeValidator(_labels)]
Annotations = Annotated[dict[str, str], BeforeValidator(_annotations)]
Env = Annotated[dict[str, str], BeforeValidator(_env)]
Quantities = Annotated[dict[str, str], BeforeValidator(_quantities)]
Quantity = Annotated[str, BeforeValidator(_quantity)]
Tolerations = Annotated[list[dict[str, Raw]], _raw("list[V1Toleration]")]
Affinity = Annotated[dict[str, Raw], _raw("V1Affinity")]
PodSecurityContext = Annotated[dict[str, Raw], _raw("V1PodSecurityContext")]
SubPath = Annotated[str, BeforeValidator(_sub_path)]
SecretNames = Annotated[list[PullSecretName], BeforeValidator(_names)]
Clique = Annotated[str, BeforeValidator(_clique)]
