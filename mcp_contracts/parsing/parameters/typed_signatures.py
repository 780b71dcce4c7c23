"""Reads the signature of a tool in a line of code: `find(city: string, days?: number = 3): Forecast`."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import TableRow
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.parameters.code_text import LONGEST, Code, Piece, code_row, inside, parts
from mcp_contracts.parsing.parameters.object_types import Unread, object_rows
from mcp_contracts.records import NamedTuple, replace

_PARAMETER = re.compile(
    r"(?:\.\.\.)?([A-Za-z_$][\w$]*)\s*+(\??)\s*+:\s*+([^=\s](?:[^=]*[^=\s])?|(?<=\s))\s*+(?:=\s*(.+))?", re.DOTALL
)
_RETURNS = re.compile(r"\s*+(?:->|=>|→|:)?\s*+([^\n;]+)")
_BEFORE = re.compile(r"(?:^|[\s.*&>`])(?:(?:export|default|async|public|static|function|func|fn|def|const)\s+){0,9}$")
_NOT_SENT = frozenset(("ctx", "context", "self", "cls", "this"))
_OF_HOST = re.compile(r"(?:\w+\.)*(?:Context|RunContext|ToolContext|CallContext|RequestContext)(?:\[[^\]]*\])?")


def is_given_by_host(name: str, written: str = "") -> bool:
    """Whether a parameter of a function is its object or a context, which no caller sends."""
    return name.lower() in _NOT_SENT or _OF_HOST.fullmatch(written.strip()) is not None


class Signature(NamedTuple):
    """The content of a signature: the parameters and the return type."""

    rows: tuple[TableRow, ...]
    returns: str
    place: Place


def typed_signature(code: Code, name: str) -> Signature | None:
    """Return the signature of a tool's function, if all its parameters can be read."""
    if len(code.text) > LONGEST:
        return None
    found = re.search(rf"(?<![\w.]){re.escape(name.rpartition('.')[2])}\s*(?:=\s*(?:async\s*)?)?\(", code.text)
    dotted = found or re.search(rf"(?<![\w.]){re.escape(name)}\s*\(", code.text)
    if dotted is None or not _BEFORE.search(code.text[: dotted.start()]):
        return None
    end = inside(code.text, dotted.end() - 1)
    if end is None:
        return None
    body = Piece(code.text[dotted.end() : end], dotted.end())
    returned = _RETURNS.match(code.text, end + 1)
    row = code.row_of(end)
    if row == code.row_of(dotted.start()):  # a comment after it is about the function
        code = replace(code, comments={other: said for other, said in code.comments.items() if other != row})
    try:
        rows = tuple(_rows(code, body))
    except Unread:
        return None
    place = code.place(Piece(code.text[dotted.start() : end + 1], dotted.start()))
    returns = returned[1].strip(" `") if returned is not None else ""
    is_only_context = all(is_given_by_host(one.text.partition(":")[0].strip()) for one in parts(body.text, body.start))
    is_example = not rows and (not is_only_context or code.text.count(dotted[0]) > 1)  # one of several calls
    return None if is_example else Signature(rows, returns, place)


def declared_lines(code: Code) -> tuple[TableRow, ...]:
    """Return the parameters of code that declares one on each line: `days: int = 7`; none if a line is anything else.

    Most types must be readable, unlike the values of an example.
    """
    if len(code.text) > LONGEST:
        return ()
    try:
        rows = tuple(_rows(code, Piece(code.text, 0), "\n"))
    except Unread:
        return ()
    return rows if sum(map(_has_type, rows)) * 2 > len(rows) else ()


def _has_type(row: TableRow) -> bool:
    """Whether a parameter has a readable type other than a single value."""
    values = None if row.schema is None else row.schema.get("enum")
    return row.schema is not None and (not isinstance(values, list) or len(values) > 1)


def _rows(code: Code, body: Piece, separator: str = ",") -> Iterator[TableRow]:
    pieces = list(parts(body.text, body.start, separator))
    if len(pieces) == 1 and (taken_apart := _TAKEN_APART.match(pieces[0].text)) is not None:
        start, end = pieces[0].start + taken_apart.end(), pieces[0].start + len(pieces[0].text)
        text = re.sub(r"[^\n]", " ", code.text[:start]) + code.text[start:end]
        rows = object_rows(replace(code, text=text))
        if rows is None:
            raise Unread
        yield from rows
        return
    for piece in pieces:
        if piece.text in _UNSENT:
            continue
        match = _PARAMETER.fullmatch(piece.text)
        if match is None:
            raise Unread
        if not is_given_by_host(match[1], match[3]):
            name, typed = _group(piece, match, 1), _group(piece, match, 3)
            default = _group(piece, match, 4) if match[4] else None
            said = code.comment(piece)
            is_optional = match[2] or default or match[3].strip().endswith("?") or said.lower().startswith("optional")
            yield code_row(code, name, typed, required=not is_optional, default=default, description=said)


_UNSENT = frozenset(("self", "cls", "*", "/"))
"""What stands between the brackets of a function in Python besides its parameters."""
_TAKEN_APART = re.compile(r"\{[^{}:]*\}\s*+:\s*+(?=\{)")
"""An object whose members are the parameters: `{ id, days }: { id: string; days?: number }`."""


def _group(piece: Piece, match: re.Match[str], group: int) -> Piece:
    return Piece(match[group].strip(), piece.start + match.start(group))
