"""What the checks say of claims and storage classes."""

import pytest

from tests.unit.operations.preflight.cases import CLAIM, CLASS, Case, claim, put, then

CASES = {
    "a claim that is bound": Case(put(CLAIM, claim()), []),
    "a bound claim of a class that is unknown": Case(
        then(put(CLAIM, claim()), put(CLASS, {"provisioner": "example.com/own"})), []
    ),
    "a claim that waits for its first pod": Case(
        then(
            put(CLAIM, claim("Pending")),
            put(CLASS, {"provisioner": "efs.csi.aws.com", "volumeBindingMode": "WaitForFirstConsumer"}),
        ),
        [],
    ),
    "a claim that waits": Case(
        put(CLAIM, claim("Pending")), [("claim", "WARN", "shared-model-cache is Pending")]
    ),
    "a claim that waits on block storage": Case(
        then(
            put(CLAIM, claim("Pending")),
            put(CLASS, {"provisioner": "ebs.csi.aws.com", "volumeBindingMode": "WaitForFirstConsumer"}),
        ),
        [
            (
                "storage class",
                "WARN",
                "shared-rwx of ebs.csi.aws.com, WaitForFirstConsumer, gives block storage to one node at a time",
            )
        ],
    ),
    "a claim whose class is gone": Case(
        then(put(CLAIM, claim("Pending")), lambda it: it.objects.pop(CLASS)),
        [("claim", "FAIL", "shared-model-cache is Pending, and its class shared-rwx is not there")],
    ),
    "a claim that has lost its volume": Case(
        put(CLAIM, claim("Lost")), [("claim", "FAIL", "the volume of shared-model-cache is gone")]
    ),
    "a claim that is being deleted": Case(
        put(CLAIM, claim(deletionTimestamp="2026-01-01T00:00:00Z")),
        [("claim", "FAIL", "shared-model-cache is being deleted")],
    ),
    "a claim that is too small": Case(
        put(CLAIM, claim(size="1Ti")), [("claim", "FAIL", "shared-model-cache has 1024Gi")]
    ),
    "another class": Case(
        put(CLAIM, claim(cls="older")),
        [
            (
                "claim",
                "FAIL",
                "shared-model-cache is of class older; another class would delete it with its weights",
            )
        ],
    ),
    "a claim that would shrink": Case(
        put(CLAIM, claim(size="4000Gi")),
        [("claim", "FAIL", "shared-model-cache asks for 4000Gi, and claims never shrink")],
    ),
    "a claim that may grow": Case(put(CLAIM, claim(size="2500Gi")), []),
    "a claim that cannot grow": Case(
        then(put(CLAIM, claim(size="2500Gi")), put(CLASS, {"provisioner": "efs.csi.aws.com"})),
        [
            (
                "claim",
                "FAIL",
                "shared-model-cache asks for 2500Gi, and volumes of class shared-rwx do not grow",
            )
        ],
    ),
    "an operator's name before the provisioner": Case(
        put(CLASS, {"provisioner": "rook-ceph.cephfs.csi.ceph.com"}), []
    ),
    "an unknown provisioner": Case(
        put(CLASS, {"provisioner": "example.com/own"}),
        [("storage class", "WARN", "shared-rwx of example.com/own, Immediate, is not known here")],
    ),
    "volumes made by hand, none of them free": Case(
        put(CLASS, {"provisioner": "kubernetes.io/no-provisioner"}),
        [
            (
                "storage class",
                "FAIL",
                "shared-rwx of kubernetes.io/no-provisioner, Immediate: no volume is free that fits",
            )
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_check(name: str) -> None:
    CASES[name].is_told()
