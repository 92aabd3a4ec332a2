"""The namespace of everything that a stack makes."""

from manifests.shape import NO_EXTRAS, Manifest, described
from settings import MetadataSettings, PodSecurity

ENFORCE = "pod-security.kubernetes.io/enforce"


def model_namespace(
    name: str, pod_security: PodSecurity | None = None, extra: MetadataSettings = NO_EXTRAS
) -> Manifest:
    """A Namespace as `kubectl create namespace` makes it, with a Pod Security level where one is chosen."""
    labels = {ENFORCE: str(pod_security)} if pod_security else {}
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": name, **described({}, extra, labels)},
    }
