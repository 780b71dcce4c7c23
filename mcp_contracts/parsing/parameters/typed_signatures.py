"""Reads signatures in languages other than Python: `find(city: string, days?: number): Promise<Forecast>`, Go, C#."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import TableRow
from mcp_contracts.parsing.parameters.code_signatures import Signature
from mcp_contracts.parsing.parameters.code_text import LONGEST, Code, Piece, code_row, inside, parts
from mcp_contracts.parsing.parameters.notes import is_plain_type
from mcp_contracts.parsing.parameters.types import read_type
from mcp_contracts.parsing.parameters.typescript import Unread, members

_PARAMETER = re.compile(r"(?:\.\.\.)?([A-Za-z_$][\w$]*)\s*(\??)\s*:\s*([^=]+?)\s*(?:=\s*(.+))?", re.DOTALL)
_OTHER = re.compile(r"([A-Za-z_][\w.<>\[\]*?, ]*?)\s+([A-Za-z_][\w.<>\[\]*?]*)\s*(?:=\s*(.+))?", re.DOTALL)
_SHAPE = re.compile(r"(?:[A-Za-z_$][\w$]*|\{[^{}]*\})\s*:\s*(?=\{)")
_RETURNS = re.compile(r"\s*(?:->|=>|→|:)?\s*([^\n{;]+)")
_BEFORE = re.compile(r"(?:^|[\s.*&>`])(?:(?:export|default|async|public|static|function|func|fn|def|const)\s+)*$")
_NOT_SENT = frozenset(("ctx", "context", "self", "cls", "cancellationtoken", "this"))


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
    try:
        rows = tuple(_rows(code, body))
    except Unread:
        return None
    place = code.place(Piece(code.text[dotted.start() : end + 1], dotted.start()))
    returns = returned[1].strip(" `") if returned is not None else ""
    is_example = not rows and (bool(body.text.strip()) or code.text.count(dotted[0]) > 1)  # one of several calls
    return None if is_example else Signature(rows, returns, "", place)


_LINE = re.compile(
    r"[ \t]*([A-Za-z_]\w*)[ \t]*(\??)[ \t]*:[ \t]*([^=#\n]+?)[ \t]*(?:=[ \t]*([^#\n]+?))?[ \t]*(?:#[ \t]*([^\n]*))?,?"
)


def member_lines(code: Code) -> tuple[TableRow, ...] | None:
    """Return the members in the lines of a fence, `limit : int = 10 # how many`, if each line is one."""
    rows = []
    at = 0
    for line in code.text.split("\n") if len(code.text) <= LONGEST else ():
        match = _LINE.fullmatch(line)
        if match is not None:
            name, typed, default = (
                Piece(match[group], at + match.start(group)) if match[group] else None for group in (1, 3, 4)
            )
            said = match[5] or ""
            is_required = None if match[2] or default is not None or "None" in match[3] else True
            if name is not None and typed is not None and (said or default or read_type(typed.text) is not None):
                comment = said or code.comment(Piece(name.text, name.start))
                required = is_required if is_required else False
                rows.append(code_row(code, name, typed, required=required, description=comment, default=default))
                match = None if rows[-1].schema is None else match
        if match is None and line.strip():
            return None
        at += len(line) + 1
    return tuple(rows) or None


def _rows(code: Code, body: Piece) -> Iterator[TableRow]:
    pieces = list(parts(body.text, body.start))
    shape = _SHAPE.match(pieces[0].text) if len(pieces) == 1 else None
    if shape is not None:
        (only,) = pieces
        close = inside(only.text, shape.end())
        if close is None or only.text[close + 1 :].strip():
            raise Unread
        yield from members(code, Piece(only.text[shape.end() + 1 : close], only.start + shape.end() + 1), {})
        return
    for piece in pieces:
        match = _PARAMETER.fullmatch(piece.text)
        if match is not None and match[1].lower() in _NOT_SENT:
            continue
        if match is not None:
            name, typed = _group(piece, match, 1), _group(piece, match, 3)
            default = _group(piece, match, 4) if match[4] else None
            is_required = not match[2] and default is None and not match[3].strip().endswith("?")
            yield code_row(code, name, typed, required=is_required, default=default)
            continue
        row = _other_row(code, piece)
        if row is not None:
            yield row


def _other_row(code: Code, piece: Piece) -> TableRow | None:
    """Return the parameter `string city`, `int days = 3` or `city string`; None for one that callers do not send."""
    match = _OTHER.fullmatch(piece.text)
    if match is None:
        raise Unread
    first, second = _group(piece, match, 1), _group(piece, match, 2)
    if {first.text.lower(), second.text.lower()} & _NOT_SENT or "context" in f"{first.text}{second.text}".lower():
        return None
    if is_plain_type(first.text) or (read_type(first.text) is not None and read_type(second.text) is None):
        name, typed = second, first
    elif is_plain_type(second.text) or read_type(second.text) is not None:
        name, typed = first, second
    else:
        raise Unread
    if not re.fullmatch(r"[A-Za-z_]\w*", name.text):
        raise Unread
    default = _group(piece, match, 3) if match[3] else None
    is_required = default is None and not typed.text.endswith("?") and not typed.text.startswith("*")
    return code_row(code, name, Piece(typed.text.lstrip("*"), typed.start), required=is_required, default=default)


def _group(piece: Piece, match: re.Match[str], group: int) -> Piece:
    return Piece(match[group].strip(), piece.start + match.start(group))
