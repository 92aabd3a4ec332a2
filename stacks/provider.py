"""The one explicit Kubernetes provider of a stack."""

import os

import pulumi_kubernetes as k8s

from settings import Settings


def kubernetes_provider(settings: Settings) -> k8s.Provider:
    """A provider for the stack's cluster, or one that renders files; never both, never an ambient default."""
    # The SDK would take KUBECONFIG for an argument: refused together with rendering, and a path of this machine in the
    # state otherwise. The provider's process still finds it by itself when a cluster stack names no file.
    os.environ.pop("KUBECONFIG", None)
    if settings.render:
        return k8s.Provider("kubernetes", render_yaml_to_directory=settings.render.directory)
    if settings.cluster is None:
        raise ValueError("settings hold exactly one of cluster and render")
    return k8s.Provider(
        "kubernetes",
        context=settings.cluster.context,
        kubeconfig=settings.cluster.kubeconfig,
        cluster_identifier=settings.cluster.cluster_identifier,
        enable_secret_mutable=True,  # a new token is one update; a replacement would pull the Job along
        enable_config_map_mutable=True,  # engine config changes in place; the pod annotation rolls the workers
    )
