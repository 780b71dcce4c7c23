"""The nodes of a YAML document, with their places; long and deeply nested documents are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.data.bounds import MAX_DEPTH
from mcp_contracts.parsing.data.spans import Span

MAX_LENGTH = 500_000
MAX_NODES = 20_000
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class RefusedYamlError(ValueError):
    """The document is nested too deeply or, through aliases, is too large; `start` is the place."""

    def __init__(self, message: str, start: int) -> None:
        super().__init__(message)
        self.message, self.start = message, start


def yaml_spans(text: str) -> dict[str, Span]:
    """Return the offsets of every value of readable YAML, by pointer."""
    spans: dict[str, Span] = {}
    root = compose(text)
    stack: list[tuple[str, yaml.Node, tuple[int, int]]] = [] if root is None else [("", root, (-1, -1))]
    while stack and len(spans) < MAX_NODES:
        pointer, node, key = stack.pop()
        start, end = int(node.start_mark.index), int(node.end_mark.index)
        spans[pointer] = Span(start, start + len(text[start:end].rstrip()), *key)
        stack.extend(reversed(list(members(pointer, node))))  # so that the last value of a repeated key counts
    return spans


def members(pointer: str, node: yaml.Node) -> Iterator[tuple[str, yaml.Node, tuple[int, int]]]:
    """Yield the entries of a node: the pointer, the node, and the offsets of the key, if any."""
    if isinstance(node, yaml.MappingNode):
        for key, member in node.value:
            span = (int(key.start_mark.index), int(key.end_mark.index))
            yield f"{pointer}/{escape(key_of(key))}", member, span
    elif isinstance(node, yaml.SequenceNode):
        for index, member in enumerate(node.value):
            yield f"{pointer}/{index}", member, (-1, -1)


def compose(text: str) -> yaml.Node | None:
    if len(text) > MAX_LENGTH:
        raise RefusedYamlError(f"the YAML has more than {MAX_LENGTH:,} characters", 0)
    depth = 0
    # Composing recurses, so the depth is counted on the events, which do not.
    too_deep = f"the YAML is nested more than {MAX_DEPTH} levels deep"
    try:
        for event in yaml.parse(text, Loader=_Loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise RefusedYamlError(too_deep, _index(event.start_mark))
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in str(error.problem):  # libyaml's own limit, met before the first event
            raise RefusedYamlError(too_deep, _index(error.problem_mark)) from error
        raise
    node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    return node


def _index(mark: Any) -> int:
    return 0 if mark is None else int(mark.index)


def key_of(node: yaml.Node) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else "?"
