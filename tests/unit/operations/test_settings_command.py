"""`settings`: the table of all settings, which is the README's."""

import pytest

from tests.unit.operations.commands import ROOT, operations

ROWS = [
    "| `framework` | required | Serving engine: `vllm`, `sglang` |",
    "| `gpu` | required | GPU: `h200`, `gb200`, `gb300` |",
    "| `topology` | required | Aggregated, or prefill and decode apart: `agg`, `disagg` |",
    "| `namespace.create` | `true` | Make the namespace; `false` uses one that exists |",
    "| `modelCache.size` | `3000Gi` | Checkpoint (1.5 TB) and both drafts; grows, never shrinks |",
    "| `modelDownload.timeoutSeconds` | `14400` | Limit of that wait, as the published page has it |",
    "| `serving.runtimeVersion` | none | Dynamo version of an image whose tag does not tell it |",
]
KEYS = """
framework gpu topology
namespace.name namespace.create namespace.protect namespace.podSecurity
huggingFace.source huggingFace.secretName
modelCache.create modelCache.claimName modelCache.storageClassName modelCache.size modelCache.protect
modelCache.subPath
modelDownload.enabled modelDownload.wait modelDownload.timeoutSeconds
modelDownload.resources.requests modelDownload.resources.limits modelDownload.maxWorkers
serving.deploy serving.image serving.runtimeVersion serving.wait serving.timeoutSeconds
serving.canaryHealthCheck serving.benchmarkMode serving.contextLength serving.queue serving.schedulerName
serving.livenessProbe serving.modulesCache
images.registry images.pullSecrets images.download
hub.endpoint hub.packageIndex
placement.frontend.nodeSelector placement.frontend.tolerations placement.frontend.affinity
placement.frontend.priorityClassName
placement.workers.nodeSelector placement.workers.tolerations placement.workers.affinity
placement.workers.priorityClassName
placement.download.nodeSelector placement.download.tolerations placement.download.affinity
placement.download.priorityClassName
placement.benchmark.nodeSelector placement.benchmark.tolerations placement.benchmark.affinity
placement.benchmark.priorityClassName
placement.clique
metadata.labels metadata.annotations
roles.<component>.replicas roles.<component>.nodeCount
roles.<component>.args.set roles.<component>.args.remove roles.<component>.engineConfig
roles.<component>.env
roles.<component>.resources.requests roles.<component>.resources.limits
roles.<component>.sharedMemory roles.<component>.image roles.<component>.podSecurityContext
cost.pricePerGpuHour
cluster.context cluster.kubeconfig cluster.clusterIdentifier cluster.gpuProduct
render.directory
hfToken
"""


def _table() -> str:
    answer = operations("settings")
    assert (answer.exit_code, answer.stderr) == (0, "")
    return answer.stdout


@pytest.mark.parametrize("row", ROWS, ids=[row.split("`")[1] for row in ROWS])
def test_a_setting_is_listed_with_its_default_and_what_it_does(row: str) -> None:
    assert row in _table().splitlines()


def test_every_setting_is_listed_once_in_the_order_of_the_model() -> None:
    head, rule, *rows = _table().splitlines()
    assert (head, rule) == ("| setting | default | what it does |", "| --- | --- | --- |")
    assert [row.split("`")[1] for row in rows] == KEYS.split()
    assert {row.count(" | ") for row in rows} == {2}, "a bar inside a text would break the table"


def test_the_readmes_table_is_the_one_that_the_model_gives() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    _, found, rest = readme.partition("<!-- settings -->")
    table, end, _ = rest.partition("<!-- /settings -->")
    assert found, "README.md needs <!-- settings --> before its table of settings"
    assert end, "README.md needs <!-- /settings --> after its table of settings"
    assert table.strip() == _table().strip(), "paste the output of: python -m operations settings"
