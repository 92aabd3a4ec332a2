"""Writes YAML that readers of YAML 1.1 (kubectl, the provider) and 1.2 understand alike."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

# Plain words that one of the two would take for something else than text, beyond those PyYAML quotes by itself:
# y and n are booleans in 1.1; 1e3, 0o17 and .5e1 are numbers in 1.2; 1_000 and 1:30 in 1.1 readers of other languages.
_AMBIGUOUS = re.compile(
    r"[yYnN]|[-+]?[0-9][0-9_.:xXoObBeE+-]*|[-+]?\.[0-9][0-9_eE+-]*|0[xXoObB][0-9a-fA-F_]+|\.(?:inf|nan)",
    re.IGNORECASE,
)


class _Dumper(yaml.SafeDumper):
    """SafeDumper that indents lists below their key and shares nothing by anchors."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - PyYAML's
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - Any: PyYAML's own signature
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    if "\n" in text:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|")
    tag = dumper.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call] # no types in the stubs
    plain = tag == "tag:yaml.org,2002:str"
    style = None if plain and not _AMBIGUOUS.fullmatch(text) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def yaml_text(document: Mapping[str, Any]) -> str:  # Any: JSON of any depth
    """`document` as block YAML in its own key order, strings that either reader would mistake quoted."""
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, width=2**20, allow_unicode=True)


def yaml_stream(documents: Iterable[Mapping[str, Any]]) -> str:  # Any: JSON of any depth
    """Several documents in order, parted by `---`."""
    return "---\n".join(yaml_text(document) for document in documents)
