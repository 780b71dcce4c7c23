"""JSON and YAML inside a file: the value, the faults, and the place of each pointer."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NoReturn

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.json_values.pointers import enclosing
from mcp_contracts.parsing.data.bounds import MAX_DEPTH, MOST_FAULTS
from mcp_contracts.parsing.data.comments import without_comments, without_trailing_commas
from mcp_contracts.parsing.data.spans import Span, json_members, json_span
from mcp_contracts.parsing.text import SourceText, shorten
from mcp_contracts.records import dataclass, field, replace

_FEW, _SHORT = 4, 50_000  # finding this many places one by one is faster than building an index, if the text is short

_MAX_DIGITS = 400
_STRING = r'"(?:[^"\\\n]|\\.)*+"?'
_BRACKET = re.compile(rf"{_STRING}|[\[\]{{}}]")
_NUMBER = re.compile(rf"{_STRING}|-?(?:NaN|Infinity|[0-9][0-9.eE+-]*+)")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(slots=True)
class _Index:
    """Data computed on demand for places: offsets of values and of lines."""

    spans: Mapping[str, Span] | None = None
    line_starts: Sequence[int] | None = None
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """JSON or YAML that begins in row `first_row` of `source`, with its value.

    `text` is the document without the indentation of its fence, and without the comments of a broken example. `value`
    is None if the document cannot be read; `faults` gives the reason.
    """

    source: SourceText
    first_row: int
    text: str
    language: str
    value: JsonValue
    faults: tuple[Fault, ...] = ()
    index: _Index = field(default_factory=_Index, repr=False, compare=False)

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """Return the place of the value (or key) at `pointer`, or of the closest enclosing value that exists."""
        span = self._span(pointer)
        if on_key and span.key_start >= 0:
            return self.place_between(span.key_start, span.key_end)
        return self.place_between(span.start, span.end)

    def place_between(self, start: int, end: int) -> Place:
        """Return the place of two offsets of the document's text."""
        starts = self._line_starts()
        first = bisect_right(starts, start) - 1
        last = bisect_right(starts, max(start, end - 1)) - 1
        left = self._column(first, start - starts[first])
        right = self._column(last, end - starts[last])
        return self.source.place(self.first_row + first, left, right, end_row=self.first_row + last)

    def at(self, base: str) -> SubLocator:
        """Return a locator for the value at `base`, to which its pointers are relative."""
        return SubLocator(self, base)

    def _span(self, pointer: str) -> Span:
        self.index.asked += 1
        is_valid = self.language == "json" and self.value is not None and not self.faults
        if self.index.asked <= _FEW and is_valid and len(self.text) < _SHORT:
            return json_span(self.text, pointer)
        spans = self._spans()
        return spans.get(enclosing(pointer, spans)) or Span(0, len(self.text.rstrip()))

    def _spans(self) -> Mapping[str, Span]:
        if self.index.spans is None:
            if self.value is None and self.faults:
                self.index.spans = {}
            elif self.language == "yaml":
                from mcp_contracts.parsing.data.yaml_nodes import yaml_spans  # a YAML parser costs 20 ms to import

                self.index.spans = yaml_spans(self.text)
            else:
                self.index.spans = {pointer: span for pointer, span, _ in json_members(self.text)}
        return self.index.spans

    def _line_starts(self) -> Sequence[int]:
        if self.index.line_starts is None:
            self.index.line_starts = (0, *(match.end() for match in re.finditer("\n", self.text)))
        return self.index.line_starts

    def _column(self, row: int, column: int) -> int:
        """Return the column in the file, before the indentation was removed or a tab was replaced with spaces."""
        starts = self._line_starts()
        end = starts[row + 1] - 1 if row + 1 < len(starts) else len(self.text)
        width = len(self.source.lines[self.first_row + row])
        return min(max(0, column + width - (end - starts[row])), width)


@dataclass(frozen=True, slots=True)
class SubLocator:
    """Finds pointers below one value of a document."""

    document: Document
    base: str

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        return self.document.place(self.base + pointer, on_key=on_key)


def read_json(source: SourceText, text: str, first_row: int = 0, *, part: Part | None = None) -> Document:
    """Read one JSON document. Faults: not JSON (with the likely cause), a duplicate key, nested too deep.

    An example is read despite comments, trailing commas and raw line breaks in strings, so that it is checked.
    """
    has_repeated_keys = False
    try:
        _check_depth(text)
        try:
            value = _value(text, _STRICT)
        except _RepeatedKeyError:
            has_repeated_keys = True
            value = _value(text, _LENIENT)
    except _RefusedError as error:
        draft = Document(source, first_row, text, "json", None)
        faults = (error.fault(draft, part),)
        is_fixed = part == "example" and error.kind is FaultKind.INVALID_JSON
        fixed, value = _fix(text) if is_fixed else (text, None)
        return Document(source, first_row, fixed, "json", value, faults)
    document = Document(source, first_row, text, "json", value)
    return (
        replace(document, faults=tuple(islice(_duplicate_keys(document, part), MOST_FAULTS)))
        if has_repeated_keys
        else document
    )


