"""YAML read as JSON: YAML 1.2's core types, no tags, no cycles, with the place of every value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

import yaml

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Part
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.parsing.data.bounds import MAX_DEPTH, MOST_FAULTS
from mcp_contracts.parsing.data.documents import Document
from mcp_contracts.parsing.data.yaml_nodes import MAX_NODES, RefusedYamlError, compose, key_of, members
from mcp_contracts.parsing.data.yaml_scalars import core_scalar
from mcp_contracts.parsing.text import SourceText, shorten

MAX_MEANT_LENGTH = 2_000_000


def read_yaml(
    source: SourceText,
    text: str,
    first_row: int = 0,
    *,
    part: Part | None = None,
    replaced: Mapping[int, str] | None = None,
) -> Document:
    """Read one YAML document. Faults: not YAML, several documents, a duplicate key, too deep or too large.

    `replaced` has the original scalars by offset, where `text` contains a replacement of the same length.
    """
    draft = Document(source, first_row, text, "yaml", None)

    def failed(kind: FaultKind, message: str, start: int, hint: str | None) -> Document:
        start = min(start, max(len(text) - 1, 0))
        fault = Fault(kind, message, draft.place_between(start, min(start + 1, len(text))), hint, part)
        return Document(source, first_row, text, "yaml", None, (fault,))

    try:
        root = compose(text)
        value: JsonValue = None if root is None else _Reading(replaced or {}).value(root)
    except RefusedYamlError as error:
        return failed(FaultKind.TOO_DEEP, error.message, error.start, "flatten it, or write it out without aliases")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        start = int(mark.index) if mark else 0
        key = error.context_mark if (error.context or "").endswith("a simple key") else None
        start, cause, hint = _without_colon(text, start, int(key.index) if key else None) or (
            start,
            *_cause(error.problem or "not readable", text[start : start + 1]),
        )
        return failed(FaultKind.INVALID_JSON, f"invalid YAML: {cause}", start, hint)
    except yaml.reader.ReaderError as error:
        cause = "a character that YAML does not allow"
        return failed(FaultKind.INVALID_JSON, f"invalid YAML: {cause}", error.position, "remove it, or escape it")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return failed(FaultKind.INVALID_JSON, f"invalid YAML: {shorten(str(error))}", 0, None)
    faults = () if root is None else tuple(islice(_duplicate_keys(draft, root, part), MOST_FAULTS))
    return Document(source, first_row, text, "yaml", value, faults)


class _Reading:
    """A conversion of nodes to values with a count, because aliases can make a short text a huge value."""

    def __init__(self, replaced: Mapping[int, str]) -> None:
        self.replaced = replaced
        self.nodes = 0
        self.length = 0

    def value(self, node: yaml.Node, depth: int = 0) -> JsonValue:
        """Return the value of a node; raises `RefusedYamlError` if it becomes too large."""
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH or self.length > MAX_MEANT_LENGTH:
            message = (
                f"the YAML expands to more than {MAX_NODES:,} values or is nested more than {MAX_DEPTH} levels deep"
            )
            raise RefusedYamlError(message, int(node.start_mark.index))
        if isinstance(node, yaml.MappingNode):
            return {key_of(key): self.value(child, depth + 1) for key, child in node.value}
        if isinstance(node, yaml.SequenceNode):
            return [self.value(child, depth + 1) for child in node.value]
        text = self.replaced.get(int(node.start_mark.index))
        if text is not None:
            return text
        text = str(node.value)
        self.length += len(text)
        return text if isinstance(node, yaml.ScalarNode) and node.style else core_scalar(text)


def _duplicate_keys(document: Document, root: yaml.Node, part: Part | None) -> Iterator[Fault]:
    stack = [("", root)]
    while stack:
        pointer, node = stack.pop()
        seen = set()
        for child, member, (start, end) in members(pointer, node):
            if isinstance(node, yaml.MappingNode) and child in seen:
                name = shorten(document.text[start:end])
                message = f"the key `{name}` appears twice in one object, and only the last one counts"
                place = document.place_between(start, end)
                yield Fault(FaultKind.DUPLICATE_KEY, message, place, "remove or rename one of them", part, child)
            seen.add(child)
            stack.append((child, member))


def _without_colon(text: str, at: int, key: int | None) -> tuple[int, str, str] | None:
    """Return the place of a line without its colon, the cause and the fix; None if there is none.

    The parser stops at the next colon, or names the offset of the line as that of a `key`.
    """
    start = text.rfind("\n", 0, at) + 1
    if key is None:
        if text[at : at + 1] != ":" or _COLON.search(text, start, at):
            return None  # the line has a colon before
        above = text[:start].rstrip()
        key = above.rfind("\n") + 1
        if _COLON.search(above, key):
            return at, "a key below a value", "indent it like the key above, or remove that value"
    line = text[key:].partition("\n")[0]
    key += len(line) - len(line.lstrip())
    line = line.strip()
    words = line.split()
    if not words or _COLON.search(line) or not _KEY.fullmatch(words[0]):
        return None
    fixed = {1: f"{line}:", 2: ": ".join(words)}.get(len(words), "key: value")
    return key, f"the line `{shorten(line)}` has no colon", f"write `{shorten(fixed)}`"


_COLON = re.compile(r":(?:[ \t]|$)", re.MULTILINE)
_KEY = re.compile(r"[\w$-]+")


def _cause(problem: str, character: str) -> tuple[str, str | None]:
    """Return the likely cause of a parser's problem at a character, and its fix."""
    if problem.startswith("mapping values are not allowed"):
        return "a colon inside an unquoted string", "put the text in double quotes"
    if problem.startswith("found character"):
        if character == "\t":
            return "a tab in the indentation", "indent with spaces"
        return f"a string that begins with `{character}`", "put the text in double quotes"
    if "found another document" in problem or "expected <document start>" in problem:
        return "several documents in one block", "give each document its own block"
    if problem == "found undefined alias":
        return "an undefined alias", "put a string that begins with `*` in double quotes"
    return problem, None
