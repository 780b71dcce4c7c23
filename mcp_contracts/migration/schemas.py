"""Sections 3 and 4 of a tool that is migrated: a table for people, and the schema that it represents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.contract import SchemaPart, Table, TableRow
from mcp_contracts.formatting.regeneration import Grid, new_grid, regenerate_table
from mcp_contracts.formatting.tables import grid_of
from mcp_contracts.parsing.markdown.blocks import Block, TableBlock
from mcp_contracts.parsing.parameters.tables import misshapen_rows, place_of_table
from mcp_contracts.parsing.schemas import is_schema
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.schema.outline import properties_of
from mcp_contracts.writing.json_text import json_fence
from mcp_contracts.writing.tables import table_cell, table_lines

_MISSING = {
    "input": "{{parameters: list what the tool takes, in a table and in the schema, and delete this line}}",
    "output": "{{result: describe the data that the tool returns, in a table and in the schema, and delete this line}}",
}


def schema_texts(
    source: SourceText, blocks: Sequence[Block], part: SchemaPart | None, table: Table | None, name: str
) -> Iterator[str]:
    """The blocks of a section for a schema: the table, then the schema; placeholders where nothing is said.

    `name` is `input` or `output`, `blocks` are those of the tool, among them the table that was read.
    """
    if part is None or not is_schema(part.value):
        yield _MISSING[name]
        yield json_fence({"type": "object"})
        return
    grid = _grid(source, blocks, part, table)
    if grid is not None and len(grid.rows) > 1:
        yield "\n".join(table_lines(grid.rows, grid.alignments))
    yield json_fence(part.value)


def _grid(source: SourceText, blocks: Sequence[Block], part: SchemaPart, table: Table | None) -> Grid | None:
    if not isinstance(part.value, dict) or not properties_of(part.value):
        return None
    for block in blocks if table is not None else ():
        if isinstance(block, TableBlock) and table is not None and place_of_table(source, block) == table.place:
            written = None if any(misshapen_rows(source, block)) else grid_of(block)
            if written is not None:
                return regenerate_table(written, part)
    if table is not None and table.rows:
        return regenerate_table(_tabulate(table.rows, part), part)
    return new_grid(part)


def _tabulate(rows: Sequence[TableRow], part: SchemaPart) -> Grid:
    """A table of rows that stood in a list, in code, or in a table that cannot be kept."""
    has_default = any(row.default is not None for row in rows)
    has_example = any(row.example is not None for row in rows)
    name = "Parameter" if part.part == "input" else "Field"
    header = [name, "Type", "Required", *["Default"] * has_default, "Description", *["Example"] * has_example]
    written = [header]
    for row in rows:
        cells = [f"`{row.name}`", table_cell(row.type or ""), table_cell(row.required_text)]
        cells += [table_cell(row.default.text if row.default is not None else "")] if has_default else []
        cells += [table_cell(row.description)]
        cells += [table_cell(row.example.text if row.example is not None else "")] if has_example else []
        written.append(cells)
    return Grid(written)
