"""The HTML comments of a spec."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from mcp_contracts.contract import Comment
from mcp_contracts.parsing.markdown.blocks import Block, Html, Item, ListBlock, Paragraph
from mcp_contracts.parsing.text import SourceText


def read_comments(source: SourceText, blocks: Sequence[Block]) -> Iterator[Comment]:
    """Yield the HTML comments, each with the lines of the block after it.

    A comment counts if nothing else is on its lines, in any block.
    """
    if "<!--" in source.text:
        yield from reversed(list(_backwards(source, blocks, None)))


def _backwards(
    source: SourceText, blocks: Sequence[Block | Item], following: tuple[int, int] | None
) -> Iterator[Comment]:
    """Yield the comments of some blocks, last first. `following` has the lines of the block after them."""
    for block in reversed(blocks):
        if isinstance(block, Html):
            if "<!--" in block.content:
                yield from reversed(list(_in_rows(source, block.row, block.end, following)))
            if block.is_comment:
                continue
        elif isinstance(block, ListBlock):
            yield from _backwards(source, block.items, following)
        elif isinstance(block, Item):
            yield from _backwards(source, block.blocks, following)
        elif isinstance(block, Paragraph):
            for line in reversed(block.lines):
                if line.text.startswith("<!--") and line.text.find("-->", 2) == len(line.text) - 3:
                    rest = (line.row + 2, block.end) if line.row + 1 < block.end else following
                    yield Comment(line.text[4:-3].strip(), source.place_in(line), rest)
        following = (block.row + 1, block.end)


def _in_rows(source: SourceText, row: int, end: int, following: tuple[int, int] | None) -> Iterator[Comment]:
    """Yield the comments in the rows of an HTML block."""
    lines = source.lines[row:end]
    content = "\n".join(lines)
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    at = content.find("<!--")
    while at >= 0:
        close = content.find("-->", at + 2)
        if close < 0:
            return
        first = bisect_right(starts, at) - 1
        last = bisect_right(starts, close + 2) - 1
        place = source.place(row + first, at - starts[first], close + 3 - starts[last], end_row=row + last)
        yield Comment(content[at + 4 : close].strip(), place, following)
        at = content.find("<!--", close + 3)
