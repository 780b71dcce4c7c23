"""Tells functions that a specification documents for programmers from its tools."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.locating.headings import GROUP
from mcp_contracts.parsing.locating.listed import IN_TABLE
from mcp_contracts.parsing.markdown.blocks import Block, Heading
from mcp_contracts.records import NamedTuple

_OF_CODE = re.compile(
    r"\b(?:APIs?|functions?|class(?:es)?|methods?|reference|helpers?|util(?:s|ities)|components?|modules?|usage|library"
    r"|interfaces?|internals?|operations?|python|code|exports?|signatures?|contents|overview|features?)\b",
    re.IGNORECASE,
)
"""Titles of sections that document code."""
_OF_SEVERAL = re.compile(r"\btools\b", re.IGNORECASE)


class Division(NamedTuple):
    """What is read as tools, and the functions that are not, because of a block that seems to deny tools."""

    tools: Sequence[SpecTool]
    functions: Sequence[SpecTool] = ()
    denial: Block | None = None
    is_plain: bool = False


def divide(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Division:
    """Tell tools from functions, which are below titles that do not speak of tools, in text that denies tools."""
    # only files in an older dialect need it
    from mcp_contracts.parsing.locating.no_tools import MOST_BLOCKS, denies_listed_tools, denying_block

    titles = list(_titles_above(blocks, tools))
    functions = [tool for tool, above in zip(tools, titles, strict=True) if tool.is_legacy and _is_of_code(*above)]
    are_all = len(functions) == len(tools)
    if _may_be_of_others(tools, titles) and denies_listed_tools(blocks, are_functions=are_all):
        return Division((), is_plain=True)
    if not functions:
        return Division(tools)
    is_clear = len(blocks) > MOST_BLOCKS
    denial = denying_block(_outside(blocks, tools), are_read=True, is_clear=is_clear, is_about_code=not are_all)
    if denial is None:
        return Division(tools)
    are_functions = set(map(id, functions))
    return Division([tool for tool in tools if id(tool) not in are_functions], functions, denial)


def _may_be_of_others(tools: Sequence[SpecTool], titles: Sequence[tuple[str, str]]) -> bool:
    """Whether the tools are only listed, or are in an older dialect below headings that do not speak of tools."""
    if all(tool.is_listed_only or IN_TABLE in tool.deviations for tool in tools):
        return True
    return all(tool.is_legacy for tool in tools) and not any(_names_tools(*one) for one in titles)


def _is_of_code(own: str, above: str) -> bool:
    """Whether a title is a signature, or is below a title about code."""
    return ("(" in own or _OF_CODE.search(above) is not None) and not _names_tools(own, above)


def _names_tools(own: str, above: str) -> bool:
    """Whether a title or one above it speaks of tools, unlike a parameter in a signature."""
    return GROUP.search(own.partition("(")[0]) is not None or GROUP.search(above) is not None


def _titles_above(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Iterator[tuple[str, str]]:
    """Yield the title of each tool and those above it.

    The title of the file only counts if it speaks of several tools and is the only one above.
    """
    headings = [block for block in blocks if isinstance(block, Heading)]
    titles: dict[int, tuple[str, str]] = {}
    paths: list[str] = []
    above: list[Heading] = []
    for heading in headings:
        above = [one for one in above if one.level < heading.level]
        titles[heading.row] = heading.text, _path(above)
        above = [*above, heading]
        paths.append(_path(above))
    rows = [heading.row for heading in headings]
    for tool in tools:
        before = bisect_left(rows, tool.lines[0] - 1)
        yield titles.get(tool.lines[0] - 1) or ("", paths[before - 1] if before else "")


def _path(headings: Sequence[Heading]) -> str:
    inner = [heading.text for heading in headings if heading.level > 1]
    return "\n".join(inner or [heading.text for heading in headings if _OF_SEVERAL.search(heading.text)])


def _outside(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> list[Block]:
    """Return the blocks that are not part of a tool."""
    rows = {row for tool in tools for row in range(tool.lines[0] - 1, tool.lines[1])}
    return [block for block in blocks if block.row not in rows]
