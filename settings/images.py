"""What the Dynamo operator reads from an image reference: the runtime version in its tag."""

import re

# The operator's own rule: [v]MAJOR.MINOR.PATCH[-prerelease][+build]; of `tag@digest` the tag counts.
_SEMANTIC = re.compile(
    r"v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"
    r"(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?"
)


def tells_version(image: str) -> bool:
    """Whether the operator can read the runtime version from the tag of `image`; else it refuses the deployment."""
    name = image.split("@", 1)[0].rsplit("/", 1)[-1]
    _, _, tag = name.partition(":")
    return bool(_SEMANTIC.fullmatch(tag))
