"""Where pods may run, and what they pull their images with."""

from manifests.shape import Manifest
from settings import ImageSettings, PodPlacement

CLIQUE = "nvidia.com/gpu.clique"


def placed(placement: PodPlacement, images: ImageSettings, clique: str | None = None) -> Manifest:
    """Fields of a pod's spec, only those that are set. `clique` keeps the pods on the nodes of one rack."""
    selector = {**placement.node_selector, **({CLIQUE: clique} if clique else {})}
    fields: Manifest = {
        "nodeSelector": selector,
        "tolerations": [dict(toleration) for toleration in placement.tolerations],
        "affinity": dict(placement.affinity),
        "priorityClassName": placement.priority_class_name,
        "imagePullSecrets": [{"name": name} for name in images.pull_secrets],
    }
    return {key: value for key, value in fields.items() if value}
