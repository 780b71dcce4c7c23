"""JSON and YAML inside a file: its value, what is wrong with it, and where each pointer stands."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, NoReturn

from mcp_contracts.contract import Fault, FaultKind, JsonValue
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.schema.walk import escape

MAX_DEPTH = 128
"""How deep JSON may nest: far more than any schema needs, far less than what exhausts a stack."""


class Span(NamedTuple):
    """Offsets of a value and, for a member of an object, of its key (else both -1)."""

    start: int
    end: int
    key_start: int = -1
    key_end: int = -1


@dataclass(frozen=True, slots=True)
class Document:
    """JSON or YAML that stands in `source` from row `first_row` on, with what it means.

    `text` is the document without the indentation that a fence takes off. `value` is None where it cannot be read;
    `faults` says why.
    """

    source: SourceText
    first_row: int
    text: str
    language: str
    value: JsonValue
    faults: tuple[Fault, ...] = ()

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """The place of the value (or key) at `pointer`, or of the nearest enclosing value that is there."""
        spans = self.spans()
        while pointer not in spans and pointer:
            pointer = pointer.rpartition("/")[0]
        span = spans.get(pointer) or Span(0, len(self.text.rstrip()))
        if on_key and span.key_start >= 0:
            return self.place_between(span.key_start, span.key_end)
        return self.place_between(span.start, span.end)

    def place_between(self, start: int, end: int) -> Place:
        """The place of two offsets of the document's text."""
        starts = _line_starts(self.text)
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, max(start, end - 1)) - 1
        left = self._column(first, start - starts[first])
        right = self._column(last, end - starts[last])
        return self.source.place(self.first_row + first, left, right, end_row=self.first_row + last)

    def at(self, base: str) -> SubLocator:
        """A locator for the value at `base`, to which its pointers are relative."""
        return SubLocator(self, base)

    def spans(self) -> Mapping[str, Span]:
        """Every pointer of the document with its offsets."""
        if self.value is None and self.faults:
            return {}
        if self.language == "yaml":
            from mcp_contracts.parsing.yaml_documents import yaml_spans  # a YAML parser costs 20 ms to import

            return yaml_spans(self.text)
        return _json_spans(self.text)

    def _column(self, row: int, column: int) -> int:
        """A column of the file: a fence in a list is indented, its text here is not."""
        if self.first_row + row >= len(self.source.lines):
            return column
        raw = self.source.lines[self.first_row + row]
        starts = _line_starts(self.text)
        end = starts[row + 1] - 1 if row + 1 < len(starts) else len(self.text)
        return column + max(0, len(raw) - (end - starts[row]))


@dataclass(frozen=True, slots=True)
class SubLocator:
    """Finds pointers below one value of a document."""

    document: Document
    base: str

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """The place of a pointer relative to the base."""
        return self.document.place(self.base + pointer, on_key=on_key)


