"""The kinds of values that name something on the network: registries and index URLs."""

import re
from typing import Annotated

from pydantic import BeforeValidator

from settings.values import refuse

_HOST = r"[A-Za-z0-9](?:[-.A-Za-z0-9]*[A-Za-z0-9])?(?::[0-9]{1,5})?"
_REGISTRY = re.compile(rf"{_HOST}(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*")
_URL = re.compile(rf"https?://{_HOST}(?:/[-A-Za-z0-9._~%/]*)?")


def _registry(value: object) -> str:
    accepted = "a registry with or without a path: host, host:port or host/path, without https:// and tag"
    example = "registry.example.com/mirror"
    return value if isinstance(value, str) and _REGISTRY.fullmatch(value) else refuse(accepted, example)


def _url(example: str) -> BeforeValidator:
    def check(value: object) -> str:
        accepted = "an http or https URL without user, password and query, which would stand in the Job in clear text"
        if isinstance(value, str) and _URL.fullmatch(value):
            return value
        hidden = "a URL with credentials" if isinstance(value, str) and "@" in value else ""
        return refuse(accepted, example, shown=hidden)

    return BeforeValidator(check)


Registry = Annotated[str, BeforeValidator(_registry)]
HubUrl = Annotated[str, _url("https://hub.example.com")]
PackageIndexUrl = Annotated[str, _url("https://pypi.example.com/simple")]
