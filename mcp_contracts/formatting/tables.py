"""The tables of a tool, regenerated from its schemas and aligned."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.contract import SchemaOrigin, SchemaPart, Table
from mcp_contracts.formatting.layout import Layout, ToolLayout, is_at_margin
from mcp_contracts.formatting.regeneration import Grid, new_grid, regenerate_table
from mcp_contracts.formatting.rows import Edit
from mcp_contracts.parsing.markdown.blocks import TableBlock, flatten_blocks
from mcp_contracts.parsing.markdown.lines import MOST_CELLS
from mcp_contracts.parsing.parameters.table_faults import misshapen_rows
from mcp_contracts.parsing.parameters.tables import cells_of, is_parameter_table, place_of_table
from mcp_contracts.parsing.raw import RawSection
from mcp_contracts.parsing.schemas import holds_schema
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.schema.simple import properties_of
from mcp_contracts.writing.tables import table_lines

_SECTIONS = (3, 4, 5)


def table_edits(layout: Layout) -> Iterator[Edit]:
    """Yield edits for the tables of sections 3 and 4, regenerated from their schemas, and of section 5; all are
    aligned.

    A table with an ambiguous row is not changed.
    """
    for tool in layout.tools:
        for section in tool.sections:
            if section.meaning not in _SECTIONS:
                continue
            schema, table = _of_section(tool, section)
            for block in section.blocks:
                if isinstance(block, TableBlock):
                    is_its_own = table is not None and place_of_table(layout.source, block) == table.place
                    yield from _edits(layout.source, block, schema if is_its_own else None)
            if schema is not None and table is None:
                yield from _missing(layout.source, section, schema)


def _of_section(tool: ToolLayout, section: RawSection) -> tuple[SchemaPart | None, Table | None]:
    """Return the schema of a section, if it is written as JSON or YAML, and its table."""
    if tool.tool is None or section.meaning not in (3, 4):
        return None, None
    contract = tool.tool.contract
    is_input = section.meaning == 3
    part = contract.input if is_input else contract.output
    table = tool.tool.input_table if is_input else tool.tool.output_table
    return (part if part is not None and part.origin is SchemaOrigin.SCHEMA else None), table


def _edits(source: SourceText, block: TableBlock, part: SchemaPart | None) -> Iterator[Edit]:
    if not all(is_at_margin(source, row) for row in range(block.row, block.end)) or any(misshapen_rows(source, block)):
        return
    grid = grid_of(block)
    if grid is None:
        return
    if part is not None and is_parameter_table(block, is_due=True):
        grid = regenerate_table(grid, part)
    lines = tuple(table_lines(grid.rows, grid.alignments))
    if lines != source.lines[block.row : block.end]:
        yield Edit(block.row, block.end, lines)


def grid_of(block: TableBlock) -> Grid | None:
    """Return the cells of a table, if every row has a cell for each column."""
    rows = [[cell.text for cell in cells_of(line)] for line in block.lines]
    if any(len(row) != len(rows[0]) or len(row) >= MOST_CELLS for row in rows):
        return None
    alignments = [f"{':' if cell[:1] == ':' else '-'}-{':' if cell[-1:] == ':' else '-'}" for cell in rows[1]]
    return Grid([rows[0], *rows[2:]], alignments)


def _missing(source: SourceText, section: RawSection, part: SchemaPart) -> Iterator[Edit]:
    """Yield the table to insert before the schema of a section that has none."""
    if any(isinstance(block, TableBlock) for block in flatten_blocks(section.blocks)) or not properties_of(part.value):
        return
    fence = next((block for block in section.blocks if holds_schema(block, part)), None)
    if fence is None or not is_at_margin(source, fence.row):
        return
    grid = new_grid(part)
    if len(grid.rows) > 1:
        yield Edit(fence.row, fence.row, (*table_lines(grid.rows), ""))
