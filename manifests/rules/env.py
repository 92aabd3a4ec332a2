"""Environment variables that cannot be filled in, belong to the operator, or part the components from each other."""

import re
from collections.abc import Iterator

from manifests.rules.rule import Finding, of_role, role_path, rule
from manifests.rules.view import Component, View

_REFERENCE = re.compile(r"(?<!\$)(?:\$\$)*\$\(([A-Za-z_][A-Za-z0-9_]*)\)")
# What the operator gives to every pod, and to which its own probes, discovery and Services look (component_common.go).
_OPERATORS = (
    "DYN_NAMESPACE",
    "DYN_COMPONENT",
    "DYN_PARENT_DGD_K8S_NAME",
    "DYN_PARENT_DGD_K8S_NAMESPACE",
    "DYN_DISCOVERY_BACKEND",
    "DYN_SYSTEM_PORT",
    "DYN_SYSTEM_ENABLED",
    "DYN_HTTP_PORT",
    "DYN_NAMESPACE_PREFIX",
    "DYN_NAMESPACE_WORKER_SUFFIX",
    "DYNAMO_PORT",
    "POD_NAME",
    "POD_NAMESPACE",
    "POD_UID",
)
_SERVICES = "KUBERNETES_"  # the kubelet knows the API server's address before all others


@rule(
    "env-variable",
    "Kubernetes: $(VAR) stays as it is when VAR is not defined before it; operator: env is sorted",
)
def _variables(view: View) -> Iterator[Finding]:
    for component in view.components:
        values = [(name, value or "") for name, value in component.env.items()]
        for name, used in [(name, used) for name, value in values for used in _REFERENCE.findall(value)]:
            if used.startswith(_SERVICES):
                continue
            if used not in component.env and used not in _OPERATORS:
                yield _unfilled(component, name, f"$({used}), and no variable {used}")
            elif used >= name:
                yield _unfilled(
                    component, name, f"$({used}), and {used} comes after {name} in the sorted list"
                )


def _unfilled(component: Component, name: str, what: str) -> Finding:
    return Finding(
        f"{component.name} has {name} with {what}: it would stay as it is written",
        "a variable of the same component whose name sorts before it; $$ for a dollar sign",
        role_path(component.name, "env", name),
    )


@rule("arg-undefined", "Kubernetes: $(VAR) in args stays as it is when VAR is not defined")
def _undefined(view: View) -> Iterator[Finding]:
    for component in view.components:
        items = [] if component.node_count else component.args  # followers take no variable at all
        used = {name: item for item in items for name in _REFERENCE.findall(item)}
        for name in used.keys() - component.env.keys() - set(_OPERATORS):
            yield Finding(
                f"{component.name} has the argument {used[name]!r}, and no variable {name}",
                "a variable of the same component",
                role_path(component.name, "env", name),
                step="Define it",
            )


@rule(
    "operator-env", "operator: component_common.go; a user's value would win and part the pod from its probes"
)
def _operators(view: View) -> Iterator[Finding]:
    for component in view.components:
        for name in component.env:
            if name in _OPERATORS:
                yield Finding(
                    f"{component.name} has {name}, which the operator sets and relies on",
                    "all variables but the operator's own",
                    step=f"Leave {name} out of {of_role(component.name, 'env')}",
                )


@rule("request-plane", "Dynamo: both sides have to speak the same request plane (ai-dynamo/dynamo#5245)")
def _request_plane(view: View) -> Iterator[Finding]:
    planes = {component.name: component.env.get("DYN_REQUEST_PLANE", "tcp") for component in view.components}
    if len(set(planes.values())) > 1:
        said = ", ".join(f"{name} {plane}" for name, plane in planes.items())
        changed = next(name for name, plane in planes.items() if plane != "tcp")
        yield Finding(
            f"the components speak over different request planes: {said}",
            "one DYN_REQUEST_PLANE for all, tcp where a component has none",
            role_path(changed, "env", "DYN_REQUEST_PLANE"),
            "tcp",
        )


@rule("offline", "Dynamo recipes: workers have no token and find all in the cache (ai-dynamo/dynamo#12944)")
def _offline(view: View) -> Iterator[Finding]:
    home = view.facts.cache.mount_path
    for component in view.components:
        wanted = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
        if not component.is_frontend:
            wanted |= {"HF_HOME": home, "DYN_SELF_HOST_METADATA": "1"}
        for name, value in wanted.items():
            if component.env.get(name) != value:
                yield Finding(
                    f"{component.name} has {name} {component.env.get(name)!r}: it would look for the model elsewhere",
                    value,
                    role_path(component.name, "env", name),
                    f'"{value}"' if value.isdigit() else value,
                )


@rule("foreign-env", "vLLM and SGLang: each reads the variables with its own prefix only")
def _foreign(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        prefix = worker.dialect.foreign_env
        for name in worker.env:
            if prefix and name.startswith(prefix):
                yield Finding(
                    f"{worker.name} has {name}, which its engine does not read",
                    f"variables without the prefix {prefix}",
                    step=f"Leave {name} out of {of_role(worker.name, 'env')}",
                )


RULES = (_variables, _undefined, _operators, _request_plane, _offline, _foreign)
