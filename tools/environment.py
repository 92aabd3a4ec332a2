"""The environment of a pulumi process."""

from collections.abc import Mapping
from pathlib import Path

from tools import passphrase
from tools.backend import Backend
from tools.shim import OWN_FOLDER
from tools.stack_file import StackFile
from tools.toolchain import Toolchain

# Where a cluster would be found although nobody named one; the provider contacts it even while it renders.
IN_CLUSTER = ("KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT")


def pulumi_environment(
    root: Path, stack_file: StackFile, backend: Backend, toolchain: Toolchain, environ: Mapping[str, str]
) -> dict[str, str]:
    ready = {**environ, **toolchain.variables(environ), **backend.variables()}
    return rendering_environment(root, ready) if stack_file.renders else ready


def rendering_environment(root: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """For a stack that renders: no cluster to be found, and the empty passphrase whatever the user's is."""
    dropped = {passphrase.FILE, *IN_CLUSTER}
    kept = {name: value for name, value in environ.items() if name not in dropped}
    nowhere = (
        root / OWN_FOLDER / "no-kubeconfig"
    )  # never made: without the variable ~/.kube/config would be read
    return {**kept, passphrase.VALUE: "", "KUBECONFIG": str(nowhere)}
