"""The pods of a DynamoGraphDeployment: one for each role, replica and node."""

import copy
import hashlib
import json

from tests.stand_in.operator import names
from tests.stand_in.operator.marks import (
    CLAIM_TEMPLATES,
    COMPONENT,
    COMPONENT_TYPE,
    DYNAMO_NAMESPACE,
    GATE,
    GRAPH_NAME,
    RESTARTED_AT,
    SELECTOR,
    SLOT,
    Manifest,
    claim_templates,
)

_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"  # that of Kubernetes for generated names
_SUFFIX_LENGTH = 5
_DEFAULT_NODES = 2


def pods_of(graph: Manifest) -> list[Manifest]:
    """All pods of the graph. A pod's name holds a hash of all that is in it, so what changes a pod gives it a new
    name, and only pods that change get one.
    """
    return [pod for component in graph["spec"]["components"] for pod in _pods_of_component(graph, component)]


def frontend_services(graph: Manifest) -> list[Manifest]:
    """One Service for each component of type frontend."""
    return [
        _service(graph, component)
        for component in graph["spec"]["components"]
        if component.get("type") == "frontend"
    ]


def restart_id(graph: Manifest) -> str:
    """The restart that pods must have seen. It stays on them when the request is taken from the spec."""
    asked = graph["spec"].get("restart") or {}
    seen = graph.get("status", {}).get("restart") or {}
    return str(asked.get("id") or seen.get("observedID") or "")


def system_labels(graph: Manifest, component: Manifest) -> dict[str, str]:
    """What the operator marks a component's pods with, whatever the user's labels are."""
    meta = graph["metadata"]
    return {
        GRAPH_NAME: meta["name"],
        COMPONENT: component["name"],
        COMPONENT_TYPE: component.get("type", "worker"),
        DYNAMO_NAMESPACE: f"{meta['namespace']}-{meta['name']}".replace(".", "-"),
        SELECTOR: names.child(graph, component),
    }


def _pods_of_component(graph: Manifest, component: Manifest) -> list[Manifest]:
    nodes = 1
    if (multinode := component.get("multinode")) is not None:
        nodes = multinode.get("nodeCount", _DEFAULT_NODES)
    template = _template(graph, component)
    print_of_template = _hash(template, component.get("sharedMemorySize"))
    set_name = names.pod_clique_set(graph)
    return [
        _pod(
            graph,
            template,
            names.clique(set_name, component, replica, node),
            f"{replica}-{node}",
            print_of_template,
        )
        for replica in range(component.get("replicas", 1))
        for node in range(nodes)
    ]


def _template(graph: Manifest, component: Manifest) -> Manifest:
    """Labels, annotations and spec that all pods of a component share."""
    spec, own = graph["spec"], component["podTemplate"].get("metadata") or {}
    annotations = (spec.get("annotations") or {}) | (own.get("annotations") or {})
    if restart := restart_id(graph):
        annotations[RESTARTED_AT] = restart
    if templates := claim_templates(component["podTemplate"]["spec"]):
        annotations[CLAIM_TEMPLATES] = ",".join(templates)
    labels = (spec.get("labels") or {}) | (own.get("labels") or {}) | system_labels(graph, component)
    return {"labels": labels, "annotations": annotations, "spec": _spec(component["podTemplate"]["spec"])}


def _spec(published: Manifest) -> Manifest:
    """The pod's spec behind Grove's gate. Without claims: no driver is there that would allocate them."""
    spec = copy.deepcopy(published)
    spec.pop("resourceClaims", None)
    for container in [*spec["containers"], *(spec.get("initContainers") or [])]:
        container.get("resources", {}).pop("claims", None)
    spec["schedulingGates"] = [{"name": GATE}]
    return spec


def _pod(graph: Manifest, template: Manifest, clique: str, slot: str, print_of_template: str) -> Manifest:
    meta = graph["metadata"]
    slot = f"{template['labels'][COMPONENT].lower()}-{slot}"
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"{clique}-{_suffix(meta['uid'], slot, print_of_template)}",
            "namespace": meta["namespace"],
            "labels": template["labels"] | {SLOT: slot},
            "annotations": template["annotations"],
            "ownerReferences": [owner(graph)],
        },
        "spec": template["spec"],
    }


def owner(parent: Manifest) -> Manifest:
    meta = parent["metadata"]
    return {
        "apiVersion": parent["apiVersion"],
        "kind": parent["kind"],
        "name": meta["name"],
        "uid": meta["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }


def _service(graph: Manifest, component: Manifest) -> Manifest:
    marks = system_labels(graph, component)
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": names.child(graph, component),
            "namespace": graph["metadata"]["namespace"],
            "labels": marks,
            "ownerReferences": [owner(graph)],
        },
        "spec": {
            "selector": {name: marks[name] for name in (COMPONENT_TYPE, DYNAMO_NAMESPACE, COMPONENT)},
            "ports": [{"name": "http", "port": 8000, "targetPort": "http", "protocol": "TCP"}],
        },
    }


def _hash(*facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _suffix(*facts: object) -> str:
    number = int(_hash(*facts), 16)
    letters = []
    for _ in range(_SUFFIX_LENGTH):
        number, letter = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[letter])
    return "".join(letters)
