"""The Pulumi CLI where it need not be built: on PATH, or the official release; and the released provider."""

import contextlib
import os
import shutil
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

INSTALLER_URL = "https://get.pulumi.com/install.sh"  # what PulumiCommand.install fetches
PROBE_SECONDS = 3.0
ASK_SECONDS = 20.0  # `pulumi version` answers in half a second; a broken one must not hang the command
FETCH_SECONDS = 180.0  # the released provider is about 40 MB


def pulumi_on_path(environ: Mapping[str, str], own_folders: tuple[Path, ...]) -> tuple[Path, str] | None:
    """The user's `pulumi` and its version. What this project itself has put on PATH does not count."""
    folders = [folder for folder in environ.get("PATH", "").split(os.pathsep) if folder]
    theirs = [folder for folder in folders if not _inside(Path(folder), own_folders)]
    found = shutil.which("pulumi", path=os.pathsep.join(theirs)) if theirs else None
    return (Path(found), pulumi_version(Path(found), environ)) if found else None


def pulumi_version(executable: Path, environ: Mapping[str, str]) -> str:
    """The version without its `v`; an empty text if the executable does not tell it."""
    try:
        asked = subprocess.run(
            [executable, "version"],
            env={**environ, "PULUMI_SKIP_UPDATE_CHECK": "true"},
            capture_output=True,
            text=True,
            timeout=ASK_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.strip().removeprefix("v") if asked.returncode == 0 else ""


def answers_within(seconds: float, fetch: Callable[[], object]) -> bool:
    """Whether `fetch` returns in time. In a thread: no socket's limit covers the look-up of a name."""
    answered = threading.Event()

    def ask() -> None:
        with contextlib.suppress(
            OSError
        ):  # what urllib raises: no route, refused, an HTTP error, a bad certificate
            fetch()
            answered.set()

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    return answered.is_set()


def release_host_answers() -> bool:
    """Whether Pulumi's download host can be reached from here."""

    def fetch() -> None:
        request = urllib.request.Request(INSTALLER_URL, method="HEAD")
        urllib.request.urlopen(request, timeout=PROBE_SECONDS).close()  # noqa: S310 (a constant https URL)

    return answers_within(PROBE_SECONDS, fetch)


def install_official(folder: Path, version: str) -> None:
    """Installs the official release, CLI and language hosts, so that `folder`/bin/pulumi is there."""
    # Imported here: the SDK takes a second to load, and every other command does without it.
    from pulumi.automation import PulumiCommand
    from semver import VersionInfo

    PulumiCommand.install(root=str(folder), version=VersionInfo.parse(version))


def provider_version() -> str:
    """The release of the Kubernetes provider that the installed SDK asks for."""
    return metadata.version("pulumi-kubernetes")


def has_released_provider(environ: Mapping[str, str]) -> bool:
    home = Path(environ.get("PULUMI_HOME") or Path(environ.get("HOME") or Path.home()) / ".pulumi")
    folder = home / "plugins" / f"resource-kubernetes-v{provider_version()}"
    # The CLI leaves these two beside a download that has not ended.
    unfinished = any(Path(f"{folder}{suffix}").exists() for suffix in (".partial", ".lock.partial"))
    return (folder / "pulumi-resource-kubernetes").exists() and not unfinished


def fetch_released_provider(pulumi: Path, environ: Mapping[str, str]) -> bool:
    """Lets the CLI fetch the provider, if its host is there: without one the CLI would retry for long."""
    if has_released_provider(environ):
        return True
    redirected = environ.get("PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES")  # then the plugins come from elsewhere
    if not redirected and not release_host_answers():
        return False
    command = [str(pulumi), "plugin", "install", "resource", "kubernetes", provider_version()]
    quiet = {**environ, "PULUMI_SKIP_UPDATE_CHECK": "true"}
    try:
        ran = subprocess.run(command, env=quiet, capture_output=True, timeout=FETCH_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


def _inside(folder: Path, parents: tuple[Path, ...]) -> bool:
    resolved = folder.resolve()
    return any(resolved.is_relative_to(parent.resolve()) for parent in parents)
