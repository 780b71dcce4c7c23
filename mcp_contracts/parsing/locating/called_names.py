"""Finds names that text or the header of a table calls tools."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.blocks import Block, Paragraph, TableBlock


def names_called(blocks: Sequence[Block]) -> frozenset[str]:
    """Return the names in code that the first paragraph, or the header of a table, calls tools: ``One tool, `x`.``"""
    first = next((block.text[:_LONGEST] for block in blocks if isinstance(block, Paragraph)), "")
    sentences = (one for one in re.split(r"(?<=[.!?;])\s", first) if not _NEGATED.search(one))
    found = (match["names"] or match["name"] for one in sentences for match in _CALLED_TOOLS.finditer(one))
    tables = (block for block in blocks if isinstance(block, TableBlock) and _OF_TOOLS.match(block.lines[0].text))
    rows = (
        match for block in tables for line in block.lines[2:] if (match := _FIRST_CELL.match(line.text)) is not None
    )
    return frozenset(
        [*(name for names in found for name in re.findall(r"`([\w.]+)[`(]", names)), *(row[1] for row in rows)]
    )


_OF_TOOLS = re.compile(r"[| ]*(?:#[| ]+)?(?:MCP )?[Tt]ools?(?: [Nn]ames?)?[ *]*\|")
_FIRST_CELL = re.compile(r"[| ]*(?:\d+[| ]+)?\[?`([a-z]\w*)`")


_LONGEST = 2_000
_NEGATED = re.compile(
    r"\b(?:no|not|never|without|nor|once|formerly|used to|was|were|had|will|would)\b|n[’']t\b", re.IGNORECASE
)
_CALLED_TOOLS = re.compile(
    r"\b(?:one|a|single|only|\d|two|three|four|five|six|the|MCP) tools?(?:[,:]| (?:named|called))? "
    r"(?P<names>`[\w.]+`(?:(?:, (?:and )?| and )`[\w.]+`)*)(?! (?:of|from|in) (?!this\b))"
    r"|(?P<name>`[\w.]+(?:\([^`]*\))?`) is (?:the|our|its|a|an)(?: only| single)?(?: MCP)? tool\b"
    r"(?! (?:of|from|in) (?!this\b))",
    re.IGNORECASE,
)
