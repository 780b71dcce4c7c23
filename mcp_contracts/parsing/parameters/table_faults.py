"""Finds faults in the shape of a table: rows torn by a pipe or a line break, missing or surplus cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.parsing.markdown.blocks import Block, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.cells import states_no_row
from mcp_contracts.parsing.parameters.columns import BESIDE, Columns, columns_of, plain_title
from mcp_contracts.parsing.parameters.tables import (
    Cell,
    Row,
    cells_of,
    is_parameter_table,
    plain_name,
    rows_of,
    trailing_lines,
)
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.parsing.text import SourceText, shorten
from mcp_contracts.rule_names import nearest

_ROLES = {
    "parameter": "name",
    "type": "type",
    "required": "required",
    "optional": "required",
    "default": "default",
    "description": "description",
    "example": "example",
}
"""The titles that a misspelled one may stand for, with their roles."""


def misshapen_rows(source: SourceText, block: TableBlock) -> Iterator[Fault]:
    """Yield a fault for each row of any table without one cell for each column, without a name, or torn."""
    header = block.lines[0].text
    columns = columns_of(header)
    roles = columns.roles
    name = columns.name if is_parameter_table(block) else -1
    yield from _header_faults(source, cells_of(block.lines[0]), columns)
    untyped = _find_untyped_rows(block, roles) if name >= 0 and "type" in roles else ()
    for row in rows_of(block):
        is_whole = 0 <= name < len(row.cells) == len(roles)
        type_text = row.cells[roles.index("type")].text if is_whole and "type" in roles else ""
        if is_whole and states_no_row(row.cells[name].text, type_text):
            continue
        found = _shape_fault(row, roles, name) or (_NO_TYPE if row in untyped else None)
        if found is not None:
            first = row.lines[0]
            place = source.place(first.row, first.column, first.column + len(first.text.rstrip()))
            yield Fault(FaultKind.MISSHAPEN_ROW, found[0], place, found[1])
    for line in trailing_lines(block)[:1]:
        message = "the line below the table is read as one of its rows"
        yield Fault(FaultKind.MISSHAPEN_ROW, message, source.place_in(line), "add a blank line between them")


def _header_faults(source: SourceText, cells: Sequence[Cell], columns: Columns) -> Iterator[Fault]:
    """Yield a fault for each column title of a table of names that is empty, misspelled, or repeated."""
    roles = columns.roles
    if columns.name < 0 and not {"type", "description"} <= set(roles):
        return
    titles = [plain_title(cell.text) for cell in cells]
    for index, (cell, role, title) in enumerate(zip(cells, roles, titles, strict=True)):
        place = source.place(cell.row, cell.column, cell.end)
        free = [known for known, its_role in _ROLES.items() if its_role not in roles]
        meant = nearest(title, free) if title and not role and title not in BESIDE else None
        if meant is not None:
            message = f"the column `{shorten(cell.text)}` is unknown"
            yield Fault(FaultKind.MISSHAPEN_ROW, message, place, f"write `{meant.capitalize()}`")
        elif not title and 0 < index < len(cells) - 1 and columns.name >= 0:
            yield Fault(FaultKind.MISSHAPEN_ROW, "a column has no title", place, "write its title, such as `Type`")
        elif role and title in titles[:index]:
            message = f"two columns are titled `{shorten(cell.text)}`"
            yield Fault(FaultKind.MISSHAPEN_ROW, message, place, "correct one of the titles")


def lost_table(source: SourceText, block: Paragraph, before: Block | None = None) -> Iterator[Fault]:
    """Yield a fault for lines that look like a table but are not.

    The row below the header is missing or wrong, or a blank line separates them from the table before them.
    """
    rows = [line for line in block.lines if line.text.startswith("|") and line.text.rstrip().endswith("|")]
    if rows and isinstance(before, TableBlock):
        message = "a blank line separates this row from the table above, so it is rendered as text"
        yield Fault(FaultKind.MISSHAPEN_ROW, message, source.place_in(rows[0]), "remove the blank line")
    elif len(rows) > 1:
        hint = "write `|---|---|` below the header, with as many cells as it has"
        message = (
            "these lines are not a table: the header has no delimiter row, or one with a different number of cells"
        )
        yield Fault(FaultKind.MISSHAPEN_ROW, message, source.place_in(rows[0]), hint)


def _shape_fault(row: Row, roles: Sequence[str], named_at: int) -> tuple[str, str] | None:
    """Return the fault in the shape of a row, and its fix. `named_at` is the index of its cell with a name, or -1."""
    is_name_known = named_at == 0 or (named_at > 0 and len(row.cells) == len(roles))
    name = plain_name(row.cells[named_at].text) if is_name_known else ""
    of_name = f" of `{name}`" if name.strip("-:—–. ") else ""
    if len(row.lines) > 1:
        return f"a line break splits the row{of_name}", "keep a row on one line, and write `<br>` for a line break"
    if len([cell for cell in row.cells if "`" in cell.text and cell.text.count("`") % 2]) > 1:
        hint = "write `\\|` for a `|` inside a cell"
        if "\\ |" in row.lines[0].text:
            hint += ", without a space between the two"
        return f"an unescaped `|` splits a cell in the row{of_name}", hint
    if len(row.cells) < len(roles):
        few = f"the row{of_name} has {_count(len(row.cells), 'cell')}, but the table has {len(roles)} columns"
        return few, "write a cell for each column, and leave it empty if it does not apply"
    if len(row.cells) > len(roles):
        many = f"the row{of_name} has {_count(len(row.cells), 'cell')}, but the table has {len(roles)} columns"
        return many, "remove the extra cells, or write `\\|` for a `|` inside a cell"
    is_typed = (
        named_at >= 0 and "type" in roles and read_type(clean_type(row.cells[roles.index("type")].text)) is not None
    )
    if is_name_known and not name and any(map(str.isalnum, row.cells[named_at].text)):
        return None  # several parameters, such as `*(all filters)*`
    has_no_name = not name or (is_typed and not name.strip("-—– "))
    if is_name_known and has_no_name and any(cell.text for cell in row.cells):
        which = "the first cell" if named_at == 0 else "its cell"
        return "the row has no name", f"write the name in {which}, or remove the row"
    return None


def _find_untyped_rows(block: TableBlock, roles: Sequence[str]) -> Sequence[Row]:
    """Return the rows with an empty cell for the type, if a row rather than the whole column was forgotten."""
    at = roles.index("name") if "name" in roles else 0
    rows = [row for row in rows_of(block) if len(row.cells) == len(roles) and plain_name(row.cells[at].text)]
    empty = [row for row in rows if not row.cells[roles.index("type")].text]
    return empty if len(empty) * 2 < len(rows) or len(rows) == 1 else ()


_NO_TYPE = "the row has no type", "write its type (`string`, `integer`, …)"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
