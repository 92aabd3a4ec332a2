"""What the pods name in their namespace or in the cluster: the token, pull secrets, priority classes."""

from collections.abc import Iterator

from operations.cluster import Unreadable
from operations.preflight.facts import Facts, SecretFound
from operations.preflight.needs import Needs, TokenNeed
from operations.preflight.verdict import Check, Result, listed

_TOKEN = Check("Namespace", "token")
_PULL_TYPES = ("kubernetes.io/dockerconfigjson", "kubernetes.io/dockercfg")
_EMPTY = "is empty"


def token(needs: Needs, facts: Facts) -> Iterator[Result]:
    need, found = needs.token, facts.token
    if need is None:
        return
    wanted = f"Secret {need.secret} with the key {need.key}: {need.reason}"
    if need.made:
        there = found is not None and not isinstance(found, Unreadable)
        yield _TOKEN.passes(f"{need.secret} is there" if there else f"{need.secret} will be made")
    elif isinstance(found, Unreadable):
        yield _TOKEN.unread("secrets", found, wanted)
    elif found is None:
        where = f"--namespace {needs.namespace.name} --from-file={need.key}=FILE"
        make = f"kubectl create secret generic {need.secret} {where}"
        yield _TOKEN.fails(f"{need.secret} is not there", wanted, make)
    else:
        yield _key(need, found, wanted)


def _key(need: TokenNeed, found: SecretFound, wanted: str) -> Result:
    wrong = found.keys.get(need.key)
    if wrong is None:
        told = f"its keys are {listed(found.keys)}" if found.keys else "it has no keys"
        return _TOKEN.fails(
            f"{need.secret} has no {need.key}; {told}", wanted, f"Add the key {need.key} to it"
        )
    if wrong == _EMPTY:
        return _TOKEN.fails(f"{need.key} of {need.secret} {wrong}", wanted, "Put the token into it")
    if wrong:
        return _TOKEN.warns(
            f"{need.key} of {need.secret} {wrong}", wanted, "Put the token into it without them"
        )
    return _TOKEN.passes(f"{need.secret} has {need.key}")


def pull_secrets(needs: Needs, facts: Facts) -> Iterator[Result]:
    for name in needs.pull_secrets:
        yield _pull_secret(needs, name, facts)


def _pull_secret(needs: Needs, name: str, facts: Facts) -> Result:
    check, found = Check("Namespace", f"pull secret {name}"), facts.pull_secrets[name]
    inside = needs.namespace.name
    wanted = f"a Secret of type {_PULL_TYPES[0]} in {inside}: all pods pull their images with it"
    make = f"kubectl create secret docker-registry {name} --namespace {inside} ..."
    if isinstance(found, Unreadable):
        return check.unread("secrets", found, wanted)
    if found is None and needs.namespace.made and facts.namespace is None:
        remedy = f"Make it as soon as the namespace is there; the download waits for it: {make}"
        return check.warns("it cannot be there before its namespace", wanted, remedy)
    if found is None:
        return check.fails("it is not there", wanted, make)
    if found.type not in _PULL_TYPES:
        return check.fails(f"it is of type {found.type}", wanted, make)
    return check.passes("it is there")


def priority_classes(needs: Needs, facts: Facts) -> Iterator[Result]:
    for name in needs.priority_classes:
        check, found = Check("Namespace", f"priority class {name}"), facts.priority_classes[name]
        wanted = "the PriorityClass that placement names"
        if isinstance(found, Unreadable):
            yield check.unread("priorityclasses", found, wanted)
        elif found:
            yield check.passes("it is there")
        else:
            yield check.fails("it is not there", wanted, "Make it, or correct placement.*.priorityClassName")
