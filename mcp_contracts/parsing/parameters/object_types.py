"""Reads the members of object types in a line of code, `{ city: string, days?: number }`."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, TableRow
from mcp_contracts.parsing.parameters.code_text import LONGEST, Code, Piece, code_row, inside, parts
from mcp_contracts.parsing.parameters.notes import read_note

_MEMBER = re.compile(r"(?:readonly\s+)?(?:[\"']([^\"'\n]+)[\"']|([A-Za-z_$][\w$-]*))\s*+(\??)\s*+:\s*(.+)", re.DOTALL)
_OF_OBJECTS = re.compile(r"(?:Readonly)?Array<\s*(\{.*\})\s*>|(\{.*\})\s*\[\]", re.DOTALL)
_DESCRIBED = re.compile(r"(\[\s*)?\"([^\"\n]*)\"(?(1)\s*\])")
_BARE = re.compile(r"([A-Za-z_$][\w$]*)(\??)")
_LITERAL = re.compile(r"-?\d[\d.]*|true|false|null")
_LEFT_OUT = re.compile(r"[\[{(]\s*(?:\.\.\.|…)|(?:\.\.\.|…)\s*[\])}]")
_MOST_NESTING = 6


class Unread(Exception):  # noqa: N818 - internal, ends the reading of one type
    """Raised for code that cannot be read with certainty."""


def object_rows(code: Code, *, allows_bare: bool = False) -> tuple[TableRow, ...] | None:
    """Return the members of the object type that code consists of, or None.

    With `allows_bare`, a member of the outermost type may have only a name.
    """
    start = len(code.text) - len(code.text.lstrip())
    end = inside(code.text, start) if len(code.text) <= LONGEST and code.text[start : start + 1] == "{" else None
    if end is None or code.text[end + 1 :].strip(" ;\n"):
        return None
    try:
        return tuple(_members(code, Piece(code.text[start + 1 : end], start + 1), allows_bare=allows_bare))
    except Unread:
        return None


def _members(code: Code, body: Piece, path: tuple[str, ...] = (), *, allows_bare: bool = False) -> Iterator[TableRow]:
    """Yield the members of the body of an object type, and those of the object types in them.

    Raises `Unread` if one of them is not a plain member.
    """
    for piece in _split(body):
        match = _MEMBER.fullmatch(piece.text)
        if match is None and allows_bare and (bare := _BARE.fullmatch(piece.text)) is not None:
            yield code_row(code, Piece(bare[1], piece.start), None, path=path, required=not bare[2])
            continue
        if match is None:
            raise Unread
        group = 1 if match[1] else 2
        name = Piece(match[group], piece.start + match.start(group))
        typed = Piece(match[4].strip(), piece.start + match.start(4))
        if match[1] and (described := _DESCRIBED.fullmatch(typed.text)) is not None:
            yield _described_row(
                code, name, Piece(described[2], typed.start + described.start(2)), path, of_items=bool(described[1])
            )
            continue
        if _LEFT_OUT.search(typed.text) or (match[1] and _LITERAL.fullmatch(typed.text)):
            raise Unread  # an example of a value
        inner, is_array = _object_of(typed)
        schema: dict[str, JsonValue] | None = None if inner is None else {"type": "array" if is_array else "object"}
        description = code.comment(piece)
        yield code_row(code, name, typed, path=path, required=not match[3], description=description, schema=schema)
        if inner is not None and len(path) < _MOST_NESTING:
            yield from _members(code, inner, (*path, name.text, "[]") if is_array else (*path, name.text))


def _described_row(code: Code, name: Piece, words: Piece, path: tuple[str, ...], *, of_items: bool) -> TableRow:
    """Return the parameter of a JSON member whose value describes its type: `"days": "number (optional) - How many"`.

    Raises `Unread` for any other text, which is an example of a value.
    """
    note = read_note(words.text)
    if note.type is None:
        raise Unread
    description = words.text[note.end :].strip(" -–—:,.")
    typed = Piece(f"{note.type[1]}[]" if of_items else note.type[1], words.start + note.type[0])
    return code_row(code, name, typed, path=path, required=note.required is not False, description=description)


def _split(body: Piece) -> Iterator[Piece]:
    """Yield the members, which end with a semicolon, a comma, or their line."""
    for piece in parts(body.text, body.start, ";,"):
        yield from parts(piece.text, piece.start, "\n")


def _object_of(typed: Piece) -> tuple[Piece | None, bool]:
    """Return the body of the object type that a type or its items consist of, and which of the two."""
    listed = _OF_OBJECTS.fullmatch(typed.text)
    number = 0 if listed is None else 1 if listed[1] else 2
    text = typed.text if listed is None else listed[number]
    start = typed.start if listed is None else typed.start + listed.start(number)
    if text.startswith("{") and inside(text, 0) == len(text) - 1 and not re.match(r"\{\s*\[", text):
        return Piece(text[1:-1], start + 1), listed is not None
    return None, False
