"""The blocks of a file, with unusual forms of sections, parameters and schemas in their usual form."""

from __future__ import annotations

from mcp_contracts.parsing.locating.code.unfenced_json import with_fenced_json
from mcp_contracts.parsing.locating.own_sections import with_own_sections
from mcp_contracts.parsing.locating.parameter_headings import with_parameter_items
from mcp_contracts.parsing.markdown.blocks import Block
from mcp_contracts.parsing.markdown.reading import parse_blocks
from mcp_contracts.parsing.text import SourceText


def usual_blocks(source: SourceText, *, skip_rows: int = 0) -> tuple[Block, ...]:
    """Parse a file below its first rows, and return its blocks in their usual form."""
    parsed = with_fenced_json(source, parse_blocks(source, skip_rows=skip_rows))
    return with_parameter_items(with_own_sections(parsed))
