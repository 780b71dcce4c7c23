"""YAML read as JSON: YAML 1.2's core types, no tags, no cycles, with the place of every value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import yaml

from mcp_contracts.contract import Fault, FaultKind, JsonValue
from mcp_contracts.diagnostics import Part
from mcp_contracts.parsing.documents import MAX_DEPTH, Document, Span
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.schema.walk import escape

MAX_NODES = 20_000
MAX_LENGTH = 500_000
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile(r"[-+]?[0-9]{1,300}")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")


class _TooMuchError(Exception):
    """The document nests too deep or, through aliases, holds too much."""


def read_yaml(source: SourceText, text: str, first_row: int = 0, *, part: Part | None = None) -> Document:
    """Read one YAML document. Faults: not YAML, several documents, a duplicate key, too deep or too large."""
    draft = Document(source, first_row, text, "yaml", None)

    def failed(kind: FaultKind, message: str, start: int, hint: str | None) -> Document:
        place = draft.place_between(start, start + 1)
        return Document(source, first_row, text, "yaml", None, (Fault(kind, message, place, hint, part),))

    try:
        root = _compose(text)
        value: JsonValue = None if root is None else _Reading().value(root)
        duplicates = [] if root is None else list(_duplicates(root))
    except _TooMuchError as error:
        return failed(FaultKind.TOO_DEEP, str(error), 0, "flatten it, or write it out without aliases")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        start = _offset(text, mark) if mark else 0
        cause, hint = _cause(text, start, error.problem or "not readable")
        return failed(FaultKind.INVALID_JSON, f"invalid YAML: {cause}", start, hint)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        first_line = str(error).strip().partition("\n")[0]
        return failed(FaultKind.INVALID_JSON, f"invalid YAML: {first_line}", 0, None)
    faults = tuple(
        Fault(
            FaultKind.DUPLICATE_KEY,
            f"the key `{name}` appears twice in one object, and only the last one counts",
            draft.place_between(start, end),
            "remove or rename one of them",
            part,
            pointer,
        )
        for name, pointer, start, end in duplicates
    )
    return Document(source, first_row, text, "yaml", value, faults)


@lru_cache(maxsize=64)
def yaml_spans(text: str) -> Mapping[str, Span]:
    """Offsets of every value of readable YAML, by pointer."""
    spans: dict[str, Span] = {}
    root = _compose(text)
    stack: list[tuple[str, yaml.Node, tuple[int, int]]] = [] if root is None else [("", root, (-1, -1))]
    while stack and len(spans) < MAX_NODES:
        pointer, node, key = stack.pop()
        start = _offset(text, node.start_mark)
        end = start + len(text[start : _offset(text, node.end_mark)].rstrip())
        spans[pointer] = Span(start, end, *key)
        if isinstance(node, yaml.MappingNode):
            for name, child in node.value:
                span = (_offset(text, name.start_mark), _offset(text, name.end_mark))
                stack.append((f"{pointer}/{escape(_key(name))}", child, span))
        elif isinstance(node, yaml.SequenceNode):
            stack.extend((f"{pointer}/{index}", child, (-1, -1)) for index, child in enumerate(node.value))
    return spans


def _compose(text: str) -> yaml.Node | None:
    if len(text) > MAX_LENGTH:
        raise _TooMuchError(f"the YAML has more than {MAX_LENGTH} characters")
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise _TooMuchError(f"the YAML nests deeper than {MAX_DEPTH} levels")
    node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    return node


class _Reading:
    """One conversion of nodes to values, counted: aliases can make a short text mean a huge value."""

    def __init__(self) -> None:
        self.nodes = 0

    def value(self, node: yaml.Node, depth: int = 0) -> JsonValue:
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise _TooMuchError(f"the YAML means more than {MAX_NODES} values or nests deeper than {MAX_DEPTH} levels")
        if isinstance(node, yaml.MappingNode):
            return {_key(key): self.value(child, depth + 1) for key, child in node.value}
        if isinstance(node, yaml.SequenceNode):
            return [self.value(child, depth + 1) for child in node.value]
        return _scalar(str(node.value), is_plain=isinstance(node, yaml.ScalarNode) and not node.style)


def _scalar(text: str, *, is_plain: bool) -> JsonValue:
    """A scalar by YAML 1.2's core schema, in which `yes` and `2026-01-01` are strings."""
    if not is_plain:
        return text
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        number = float(text)
        return text if number in (float("inf"), float("-inf")) else number
    return text


def _key(node: yaml.Node) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else "?"


def _duplicates(root: yaml.Node) -> Iterator[tuple[str, str, int, int]]:
    stack: list[tuple[str, yaml.Node]] = [("", root)]
    budget = MAX_NODES
    while stack and budget:
        budget -= 1
        pointer, node = stack.pop()
        if isinstance(node, yaml.MappingNode):
            seen = set()
            for key, child in node.value:
                name = _key(key)
                here = f"{pointer}/{escape(name)}"
                if name in seen:
                    yield name, here, key.start_mark.index, key.end_mark.index
                seen.add(name)
                stack.append((here, child))
        elif isinstance(node, yaml.SequenceNode):
            stack.extend((f"{pointer}/{index}", child) for index, child in enumerate(node.value))


def _offset(text: str, mark: yaml.Mark) -> int:
    return min(int(mark.index), len(text))


def _cause(text: str, start: int, problem: str) -> tuple[str, str | None]:
    if problem.startswith("mapping values are not allowed"):
        return "a colon inside an unquoted text", "put the text in double quotes"
    if problem.startswith("found character '\\t'"):
        return "a tab in the indentation", "indent with spaces"
    if "found another document" in problem or "expected <document start>" in problem:
        return "several documents in one block", "give each document a block of its own"
    return problem, None
