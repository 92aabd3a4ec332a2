"""Images that the operator would refuse."""

from collections.abc import Iterator

from manifests.rules.rule import Finding, rule
from manifests.rules.view import View
from settings.images import tells_version


@rule("image-version", "operator webhook: a semantic version in the tag, or runtimeVersionOverride (#10494)")
def _image_version(view: View) -> Iterator[Finding]:
    said = set()
    for component in view.components:
        image = str(component.main.get("image", ""))
        if "runtimeVersionOverride" in component.manifest or tells_version(image) or image in said:
            continue
        said.add(image)
        yield Finding(
            f"the image of {component.name} is {image!r}, whose tag is not a semantic version, and "
            "kimi-k3:serving.runtimeVersion is not set: the operator would refuse the deployment",
            "a tag such as 1.5.0 or 1.5.0-kimi-k3-dev.1, or any image together with its Dynamo version",
            ("serving", "runtimeVersion"),
            "1.5.0",
            "Say which Dynamo it holds",
        )


RULES = (_image_version,)
