"""Reads the parameters that a docstring, or fields in the text (`:param city: …`), describe by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import TableRow
from mcp_contracts.parsing.parameters.signatures import named_row
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.records import replace

_FIELD = re.compile(
    r"[:@]param(?:eter)?\s+(?:(?:\{(?P<braced>[^{}]{1,200})\}|(?P<type>[\w\[\], |.]+?))\s+)?"
    r"(?P<optional>\[ ?)?(?P<name>\*{0,2}[A-Za-z_]\w*)(?(optional)(?:=[^\]\s]*)? ?\])\s*:?(?:\s+|$)"
)
_TYPE_FIELD = re.compile(r":type\s+(?P<name>[A-Za-z_]\w*)\s*:\s*(?P<type>.+?)\s*$")
_ANY_FIELD = re.compile(r"[:@](?:param|type|return|returns|rtype|raises?|throws|keyword)\b")
_NUMPY = re.compile(r"(?P<name>[A-Za-z_]\w*) ?: ?(?P<type>\S.*)")
RETURN_FIELD = re.compile(r"[:@]returns?\b:? *(?=\S)")
"""The field that states what a function returns."""
_RETURN_HEAD = re.compile(r"^[ \t]*(?:Returns|Yields):?[ \t]*$|^[ \t]*[:@]returns?\b", re.MULTILINE)
_HEAD = re.compile(r"(?:Args|Arguments|Parameters|Params|Keyword Args|Other Parameters):?\s*$")
_SECTION = re.compile(
    r"^[ \t]*(?:(?:Args|Arguments|Parameters|Params|Keyword Args|Returns?|Yields|Raises|Throws):?[ \t]*$"
    r"|[:@](?:param|returns?)\b)",
    re.MULTILINE,
)
_OTHER_HEAD = re.compile(r"[A-Z][A-Za-z ]{2,30}:\s*$")
_GOOGLE = re.compile(r"\*{0,2}[A-Za-z_]\w*(?: ?\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))?\s*:(?=\s|$)")
_MOST_LINES = 300


def is_field(text: str) -> bool:
    """Whether a line is a field that describes a parameter, or what a function returns."""
    return _ANY_FIELD.match(text) is not None


def field_rows(source: SourceText, lines: Sequence[Line]) -> list[TableRow]:
    """Return the parameters of fields: `:param city: The city`, with the type in the same field or its own."""
    rows: dict[str, TableRow] = {}
    for line in lines[:_MOST_LINES]:
        match = _FIELD.match(line.text)
        typed = _TYPE_FIELD.match(line.text)
        if match is not None and not match["name"].startswith("*"):
            said = line.text[match.end() :]
            row = _row(source, line, match, f"`{match['name']}`: {said}", match["type"] or match["braced"])
            if row is not None:
                row = replace(row, required=False) if match["optional"] else row
                rows.setdefault(match["name"], row)
        elif typed is not None:
            row = rows.get(typed["name"]) or _row(source, line, typed, f"`{typed['name']}`", None)
            if row is not None:
                rows[typed["name"]] = _read_typed_row(source, row, line, typed)
    return list(rows.values())


def _row(source: SourceText, line: Line, match: re.Match[str], text: str, type_text: str | None) -> TableRow | None:
    """Return a row as a bullet would give it, at the name's place in its line."""
    row = named_row(source, line, text)
    if row is None:
        return None
    place = source.place_in(line, *match.span("name"))
    made = replace(row, place=place, type_place=place, required_place=place)
    cleaned = clean_type(type_text) if type_text else ""
    return replace(made, type=cleaned, schema=read_type(cleaned)) if cleaned else made


def _read_typed_row(source: SourceText, row: TableRow, line: Line, match: re.Match[str]) -> TableRow:
    written = match["type"]
    optional = re.search(r",\s*optional\b", written)
    cleaned = clean_type(written[: optional.start()] if optional else written)
    required = False if optional else row.required
    place = source.place_in(line, *match.span("type"))
    return replace(row, type=cleaned or None, schema=read_type(cleaned), type_place=place, required=required)


def summary_of(docstring: str) -> str:
    """Return the text of a docstring before the sections about arguments, the result and the like."""
    begun = _SECTION.search(docstring)
    return docstring[: begun.start()].strip() if begun is not None else docstring


def says_what_is_returned(docstring: str) -> bool:
    """Whether a docstring has a section or a field for the result."""
    return _RETURN_HEAD.search(docstring) is not None


def docstring_rows(source: SourceText, row: int) -> list[TableRow]:
    """Return the parameters that the docstring of a function describes, which begins in a row of the file."""
    lines = list(_docstring(source, row))
    fields = field_rows(source, lines)
    return fields or [*_read_listed_rows(source, lines)]


def _docstring(source: SourceText, row: int) -> Iterator[Line]:
    """Yield the lines of the first docstring at or below a row, without their indentation."""
    quote = ""
    for at in range(row, min(row + _MOST_LINES, len(source.lines))):
        text = source.lines[at]
        begin = 0
        if not quote:
            opened = re.search(r"\"\"\"|'''", text)
            if opened is None:
                if text.lstrip().startswith("```"):
                    return
                continue
            quote, begin = opened[0], opened.end()
        end = text.find(quote, begin)
        content = text[begin : end if end >= 0 else len(text)]
        indent = len(content) - len(content.lstrip())
        yield Line(content.strip(), at, begin + indent)
        if end >= 0:
            return


def _read_listed_rows(source: SourceText, lines: Sequence[Line]) -> Iterator[TableRow]:
    """Yield the parameters below `Args:`, in the style of Google or NumPy."""
    is_due, is_numpy, column = False, False, -1
    for index, line in enumerate(lines):
        if _HEAD.match(line.text):
            is_due, column = True, -1
            is_numpy = index + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[index + 1].text) is not None
            continue
        underlined = index + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[index + 1].text)
        if not is_due or re.fullmatch(r"-{3,}", line.text) or not line.text:
            continue
        if _OTHER_HEAD.match(line.text) or underlined:
            is_due = False
            continue
        if column < 0:
            column = line.column
        if line.column != column:
            continue
        numpy = _NUMPY.fullmatch(line.text) if is_numpy else None
        if numpy is not None:
            row = _row(source, line, numpy, f"`{numpy['name']}`", None)
            if row is not None:
                below = lines[index + 1] if index + 1 < len(lines) and lines[index + 1].column > column else None
                described = replace(row, description=below.text if below is not None else "")
                yield _read_typed_row(source, described, line, numpy)
            continue
        if _GOOGLE.match(line.text) and not line.text.startswith("*"):
            row = named_row(source, line, line.text) or named_row(source, line, _mark_name(line.text))
            if row is not None:
                yield row


def _mark_name(text: str) -> str:
    """Return a line with its name as code, so that it needs no type."""
    name = re.match(r"[A-Za-z_]\w*", text)
    return text if name is None else f"`{name[0]}`{text[name.end() :]}"
