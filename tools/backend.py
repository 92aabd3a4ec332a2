"""Where the state is: the backend that the user has chosen, else a folder of the project."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.stack_file import read_mapping

STATE_FOLDER = ".pulumi-state"
CLOUD = "https://api.pulumi.com"


@dataclass(frozen=True)
class Backend:
    """`ours` is the project's own folder, used because the user has chosen nothing."""

    url: str
    ours: bool

    @property
    def is_cloud(self) -> bool:
        """Pulumi Cloud, its own or a company's: it keeps secrets itself and needs no passphrase."""
        return self.url.startswith(("https://", "http://"))

    def variables(self) -> dict[str, str]:
        return {"PULUMI_BACKEND_URL": self.url} if self.ours else {}


def choose_backend(root: Path, environ: Mapping[str, str]) -> Backend:
    """The order is the CLI's own: variable, project file, login."""
    chosen = environ.get("PULUMI_BACKEND_URL") or _of_project(root) or _of_login(environ)
    if chosen:
        return Backend(chosen, ours=False)
    return Backend(f"file://{root / STATE_FOLDER}", ours=True)


def prepare_backend(root: Path, backend: Backend) -> None:
    if backend.ours:
        (root / STATE_FOLDER).mkdir(exist_ok=True)  # a file backend wants its folder to be there


def _of_project(root: Path) -> str | None:
    backend = read_mapping(root / "Pulumi.yaml").get("backend")
    url = backend.get("url") if isinstance(backend, dict) else None
    return str(url) if url else None


def _of_login(environ: Mapping[str, str]) -> str | None:
    """The backend of a `pulumi login`. A token alone counts as one: the CLI takes it for Pulumi Cloud."""
    home = environ.get("PULUMI_HOME") or str(Path(environ.get("HOME") or Path.home()) / ".pulumi")
    file = Path(environ.get("PULUMI_CREDENTIALS_PATH") or home) / "credentials.json"
    try:
        current = json.loads(file.read_text(encoding="utf-8")).get("current")
    except (OSError, ValueError, AttributeError):
        current = None
    if current:
        return str(current)
    return CLOUD if environ.get("PULUMI_ACCESS_TOKEN") else None
