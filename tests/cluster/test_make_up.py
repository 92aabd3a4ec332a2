"""`make up` on a cluster: the update with the watch beside it; and the default stack's settings on a cluster."""

import os
import subprocess
import sys
from collections.abc import Callable

import yaml

from tests.cluster.stack import ClusterStack
from tools.cache import cache_folder
from tools.versions import ROOT


def test_up_shows_what_it_waits_for(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb300-disagg")
    stack.knob(downloadSeconds="4")
    environ = {**stack.project.variables(), "YES": "1", "KIMI_K3_CACHE": str(cache_folder(os.environ))}
    ran = subprocess.run(
        [sys.executable, "-m", "tools", "up", "--stack", stack.name],
        cwd=stack.project.folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Job model-download waits for Complete: 1 active, 0 failed; pods: 1 Running" in ran.stdout
    assert "Traceback" not in ran.stdout + ran.stderr
    stack.is_quiet()


def test_the_settings_of_dev_deploy_to_a_cluster(make_stack: Callable[..., ClusterStack]) -> None:
    stack = make_stack("vllm-gb200-agg")
    dev = yaml.safe_load((ROOT / "Pulumi.dev.yaml").read_text())["config"]
    own = {key.removeprefix("kimi-k3:"): value for key, value in dev.items() if key.startswith("kimi-k3:")}
    del own["render"]
    stack.values = own | {"cluster": {"context": "stand-in"}, "namespace": {"name": stack.namespace}}
    stack.write()
    stack.up()
    stack.is_quiet()
    stack.project.demand("refresh", "--yes", "--expect-no-changes", "--stack", stack.name)
    stack.up("--expect-no-changes")
    stack.destroy()
    assert stack.left() == {("PersistentVolumeClaim", "shared-model-cache")}
