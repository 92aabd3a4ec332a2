"""What `render` prints for a stack, read back."""

from typing import Any

import yaml

from tests.cluster.stack import ClusterStack


def rendered(stack: ClusterStack) -> list[dict[str, Any]]:  # Any: Kubernetes objects
    ran = stack.operations("render")
    assert ran.returncode == 0, ran.stderr
    return list(yaml.safe_load_all(ran.stdout))