def read_json(source: SourceText, text: str, first_row: int = 0, *, part: Part | None = None) -> Document:
    """Read one JSON document. Faults: not JSON (with the likely cause), a duplicate key, nested too deep."""
    draft = Document(source, first_row, text, "json", None)
    depth_fault = _too_deep(draft, part)
    if depth_fault is not None:
        return Document(source, first_row, text, "json", None, (depth_fault,))
    has_duplicates = False

    def pairs(items: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        nonlocal has_duplicates
        members = dict(items)
        has_duplicates = has_duplicates or len(members) != len(items)
        return members

    try:
        value: JsonValue = json.loads(
            text, object_pairs_hook=pairs, parse_constant=_refuse_constant, parse_float=_finite, parse_int=_bounded
        )
        if "\\u" in text and _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        fault = _invalid(draft, error.pos, error.msg, part)
        return Document(source, first_row, text, "json", None, (fault,))
    except (ValueError, RecursionError) as error:
        reason = "a lone surrogate escape" if isinstance(error, UnicodeEncodeError) else str(error)
        place = draft.place_between(0, len(text.rstrip()))
        fault = Fault(FaultKind.INVALID_JSON, f"invalid JSON: {reason}", place, None, part)
        return Document(source, first_row, text, "json", None, (fault,))
    document = Document(source, first_row, text, "json", value)
    if has_duplicates:
        faults = tuple(_duplicate_keys(document, part))
        return Document(source, first_row, text, "json", value, faults)
    return document


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"`{name}` is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"the number `{digits[:20]}` is too large")
    return number


def _bounded(digits: str) -> int:
    if len(digits) > 400:
        raise ValueError(f"a number of {len(digits)} digits is too large")
    return int(digits)


def _too_deep(document: Document, part: Part | None) -> Fault | None:
    text = document.text
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return None
    depth = 0
    for match in _BRACKET.finditer(text):
        if match[0] in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                place = document.place_between(match.start(), match.end())
                message = f"the JSON nests deeper than {MAX_DEPTH} levels"
                return Fault(FaultKind.TOO_DEEP, message, place, "flatten it, or move parts into `$defs`", part)
        elif match[0] in "]}":
            depth -= 1
    return None


_BRACKET = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[\[\]{}]')
_TOKEN = re.compile(r'[ \t\n\r]*("[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+)', re.DOTALL)


@lru_cache(maxsize=64)
def _line_starts(text: str) -> tuple[int, ...]:
    return (0, *(match.end() for match in re.finditer("\n", text)))


@lru_cache(maxsize=64)
def _json_spans(text: str) -> Mapping[str, Span]:
    """Offsets of every value of valid JSON, by pointer; the last of duplicate keys wins, as in the value."""
    return {pointer: span for pointer, span, _ in _json_members(text)}


def _json_members(text: str) -> list[tuple[str, Span, bool]]:
    """Every value of valid JSON: pointer, offsets, and whether the same key already stood in that object."""
    found: list[tuple[str, Span, bool]] = []
    # A frame is [pointer, start, key span, index of the next item (-1 in an object), keys seen, pending key].
    stack: list[_Frame] = []
    key: tuple[str, int, int] | None = None
    for match in _TOKEN.finditer(text):
        token, start, end = match[1], match.start(1), match.end(1)
        if token in "}]" and stack:
            frame = stack.pop()
            found.append((frame.pointer, Span(frame.start, end, *frame.key), frame.repeated))
            continue
        if token == ",":
            key = None
            if stack and stack[-1].index >= 0:
                stack[-1].index += 1
            continue
        if token == ":":
            continue
        in_object = bool(stack) and stack[-1].index < 0
        if in_object and key is None:
            name = str(json.loads(token, strict=False)) if "\\" in token else token[1:-1]
            key = (name, start, end)
            continue
        pointer, key_span, repeated = "", (-1, -1), False
        if stack:
            parent = stack[-1]
            if in_object and key is not None:
                pointer, key_span = f"{parent.pointer}/{escape(key[0])}", (key[1], key[2])
                repeated = key[0] in parent.keys
                parent.keys.add(key[0])
            else:
                pointer = f"{parent.pointer}/{parent.index}"
        if token in "{[":
            stack.append(_Frame(pointer, start, key_span, -1 if token == "{" else 0, set(), repeated))
            key = None
        else:
            found.append((pointer, Span(start, end, *key_span), repeated))
    return found


@dataclass(slots=True)
class _Frame:
    pointer: str
    start: int
    key: tuple[int, int]
    index: int
    keys: set[str]
    repeated: bool


def _duplicate_keys(document: Document, part: Part | None) -> list[Fault]:
    faults = []
    for pointer, span, repeated in _json_members(document.text):
        if repeated:
            name = document.text[span.key_start + 1 : span.key_end - 1]
            place = document.place_between(span.key_start, span.key_end)
            message = f"the key `{name}` appears twice in one object, and only the last one counts"
            faults.append(Fault(FaultKind.DUPLICATE_KEY, message, place, "remove or rename one of them", part, pointer))
    return faults


def _invalid(document: Document, position: int, message: str, part: Part | None) -> Fault:
    text = document.text
    cause, hint, position = _cause(text, position, message)
    place = document.place_between(position, min(position + 1, len(text)))
    row = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    where = f"line {row}, column {column} of the JSON"
    return Fault(FaultKind.INVALID_JSON, f"invalid JSON: {cause} ({where})", place, hint, part)


def _cause(text: str, position: int, message: str) -> tuple[str, str | None, int]:
    """The likely cause of a JSON error: what it is, what to do, and the better place for it."""
    rest = text[position : position + 40]
    before = text[:position].rstrip()
    previous = before[-1:]
    stripped = rest.lstrip()
    offset = position + len(rest) - len(stripped)
    if not text.strip():
        return "the block is empty", "write the JSON, or remove the block", 0
    if stripped.startswith(("//", "/*", "#")):
        return "a comment", "JSON has no comments: move it out of the block", offset
    if stripped.startswith(("...", "…")):
        return "`...` stands for something left out", "write the real JSON: a reader cannot fill the gap", offset
    if message == "Extra data":
        return "several documents in one block", "give each document a block of its own", offset
    if message.startswith("Invalid control character"):
        return "a raw line break or control character inside a string", "write `\\n` instead", position
    if (previous == "," and stripped[:1] in ("}", "]")) or message.startswith("Illegal trailing comma"):
        comma = len(before) - 1 if previous == "," else position
        return "a trailing comma", "remove the comma", comma
    if stripped.startswith("'"):
        return "single quotes", 'write strings in double quotes: `"…"`', offset
    literal = re.match(r"(True|False|None|undefined|NaN|-?Infinity)\b", stripped)
    if literal:
        spelled = {"True": "`true`", "False": "`false`", "None": "`null`"}.get(literal[1], "a JSON value")
        return f"`{literal[1]}` is no JSON literal", f"write {spelled}", offset
    if not stripped and offset >= len(text.rstrip()):
        return "the text ends before the JSON does", "close every bracket and string", max(len(text.rstrip()) - 1, 0)
    if message.startswith("Unterminated string"):
        return "a string that is not closed", 'close it with `"`', position
    if message.startswith("Invalid \\"):
        return "an invalid escape in a string", "write `\\\\` for a backslash", position
    if message.startswith("Expecting property name"):
        return "a key without double quotes", 'write keys in double quotes: `"key"`', offset
    if message.startswith("Expecting ',' delimiter"):
        return "a missing comma or an extra character", "separate the values with commas", offset
    return message[:1].lower() + message[1:], None, offset
