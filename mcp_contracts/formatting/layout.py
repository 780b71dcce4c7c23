"""The rows of the tools of a specification, and of their sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.contract import SpecFile, SpecTool
from mcp_contracts.parsing.data.front_matter import read_front_matter
from mcp_contracts.parsing.locating.headings import ToolHeading, tool_headings
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Html
from mcp_contracts.parsing.markdown.reading import parse_blocks
from mcp_contracts.parsing.raw import RawSection, split_sections
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import dataclass


@dataclass(frozen=True, slots=True)
class ToolLayout:
    """The rows of one canonical tool, from its heading up to `end`.

    `tool` is None if it is not read as a tool, such as the template's.
    """

    heading: Heading
    found: ToolHeading
    tool: SpecTool | None
    blocks: tuple[Block, ...]
    intro: tuple[Block, ...]
    sections: tuple[RawSection, ...]
    end: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A specification with the rows of its canonical tools. Those in an older dialect are left out."""

    source: SourceText
    blocks: tuple[Block, ...]
    tools: tuple[ToolLayout, ...]


def read_layout(spec: SpecFile) -> Layout:
    """Return the rows of a specification that has been read."""
    source = SourceText.of(spec.path, spec.text)
    _, skip_rows, _ = read_front_matter(source)
    blocks = parse_blocks(source, skip_rows=skip_rows)
    return Layout(source, blocks, tuple(_tools(source, blocks, spec)))


def _tools(source: SourceText, blocks: Sequence[Block], spec: SpecFile) -> Iterator[ToolLayout]:
    by_line = {tool.lines[0]: tool for tool in spec.tools}
    for found in tool_headings(blocks):
        tool = by_line.get(found.heading.row + 1)
        if not found.is_canonical or (tool is not None and tool.is_legacy):
            continue
        body = tuple(blocks[found.at + 1 : found.end])
        intro, sections = split_sections(body)
        end = blocks[found.end].row if found.end < len(blocks) else len(source.lines)
        yield ToolLayout(found.heading, found, tool, body, intro, sections, end)


def is_at_margin(source: SourceText, row: int) -> bool:
    """Whether a row begins with text, rather than with the marker of a quotation or a list."""
    return not source.lines[row].startswith((" ", "\t", ">"))


def block_end(source: SourceText, block: Block) -> int:
    """Return the row after the last non-empty row of a block."""
    end = min(block.end, len(source.lines))
    while end > block.row + 1 and not source.lines[end - 1].strip():
        end -= 1
    return end


def is_comment(block: Block) -> bool:
    """Whether a block is an HTML comment."""
    return isinstance(block, Html) and block.is_comment
