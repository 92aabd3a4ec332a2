"""The kinds of values that settings hold; each says what it accepts, with an example, when it refuses."""

import re
from typing import Annotated, Any, NoReturn

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

from settings import quantity

# Kubernetes names (RFC 1123); `fullmatch`, so that a trailing newline does not slip through.
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_LABEL_LENGTH, _NAME_LENGTH = 63, 253
_WHOLE_NUMBER = re.compile(r"[1-9][0-9]{0,9}")  # Python refuses to read numbers of thousands of digits
_VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")
# The reference grammar of container images: lower-case path, optional registry with port, tag and digest.
_IMAGE = re.compile(
    r"(?:[A-Za-z0-9](?:[-.A-Za-z0-9]*[A-Za-z0-9])?(?::[0-9]+)?/)?"
    r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*"
    r"(?::[A-Za-z0-9_][-.A-Za-z0-9_]{0,127})?(?:@sha256:[0-9a-f]{64})?"
)
_MAX_SECONDS = 2_592_000  # 30 days: more is a slip of the pen, and far below what a Go duration holds
_MAX_PRICE = 10_000  # of one GPU and hour

PUBLISHED = "published"


def refuse(accepted: str, example: str, shown: str = "", inside: tuple[str | int, ...] = ()) -> NoReturn:
    """Refuse the value at hand, or what `inside` leads to.

    `example` is a value that would pass, empty where it would not fit into a command; `shown` stands for a value that
    is not to be repeated.
    """
    raise PydanticCustomError(
        "refused", "{accepted}", {"accepted": accepted, "example": example, "shown": shown, "inside": inside}
    )


def is_placeholder(value: object) -> bool:
    """Stack files mark what only the user knows as `<...>`."""
    return isinstance(value, str) and value.startswith("<") and value.endswith(">")


def _flag(value: object) -> bool:
    canonical: dict[object, bool] = {"true": True, "false": False}
    if isinstance(value, bool):
        return value
    return (
        canonical[value] if isinstance(value, str) and value in canonical else refuse("true or false", "true")
    )


def _seconds(value: object) -> int:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if whole or (isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value)):
        number = int(str(value))
        if 1 <= number <= _MAX_SECONDS:
            return number
    return refuse(f"a whole number of seconds from 1 to {_MAX_SECONDS}, without a unit", "10800")


def _whole(lowest: int, highest: int, accepted: str, example: str) -> BeforeValidator:
    """Whole numbers in a range; `accepted` says what they count."""

    def check(value: object) -> int:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if whole or (isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value)):
            number = int(str(value))
            if lowest <= number <= highest:
                return number
        return refuse(f"a whole number from {lowest} to {highest}: {accepted}", example)

    return BeforeValidator(check)


def _price(value: object) -> float:
    accepted = "a price in the currency of your bill, a number above 0"
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _MAX_PRICE:
        return float(value)
    return refuse(accepted, "2.5")


def _text(value: object, accepted: str, example: str) -> str:
    return value if isinstance(value, str) else refuse(accepted, example)


def _dns_label(value: object) -> str:
    accepted = "a DNS label: lower-case letters, digits and '-', at most 63 characters, no '-' at either end"
    text = _text(value, accepted, "kimi-k3")
    return text if _LABEL.fullmatch(text) and len(text) <= _LABEL_LENGTH else refuse(accepted, "kimi-k3")


def _dns_subdomain(example: str) -> Any:  # Any: what pydantic takes as a validator
    signs = "lower-case letters, digits, '-' and '.'"
    accepted = f"a DNS name: {signs}, at most 253 characters, no '-' or '.' at either end"

    def check(value: object) -> str:
        text = _text(value, accepted, example)
        return text if _SUBDOMAIN.fullmatch(text) and len(text) <= _NAME_LENGTH else refuse(accepted, example)

    return BeforeValidator(check)


