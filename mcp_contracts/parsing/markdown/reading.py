"""The blocks of a specification, read by the plain reader if possible, and otherwise by markdown-it-py."""

from __future__ import annotations

from mcp_contracts.parsing.markdown.blocks import Block
from mcp_contracts.parsing.markdown.plain import plain_blocks
from mcp_contracts.parsing.text import SourceText


def parse_blocks(source: SourceText, *, skip_rows: int = 0) -> tuple[Block, ...]:
    """Return the blocks of text in order. `skip_rows` leading rows (front matter) are skipped, but counted."""
    blocks = plain_blocks(source.lines, skip_rows=skip_rows)
    if blocks is None:
        from mcp_contracts.parsing.markdown.tokens import token_blocks  # markdown-it-py, which plain files do not need

        blocks = token_blocks(source.lines, skip_rows=skip_rows)
    return tuple(blocks)