class _RefusedError(ValueError):
    """Text that cannot be read; `start` and `end` are the offsets of the reason."""

    def __init__(self, kind: FaultKind, message: str, hint: str | None, start: int, end: int) -> None:
        super().__init__(message)
        self.kind, self.message, self.hint, self.start, self.end = kind, message, hint, start, end

    def fault(self, document: Document, part: Part | None) -> Fault:
        """Return the error as a fault of a document."""
        message = self.message
        if self.kind is FaultKind.INVALID_JSON:
            row = document.text.count("\n", 0, self.start) + 1
            column = self.start - document.text.rfind("\n", 0, self.start)
            message = f"invalid JSON: {message} (line {row}, column {column} of the JSON)"
        return Fault(self.kind, message, document.place_between(self.start, self.end), self.hint, part)


class _RefusedNumberError(ValueError):
    """A number that is valid in Python, but not in JSON, or too large."""

    def __init__(self, token: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.token, self.message, self.hint = token, message, hint


class _RepeatedKeyError(ValueError):
    """A key appears twice in one object."""


def _value(text: str, decoder: json.JSONDecoder) -> JsonValue:
    try:
        value: JsonValue = decoder.decode(text)
    except json.JSONDecodeError as error:
        from mcp_contracts.parsing.data.json_causes import likely_cause  # few documents are broken

        cause = likely_cause(text, error.pos, error.msg)
        end = min(cause.at + 1, len(text))
        raise _RefusedError(FaultKind.INVALID_JSON, cause.words, cause.hint, cause.at, end) from error
    except _RefusedNumberError as error:
        at = next((match.start() for match in _NUMBER.finditer(text) if match[0] == error.token), 0)
        end = at + len(error.token)
        raise _RefusedError(FaultKind.INVALID_JSON, error.message, error.hint, at, end) from error
    if "\\u" in text and _SURROGATE.search(text):
        lone = next(_lone_surrogates(text), None)
        if lone is not None:
            words = "an unpaired surrogate, which is not a character"
            hint = "write both halves, or the character itself"
            raise _RefusedError(FaultKind.INVALID_JSON, words, hint, lone, lone + 6)
    return value


def _unique(members: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    value = dict(members)
    if len(value) != len(members):
        raise _RepeatedKeyError
    return value


def _refused_constant(name: str) -> NoReturn:
    raise _RefusedNumberError(name, f"`{name}` is not a JSON number", "write a number, or remove the member")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _RefusedNumberError(digits, f"the number `{shorten(digits)}` is too large", "write a smaller number")
    return number


def _read_integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        message = f"a number of {len(digits):,} digits is too large"
        raise _RefusedNumberError(digits, message, "write a smaller number")
    return int(digits)


_STRICT = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refused_constant, parse_float=_finite, parse_int=_read_integer
)
_LENIENT = json.JSONDecoder(parse_constant=_refused_constant, parse_float=_finite, parse_int=_read_integer)
_LOOSE = json.JSONDecoder(strict=False, parse_constant=_refused_constant, parse_float=_finite, parse_int=_read_integer)


def _fix(text: str) -> tuple[str, JsonValue]:
    """Return broken JSON without comments and trailing commas, at the same offsets, and its value, or None."""
    fixed = without_trailing_commas(without_comments(text))
    try:
        return fixed, _value(fixed, _LOOSE)
    except _RefusedError:
        return text, None


def _lone_surrogates(text: str) -> Iterator[int]:
    """Yield the offsets of escapes of lone surrogates."""
    high = -1
    for match in _ESCAPE.finditer(text):
        code = int(match[1], 16) if match[1] else 0
        is_low = 0xDC00 <= code <= 0xDFFF
        if high >= 0 and not (is_low and match.start() == high + 6):
            yield high
        elif is_low and high < 0:
            yield match.start()
        high = match.start() if 0xD800 <= code <= 0xDBFF else -1
    if high >= 0:
        yield high


def _check_depth(text: str) -> None:
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return
    depth = 0
    for match in _BRACKET.finditer(text):
        if match[0] in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                message = f"the JSON is nested more than {MAX_DEPTH} levels deep"
                hint = "flatten it, or move parts into `$defs`"
                raise _RefusedError(FaultKind.TOO_DEEP, message, hint, match.start(), match.end())
        elif match[0] in "]}":
            depth -= 1


def _duplicate_keys(document: Document, part: Part | None) -> Iterator[Fault]:
    for pointer, span, is_repeated in json_members(document.text):
        if is_repeated:
            name = shorten(document.text[span.key_start + 1 : span.key_end - 1])
            message = f"the key `{name}` appears twice in one object, and only the last one counts"
            place = document.place_between(span.key_start, span.key_end)
            yield Fault(FaultKind.DUPLICATE_KEY, message, place, "remove or rename one of them", part, pointer)
