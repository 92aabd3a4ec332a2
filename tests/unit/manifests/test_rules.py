"""Rules over manifests: what no setting can cause is caused here by hand, as somebody else's program could."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from manifests import Manifest, stack_manifests
from manifests.rules import RULES, findings, refuse_mistakes
from recipes import Refusal
from settings import load_settings
from tests.targets import TARGETS
from tests.unit.manifests.rendered import components, main, manifests_of, only, pod
from tests.unit.settings.stack_files import overridden

Break = Callable[[list[Manifest]], Any]  # Any: what an edit gives back is of no use

REFUSED = yaml.safe_load(
    (Path(__file__).parents[1] / "settings" / "refused_overrides.yaml").read_text(encoding="utf-8")
)


def graph(manifests: list[Manifest]) -> Manifest:
    return only(manifests, "DynamoGraphDeployment")


def worker(manifests: list[Manifest]) -> Manifest:
    return components(graph(manifests))[1]


def second_domain(manifests: list[Manifest]) -> None:
    domain = copy.deepcopy(only(manifests, "ComputeDomain"))
    domain["metadata"]["name"] = "second"
    manifests.append(domain)


def keys_of_file(manifests: list[Manifest], key: str, value: str) -> None:
    data = only(manifests, "ConfigMap")["data"]
    data["worker.yaml"] += f"{key}: {value}\n"


BROKEN: list[tuple[str, str, Break, str]] = [
    (
        "annotations-size",
        "vllm-gb300-agg",
        lambda m: m[0]["metadata"].update(annotations={"note": "x" * 262141}),
        (
            "the annotations of an object take 262145 bytes.\nAccepted: at most 262144 for all together.\n"
            "Make them shorter: make set STACK=prod KEY=metadata.annotations"
        ),
    ),
    (
        "component-name",
        "vllm-gb300-agg",
        lambda m: worker(m).update(name="frontend"),
        (
            "'Frontend' is the name of a component.\n"
            "Accepted: letters, digits and '-', at most 63, each name once whatever its case.\nRename it in its recipe."
        ),
    ),
    (
        "component-name",
        "vllm-gb300-agg",
        lambda m: worker(m).update(name="my_worker"),
        (
            "'my_worker' is the name of a component.\n"
            "Accepted: letters, digits and '-', at most 63, each name once whatever its case.\nRename it in its recipe."
        ),
    ),
    (
        "grove-name-budget",
        "vllm-gb300-agg",
        lambda m: worker(m).update(name="KimiDisaggPrefill"),
        (
            "KimiDisaggPrefill of kimi-k3-vllm-gb300-agg-agentic takes 38 of the 45 characters that Grove has for all "
            "names of a pod.\n"
            "Accepted: component names of at most 16 characters where a replica spans nodes, 37 elsewhere.\n"
            "Rename it in its recipe."
        ),
    ),
    (
        "service-name",
        "vllm-gb300-agg",
        lambda m: components(graph(m))[0].update(name="F" * 33),
        (
            f"the Service of {'F' * 33} would be called kimi-k3-vllm-gb300-agg-agentic-{'f' * 33}, 64 characters.\n"
            "Accepted: at most 63.\nRename the component in its recipe."
        ),
    ),
    (
        "one-compute-domain",
        "vllm-gb300-agg",
        second_domain,
        (
            "2 ComputeDomains are made: kimi-k3-vllm-gb300-agg-agentic-compute-domain, second.\n"
            "Accepted: one for all roles of a deployment, since two in one rack disturb each other.\nKeep one of them."
        ),
    ),
    (
        "claim-template",
        "vllm-gb300-agg",
        lambda m: pod(worker(m))["resourceClaims"][0].update(resourceClaimTemplateName="other"),
        (
            "worker claims other, which no ComputeDomain makes.\n"
            "Accepted: kimi-k3-vllm-gb300-agg-agentic-compute-domain-channel.\n"
            "Name the template of the deployment's own ComputeDomain."
        ),
    ),
    (
        "replicas",
        "vllm-gb300-agg",
        lambda m: components(graph(m))[0].update(replicas=0),
        (
            "Frontend has 0 replicas; the others would be torn down with it.\n"
            "Accepted: 1 or more; serving.deploy: false pauses the whole deployment.\n"
            "Change it: make set STACK=prod KEY=roles.Frontend.replicas VALUE=1"
        ),
    ),
    (
        "node-count",
        "vllm-gb300-agg",
        lambda m: components(graph(m))[0].update(multinode={"nodeCount": 1}),
        (
            "Frontend has a node count of 1.\nAccepted: 2 or more, since one node does not hold the checkpoint.\n"
            "Change it: make set STACK=prod KEY=roles.Frontend.nodeCount VALUE=4"
        ),
    ),
    (
        "hidden-flag",
        "vllm-gb300-agg",
        lambda m: main(worker(m))["args"].append("--seed=1"),
        (
            "worker has the argument '--seed=1', in which the operator sees no flag.\n"
            "Accepted: the long form, with its value as an item of its own.\n"
            "Set flag and value apart in kimi-k3:roles.worker.args.set."
        ),
    ),
    (
        "repeated-flag",
        "vllm-gb300-agg",
        lambda m: main(worker(m))["args"].extend(["--model", "moonshotai/Kimi-K3"]),
        (
            "worker has --model more than once.\nAccepted: each flag once.\n"
            "Set it once: make set STACK=prod KEY=roles.worker.args.set.--model"
        ),
    ),
    (
        "config-false",
        "sglang-gb300-agg",
        lambda m: keys_of_file(m, "disable-radix-cache", "false"),
        (
            "Worker has disable-radix-cache: false in its config file, which SGLang does not read as off.\n"
            "Accepted: true, or null to take the key out.\n"
            "Change it: make set STACK=prod KEY=roles.Worker.engineConfig.disable-radix-cache"
        ),
    ),
    (
        "container-main",
        "vllm-gb300-agg",
        lambda m: main(worker(m)).update(command=["/bin/sh", "-c"]),
        (
            "worker has no container main that starts python3 from an image.\n"
            "Accepted: the published command, without a shell around it.\nMend its recipe."
        ),
    ),
    (
        "ports",
        "sglang-gb300-agg",
        lambda m: main(worker(m)).update(ports=[{"name": "metrics", "containerPort": 9090}]),
        (
            "Worker has ports without system (9090), and a list of ports replaces the operator's.\n"
            "Accepted: a list with system on 9090, or none.\nMend its recipe."
        ),
    ),
    (
        "probes",
        "vllm-gb300-agg",
        lambda m: main(worker(m)).update(readinessProbe={"httpGet": {"path": "/health", "port": "system"}}),
        (
            "worker has a readinessProbe of its own on port system.\n"
            "Accepted: the operator's, or a liveness probe on the named port system.\n"
            "Set its threshold alone: make set STACK=prod KEY=serving.livenessProbe VALUE=6"
        ),
    ),
    (
        "probes",
        "vllm-gb300-agg",
        lambda m: main(worker(m)).update(livenessProbe={"httpGet": {"path": "/live", "port": 9090}}),
        (
            "worker has a livenessProbe of its own on port 9090.\n"
            "Accepted: the operator's, or a liveness probe on the named port system.\n"
            "Set its threshold alone: make set STACK=prod KEY=serving.livenessProbe VALUE=6"
        ),
    ),
    (
        "mounts",
        "vllm-gb300-agg",
        lambda m: pod(worker(m)).update(volumes=[]),
        (
            "worker mounts shared-model-cache, which is none of its volumes.\n"
            "Accepted: no mount, without volumes.\nMend its recipe."
        ),
    ),
]


@pytest.mark.parametrize(
    ("name", "target", "spoil", "message"),
    [pytest.param(*row, id=f"{row[0]}-{i}") for i, row in enumerate(BROKEN)],
)
def test_manifests_that_would_fail_later_are_refused(
    name: str, target: str, spoil: Break, message: str
) -> None:
    manifests = copy.deepcopy(manifests_of(target))
    spoil(manifests)
    found = [finding.text("prod") for rule, finding in findings(manifests) if rule.name == name]
    assert message in found
    with pytest.raises(Refusal) as refused:
        refuse_mistakes(manifests, "prod")
    assert message in str(refused.value)


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_published_breaks_no_rule(target: str) -> None:
    assert findings(manifests_of(target)) == []


@pytest.mark.parametrize("target", TARGETS)
def test_one_object_alone_breaks_no_rule(target: str) -> None:
    """A policy check sees one object at a time: a graph without its ConfigMap, a Job, a claim."""
    assert [found for manifest in manifests_of(target) for found in findings([manifest])] == []


def test_every_rule_has_a_name_of_its_own_a_source_and_a_row() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert not [rule.name for rule in RULES if len(rule.source) < len("vLLM: --nnodes")]
    caused = {row[0] for row in BROKEN} | _caused_by_settings()
    assert set(names) - caused == set(), "a rule that no test breaks may as well not be there"


def _caused_by_settings() -> set[str]:
    found = set()
    rows = [(row["target"], row["changes"]) for row in REFUSED]
    rows.append(("vllm-gb300-agg", {"namespace.name": "n" * 40}))
    for target, changes in rows:
        try:
            settings = load_settings(overridden(target, changes), "prod")
        except Refusal:
            continue
        found |= {rule.name for rule, _ in findings(stack_manifests(settings))}
    return found


def test_a_graph_of_an_unknown_engine_is_looked_at_as_far_as_it_can_be() -> None:
    manifests = copy.deepcopy(manifests_of("vllm-gb300-agg"))
    graph(manifests)["spec"]["backendFramework"] = "trtllm"
    assert [rule.name for rule, _ in findings(manifests)] == []
