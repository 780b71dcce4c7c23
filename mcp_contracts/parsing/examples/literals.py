"""Reads values in code of languages other than Python, `{ name: "x", days: 3 }`, with their places."""

from __future__ import annotations

import json

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Place
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.parameters.code_text import Code, Piece, inside, parts
from mcp_contracts.records import dataclass, field

_MEMBER = re.compile(r"(?:\"([^\"\n]+)\"|'([^'\n]+)'|([A-Za-z_$][\w$]*))\s*:\s*(.+)", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_TEXT = re.compile(r"'((?:[^'\\\n]|\\.)*)'|`([^`$\\]*)`")
_WORDS: dict[str, JsonValue] = {"true": True, "false": False, "null": None, "undefined": None}
_DEEPEST = 30


class Computed(Exception):  # noqa: N818 - internal, for a value that is not a literal
    """A value that is only known when the code runs."""


@dataclass(slots=True)
class Literal:
    """A value in code. `places` has the place of each part and its key, `computed` the parts that are not literals.

    `is_whole` is False if an object includes the members of another one (`...rest`).
    """

    value: JsonValue
    places: dict[str, tuple[Place, Place]] = field(default_factory=dict)
    computed: set[str] = field(default_factory=set)
    is_whole: bool = True


def read_object(code: Code, start: int) -> Literal | None:
    """Return the object that begins at an offset of code; None without a complete one."""
    end = inside(code.text, start) if code.text[start : start + 1] == "{" else None
    if end is None:
        return None
    found = Literal(None)
    try:
        found.value = _value(code, Piece(code.text[start : end + 1], start), "", found)
    except Computed:
        return None
    return found


def _value(code: Code, piece: Piece, pointer: str, found: Literal) -> JsonValue:
    text = piece.text
    if pointer.count("/") > _DEEPEST:
        raise Computed
    place = code.place(piece)
    found.places.setdefault(pointer, (place, place))
    if text.startswith("{") and text.endswith("}"):
        return _object(code, piece, pointer, found)
    if text.startswith("[") and text.endswith("]"):
        items = parts(text[1:-1], piece.start + 1)
        return [_value(code, item, f"{pointer}/{index}", found) for index, item in enumerate(items)]
    if text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text) or text.startswith('"'):
        try:
            value: JsonValue = json.loads(text)
        except ValueError:
            raise Computed from None
        return value
    quoted = _TEXT.fullmatch(text)
    if quoted is None:
        raise Computed
    return re.sub(r"\\(.)", r"\1", quoted[1] if quoted[1] is not None else quoted[2])


def _object(code: Code, piece: Piece, pointer: str, found: Literal) -> JsonValue:
    members: dict[str, JsonValue] = {}
    for part in parts(piece.text[1:-1], piece.start + 1):
        if part.text.startswith("..."):
            found.is_whole = False
            continue
        match = _MEMBER.fullmatch(part.text)
        if match is None:
            if not re.fullmatch(r"[A-Za-z_$][\w$]*", part.text):
                raise Computed
            found.computed.add(f"{pointer}/{escape(part.text)}")  # `{ city }` takes a variable
            continue
        group = next(number for number in (1, 2, 3) if match[number] is not None)
        name = match[group]
        here = f"{pointer}/{escape(name)}"
        key = code.place(Piece(name, part.start + match.start(group)))
        value = Piece(match[4].strip(), part.start + match.start(4))
        try:
            members[name] = _value(code, value, here, found)
        except Computed:
            found.computed.add(here)
        found.places[here] = code.place(value), key
    return members
