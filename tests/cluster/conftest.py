"""One stand-in cluster for a test process, and in it a stack of its own for each test."""

import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cluster.settled import SettledStack
from tests.cluster.stack import ClusterStack
from tests.project import Project
from tests.stand_in.cluster import stand_in_cluster
from tests.stand_in.control_plane import ControlPlane
from tools.cluster import provide_cluster
from tools.provide import Toolchain, provide

# Room for the largest target of each GPU, and for the old and the new one of a switch that must not need it.
NODES = {"gb200": 12, "gb300": 4, "h200": 4}
_LOGS = pytest.StashKey[ControlPlane]()


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    return provide(announce=False)


@pytest.fixture(scope="session")
def cluster(request: pytest.FixtureRequest) -> Iterator[ControlPlane]:
    with stand_in_cluster(provide_cluster(announce=False), nodes=NODES) as made:
        request.config.stash[_LOGS] = made
        yield made
        del request.config.stash[_LOGS]


@pytest.fixture(autouse=True)
def current_plugin(request: pytest.FixtureRequest, toolchain: Toolchain) -> None:
    """What only the released provider does is left to machines that have it."""
    if request.node.get_closest_marker("needs_current_plugin") and toolchain.provider_built:
        pytest.skip("needs the released Kubernetes provider; the one built here adopts what exists")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed test keeps the cluster's logs, and says where."""
    report = yield
    made = item.config.stash.get(_LOGS, None)
    if report.failed and made:
        target = Path(tempfile.mkdtemp(prefix=f"kimi-k3-{item.name[:40].replace('/', '-')}-"))
        made.copy_logs(target / "logs")
        report.sections.append(("logs of the test cluster", str(target)))
    return report


@pytest.fixture
def make_stack(
    cluster: ControlPlane, toolchain: Toolchain, tmp_path: Path
) -> Iterator[Callable[..., ClusterStack]]:
    """Makes stacks that share a project; each gets a namespace of its own unless one is named."""
    with stack_maker(cluster, toolchain, tmp_path) as make:
        yield make


@contextmanager
def stack_maker(
    cluster: ControlPlane, toolchain: Toolchain, folder: Path
) -> Iterator[Callable[..., ClusterStack]]:
    environ = {"KUBECONFIG": str(cluster.kubeconfig), "PULUMI_DEBUG_COMMANDS": "true"}  # --event-log
    project = Project(folder / "project", toolchain, environ)
    project.folder.mkdir()
    project.prepare()
    made: list[ClusterStack] = []

    def make(target: str = "vllm-gb200-agg", *, namespace: str = "", name: str = "") -> ClusterStack:
        stack = ClusterStack.create(project, cluster, target, namespace, name or f"s{len(made)}")
        made.append(stack)
        return stack

    yield make
    for stack in reversed(made):
        stack.clean_up()


@pytest.fixture(scope="module")
def settled(
    cluster: ControlPlane, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SettledStack]:
    """One deployed stack with the defaults, for tests that leave it as it was."""
    with stack_maker(cluster, toolchain, tmp_path_factory.mktemp("settled")) as make:
        yield SettledStack(make)
