"""Users of the test cluster that may do less than everything."""

from collections.abc import Sequence

from manifests import Manifest
from tests.stand_in.client import Client

HOME = "default"  # of the service accounts: it outlives the namespaces that tests make
EVERYTHING: Manifest = {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}
TOKEN_SECONDS = 86400


def service_account_token(client: Client, name: str) -> str:
    """A token of a service account without any rights, made if it is not there."""
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": HOME}}
    client.apply(account)
    path = client.discovery.kind("ServiceAccount").path(HOME, name, "token")
    wanted = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"expirationSeconds": TOKEN_SECONDS},
    }
    return str(client.request("POST", path, body=wanted).json()["status"]["token"])


def allow(client: Client, name: str, namespace: str, rules: Sequence[Manifest] = (EVERYTHING,)) -> None:
    """Gives the service account these rights in one namespace, or with "" in the whole cluster."""
    scope = {"namespace": namespace} if namespace else {}
    prefix = "" if namespace else "Cluster"
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": f"{prefix}Role",
        "metadata": {"name": name} | scope,
        "rules": list(rules),
    }
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": f"{prefix}RoleBinding",
        "metadata": {"name": name} | scope,
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": f"{prefix}Role", "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": HOME}],
    }
    client.apply(role, force=True)
    client.apply(binding, force=True)
