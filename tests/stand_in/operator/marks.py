"""Names that the operators write on objects, and the stand-in's own."""

from typing import Any

Manifest = dict[str, Any]  # Any: Kubernetes objects are JSON of any depth

MANAGER = "dynamo-operator"

GRAPH_FINALIZER = "nvidia.com/finalizer"
GRAPH_ANNOTATIONS = {
    "nvidia.com/workload-provider": "grove",
    "nvidia.com/dynamo-operator-origin-version": "1.5.0",
}
GRAPH_NAME = "nvidia.com/dynamo-graph-deployment-name"
COMPONENT = "nvidia.com/dynamo-component"
COMPONENT_TYPE = "nvidia.com/dynamo-component-type"
DYNAMO_NAMESPACE = "nvidia.com/dynamo-namespace"
SELECTOR = "nvidia.com/selector"
RESTARTED_AT = "nvidia.com/restartAt"
GATE = "grove.io/podgang-pending-creation"

DOMAIN_FINALIZER = "resource.nvidia.com/computeDomain"
DOMAIN_LABEL = "resource.nvidia.com/computeDomain"
CHANNEL_CLASS = "compute-domain-default-channel.nvidia.com"

JOB_NAME = "batch.kubernetes.io/job-name"

# The stand-in's own. Those on a DynamoGraphDeployment, a ComputeDomain or a pod are read by the KWOK stages.
OWN = "stand-in.kimi-k3.dev"
PODS = f"{OWN}/pods"  # waiting, running or failed
PODS_GENERATION = f"{OWN}/pods-generation"
PODS_REASON = f"{OWN}/pods-reason"
PODS_MESSAGE = f"{OWN}/pods-message"
PODS_RESTART = f"{OWN}/pods-restart"
UNPULLABLE = f"{OWN}/unpullable"
RESULT = f"{OWN}/result"  # how a Job's pod ends: Succeeded or Failed
ENDS = f"{OWN}/ends"  # and when
SLOT = f"{OWN}/slot"  # label of a pod: which role, replica and node it is
CLAIM_TEMPLATES = f"{OWN}/claim-templates"  # the claim templates of a pod, which has no claims itself
KNOB = f"knob.{OWN}/"  # prefix of annotations that a test turns a DynamoGraphDeployment's behaviour with
CONFIG = "stand-in"  # name of the ConfigMap in a namespace, and of the namespace with a ConfigMap for each other one


def labels(manifest: Manifest) -> dict[str, str]:
    return manifest["metadata"].get("labels") or {}


def annotations(manifest: Manifest) -> dict[str, str]:
    return manifest["metadata"].get("annotations") or {}


def finalizers(manifest: Manifest) -> list[str]:
    return manifest["metadata"].get("finalizers") or []


def key_of(manifest: Manifest) -> tuple[str, str]:
    """Namespace and name."""
    return manifest["metadata"].get("namespace", ""), manifest["metadata"]["name"]


def leaving(manifest: Manifest) -> bool:
    return "deletionTimestamp" in manifest["metadata"]


def claim_templates(spec: Manifest) -> list[str]:
    """The claim templates that a pod's spec names."""
    claims = spec.get("resourceClaims") or []
    return sorted({name for claim in claims if (name := claim.get("resourceClaimTemplateName"))})
