"""Finds tools that a table of their properties describes: `| Name | `find` |`, `| Description | Finds it |`."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.headings import is_no_name
from mcp_contracts.parsing.locating.listing.items import NAME, Found, describes_interface
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Item, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.code_text import parts
from mcp_contracts.parsing.parameters.notes import read_note
from mcp_contracts.parsing.parameters.tables import Cell, cells_of
from mcp_contracts.parsing.text import Line
from mcp_contracts.parsing.topics import about

_DESCRIPTION, _PARAMETERS, _RETURNS = 1, 3, 4
_NAMES = frozenset(("name", "tool", "tool name", "mcp tool"))
_IN_CODE = re.compile(rf"[*_]{{0,2}}`(?P<name>{NAME})`[*_]{{0,2}}")
_JOINED = re.compile(r"[*_]{0,2}(?P<name>[a-z][a-z0-9]*(?:[._][a-z0-9]+)+)[*_]{0,2}")
_PARAMETER = re.compile(r"`[A-Za-z_]\w*`(?= ?[(:])")
_WIDTH = 2


def tool_of_table(blocks: Sequence[Block], at: int) -> tuple[Found, int] | None:
    """Return the tool whose properties a table of two columns gives, and the end of the text that belongs to it.

    The table has a row with the name, and one with the description. Its header may be the first row. It or the text
    gives parameters or a result.
    """
    rows = _rows(blocks[at])
    named = next((row for row in rows if _title(row) in _NAMES), None)
    match = _IN_CODE.fullmatch(named[1].text) if named is not None else None
    if named is not None and match is None and "tool" in _title(named):
        match = _JOINED.fullmatch(named[1].text)
    if named is None or match is None or is_no_name(match["name"]):
        return None
    described = next((row for row in rows if about(_title(row)) == _DESCRIPTION), None)
    end = next((index for index in range(at + 1, len(blocks)) if _ends(blocks[index])), len(blocks))
    if described is None:
        return None
    content: list[Block] = [_paragraph(described[1])]
    for row in rows:
        meaning = about(_title(row))
        if meaning in (_PARAMETERS, _RETURNS):
            label = Line(f"**{row[0].text}**:", row[0].row, row[0].column)
            content.append(Paragraph((label,), label.row, label.row + 1))
            content.append((_list_of(row[1]) if meaning == _PARAMETERS else None) or _paragraph(row[1]))
    cell = named[1]
    line = Line(cell.text, cell.row, cell.column)
    content.extend(blocks[at + 1 : end])
    if not describes_interface(content):
        return None  # a package or a module
    found = Found(match["name"], line, match.start("name"), blocks[at].row, tuple(content), is_whole=True)
    return found, end


def _rows(block: Block) -> Sequence[Sequence[Cell]]:
    if not isinstance(block, TableBlock):
        return ()
    rows = [cells_of(line) for line in (*block.lines[:1], *block.lines[2:])]
    return rows if all(len(row) == _WIDTH for row in rows) else ()


def _title(row: Sequence[Cell]) -> str:
    return row[0].text.strip("*_`: ").lower()


def _ends(block: Block) -> bool:
    return isinstance(block, Heading) or any(_title(row) in _NAMES for row in _rows(block))


def _paragraph(cell: Cell) -> Paragraph:
    return Paragraph((Line(cell.text, cell.row, cell.column),), cell.row, cell.row + 1)


def _list_of(cell: Cell) -> ListBlock | None:
    """Return parameters with types in a cell as the items of a list: `` `id` (string, required), `n` (integer) ``."""
    found = []
    for piece in parts(cell.text, 0):
        match = _PARAMETER.match(piece.text)
        if match is None or read_note(piece.text, match.end()).type is None:
            return None
        line = Line(piece.text, cell.row, cell.column + piece.start)
        found.append(Item(cell.row, cell.row + 1, (Paragraph((line,), cell.row, cell.row + 1),)))
    return ListBlock(tuple(found), cell.row, cell.row + 1) if found else None
