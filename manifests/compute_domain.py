"""The ComputeDomain of a GB200 or GB300 target."""

from manifests.shape import NO_EXTRAS, Manifest, metadata
from recipes import ModelFacts, Target
from settings import MetadataSettings


def compute_domain(
    facts: ModelFacts, target: Target, namespace: str, extra: MetadataSettings = NO_EXTRAS
) -> Manifest:
    """NVLink domain over the nodes of all roles; its controller makes the claim template that the pods name.

    Never waited on: it gets ready only when pods claim its channel. Its spec is immutable.
    """
    return {
        "apiVersion": "resource.nvidia.com/v1beta1",
        "kind": "ComputeDomain",
        "metadata": metadata(target.compute_domain_name, namespace, extra=extra),
        "spec": {
            "numNodes": facts.compute_domain.num_nodes,
            "channel": {
                "allocationMode": facts.compute_domain.allocation_mode,
                "resourceClaimTemplate": {"name": target.claim_template_name},
            },
        },
    }
