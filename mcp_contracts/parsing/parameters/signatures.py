"""Parameters written as bullets (`- `name` (type, required): …`) or as inline signatures (`name: str = "x"`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_contracts.contract import TableRow, Written
from mcp_contracts.parsing.markdown.blocks import Item, items
from mcp_contracts.parsing.parameters.cells import default_in_note, default_in_text
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.rule_names import nearest

_BULLET = re.compile(
    r"(?:\*\*)?(?:`([^`]+)`|([A-Za-z_]\w*))(?:\*\*)?\s*+(?:\(((?:[^()]|\([^()]*\))*+)\))?\s*+[:—–-]*\s*+(.*)", re.DOTALL
)
_SIGNATURE = re.compile(r"\s*+([A-Za-z_]\w*)\s*+(?::\s*+([^=]*+))?(?:=\s*+(.+))?", re.DOTALL)
_ODD_NAME = re.compile(r"\s*+([A-Za-z_]\w*[\w -]*)()()")
_TYPE_FIRST = re.compile(
    r"((?:string|str|int|integer|number|float|bool|boolean|object|dict|list|array)\b"
    r"(?:\[[\w, ]*\]| of \w+(?: to \w+)?)?)(?=[.,;]|\s*$)"
)
_STATED = re.compile(r"(?:\*\*|[(] ?|[.;] )(required|optional)(?=[.;)*])", re.IGNORECASE)
_CODE = re.compile(r"`([^`]+)`")
_MAX_LENGTH = 4_000
_MAX_NESTING = 8


def bullet_rows(source: SourceText, item: Item, path: tuple[str, ...] = ()) -> Iterator[TableRow]:
    """The parameter that a bullet names, and those of the bullets nested in it."""
    match = _BULLET.match(item.text[:_MAX_LENGTH])
    typed = _TYPE_FIRST.match(match[4]) if match is not None and match[2] and not match[3] else None
    if match is None or (match[2] and not match[3] and typed is None):
        return
    written = match[1] or match[2]
    signature = _SIGNATURE.fullmatch(written) or (_ODD_NAME.fullmatch(written) if match[3] else None)
    if signature is None:
        return
    name, type_text, default = signature[1], signature[2], signature[3] or None
    note = match[3] or (typed[1] if typed else "")
    required = _required(note, match[4])
    if type_text:
        required = default is None if required is None else required
        type_start = match.start(1 if match[1] else 2) + signature.start(2)
    else:
        type_text = _type_of(note)
        type_start = match.start(3 if match[3] else 4)
    line = item.lines[0]
    start = match.start(1 if match[1] else 2)
    stated: tuple[int, str] | None = None
    if default is not None:
        stated = start + signature.start(3), default
    elif span := default_in_note(note):
        stated = match.start(3) + span[0], note[span[0] : span[1]]
    elif span := default_in_text(match[4]):
        stated = match.start(4) + span[0], match[4][span[0] : span[1]]
    named = start + signature.start(1), name
    yield _row(source, line, (*path, name), named, (type_start, type_text), required, match[4], stated)
    if len(path) < _MAX_NESTING:
        for child in items(item.blocks):
            yield from bullet_rows(source, child, (*path, name))


def signature_rows(source: SourceText, line: Line) -> Iterator[TableRow]:
    """The parameters of `` `a: str`, `b: int = 3` ``: each code span is one. Without a default it is required."""
    for span in _CODE.finditer(line.text[:_MAX_LENGTH]):
        match = _SIGNATURE.fullmatch(span[1])
        if match and match[2]:
            name = (span.start(1) + match.start(1), match[1])
            type_text = (span.start(1) + match.start(2), match[2])
            default = None if match[3] is None else (span.start(1) + match.start(3), match[3])
            yield _row(source, line, (match[1],), name, type_text, match[3] is None, "", default)


def meant_type(written: str) -> str | None:
    """The type that a misspelt one was probably meant as; None for words that are no type."""
    return nearest(written.lower(), _TYPES) if re.fullmatch(r"[A-Za-z]{3,}", written) else None


_TYPES = ("string", "number", "integer", "boolean", "object", "array", "null", "float", "list", "dict")


def _required(note: str, description: str) -> bool | None:
    words = note.lower()
    if re.search(r"\boptional\b", words):
        return False
    if re.search(r"\brequired\b", words):
        return True
    if re.search(r"\bdefaults?\b|=", words):
        return False
    first = description.lower()[:20]
    if first.startswith(("optional", "(optional")):
        return False
    if first.startswith(("required", "(required")):
        return True
    said = _STATED.search(description)
    return None if said is None else said[1].lower() == "required"


def _type_of(note: str) -> str | None:
    """The type in a note such as `list[str], optional` or `bool, default `true``."""
    depth = 0
    for index, character in enumerate(note):
        depth += (character in "[(<{") - (character in "])>}")
        if character == "," and depth <= 0:
            note = note[:index]
            break
    return None if note.strip().lower() in ("", "optional", "required") else note


def _row(
    source: SourceText,
    line: Line,
    path: tuple[str, ...],
    name: tuple[int, str],
    type_text: tuple[int, str | None],
    required: bool | None,
    description: str,
    default: tuple[int, str] | None,
) -> TableRow:
    """A parameter whose name, type and default stand in a line, each given with its start."""
    place = source.place_in(line, name[0], name[0] + len(name[1]))
    type_place = place
    cleaned = None
    if type_text[1]:
        written = type_text[1].strip()
        start = type_text[0] + type_text[1].index(written)
        cleaned = clean_type(written) or None
        # A parameter may run over several lines; a place may not leave its own.
        if start + len(written) <= len(line.text):
            type_place = source.place_in(line, start, start + len(written))
    stated: Written | None = None
    if default is not None and default[1].strip():
        is_on_line = default[0] + len(default[1]) <= len(line.text)
        default_place = source.place_in(line, default[0], default[0] + len(default[1])) if is_on_line else place
        stated = Written(default[1].strip(), default_place)
    return TableRow(
        name=".".join(path),
        path=path,
        type=cleaned,
        schema=read_type(cleaned) if cleaned else None,
        required=required,
        description=description.strip(),
        place=place,
        type_place=type_place,
        required_place=place,
        default=stated,
    )
