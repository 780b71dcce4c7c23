"""Tells functions that a specification documents for programmers from its tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.locating.headings import GROUP
from mcp_contracts.parsing.locating.listed import IN_TABLE
from mcp_contracts.parsing.markdown.blocks import Block, Heading

_OF_CODE = re.compile(
    r"\b(?:APIs?|functions?|class(?:es)?|methods?|reference|helpers?|util(?:s|ities)|components?|modules?|usage|library"
    r"|interfaces?|internals?|operations?|python|code|exports?|signatures?|contents|overview|features?)\b",
    re.IGNORECASE,
)
"""Titles of sections that document code."""


def may_be_of_others(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> bool:
    """Whether the tools are only listed, or are in an older dialect below headings that do not speak of tools."""
    if all(tool.is_listed_only or IN_TABLE in tool.deviations for tool in tools):
        return True
    return all(tool.is_legacy for tool in tools) and not any(map(_names_tools, _titles_above(blocks, tools)))


def may_be_functions(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> bool:
    """Whether each of the tools is in an older dialect, and its title is a signature or below a title about code."""
    titles = list(_titles_above(blocks, tools))
    return all(tool.is_legacy for tool in tools) and all(
        not _names_tools((own, above)) and ("(" in own or _OF_CODE.search(above) is not None) for own, above in titles
    )


def _names_tools(titles: tuple[str, str]) -> bool:
    return any(map(GROUP.search, titles))


def _titles_above(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Iterator[tuple[str, str]]:
    """Yield the title of each tool and that above it, each of which is "" if there is none."""
    headings = [block for block in blocks if isinstance(block, Heading) and block.level > 1]
    for tool in tools:
        own = next((heading for heading in headings if heading.row == tool.lines[0] - 1), None)
        above = (
            one.text
            for one in reversed(headings)
            if one.row < tool.lines[0] - 1 and (own is None or one.level < own.level)
        )
        yield "" if own is None else own.text, next(above, "")


def blocks_outside(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> list[Block]:
    """Return the blocks that are not part of a tool."""
    return [block for block in blocks if not any(tool.lines[0] <= block.row + 1 <= tool.lines[1] for tool in tools)]
