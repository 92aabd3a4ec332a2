"""The one reader of a stack's cluster: raw documents, or the reason why they could not be read."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import urllib3
import yaml
from kubernetes import client, config

from recipes import Refusal
from settings import ClusterSettings

# What the official client raises for a file that is no kubeconfig.
_MALFORMED = (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError)
Document = dict[str, Any]  # Any: Kubernetes objects are JSON of any depth
_SECONDS = 10  # of one request; a server that answers slower than that counts as unreadable for now


@dataclass(frozen=True)
class Unreadable:
    """What could not be read, and why: not allowed, not answered, not served."""

    reason: str


class Cluster:
    """Reads through the official client with the stack's own kubeconfig and context. Changes nothing."""

    def __init__(self, api: client.ApiClient) -> None:
        self._api = api

    @classmethod
    def of(cls, settings: ClusterSettings) -> "Cluster":
        """The cluster of a stack; raises Refusal when its kubeconfig or context cannot be used."""
        path = str(Path(settings.kubeconfig).expanduser()) if settings.kubeconfig else None
        try:
            chosen = client.Configuration()
            config.load_kube_config(config_file=path, context=settings.context, client_configuration=chosen)
            chosen.retries = False  # whoever asks, asks again
            return cls(client.ApiClient(chosen))
        except (config.ConfigException, OSError, *_MALFORMED) as error:
            told = "its kubeconfig is malformed" if isinstance(error, _MALFORMED) else str(error).rstrip(".")
            raise Refusal(
                f"The context {settings.context!r} cannot be used: {told}.\n"
                f"Accepted: a context of {path or 'KUBECONFIG or ~/.kube/config'}.\n"
                "List them: kubectl config get-contexts"
            ) from None

    def get(self, path: str) -> Document | Unreadable | None:
        """The object at an API path such as `/api/v1/namespaces/x`; None when there is none."""
        return self._read(path, [])

    def items(self, path: str, labels: str = "", fields: str = "") -> list[Document] | Unreadable:
        """The objects of a collection whose labels and fields match; none where the kind is not served."""
        selectors = {"labelSelector": labels, "fieldSelector": fields}
        found = self._read(path, [(name, value) for name, value in selectors.items() if value])
        if isinstance(found, Unreadable):
            return found
        return list(found.get("items", [])) if found else []

    def _read(self, path: str, query: list[tuple[str, str]]) -> Document | Unreadable | None:
        try:
            response = self._api.call_api(
                path,
                "GET",
                query_params=query,
                auth_settings=["BearerToken"],
                _return_http_data_only=True,
                _preload_content=False,  # typed decoding is slow, and knows no custom resources
                _request_timeout=_SECONDS,
            )
            return _answer(response.status, response.data)
        except client.ApiException as error:
            return _answer(error.status, error.body)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            return Unreadable(f"the API server does not answer ({type(error).__name__})")


def _answer(status: int, body: bytes | str | None) -> Document | Unreadable | None:
    try:
        document = json.loads(body or "")
    except ValueError:
        return Unreadable(f"the answer is not JSON (HTTP {status})")
    if status == 404:  # noqa: PLR2004 - HTTP
        return None
    if status != 200 or not isinstance(document, dict):  # noqa: PLR2004 - HTTP
        message = document.get("message", "") if isinstance(document, dict) else ""
        return Unreadable(f"HTTP {status}: {message}" if message else f"HTTP {status}")
    return document
