"""The YAML front matter of a spec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import FrontMatter, JsonValue
from mcp_contracts.diagnostics import Place
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.data.documents import Document
from mcp_contracts.parsing.data.yaml_scalars import core_scalar
from mcp_contracts.parsing.text import SourceText

_KNOWN = ("module", "version", "protocol", "owner")
_KEY = re.compile(r"([A-Za-z_][\w-]*)[ \t]*+:(?:[ \t]|$)")
_SIMPLE = re.compile(r"([A-Za-z_][\w-]*+):[ \t]++([A-Za-z0-9_][\w.@/+-]*+(?: [\w.@/+-]++)*+)[ \t]*+")
_MARKDOWN = re.compile(r"#{2,6}[ \t]|```|~~~")
_MAX_ROWS = 200
_NONE: Sequence[object] = ([], {}, None, False, 0, "none", "no", "false", "off", "never", "disabled", "n/a", "nil")
_OF_TOOLS = re.compile(
    r"(?:(?:has|exposes|offers|provides|registers|exposed|public|mcp|agent|llm|ai|model)_)*(?:tools?(?:_(?:count|exposed"
    r"|enabled|available))?|mcp(?:_(?:enabled|exposed|exposure|access|server))?|(?:agents?|llm|ai|model)_(?:access"
    r"|exposed|enabled|facing)|exposed_to_(?:agents|mcp|models))",
    re.IGNORECASE,
)
"""Keys whose value says whether a module has tools."""
_SETTING = re.compile(r"(?:enabled|exposed|exposes|available|access|count|list|names|public)", re.IGNORECASE)


def read_front_matter(source: SourceText) -> tuple[FrontMatter | None, int, tuple[Fault, ...]]:
    """Return the front matter, its number of rows, and its faults.

    A first line of `---` is a thematic break, not front matter, unless a `key:` follows it.
    """
    lines = source.lines
    if lines[0].rstrip() != "---":
        return None, 0, ()
    first = next((line for line in lines[1:_MAX_ROWS] if line.strip() and not line.startswith("#")), "")
    key = _KEY.match(first)
    if key is None:
        return None, 0, ()
    end = _end_row(lines)
    if end is None:
        if key[1] not in _KNOWN:
            return None, 0, ()
        message, hint = "the front matter that opens here is never closed", "close it with a line of `---`"
        return None, 0, (Fault(FaultKind.FRONT_MATTER, message, source.place(0), hint),)
    place = source.place(0, end_row=end)
    simple = _simple_values(source, end)
    if simple is not None:
        matter = FrontMatter(*simple, place)
        return matter, end + 1, tuple(_wrong_values(matter))
    from mcp_contracts.parsing.data.yaml_documents import read_yaml  # costs 20 ms, and most front matter is simple

    document = read_yaml(source, "\n".join(lines[1:end]), 1)
    faults = tuple(_faults(document))
    if not isinstance(document.value, dict):
        return None, end + 1, faults
    keys = {key: document.place(f"/{escape(key)}", on_key=True) for key in document.value}
    places = {key: document.place(f"/{escape(key)}") for key in document.value}
    values = {key: _as_text(source, key, value, places[key]) for key, value in document.value.items()}
    matter = FrontMatter(values, {**keys, **{f"/{key}": place for key, place in places.items()}}, place)
    return matter, end + 1, (*faults, *_wrong_values(matter))


def text_value(matter: FrontMatter | None, key: str) -> str | None:
    """Return a value of the front matter that is a string, or None."""
    value = None if matter is None else matter.values.get(key)
    return value.strip() or None if isinstance(value, str) else None


def states_no_tools(matter: FrontMatter | None) -> bool:
    """Whether the front matter has a key that says that there are no tools: `tools: []`, `mcp: {enabled: false}`."""
    return matter is not None and any(_says_none(key, value) for key, value in matter.values.items())


def _says_none(key: str, value: object) -> bool:
    if _OF_TOOLS.fullmatch(key.replace("-", "_")) is None:
        return False
    if isinstance(value, dict) and value:
        return any(_is_none(one) for name, one in value.items() if _SETTING.fullmatch(name) or _says_none(name, one))
    return _is_none(value)


def _is_none(value: object) -> bool:
    return (value.lower() if isinstance(value, str) else value) in _NONE


def _end_row(lines: tuple[str, ...]) -> int | None:
    """Return the row of the closing line, which must precede anything that only Markdown has."""
    for row, line in enumerate(lines[1:_MAX_ROWS], 1):
        if line.rstrip() in ("---", "..."):
            return row
        if _MARKDOWN.match(line):
            return None
    return None


def _simple_values(source: SourceText, end: int) -> tuple[Mapping[str, JsonValue], Mapping[str, Place]] | None:
    """Return values and places if every line is `key: plain words`, which needs no YAML parser; else None."""
    values: dict[str, JsonValue] = {}
    places: dict[str, Place] = {}
    for row in range(1, end):
        line = source.lines[row]
        if not line.strip(" ") or line.startswith("#"):
            continue
        match = _SIMPLE.fullmatch(line)
        if match is None or match[1] in values:
            return None
        key, place = match[1], source.place(row, *match.span(2))
        values[key] = _as_text(source, key, core_scalar(match[2]), place)
        places[key] = source.place(row, *match.span(1))
        places[f"/{key}"] = place
    return values, places


def _as_text(source: SourceText, key: str, value: JsonValue, place: Place) -> JsonValue:
    """Return the value of one of our keys as written if YAML reads it as a number: version 1.10 is not 1.1."""
    if key in _KNOWN and isinstance(value, int | float) and not isinstance(value, bool):
        return source.lines[place.line - 1][place.column - 1 : place.end_column - 1]
    return value


def _faults(document: Document) -> Iterator[Fault]:
    for fault in document.faults:
        is_invalid = fault.kind is FaultKind.INVALID_JSON
        message = f"the front matter is {fault.message}" if is_invalid else fault.message
        hint = fault.hint or "write one `key: value` on each line, and quote text that contains `: ` or brackets"
        yield Fault(FaultKind.FRONT_MATTER, message, fault.place, hint)


def _wrong_values(matter: FrontMatter) -> Iterator[Fault]:
    """Yield faults for known keys whose value is not text."""
    for key, value in matter.values.items():
        if key in _KNOWN and not isinstance(value, str):
            message = f"`{key}` in the front matter must be a string"
            yield Fault(FaultKind.FRONT_MATTER, message, matter.keys[key], f"write `{key}: …` on one line")
