"""The model cache: a claim that is there, or a class that can make one."""

from collections.abc import Iterator

from operations.cluster import Unreadable
from operations.preflight.amounts import shown
from operations.preflight.facts import Claim, Facts, StorageClass
from operations.preflight.needs import CacheNeed, Needs
from operations.preflight.provisioners import BLOCK, NO_PROVISIONER, is_shared
from operations.preflight.verdict import Check, Result

_CLAIM, _CLASS = Check("Storage", "claim"), Check("Storage", "storage class")
_SHARED = "ReadWriteMany"


def cache(needs: Needs, facts: Facts) -> Iterator[Result]:
    need, found = needs.cache, facts.claim
    wanted = f"{_SHARED}, {_size(need.size if need.made else need.smallest)}: {need.reason}"
    if isinstance(found, Unreadable):
        yield _CLAIM.unread("persistentvolumeclaims", found, wanted)
    elif found is not None:
        yield from _claim(needs, found, facts, wanted)
    elif need.made:
        yield _CLAIM.passes(f"{need.claim} will be made")
        yield _class(needs, facts)
    else:
        mend = needs.set("modelCache", "create", to="true")
        remedy = f"Correct modelCache.claimName, or let the stack make it: {mend}"
        yield _CLAIM.fails(f"{need.claim} is not there", wanted, remedy)


def _claim(needs: Needs, found: Claim, facts: Facts, wanted: str) -> Iterator[Result]:
    """Of a claim that is not bound its class is looked at too, where that is the stack's choice."""
    need = needs.cache
    if wrong := _broken(need, found, wanted) or (_changed(needs, found, facts) if need.made else None):
        yield wrong
    elif found.phase != "Bound":
        yield _pending(need, facts, wanted)
        if need.made and facts.storage_class is not None:
            yield _class(needs, facts)
    else:
        modes, room = ", ".join(found.modes), _size(found.room or found.size)
        yield _CLAIM.passes(f"{need.claim} is bound, {modes}, {room}")


def _broken(need: CacheNeed, found: Claim, wanted: str) -> Result | None:
    """What nothing but another claim, or more time, mends."""
    room = found.room or found.size
    if found.deleting:
        remedy = "Wait for its end, and save the weights first if you can"
        return _CLAIM.fails(f"{need.claim} is being deleted", wanted, remedy)
    if not set(need.modes) <= set(found.modes):
        remedy = "Make another claim and name it with modelCache.claimName: access modes cannot be changed"
        return _CLAIM.fails(f"{need.claim} is {', '.join(found.modes)}", wanted, remedy)
    if found.phase == "Lost":
        remedy = "Make another claim, or bring the volume back"
        return _CLAIM.fails(f"the volume of {need.claim} is gone", wanted, remedy)
    if room < need.smallest:
        wanted = f"{_size(need.smallest)} at least: {need.reason}"
        return _CLAIM.fails(f"{need.claim} has {_size(room)}", wanted, "Let it grow, or use a larger one")
    return None


def _changed(needs: Needs, found: Claim, facts: Facts) -> Result | None:
    """What the stack would change about its claim, where the server refuses that."""
    need, kept = needs.cache, facts.storage_class
    if found.storage_class != need.storage_class:
        remedy = f"Keep the class: {needs.set('modelCache', 'storageClassName', to=found.storage_class)}"
        told = (
            f"{need.claim} is of class {found.storage_class}; another class would delete it with its weights"
        )
        return _CLAIM.fails(told, f"class {need.storage_class}", remedy)
    if need.size < found.size:
        told = f"{need.claim} asks for {_size(found.size)}, and claims never shrink"
        remedy = f"Keep its size: {needs.set('modelCache', 'size', to=_size(found.size))}"
        return _CLAIM.fails(told, _size(need.size), remedy)
    if need.size > found.size and isinstance(kept, StorageClass) and not kept.expands:
        told = f"{need.claim} asks for {_size(found.size)}, and volumes of class {need.storage_class} do not grow"
        return _CLAIM.fails(
            told, _size(need.size), "Keep its size, or have allowVolumeExpansion set on the class"
        )
    return None


def _pending(need: CacheNeed, facts: Facts, wanted: str) -> Result:
    found = facts.storage_class
    if isinstance(found, StorageClass) and found.binding == "WaitForFirstConsumer":
        return _CLAIM.passes(f"{need.claim} will be bound when a pod uses it")
    if found is None:
        return _CLAIM.fails(
            f"{need.claim} is Pending, and its class {need.storage_class} is not there",
            wanted,
            "Make the class",
        )
    return _CLAIM.warns(
        f"{need.claim} is Pending", wanted, f"See why: kubectl describe persistentvolumeclaim {need.claim}"
    )


def _class(needs: Needs, facts: Facts) -> Result:
    need, found = needs.cache, facts.storage_class
    wanted = f"a class that can do {_SHARED}: {need.reason}"
    choose = "Choose one of kubectl get storageclass: " + needs.set(
        "modelCache", "storageClassName", to="NAME"
    )
    if isinstance(found, Unreadable):
        return _CLASS.unread("storageclasses", found, wanted)
    if found is None:
        return _CLASS.fails(f"{need.storage_class} is not there", wanted, choose)
    told = f"{need.storage_class} of {found.provisioner}, {found.binding}"
    if found.provisioner == NO_PROVISIONER:
        return _static(need, facts, told, wanted)
    if is_shared(found.provisioner):
        return _CLASS.passes(told)
    if found.provisioner in BLOCK:
        return _CLASS.warns(f"{told}, gives block storage to one node at a time", wanted, choose)
    return _CLASS.warns(f"{told}, is not known here", wanted, f"See that it can do {_SHARED}")


def _static(need: CacheNeed, facts: Facts, told: str, wanted: str) -> Result:
    """Nothing provisions: a volume has to be there already."""
    found = facts.volumes
    if isinstance(found, Unreadable):
        return _CLASS.unread("persistentvolumes", found, wanted)
    fitting = [
        v
        for v in found
        if v.storage_class == need.storage_class and set(need.modes) <= set(v.modes) and v.size >= need.size
    ]
    if fitting:
        return _CLASS.passes(f"{told}: a volume of {_size(fitting[0].size)} is free")
    wanted = f"a free PersistentVolume, {_SHARED}, {_size(need.size)}"
    return _CLASS.fails(
        f"{told}: no volume is free that fits",
        wanted,
        "Make a PersistentVolume of this class, or choose another",
    )


def _size(thousandths: int) -> str:
    return shown("storage", thousandths)
