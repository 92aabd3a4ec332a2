"""Arguments that the operator does not see, adds itself, or breaks in the shell of follower nodes."""

import json
import re
from collections.abc import Iterator

from manifests.rules.rule import Finding, of_role, role_path, rule
from manifests.rules.view import Component, View

# The operator puts a token with one of these in double quotes; without any, the shell reads it bare.
_QUOTED = set(" \t\n'\"\\{}[]$!`")
_BARE_SIGNS = set(";&|<>()*?~#")
_SHORT_FLAG = re.compile(r"-[A-Za-z]")


def _of(component: Component, flag: str) -> tuple[str | int, ...]:
    return role_path(component.name, "args", "set", flag)


def _items(component: Component) -> Iterator[tuple[str, str]]:
    """Every item of the args with the flag that it belongs to."""
    flag = ""
    for item in component.args:
        flag = item.partition("=")[0] if item.startswith("--") else flag
        yield flag, item


@rule("arg-quote", "operator: a follower's shell gets a broken quote (ai-dynamo/dynamo#15167)")
def _quote(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        for flag, item in _items(worker):
            if worker.node_count and "'" in item:
                yield Finding(
                    f"{worker.name} has an argument of {flag} with a single quote in it: followers would not start",
                    "arguments without single quotes where a replica spans nodes",
                    _of(worker, flag),
                )


@rule("arg-empty", "operator: an empty argument vanishes on followers (ai-dynamo/dynamo#15167)")
def _empty(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        for flag, item in _items(worker):
            if worker.node_count and not item:
                yield Finding(
                    f"{worker.name} has an empty argument of {flag}: followers would take the next flag for it",
                    "a value, or true for a flag without one",
                    _of(worker, flag),
                    "true",
                )


@rule(
    "arg-shell",
    "operator: followers run in `sh -c`, where bare signs have a meaning (ai-dynamo/dynamo#15167)",
)
def _shell(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        for flag, item in _items(worker):
            bare = set() if set(item) & _QUOTED else set(item) & _BARE_SIGNS
            control = {sign for sign in item if not sign.isprintable()}
            if worker.node_count and (bare or control):
                signs = "a control character" if control else f"{' '.join(sorted(bare))} outside quotes"
                yield Finding(
                    f"{worker.name} has an argument of {flag} with {signs}: the shell of followers would act on it",
                    "arguments without ; & | < > ( ) * ? ~ # and control characters where a replica spans nodes",
                    _of(worker, flag),
                )


@rule(
    "arg-variable", "Kubernetes: $(VAR) in args; operator: followers' quoting puts a backslash before the $"
)
def _variable(view: View) -> Iterator[Finding]:
    for component in view.components:
        for flag, item in _items(component):
            if component.node_count and re.search(r"(?<!\$)\$\([A-Za-z_]", item):
                yield Finding(
                    f"{component.name} has an argument of {flag} with a variable: followers would get a backslash",
                    "arguments without $(VAR) where a replica spans nodes; env takes it",
                    _of(component, flag),
                )


@rule(
    "hidden-flag",
    "operator: flags are looked for in args, in their long form, with their value apart (#4934)",
)
def _hidden(view: View) -> Iterator[Finding]:
    for component in view.components:
        for item in component.args:
            joined = item.startswith("--") and ("=" in item or " " in item)
            if joined or _SHORT_FLAG.match(item):
                yield Finding(
                    f"{component.name} has the argument {item!r}, in which the operator sees no flag",
                    "the long form, with its value as an item of its own",
                    step=f"Set flag and value apart in {of_role(component.name, 'args', 'set')}",
                )


@rule("repeated-flag", "vLLM and SGLang: the last one counts, and the operator reads the first")
def _repeated(view: View) -> Iterator[Finding]:
    for component in view.components:
        names = [flag for flag, _ in component.flags]
        for flag in sorted({name for name in names if names.count(name) > 1}):
            yield Finding(
                f"{component.name} has {flag} more than once",
                "each flag once",
                _of(component, flag),
                step="Set it once",
            )


@rule("injected-flag", "operator: multinode rendering appends these itself")
def _injected(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        for flag, _ in worker.flags:
            if flag in worker.dialect.injected:
                yield _owned(worker, flag)


def _owned(worker: Component, flag: str) -> Finding:
    return Finding(
        f"{worker.name} has {flag}, which the operator adds on each node itself",
        "a node count; the operator derives the rest from it",
        step=f"Leave {flag} out of {of_role(worker.name, 'args')}",
    )


@rule("executor", "operator: multinode vLLM runs with mp unless an annotation says ray")
def _executor(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        flag = worker.dialect.executor
        if flag and worker.flag(flag, "mp") != "mp":
            yield Finding(
                f"{worker.name} has {flag} {worker.flag(flag)}, and the operator appends mp",
                "mp",
                _of(worker, flag),
                "mp",
            )


@rule("hidden-file", "operator: parallelism in a vLLM config file is not seen (ai-dynamo/dynamo#5006)")
def _hidden_file(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        flag = worker.dialect.hidden_file
        if flag and flag in [name for name, _ in worker.flags]:
            yield Finding(
                f"{worker.name} has {flag}, a file that the operator does not read",
                "flags of their own",
                step=f"Set each flag in {of_role(worker.name, 'args', 'set')}",
            )


@rule("json-flag", "vLLM: flags that end with -config take JSON; one that cannot be read ends the engine")
def _json(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        for flag, value in worker.flags:
            if flag.endswith("-config") and value and value.startswith("{") and not _is_json(value):
                yield Finding(
                    f"{worker.name} has a {flag} that is no JSON",
                    "a mapping in the stack file, which is passed as JSON",
                    _of(worker, flag),
                )


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


RULES = (
    _quote,
    _empty,
    _shell,
    _variable,
    _hidden,
    _repeated,
    _injected,
    _executor,
    _hidden_file,
    _json,
)
