"""Finds tools that are terms of a definition list: a name, and lines below it that begin with a colon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.headings import GROUP, is_no_name
from mcp_contracts.parsing.locating.listing.items import BARE, CALL, NAME, Found, describes_interface
from mcp_contracts.parsing.markdown.blocks import Block, Paragraph
from mcp_contracts.parsing.parameters.notes import read_note
from mcp_contracts.parsing.text import Line

ALONE = re.compile(
    rf"(?:(?:(?:MCP )?Tool|Function|Command)\s*+(?::\s*+)?)?"
    rf"(?P<mark>\*\*`|`\*\*|\*\*|__|`)(?:\d{{1,2}}[.)] )?(?P<name>{NAME}){CALL}(?P<end>[`*_]{{1,9}})"
    r":?(?:\*\*)?\s*+(?:\([^()]*\)\s*+)?$",
    re.IGNORECASE,
)
"""A name on a line of its own."""


def tools_of_definitions(block: Paragraph, above: Mapping[int, str], lead: str) -> Sequence[Found]:
    """Return the tools that are terms of a definition list, if a title says so or the definitions describe a call.

    `lead` is the text between the title and the list, which may be a title in bold.
    """
    found: list[Found] = []
    title = above[max(above)] if above else ""
    is_about_tools = (
        GROUP.search(title) is not None or _BOLD_TITLE.fullmatch(lead.strip().partition("\n")[0]) is not None
    )
    starts = [
        index
        for index, line in enumerate(block.lines[:-1])
        if _is_definition(block.lines[index + 1]) and not _is_definition(line)
    ]
    for start, stop in zip(starts, [*starts[1:], len(block.lines)], strict=False):
        term = block.lines[start]
        match = ALONE.match(term.text) or BARE.fullmatch(term.text.strip())
        if match is None or is_no_name(match["name"]):
            return []
        lines = [without_colon(line) for line in block.lines[start + 1 : stop]]
        if not is_about_tools and any(read_note(line.text).type is not None for line in lines[:1]):
            return []
        content = tuple(Paragraph([line], line.row, line.row + 1) for line in lines)
        is_whole = bool(match["call"]) or describes_interface(content)
        found.append(Found(match["name"], term, term.text.index(match["name"]), term.row, content, is_whole))
    are_named = is_about_tools and all(re.search("[_.]", one.name) for one in found)
    return found if are_named or any(one.is_whole for one in found) else []


_BOLD_TITLE = re.compile(r"(?:\*\*|__)(?:(?:MCP|available|exposed|provided) )*tools:?(?:\*\*|__):?", re.IGNORECASE)


def _is_definition(line: Line) -> bool:
    return re.match(r":\s", line.text) is not None


def without_colon(line: Line) -> Line:
    """Return a line of a definition list without the colon that begins a definition."""
    said = line.text[1:].lstrip() if _is_definition(line) else line.text
    return Line(said, line.row, line.column + len(line.text) - len(said))


def without_colons(block: Block) -> Block:
    """Return a paragraph that is a definition without the colons that begin its lines."""
    if not isinstance(block, Paragraph) or not _is_definition(block.lines[0]):
        return block
    return Paragraph([*map(without_colon, block.lines)], block.row, block.end)
