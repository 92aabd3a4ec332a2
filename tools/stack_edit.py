"""Changes one value of a stack file and leaves the rest of it, comments included, as it is."""

import io
import os
import re
from collections.abc import MutableMapping, MutableSequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.util import load_yaml_guess_indent

from tools.config_path import ConfigPath, Step
from tools.errors import ToolsError

Node = Any  # whatever YAML holds at a place
WIDE = 4096  # never fold a long line: it would be a change nobody asked for


def parse_value(text: str) -> Node:
    """A value as YAML 1.2 reads it: `true` is a boolean, `yes` a word, `{create: false}` a mapping."""
    try:
        return YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise ToolsError(
            f"VALUE={text!r} is not YAML: {getattr(error, 'problem', None) or error}.\n"
            "Put quotes inside the quotes of the shell to make it a text: VALUE='\"...\"'"
        ) from error


def set_value(path: Path, key: ConfigPath, value: Node) -> None:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = WIDE
    document = _load_as_indented(yaml, path.read_text(encoding="utf-8"))
    if document.get("config") is None:
        document["config"] = {}
    _put(document["config"], (key.key, *key.steps), value)
    written = io.StringIO()
    yaml.dump(document, written)
    _replace(path, written.getvalue())


def _load_as_indented(yaml: YAML, content: str) -> Node:
    """Loads the document, and has it written with the indents that it came with."""
    document, sequence, offset = load_yaml_guess_indent(content, yaml=yaml)
    indented = re.search(r"^( +)[^ #-]", content, re.MULTILINE)
    mapping = len(indented[1]) if indented else 2
    if offset is None:  # no list to go by: as Pulumi writes them
        sequence, offset = mapping + 2, mapping
    yaml.indent(mapping=mapping, sequence=sequence, offset=offset)
    return {} if document is None else document


def _put(node: Node, steps: tuple[Step, ...], value: Node) -> None:
    walked = ""
    for step, following in zip(steps, (*steps[1:], None), strict=True):
        _check_step(node, step, walked)
        walked += f"[{step}]" if isinstance(step, int) else f"{'.' if walked else ''}{step}"
        if following is None:
            _refuse_secret(_get(node, step), walked)
            _assign(node, step, value)
        elif _get(node, step) is None:
            _assign(node, step, [] if isinstance(following, int) else {})
        node = _get(node, step)


def _check_step(node: Node, step: Step, walked: str) -> None:
    wanted = MutableSequence if isinstance(step, int) else MutableMapping
    if not isinstance(node, wanted):
        kind = "a list" if isinstance(step, int) else "a mapping"
        raise ToolsError(
            f"{walked} is {node!r} in the stack file, not {kind}, so there is no {step!r} in it.\n"
            f"Set {walked} itself, or correct KEY."
        )
    if isinstance(step, int) and step > len(node):
        raise ToolsError(
            f"{walked} has {len(node)} entries. Accepted: an index from 0 to {len(node)}, got {step}."
        )


def _get(node: Node, step: Step) -> Node:
    if isinstance(step, int):
        return node[step] if step < len(node) else None
    return node.get(step)


def _assign(node: Node, step: Step, value: Node) -> None:
    if isinstance(step, int) and step == len(node):
        node.append(value)
    else:
        node[step] = value


def _refuse_secret(present: Node, walked: str) -> None:
    if isinstance(present, MutableMapping) and "secure" in present:
        raise ToolsError(
            f"{walked} is a secret in the stack file. To replace it by another one, add SECRET=1."
        )


def _replace(path: Path, content: str) -> None:
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        partial.write_text(content, encoding="utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
