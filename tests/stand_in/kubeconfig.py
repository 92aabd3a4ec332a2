"""A kubeconfig file with a context for each user of the test cluster."""

from collections.abc import Mapping
from pathlib import Path

import yaml

from manifests import Manifest


class Kubeconfig:
    """The first context added is the current one. The file changes with each call."""

    def __init__(self, path: Path, server: str, certificate: Path) -> None:
        self.path = path
        self._server = server
        self._certificate = str(certificate)
        self._contexts: dict[str, _Entry] = {}

    def add(self, name: str, user: Mapping[str, str], *, server: str = "", namespace: str = "") -> None:
        """A context with a cluster and a user of the same name; added again, it is replaced."""
        cluster = {"server": server or self._server, "certificate-authority": self._certificate}
        context = {"cluster": name, "user": name} | ({"namespace": namespace} if namespace else {})
        self._contexts[name] = {"clusters": cluster, "users": dict(user), "contexts": context}
        self._write()

    def remove(self, name: str) -> None:
        del self._contexts[name]
        self._write()

    def _write(self) -> None:
        written = self.path.with_suffix(".new")
        written.touch(mode=0o600)
        written.write_text(yaml.safe_dump(self._document(), sort_keys=False))
        written.replace(self.path)  # a reader sees the old file or the new one

    def _document(self) -> Manifest:
        document: Manifest = {"apiVersion": "v1", "kind": "Config"}
        document["current-context"] = next(iter(self._contexts), "")
        for part in ("clusters", "users", "contexts"):
            word = part.removesuffix("s")
            document[part] = [{"name": name, word: entry[part]} for name, entry in self._contexts.items()]
        return document


_Entry = dict[str, dict[str, str]]
