"""What a stack tells after `up`: where it serves, how to reach it, what is published about its target."""

import json
import shlex
from typing import Any

from manifests import customized_target, deviations_line
from recipes import load_catalog
from settings import ClusterSettings, Settings, warnings

_MILLION, _SECONDS = 1_000_000, 3600  # of an hour
_PORT = 8000  # the operator's Service and its environment are fixed to it
_QUESTION = "Write a one-sentence readiness check."


def stack_outputs(settings: Settings) -> dict[str, Any]:  # Any: Pulumi exports JSON of any depth
    """Exports by name. Plain values only: nothing here waits for the cluster, and nothing is secret."""
    access = _access(settings) if settings.serving.deploy else {}
    return _facts(settings) | access | _cost(settings)


def _facts(settings: Settings) -> dict[str, Any]:  # Any: see stack_outputs
    catalog = load_catalog()
    target = customized_target(catalog.facts, settings)
    result, published = catalog.result(target), target.published
    return {
        "target": target.name,
        "namespace": settings.namespace.name,
        "deployed": settings.serving.deploy,
        "gpus": target.gpus,
        "nodes": target.nodes,
        "precision": published.precision,
        "parallelism": published.parallelism,
        "routing": published.routing,
        "speculativeDecoding": published.speculative_decoding or "none",
        "contextLength": settings.serving.context_length or catalog.facts.model.max_context,
        "publishedPerformance": {
            "concurrency": result.concurrency,
            "outputTokensPerSecondPerGpu": result.output_tokens_per_second_per_gpu,
            "userTokensPerSecondP50": result.user_tokens_per_second_p50,
            "ttftP50Milliseconds": result.ttft_p50_milliseconds,
        },
        "deviations": deviations_line(settings),
        "warnings": warnings(settings),
        "limitations": list(catalog.facts.limitations),
    }


def _cost(settings: Settings) -> dict[str, Any]:  # Any: see stack_outputs
    """Cost at the published rate, where a price is known; of a paused stack the tokens cost what they would."""
    price, catalog = settings.cost.price_per_gpu_hour, load_catalog()
    if price is None:
        return {}
    gpus = customized_target(catalog.facts, settings).gpus if settings.serving.deploy else 0
    per_second = catalog.result(settings.target).output_tokens_per_second_per_gpu
    return {
        "costPerHour": round(price * gpus, 2),
        "costPerMillionOutputTokens": round(price * _MILLION / (per_second * _SECONDS), 2),
    }


def _access(settings: Settings) -> dict[str, Any]:  # Any: see stack_outputs
    target, namespace = settings.target, settings.namespace.name
    service = target.frontend_service
    forward = ["port-forward", f"svc/{service}", f"{_PORT}:{_PORT}", "-n", namespace]
    return {
        "dynamoGraphDeployment": target.dgd_name,
        "frontendService": service,
        "frontendUrl": f"http://{service}.{namespace}.svc:{_PORT}",
        "portForwardCommand": f"{_kubectl(settings.cluster)} {shlex.join(forward)}",
        "smokeTestCommand": _smoke_test(load_catalog().facts.model.served_name),
    }


def _kubectl(cluster: ClusterSettings | None) -> str:
    """kubectl as the shell takes it, for the cluster that the provider talks to."""
    if cluster is None:
        return "kubectl"
    command = f"kubectl {shlex.join(['--context', cluster.context])}"
    if cluster.kubeconfig is None:
        return command
    home = "~/" if cluster.kubeconfig.startswith("~/") else ""  # quoted, it would not be the home folder
    return f"{command} --kubeconfig {home}{shlex.quote(cluster.kubeconfig.removeprefix(home))}"


def _smoke_test(model: str) -> str:
    body = {"model": model, "messages": [{"role": "user", "content": _QUESTION}], "max_tokens": 64}
    url = f"http://localhost:{_PORT}/v1/chat/completions"
    return shlex.join(["curl", url, "-H", "Content-Type: application/json", "-d", json.dumps(body)])
