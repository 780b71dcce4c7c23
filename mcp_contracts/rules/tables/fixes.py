"""Fixes for a table that disagrees with its schema, or that has no schema."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.contract import SchemaOrigin, SchemaPart, Table, TableRow
from mcp_contracts.diagnostics import Fix, TextEdit
from mcp_contracts.parsing.parameters.cells import is_plain_requirement, read_requirement
from mcp_contracts.records import replace
from mcp_contracts.schema.outline import SchemaPlace
from mcp_contracts.writing.json_text import pretty_json
from mcp_contracts.writing.tables import table_cell
from mcp_contracts.writing.types import type_cell

_MOST_ROWS = 2_000  # rows in a fix; more could not be reviewed


def write_out_schema(part: SchemaPart, table: Table | None) -> Fix | None:
    """Return the derived schema as a block below its table."""
    if table is None or part.origin is not SchemaOrigin.TABLE or table.place.column != 1:
        return None
    if len(table.rows) > _MOST_ROWS:
        return None
    place = table.place
    end = replace(place, line=place.end_line, column=place.end_column)
    return Fix((TextEdit(end, f"\n\n```json\n{pretty_json(part.value)}\n```"),))


def corrected_cells(
    row: TableRow, part: SchemaPart, parent: SchemaPlace, found: SchemaPlace, *, type_: bool, required: bool
) -> Fix | None:
    """Return the wrong `Type` and `Required` cells of a row, corrected from the schema."""
    edits: list[TextEdit] = []
    if type_:
        edits += _corrected_type(row, part, found)
    if required:
        edits += _corrected_requirement(row, parent)
    return Fix(tuple(edits)) if edits else None


def _corrected_type(row: TableRow, part: SchemaPart, found: SchemaPlace) -> Iterator[TextEdit]:
    text = type_cell(row.type or "", part.value, found)
    if row.type and text != row.type:
        yield TextEdit(row.type_place, table_cell(text))


def _corrected_requirement(row: TableRow, parent: SchemaPlace) -> Iterator[TextEdit]:
    # In a column `Optional`, the cell says the opposite of what the row means.
    is_direct = row.required_text and read_requirement(row.required_text).is_required == row.required
    if is_direct and is_plain_requirement(row.required_text):
        yield TextEdit(row.required_place, "yes" if row.path[-1] in parent.required else "no")
