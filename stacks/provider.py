"""The one explicit Kubernetes provider of a stack."""

import os

import pulumi_kubernetes as k8s

from settings import Settings


def kubernetes_provider(settings: Settings) -> k8s.Provider:
    """A provider for the stack's cluster, or one that renders files; never both, never an ambient default."""
    _forget_ambient_arguments()
    if settings.render:
        return k8s.Provider("kubernetes", render_yaml_to_directory=settings.render.directory)
    if settings.cluster is None:
        raise ValueError("settings hold exactly one of cluster and render")
    return k8s.Provider(
        "kubernetes",
        context=settings.cluster.context,
        kubeconfig=settings.cluster.kubeconfig,
        # Without one the provider takes any other context for the same cluster, and says that all is there. With it
        # another cluster replaces all objects, and the protected ones refuse.
        cluster_identifier=settings.cluster.cluster_identifier or settings.cluster.context,
        enable_secret_mutable=True,  # a new token is one update; a replacement would pull the Job along
        enable_config_map_mutable=True,  # engine config changes in place; the pod annotation rolls the workers
    )


def _forget_ambient_arguments() -> None:
    """Keeps the SDK from taking KUBECONFIG and PULUMI_K8S_* for arguments.

    The first is refused together with rendering and puts a path of this machine into the state otherwise; the others
    make a stack differ from laptop to laptop. The provider's own process still finds KUBECONFIG where a stack names no
    file.
    """
    for name in [n for n in os.environ if n == "KUBECONFIG" or n.startswith("PULUMI_K8S_")]:
        del os.environ[name]
