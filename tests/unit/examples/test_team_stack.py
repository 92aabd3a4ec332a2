"""The example of somebody else's program: it runs, and what it makes is what its text says."""

import runpy
from pathlib import Path

import pytest

from tests.unit import mocks

PROGRAM = Path(__file__).parents[3] / "examples" / "team_stack" / "__main__.py"
CONFIG = {"kimi-k3:storageClassName": "shared-rwx", "kimi-k3:context": "prod"}


@pytest.fixture(scope="module")
def run() -> mocks.Run:
    return mocks.run(lambda: runpy.run_path(str(PROGRAM), run_name="__main__"), config=CONFIG)


def test_it_makes_a_protected_cache_and_a_deployment_that_uses_it(run: mocks.Run) -> None:
    assert sorted(r.kind for r in run.objects) == ["DynamoGraphDeployment", "PersistentVolumeClaim"]
    claim, graph = run.only("PersistentVolumeClaim"), run.only("DynamoGraphDeployment")
    assert claim.request.protect, "1.5 TB and hours of download"
    assert claim.urn in graph.dependencies, "pods without their claim stay Pending"
    volumes = graph.plain["spec"]["components"][1]["podTemplate"]["spec"]["volumes"]
    assert volumes[0]["persistentVolumeClaim"] == {"claimName": claim.plain["metadata"]["name"]}


def test_its_overrides_are_in_what_it_makes(run: mocks.Run) -> None:
    graph = run.only("DynamoGraphDeployment").plain
    assert graph["metadata"]["labels"] == {"team": "research"}
    for component in graph["spec"]["components"]:
        assert component["podTemplate"]["metadata"]["labels"] == {"team": "research"}
        assert component["podTemplate"]["spec"]["nodeSelector"] == {"example.com/pool": "research"}
    (container,) = graph["spec"]["components"][1]["podTemplate"]["spec"]["containers"]
    assert container["args"][-2:] == ["--max-model-len", "262144"]


def test_it_tells_where_the_deployment_serves(run: mocks.Run) -> None:
    assert run.exports == {"frontendUrl": "http://kimi-k3-vllm-h200-agg-agentic-frontend.research.svc:8000"}
