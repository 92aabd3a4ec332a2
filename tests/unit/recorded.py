"""What a run of a Pulumi program asked the engine for, and how to look at it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]  # no stubs pinned

WARNING = 2  # severities as the engine counts them: debug 0, info 1, warning 2, error 3
STACK_TYPE = "pulumi:pulumi:Stack"
PROVIDER_TYPE = "pulumi:providers:kubernetes"


_SIGNATURE = "4dabf18193072939515e22adb298388d"  # the wire format's mark of a special value
_SECRET = "1b47061264138c4ac30d75fd1eb44270"

Json = Any  # Any: values of the wire format are JSON of any depth


def is_secret(value: Json) -> bool:
    """Whether `value` is wrapped as a secret."""
    return isinstance(value, dict) and value.get(_SIGNATURE) == _SECRET


def unwrap(value: Json) -> Json:
    """`value` with every secret wrapper taken off, at any depth."""
    if is_secret(value):
        return unwrap(value["value"])
    if isinstance(value, dict):
        return {key: unwrap(inner) for key, inner in value.items()}
    return [unwrap(inner) for inner in value] if isinstance(value, list) else value


@dataclass(frozen=True)
class Registration:
    """One resource as the program asked for it. `inputs` keep their secret wrappers."""

    urn: str
    request: Any  # Any: the generated protobuf class has no stubs for all of its fields

    @property
    def type(self) -> str:
        return str(self.request.type)

    @property
    def name(self) -> str:
        return str(self.request.name)

    @property
    def parent(self) -> str:
        return str(self.request.parent)

    @property
    def custom(self) -> bool:
        return bool(self.request.custom)

    @property
    def provider(self) -> str:
        """URN of the provider that the request names; empty when it leaves the choice to the engine."""
        return str(self.request.provider).rpartition("::")[0]

    @property
    def dependencies(self) -> frozenset[str]:
        return frozenset(self.request.dependencies)

    @property
    def property_dependencies(self) -> dict[str, list[str]]:
        """By input, the resources whose outputs feed it; inputs without any are left out."""
        found = {key: list(value.urns) for key, value in self.request.propertyDependencies.items()}
        return {key: urns for key, urns in found.items() if urns}

    @property
    def timeouts(self) -> dict[str, str]:
        return dict(MessageToDict(self.request.customTimeouts))

    @cached_property
    def inputs(self) -> dict[str, Json]:
        return dict(MessageToDict(self.request.object))

    @property
    def plain(self) -> dict[str, Json]:
        """The inputs with their secret wrappers taken off."""
        return dict(unwrap(self.inputs))

    @property
    def kind(self) -> str:
        """The last part of the type: `Job` of `kubernetes:batch/v1:Job`."""
        return self.type.rpartition(":")[2]

    @property
    def is_kubernetes(self) -> bool:
        return self.type.startswith("kubernetes:")

    @property
    def is_component(self) -> bool:
        return not self.custom and self.type != STACK_TYPE


@dataclass
class Run:
    """What a program asked the engine for, and how it ended."""

    registrations: list[Registration] = field(default_factory=list)
    outputs: list[tuple[str, dict[str, Json]]] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    invokes: list[str] = field(default_factory=list)
    logs: list[tuple[int, str]] = field(default_factory=list)
    error: BaseException | None = None

    @property
    def resources(self) -> list[Registration]:
        """Everything but the stack itself."""
        return [r for r in self.registrations if r.type != STACK_TYPE]

    @property
    def objects(self) -> list[Registration]:
        """The Kubernetes objects."""
        return [r for r in self.registrations if r.is_kubernetes]

    @property
    def kinds(self) -> set[str]:
        return {r.kind for r in self.objects}

    @property
    def components(self) -> list[Registration]:
        return [r for r in self.registrations if r.is_component]

    def only(self, kind: str) -> Registration:
        """The one resource of that kind (the last part of its type)."""
        found = [r for r in self.registrations if r.kind == kind]
        assert len(found) == 1, f"{len(found)} resources of kind {kind}"
        return found[0]

    @property
    def provider(self) -> Registration:
        found = [r for r in self.registrations if r.type == PROVIDER_TYPE]
        assert len(found) == 1, f"{len(found)} Kubernetes providers"
        return found[0]

    def edges(self) -> dict[str, set[str]]:
        """By kind, the kinds of the objects that one depends on; for runs with one object of each kind."""
        kinds = {r.urn: r.kind for r in self.objects}
        return {r.kind: {kinds[urn] for urn in r.dependencies} for r in self.objects}

    @property
    def exports(self) -> dict[str, Json]:
        """The stack's outputs."""
        urns = {r.urn for r in self.registrations if r.type == STACK_TYPE}
        found = [values for urn, values in self.outputs if urn in urns]
        assert len(found) == 1, "a stack registers its outputs once"
        return found[0]

    def everything(self) -> str:
        """All that left the program, as text: requests, outputs, messages and the error."""
        requests = [f"{r.request} {r.inputs}" for r in self.registrations]
        return "\n".join([*requests, str(self.outputs), str(self.logs), str(self.reads), repr(self.error)])
