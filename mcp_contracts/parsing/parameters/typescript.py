"""Reads the members of TypeScript's interfaces and object types, without running any code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import TableRow
from mcp_contracts.parsing.parameters.code_text import LONGEST, Code, Piece, code_row, inside, parts
from mcp_contracts.records import replace

_DECLARATION = re.compile(r"\b(?:interface\s+(\w+)\s*(extends\b[^{]*)?|type\s+(\w+)\s*=\s*)(?=\{)")
_MEMBER = re.compile(r"(?:readonly\s+)?(?:[\"']([^\"'\n]+)[\"']|([A-Za-z_$][\w$-]*))\s*(\??)\s*:\s*(.+)", re.DOTALL)
_OF_OBJECTS = re.compile(r"(?:Readonly)?Array<\s*(\{.*\}|\w+)\s*>|(\{.*\}|\w+)\s*\[\]", re.DOTALL)
_MOST_NESTING = 6


class Unread(Exception):  # noqa: N818 - internal, ends the reading of one fence
    """Raised for code that cannot be read with certainty."""


def interface_rows(code: Code, named: re.Pattern[str] | None = None) -> tuple[TableRow, ...] | None:
    """Return the members of the only interface or object type that no other one refers to, or None.

    If there are several, return the only one whose name ends with `named`.
    """
    if len(code.text) > LONGEST:
        return None
    declared = dict(_read_declarations(code))
    if not declared:
        start = len(code.text) - len(code.text.lstrip())
        end = inside(code.text, start) if code.text[start : start + 1] == "{" else None
        if end is None or code.text[end + 1 :].strip(" ;\n"):
            return None
        roots = [Piece(code.text[start + 1 : end], start + 1)]
    else:
        unreferenced = {
            name: body
            for name, body in declared.items()
            if not any(re.search(rf"\b{name}\b", other.text) for key, other in declared.items() if key != name)
        }
        if len(unreferenced) > 1 and named is not None:
            unreferenced = {name: body for name, body in unreferenced.items() if named.search(name)}
        roots = list(unreferenced.values())
    if len(roots) != 1:
        return None
    try:
        return tuple(members(code, roots[0], declared))
    except Unread:
        return None


_CALL = re.compile(
    r"\s*\{\s*[\"']?(?:name|tool)[\"']?\s*:\s*[\"']([\w.-]+)[\"']\s*,\s*[\"']?(?:arguments|params|input)[\"']?\s*:\s*(?=\{)"
)
_A_VALUE = re.compile(r"[\"'`][^\"'`]*[\"'`]|-?\d.*|true|false|null|\[.*", re.DOTALL)


def call_rows(code: Code, name: str) -> tuple[TableRow, ...] | None:
    """Return the members of `arguments` in a call of a tool that shows types instead of values, or None."""
    begin = _CALL.match(code.text)
    is_named = begin is not None and begin[1] == name
    direct = re.match(rf"\s*(?:await )?{re.escape(name.rpartition('.')[2])}\(\s*(?=\{{)", code.text)
    is_direct = direct is not None and _LEFT_OUT.search(code.text) is not None
    begin = direct if is_direct else begin
    end = inside(code.text, begin.end()) if begin is not None and (is_named or is_direct) else None
    if begin is None or end is None or len(code.text) > LONGEST:
        return None
    try:
        rows = tuple(members(code, Piece(code.text[begin.end() + 1 : end], begin.end() + 1), {}))
    except Unread:
        return None
    if is_direct:
        return tuple(replace(row, type=None, schema=None) if _is_value(row) else row for row in rows)
    return None if any(map(_is_value, rows)) else rows


_LEFT_OUT = re.compile(r"\w\?\s*:")


def _is_value(row: TableRow) -> bool:
    """Whether a member has a value rather than a type."""
    return row.type is not None and _A_VALUE.fullmatch(row.type) is not None


def _read_declarations(code: Code) -> Iterator[tuple[str, Piece]]:
    for match in _DECLARATION.finditer(code.text):
        end = inside(code.text, match.end())
        if end is not None and not match[2]:
            yield match[1] or match[3], Piece(code.text[match.end() + 1 : end], match.end() + 1)


def members(
    code: Code, body: Piece, declared: Mapping[str, Piece], path: tuple[str, ...] = (), seen: Sequence[str] = ()
) -> Iterator[TableRow]:
    """Yield the members of the body of an object type, and those of the object types in them.

    Raises `Unread` if one of them is not a plain member.
    """
    for piece in _split(body):
        match = _MEMBER.fullmatch(piece.text)
        if match is None:
            raise Unread
        group = 1 if match[1] else 2
        name = Piece(match[group], piece.start + match.start(group))
        typed = Piece(match[4].strip(), piece.start + match.start(4))
        inner, is_array = _object_of(typed, declared)
        schema = None if inner is None else {"type": "array" if is_array else "object"}
        yield code_row(
            code,
            name,
            typed,
            path=path,
            required=not match[3],
            description=code.comment(piece),
            schema=dict(schema) if schema is not None else None,
        )
        if inner is not None and len(path) < _MOST_NESTING and typed.text not in seen:
            below = (*path, name.text, "[]") if is_array else (*path, name.text)
            yield from members(code, inner, declared, below, (*seen, typed.text))


def _split(body: Piece) -> Iterator[Piece]:
    """Yield the members, which end with a semicolon, a comma, or their line."""
    for piece in parts(body.text, body.start, ";,"):
        lines = list(parts(piece.text, piece.start, "\n"))
        joined: list[Piece] = []
        for line in lines:
            goes_on = joined and (line.text.startswith("|") or joined[-1].text.endswith(("|", ":")))
            if goes_on:
                before = joined.pop()
                line = Piece(
                    piece.text[before.start - piece.start : line.start - piece.start + len(line.text)], before.start
                )
            joined.append(line)
        yield from joined


def _object_of(typed: Piece, declared: Mapping[str, Piece]) -> tuple[Piece | None, bool]:
    """Return the body of the object type that a type or its items consist of, and which of the two."""
    listed = _OF_OBJECTS.fullmatch(typed.text)
    number = 0 if listed is None else 1 if listed[1] else 2
    text = typed.text if listed is None else listed[number]
    start = typed.start if listed is None else typed.start + listed.start(number)
    if text in declared:
        return declared[text], listed is not None
    if text.startswith("{") and inside(text, 0) == len(text) - 1 and not re.match(r"\{\s*\[", text):
        return Piece(text[1:-1], start + 1), listed is not None
    return None, False
