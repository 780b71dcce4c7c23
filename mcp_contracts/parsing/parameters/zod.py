"""Reads the members of a schema in zod, `{ city: z.string().describe("…"), days: z.number().int().optional() }`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, TableRow
from mcp_contracts.parsing.parameters.code_text import LONGEST, Code, Piece, code_row, inside, parts
from mcp_contracts.parsing.parameters.typescript import Unread
from mcp_contracts.schema.simple import as_list

_OBJECT = re.compile(r"\bz\s*\.\s*(?:object|strictObject|looseObject)\s*\(\s*(?=\{)")
_SHAPE = re.compile(r"(?=\{\s*[\w\"']+\s*:\s*z\s*\.)")
_MEMBER = re.compile(r"(?:[\"']([^\"'\n]+)[\"']|([A-Za-z_$][\w$]*))\s*:\s*(z\s*\..+)", re.DOTALL)
_CALL = re.compile(r"\s*\.\s*(\w+)\s*(\()?")
_TYPES: dict[str, dict[str, JsonValue]] = {
    "string": {"type": "string"},
    "number": {"type": "number"},
    "int": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "bigint": {"type": "integer"},
    "email": {"type": "string", "format": "email"},
    "url": {"type": "string", "format": "uri"},
    "uuid": {"type": "string", "format": "uuid"},
    "any": {},
    "unknown": {},
    "date": {},
    "null": {"type": "null"},
    "record": {"type": "object"},
    "tuple": {"type": "array"},
    "union": {},
    "discriminatedUnion": {},
    "custom": {},
    "lazy": {},
    "literal": {},
    "nativeEnum": {},
}
_LIMITS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "number": ("minimum", "maximum"),
    "integer": ("minimum", "maximum"),
}
_MOST_NESTING = 6


def zod_rows(code: Code) -> tuple[TableRow, ...] | None:
    """Return the members of the first object schema of zod in code, or of a bare shape; None if it cannot be read."""
    if len(code.text) > LONGEST or "z." not in code.text:
        return None
    match = _OBJECT.search(code.text) or _SHAPE.search(code.text)
    start = match.end() if match is not None else len(code.text)
    if code.text[start : start + 1] != "{" or (end := inside(code.text, start)) is None:
        return None
    if (_OBJECT.search(code.text, end) or _SHAPE.search(code.text, end)) is not None:
        return None
    try:
        return tuple(_members(code, Piece(code.text[start + 1 : end], start + 1), ()))
    except Unread:
        return None


def _members(code: Code, body: Piece, path: tuple[str, ...]) -> Iterator[TableRow]:
    for piece in parts(body.text, body.start):
        match = _MEMBER.fullmatch(piece.text)
        if match is None or len(path) > _MOST_NESTING:
            raise Unread
        group = 1 if match[1] else 2
        name = Piece(match[group], piece.start + match.start(group))
        chain = list(_calls(Piece(match[3], piece.start + match.start(3))))
        yield from _rows(code, name, chain, path, code.comment(piece))


_Call = tuple[Piece, Piece | None]


def _calls(piece: Piece) -> Iterator[_Call]:
    """Yield the methods of a chain, each with its arguments."""
    at = 1
    while piece.text[at:].strip():
        match = _CALL.match(piece.text, at)
        if match is None:
            raise Unread
        at = match.end()
        arguments = None
        if match[2]:
            end = inside(piece.text, at - 1)
            if end is None:
                raise Unread
            arguments = Piece(piece.text[at:end].strip(), piece.start + at)
            at = end + 1
        yield Piece(match[1], piece.start + match.start(1)), arguments


def _rows(code: Code, name: Piece, chain: list[_Call], path: tuple[str, ...], comment: str) -> Iterator[TableRow]:
    if chain[0][0].text == "coerce":
        chain = chain[1:]
    if not chain:
        raise Unread
    kind, arguments = chain[0]
    required, description, default = True, comment, None
    for method, given in chain[1:]:
        if method.text in ("optional", "nullish", "default", "catch", "prefault"):
            required = False
            default = given if method.text == "default" and given is not None and given.text else default
        elif method.text == "describe" and given is not None:
            description = given.text.strip("\"'`")
    steps = (*path, name.text)
    inner = arguments.text if arguments is not None else ""
    if kind.text in ("object", "strictObject", "looseObject") and arguments is not None and inner.startswith("{"):
        yield code_row(code, name, Piece("object", kind.start), path=path, required=required, description=description)
        end = inside(inner, 0)
        if end is None:
            raise Unread
        yield from _members(code, Piece(inner[1:end], arguments.start + 1), steps)
        return
    schema = _schema(chain)
    if kind.text == "array" and arguments is not None:
        yield code_row(
            code, name, kind, path=path, required=required, description=description, schema=schema, default=default
        )
        if inner.startswith("z"):
            item = list(_calls(arguments))
            item_name = Piece("[]", arguments.start)
            yield from _rows(code, item_name, item, steps, "")
        return
    yield code_row(
        code, name, kind, path=path, required=required, description=description, schema=schema, default=default
    )


def _schema(chain: list[_Call]) -> dict[str, JsonValue] | None:
    """Return the schema that the methods of a chain define; None if the first one is unknown."""
    kind, arguments = chain[0]
    if kind.text == "enum":
        values = _literal(arguments)
        schema: dict[str, JsonValue] = {"enum": values} if isinstance(values, list) and values else {}
    elif kind.text == "literal":
        value = _literal(arguments)
        schema = {} if value is None else {"enum": [value]}
    elif kind.text == "array":
        schema = {"type": "array"}
    elif kind.text in _TYPES:
        schema = dict(_TYPES[kind.text])
    else:
        return None
    for method, given in chain[1:]:
        _limit(schema, method.text, given)
    return schema


def _limit(schema: dict[str, JsonValue], method: str, given: Piece | None) -> None:
    stated = schema.get("type")
    value = _literal(Piece(next(parts(given.text, 0)).text, 0)) if given is not None and given.text else None
    if method == "int" and stated == "number":
        schema["type"] = "integer"
    elif method in ("nullable", "nullish") and isinstance(stated, str):
        schema["type"] = [stated, "null"]
    elif method in ("nullable", "nullish") and isinstance(schema.get("enum"), list):
        schema["enum"] = [*as_list(schema["enum"]), None]
    elif (
        isinstance(stated, str) and stated in _LIMITS and isinstance(value, int | float) and not isinstance(value, bool)
    ):
        low, high = _LIMITS[stated]
        if method in ("min", "gte", "length"):
            schema[low] = value
        if method in ("max", "lte", "length"):
            schema[high] = value


def _literal(piece: Piece | None) -> JsonValue:
    if piece is None:
        return None
    text = re.sub(r"'([^'\"\n]*)'", r'"\1"', piece.text)
    text = re.sub(r",\s*\]$", "]", text)
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value
