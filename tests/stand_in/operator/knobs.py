"""What a test can ask of the stand-in.

For all of a namespace, by a ConfigMap: one named `stand-in` in it, or one in the namespace `stand-in` named after it,
which can be there before the namespace is. Where both are, the one in the namespace wins. For one
DynamoGraphDeployment, by annotations `knob.stand-in.kimi-k3.dev/<key>`, which win over both.

key             | values, the first is the default
graph           | ready; hold: pods run, Ready stays false at the current generation; stale: nothing is told any more,
                | so status stays at the generation it has; fail: state failed at once
pods            | run; gated: Grove's gate stays; unpullable: pods that do not run yet hang in ImagePullBackOff
reason, message | those of condition Ready while graph is hold or fail
finalizers      | remove; keep: as if the operator were gone when objects are deleted, of ComputeDomains too
downloadResult  | complete; fail: a Job fails with its first pod, its retries count as spent; crash: each pod fails and
                | the Job's own retries and back-off run
downloadSeconds | 1; how long a Job's pod runs; `never`
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.stand_in.operator.marks import KNOB, Manifest, annotations

_NEVER = "never"
_ACCEPTED = {
    "graph": ("ready", "hold", "stale", "fail"),
    "pods": ("run", "gated", "unpullable"),
    "finalizers": ("remove", "keep"),
    "downloadResult": ("complete", "fail", "crash"),
}
_FREE = ("reason", "message", "downloadSeconds")


@dataclass(frozen=True)
class Knobs:
    graph: str = "ready"
    pods: str = "run"
    reason: str = ""
    message: str = ""
    finalizers: str = "remove"
    download_result: str = "complete"
    download_seconds: float | None = 1  # None: never ends


def knobs_of(*layers: Mapping[str, str]) -> Knobs:
    """Knobs of the given layers, later ones win. A wrong word is an error: a test would wait for nothing."""
    merged = {key: value for layer in layers for key, value in layer.items()}
    for key, value in merged.items():
        if key not in _FREE and value not in _ACCEPTED.get(key, ()):
            raise ValueError(f"the stand-in knows no {key}={value}; accepted: {_ACCEPTED}, and {_FREE}")
    seconds = merged.get("downloadSeconds", "1")
    return Knobs(
        graph=merged.get("graph", "ready"),
        pods=merged.get("pods", "run"),
        reason=merged.get("reason", ""),
        message=merged.get("message", ""),
        finalizers=merged.get("finalizers", "remove"),
        download_result=merged.get("downloadResult", "complete"),
        download_seconds=None if seconds == _NEVER else float(seconds),
    )


def knobs_in(manifest: Manifest) -> dict[str, str]:
    """The knobs that an object's annotations turn."""
    return {
        key.removeprefix(KNOB): value for key, value in annotations(manifest).items() if key.startswith(KNOB)
    }
