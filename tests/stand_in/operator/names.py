"""Names as the operator and Grove make them."""

from tests.stand_in.operator.marks import Manifest

_BUDGET = 45  # Grove: the set, the scaling group and the clique together
_SHORTEST = 8  # the name of the set is never cut to less
_HASH_LENGTH = 4


def pod_clique_set(graph: Manifest) -> str:
    """The graph's name, cut to what its longest component leaves of Grove's budget, with a hash where it is cut."""
    name = graph["metadata"]["name"]
    longest = max(_length(component) for component in graph["spec"]["components"])
    room = max(_BUDGET - longest, _SHORTEST)
    if len(name) <= room:
        return str(name)
    return f"{name[: room - _HASH_LENGTH - 1].rstrip('-')}-{_fnv1a(name)[-_HASH_LENGTH:]}"


def clique(set_name: str, component: Manifest, replica: int, node: int) -> str:
    """What the names of the pods of a clique begin with. A multinode role is a scaling group of leader and workers."""
    name = component["name"].lower()
    if not component.get("multinode"):
        return f"{set_name}-0-{name}"
    return f"{set_name}-0-{name}-{replica}-{name}-{'wkr' if node else 'ldr'}"


def child(graph: Manifest, component: Manifest) -> str:
    """Name of the Service of a component, and of what else the operator makes for it."""
    return f"{graph['metadata']['name']}-{component['name']}".lower().replace(".", "-")


def _length(component: Manifest) -> int:
    length = len(component["name"])
    return 2 * length + len("-ldr") if component.get("multinode") else length


def _fnv1a(text: str) -> str:
    """FNV-1a of 32 bits, as hex."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 % 2**32
    return f"{value:08x}"
