"""Which image a container runs: the published one, the same from another registry, or the user's own."""

from settings import ImageSettings
from settings.values import PUBLISHED


def image_of(published: str, images: ImageSettings, *chosen: str | None) -> str:
    """The first of `chosen` that says something, else the published image, from the stack's registry if it has one."""
    own = next((image for image in chosen if image is not None), PUBLISHED)
    if own != PUBLISHED:
        return own
    return f"{images.registry}/{_without_host(published)}" if images.registry else published


def _without_host(image: str) -> str:
    """A first part with a dot or a port is a registry; all else belongs to the image's name."""
    first, slash, rest = image.partition("/")
    return rest if slash and {".", ":"} & set(first) else image