def _size(value: object) -> str:
    accepted = "a Kubernetes quantity of storage, in whole bytes"
    text = _text(value, accepted, "3000Gi")
    try:
        whole = quantity.amount(text).denominator == 1
        return quantity.canonical(text) if whole else refuse(accepted, "3000Gi")
    except ValueError:
        refuse(accepted, "3000Gi")


def _image(example: str) -> BeforeValidator:
    accepted = "'published', or an image reference: registry/path:tag or registry/path:tag@sha256:digest"

    def check(value: object) -> str:
        text = _text(value, accepted, example)
        return text if _IMAGE.fullmatch(text) else refuse(accepted, example)

    return BeforeValidator(check)


def _version(value: object) -> str:
    accepted = "the Dynamo version inside the image, as MAJOR.MINOR.PATCH"
    text = _text(value, accepted, "1.5.0")
    return text if _VERSION.fullmatch(text) else refuse(accepted, "1.5.0")


def _line(accepted: str, example: str) -> Any:  # Any: what pydantic takes as a validator
    def check(value: object) -> str:
        text = _text(value, accepted, example)
        sound = bool(text) and text == text.strip() and text.isprintable()
        return text if sound else refuse(accepted, example)

    return BeforeValidator(check)


def _relative_folder(value: str) -> str:
    parts = value.split("/")
    if value.startswith("~") or "\\" in value or any(part.startswith(".") or not part for part in parts):
        refuse("a folder below the project, relative, without '..' or hidden folders", "rendered/dev")
    return value


def _kubeconfig_path(value: object) -> object:
    """Refuses content, which holds credentials: they would end up in the state, and are not repeated here either."""
    if isinstance(value, dict | list) or (isinstance(value, str) and re.search(r"[{}\n]|apiVersion:", value)):
        accepted = "the path of a kubeconfig file, not its content (that would end up in the state)"
        refuse(accepted, "~/.kube/config", shown="the content of a kubeconfig")
    return value


Flag = Annotated[bool, BeforeValidator(_flag)]
Seconds = Annotated[int, BeforeValidator(_seconds)]
Replicas = Annotated[int, _whole(1, 100, "replicas", "2")]
NodeCount = Annotated[
    int, _whole(2, 72, "nodes of one replica, since one node does not hold the checkpoint", "4")
]
Workers = Annotated[int, _whole(1, 64, "files downloaded at a time", "8")]
ContextLength = Annotated[int, _whole(1024, 1048576, "tokens, at most what the model was made for", "262144")]
Strikes = Annotated[int, _whole(1, 100, "failed probes in a row until a worker restarts", "6")]
Price = Annotated[float, BeforeValidator(_price)]
DnsLabel = Annotated[str, BeforeValidator(_dns_label)]
SecretName = Annotated[str, _dns_subdomain("hf-token-secret")]
PullSecretName = Annotated[str, _dns_subdomain("registry-login")]
ObjectName = Annotated[str, _dns_subdomain("kimi-k3")]
ClaimName = Annotated[str, _dns_subdomain("shared-model-cache")]
StorageClassName = Annotated[str, _dns_subdomain("shared-rwx")]
StorageSize = Annotated[str, BeforeValidator(_size)]
Image = Annotated[str, _image("registry.example.com/vllm-runtime:1.5.0")]
DownloadImage = Annotated[str, _image("registry.example.com/python:3.10-slim")]
RuntimeVersion = Annotated[str, BeforeValidator(_version)]
ContextName = Annotated[str, _line("the name of a context of the kubeconfig", "prod")]
KubeconfigPath = Annotated[
    # Of validators before the type the last one runs first.
    str, _line("the path of a kubeconfig file", "~/.kube/config"), BeforeValidator(_kubeconfig_path)
]
ClusterIdentifier = Annotated[str, _line("any word that stays the same for this cluster", "prod-cluster")]
RelativeFolder = Annotated[
    str, _line("a folder below the project, relative", "rendered/dev"), AfterValidator(_relative_folder)
]
