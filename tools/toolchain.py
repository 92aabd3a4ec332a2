"""What running Pulumi needs, wherever it came from."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Source(StrEnum):
    PATH = "path"
    OFFICIAL = "official"
    BUILT = "built"


@dataclass(frozen=True)
class Toolchain:
    """What runs Pulumi: the CLI, the folders to put before PATH, and where it all comes from."""

    pulumi: Path
    path: tuple[Path, ...]
    source: Source
    provider_built: bool
    """True if the provider is the one built here: older than the released one, it adopts existing objects."""

    def variables(self, environ: Mapping[str, str]) -> dict[str, str]:
        """The variables to set for every pulumi process."""
        given = [folder for folder in environ.get("PATH", "").split(os.pathsep) if folder]
        ours = [str(folder) for folder in self.path]
        search = [*ours, *(folder for folder in given if folder not in ours)]
        quiet = {"PULUMI_SKIP_UPDATE_CHECK": "true", "PULUMI_ERROR_OUTPUT_STRING": "true"}
        # The built provider is on PATH; the CLI would still try to fetch the release that the SDK names.
        pinned = {"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true"} if self.provider_built else {}
        return {"PATH": os.pathsep.join(search), **quiet, **pinned}
