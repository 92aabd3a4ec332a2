"""What the DRA controller does for a ComputeDomain: finalizer, claim template, and no end while pods use it."""

from tests.stand_in.operator.api import ApiError
from tests.stand_in.operator.cluster import CLAIM_TEMPLATES as TEMPLATES
from tests.stand_in.operator.cluster import DOMAINS, Cluster, path
from tests.stand_in.operator.graphs import drop_finalizer
from tests.stand_in.operator.marks import (
    CHANNEL_CLASS,
    CLAIM_TEMPLATES,
    DOMAIN_FINALIZER,
    DOMAIN_LABEL,
    PODS,
    Manifest,
    annotations,
    finalizers,
    key_of,
    labels,
    leaving,
)


def claim_template(domain: Manifest) -> Manifest:
    """The template that pods name to get a channel of the domain."""
    namespace, _ = key_of(domain)
    channel = {"name": "channel", "exactly": {"deviceClassName": CHANNEL_CLASS}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {
            "name": template_name(domain),
            "namespace": namespace,
            "labels": {DOMAIN_LABEL: domain["metadata"]["uid"]},
            "finalizers": [DOMAIN_FINALIZER],
        },
        "spec": {"spec": {"devices": {"requests": [channel]}}},
    }


def template_name(domain: Manifest) -> str:
    return str(domain["spec"]["channel"]["resourceClaimTemplate"]["name"])


def uses(pod: Manifest, template: str) -> bool:
    return template in annotations(pod).get(CLAIM_TEMPLATES, "").split(",")


class Domains:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._api = cluster.api
        self._made: set[str] = set()  # UIDs of domains whose template was made

    def reconcile(self, namespace: str, name: str) -> bool:
        domain = self._cluster.domains.get(namespace, name)
        if domain is None:
            return True
        users = [pod for pod in self._cluster.pods.all(namespace) if uses(pod, template_name(domain))]
        if not leaving(domain):
            return self._prepare(domain, users)
        kept = self._cluster.knobs(namespace).finalizers == "keep"
        if not users and not kept and DOMAIN_FINALIZER in finalizers(domain):
            self._remove(domain)
        return True

    def _prepare(self, domain: Manifest, users: list[Manifest]) -> bool:
        """False while the template's name is taken by another domain, which is an error of the controller too."""
        uid, there = domain["metadata"]["uid"], True
        body: Manifest = {}
        if DOMAIN_FINALIZER not in finalizers(domain):
            version = domain["metadata"]["resourceVersion"]
            body = {"finalizers": [*finalizers(domain), DOMAIN_FINALIZER], "resourceVersion": version}
        if uid not in self._made and (there := self._make_template(domain)):
            self._made.add(uid)
        running = there and users and all(pod.get("status", {}).get("phase") == "Running" for pod in users)
        told = {PODS: "running" if running else "waiting"}
        if not annotations(domain).items() >= told.items():
            body["annotations"] = told
        if body:
            self._api.merge(path(DOMAINS, *key_of(domain)), {"metadata": body})
        return there

    def _make_template(self, domain: Manifest) -> bool:
        namespace, _ = key_of(domain)
        try:
            self._api.create(path(TEMPLATES, namespace), claim_template(domain))
        except ApiError as error:
            if error.status != 409:
                raise
            there = self._api.get(path(TEMPLATES, namespace, template_name(domain)))
            return bool(labels(there).get(DOMAIN_LABEL) == domain["metadata"]["uid"])
        return True

    def _remove(self, domain: Manifest) -> None:
        where = path(TEMPLATES, key_of(domain)[0], template_name(domain))
        try:
            if labels(self._api.get(where)).get(DOMAIN_LABEL) == domain["metadata"]["uid"]:
                self._api.merge(where, {"metadata": {"finalizers": None}})
                self._api.delete(where)
        except ApiError as error:
            if not error.expected:
                raise
        drop_finalizer(self._cluster, DOMAINS, domain, DOMAIN_FINALIZER)
        self._made.discard(domain["metadata"]["uid"])
