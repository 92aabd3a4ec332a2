"""Prints the environment that the commands use: for a shell, and for tests."""

import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from tools.backend import choose_backend, prepare_backend
from tools.provide import provide
from tools.toolchain import Toolchain
from tools.versions import ROOT


def shell_exports(root: Path = ROOT, environ: Mapping[str, str] = os.environ) -> str:
    """Lines for `eval "$(make -s env)"`: afterwards `pulumi` runs as it does under make."""
    toolchain = provide(root, environ, announce=False)
    backend = choose_backend(root, environ)
    prepare_backend(root, backend)
    variables = toolchain.variables(environ) | backend.variables()
    variables["PATH"] = search_path(toolchain, variables["PATH"])
    return "\n".join(f"export {name}={shlex.quote(value)}" for name, value in variables.items())


def search_path(toolchain: Toolchain, path: str) -> str:
    """PATH with the CLI's folder on it, which a `pulumi` that was found there needs no help with."""
    folder = str(toolchain.pulumi.parent)
    return path if folder in path.split(os.pathsep) else os.pathsep.join([folder, path])


def engine_environment(root: Path = ROOT, environ: Mapping[str, str] = os.environ) -> str:
    """The toolchain as JSON, for programs that are not written in Python."""
    toolchain = provide(root, environ, announce=False)
    return json.dumps(
        {
            "pulumi": str(toolchain.pulumi),
            "path": [str(folder) for folder in toolchain.path],
            "source": toolchain.source.value,
            "providerBuilt": toolchain.provider_built,
            "environment": toolchain.variables(environ),
        },
        indent=2,
    )
