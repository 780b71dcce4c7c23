"""Parameters written as bullets (`- `name` (type, required): …`) or as inline signatures (`name: str = "x"`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_contracts.contract import TableRow
from mcp_contracts.parsing.fields import items
from mcp_contracts.parsing.markdown import Item
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.parsing.types import clean_type, read_type

_BULLET = re.compile(
    r"(?:\*\*)?(?:`([^`]+)`|([A-Za-z_]\w*))(?:\*\*)?\s*(?:\(((?:[^()]|\([^()]*\))*)\))?\s*[:—–-]*\s*(.*)", re.DOTALL
)
_SIGNATURE = re.compile(r"([A-Za-z_]\w*)\s*(?::\s*([^=]+?))?\s*(?:=\s*(.+))?", re.DOTALL)
_MAX_LENGTH = 4_000


def bullet_row(source: SourceText, item: Item, path: tuple[str, ...] = ()) -> Iterator[TableRow]:
    """The parameter that a bullet names, and those of the bullets nested in it."""
    match = _BULLET.match(item.text[:_MAX_LENGTH])
    if match is None or (match[2] and not match[3]):
        return
    written = (match[1] or match[2]).strip()
    signature = _SIGNATURE.fullmatch(written)
    if signature is None:
        return
    name, type_text, default = signature[1], signature[2], signature[3]
    note = match[3] or ""
    required = _required(note, match[4])
    if type_text:
        required = default is None if required is None else required
    else:
        type_text = _type_of(note)
    yield _row(source, item.row, (*path, name), type_text, required, match[4].strip(), written)
    for child in items(item.blocks):
        yield from bullet_row(source, child, (*path, name))


def signature_rows(source: SourceText, text: str, row: int) -> Iterator[TableRow]:
    """The parameters of `` `a: str`, `b: int = 3` ``: each code span is one. Without a default it is required."""
    for span in re.findall(r"`([^`]+)`", text[:_MAX_LENGTH]):
        match = _SIGNATURE.fullmatch(span.strip())
        if match and match[2]:
            yield _row(source, row, (match[1],), match[2], match[3] is None, "", span)


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
    return True if first.startswith(("required", "(required")) else None


def _type_of(note: str) -> str | None:
    """The type in a note such as `list[str], optional` or `bool, default `true``."""
    depth = 0
    for index, character in enumerate(note):
        depth += (character in "[(<{") - (character in "])>}")
        if character == "," and depth <= 0:
            note = note[:index]
            break
    word = note.strip()
    return None if word.lower() in ("", "optional", "required") else word


def _row(
    source: SourceText,
    row: int,
    path: tuple[str, ...],
    type_text: str | None,
    required: bool | None,
    description: str,
    written: str,
) -> TableRow:
    place = source.place_of(written, row)
    cleaned = clean_type(type_text) if type_text else None
    return TableRow(
        name=".".join(path),
        path=path,
        type=cleaned,
        schema=read_type(cleaned) if cleaned else None,
        required=required,
        description=description,
        place=place,
        type_place=source.place_of(type_text, row) if type_text else place,
        required_place=place,
    )
