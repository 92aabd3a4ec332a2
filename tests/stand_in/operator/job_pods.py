"""Says when and how the pods of Jobs end."""

import datetime as dt

from tests.stand_in.operator.cluster import JOBS, PODS, Cluster, path
from tests.stand_in.operator.knobs import Knobs
from tests.stand_in.operator.marks import (
    ENDS,
    JOB_NAME,
    RESULT,
    Manifest,
    annotations,
    key_of,
    labels,
    leaving,
)


def ending(pod: Manifest, knobs: Knobs) -> dict[str, str | None]:
    """The annotations from which the stage plays the end; None takes one away."""
    if knobs.download_seconds is None:
        return {RESULT: None, ENDS: None}
    started = dt.datetime.fromisoformat(pod["status"]["startTime"])
    ends = started + dt.timedelta(seconds=knobs.download_seconds)
    return {RESULT: "Succeeded" if knobs.download_result == "complete" else "Failed", ENDS: ends.isoformat()}


class JobPods:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def reconcile(self, namespace: str, name: str) -> bool:
        pod = self._cluster.pods.get(namespace, name)
        if pod is None or leaving(pod) or pod.get("status", {}).get("phase") != "Running":
            return True
        knobs = self._cluster.knobs(namespace)
        told = ending(pod, knobs)
        if all(annotations(pod).get(key) == value for key, value in told.items()):
            return True
        if knobs.download_result == "fail" and knobs.download_seconds is not None:
            self._spend_retries(namespace, labels(pod)[JOB_NAME])
        self._cluster.api.merge(path(PODS, *key_of(pod)), {"metadata": {"annotations": told}})
        return True

    def _spend_retries(self, namespace: str, job: str) -> None:
        """Counts the Job's retries as failed, so that its next failed pod is its last: their back-off takes minutes."""
        spec = self._cluster.api.get(path(JOBS, namespace, job))["spec"]
        failed = {"status": {"failed": spec["backoffLimit"]}}
        self._cluster.api.merge(path(JOBS, namespace, job, "status"), failed)
