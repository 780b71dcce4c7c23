"""Tells functions that a specification documents for programmers from its tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.locating.headings import GROUP
from mcp_contracts.parsing.locating.listed import IN_TABLE
from mcp_contracts.parsing.markdown.blocks import Block, Heading, ListBlock, TableBlock
from mcp_contracts.records import NamedTuple

_OF_CODE = re.compile(
    r"\b(?:APIs?|functions?|class(?:es)?|methods?|reference|helpers?|util(?:s|ities)|components?|modules?|usage|library"
    r"|interfaces?|internals?|operations?|python|code|exports?|signatures?|contents|overview|features?)\b",
    re.IGNORECASE,
)
"""Titles of sections that document code."""


class Division(NamedTuple):
    """What is read as tools, and the functions that are not, because of a block that seems to deny tools."""

    tools: Sequence[SpecTool]
    functions: Sequence[SpecTool] = ()
    denial: Block | None = None
    is_plain: bool = False


def divide(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Division:
    """Tell tools from functions, which are below titles that do not speak of tools, in text that denies tools."""
    from mcp_contracts.parsing.locating.no_tools import denies_listed_tools, denying_block  # needed by few files

    titles = list(_titles_above(blocks, tools))
    functions = [tool for tool, above in zip(tools, titles, strict=True) if tool.is_legacy and _is_of_code(*above)]
    are_all = len(functions) == len(tools)
    if _may_be_of_others(tools, titles) and denies_listed_tools(blocks, are_functions=are_all):
        return Division((), is_plain=True)
    if not functions:
        return Division(tools)
    is_clear = len(blocks) > _MOST_BLOCKS
    denial = denying_block(_outside(blocks, tools), are_read=True, is_clear=is_clear, is_about_code=not are_all)
    if denial is None:
        return Division(tools)
    rows = {tool.lines for tool in functions}
    return Division([tool for tool in tools if tool.lines not in rows], functions, denial)


_MOST_BLOCKS = 60
"""The maximum number of blocks of a text in which a sentence that is not clear denies tools."""


def _may_be_of_others(tools: Sequence[SpecTool], titles: Sequence[tuple[str, str]]) -> bool:
    """Whether the tools are only listed, or are in an older dialect below headings that do not speak of tools."""
    if all(tool.is_listed_only or IN_TABLE in tool.deviations for tool in tools):
        return True
    return all(tool.is_legacy for tool in tools) and not any(_names_tools(*one) for one in titles)


def _is_of_code(own: str, above: str) -> bool:
    """Whether a title is a signature, or is below a title about code."""
    return ("(" in own or _OF_CODE.search(above) is not None) and not _names_tools(own, above)


def _names_tools(own: str, above: str) -> bool:
    return GROUP.search(own) is not None or GROUP.search(above) is not None


def _titles_above(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Iterator[tuple[str, str]]:
    """Yield the title of each tool and that above it, without the title of the file; "" if there is none."""
    titles: dict[int, tuple[str, str]] = {}
    above: dict[int, str] = {}
    rows = {tool.lines[0] - 1 for tool in tools}
    for block in blocks:
        if isinstance(block, Heading):
            above = {level: text for level, text in above.items() if level < block.level}
        if block.row in rows:
            own = block.text if isinstance(block, Heading) else ""
            titles[block.row] = own, above[max(above)] if above else ""
        if isinstance(block, Heading) and block.level > 1:
            above[block.level] = block.text
        elif isinstance(block, ListBlock | TableBlock):
            titles.update(dict.fromkeys(range(block.row + 1, block.end), ("", above[max(above)] if above else "")))
    for tool in tools:
        yield titles.get(tool.lines[0] - 1, ("", ""))


def _outside(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> list[Block]:
    """Return the blocks that are not part of a tool."""
    inside = {row for tool in tools for row in range(tool.lines[0] - 1, tool.lines[1])}
    return [block for block in blocks if block.row not in inside]
