"""What a spec says beside its text: HTML comments, and placeholders that a template left."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from mcp_contracts.contract import Comment
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.markdown import Block, Fence, Html, Item, ListBlock, Paragraph, nested
from mcp_contracts.parsing.text import SourceText

_PLACEHOLDER_IN_CODE = re.compile(r"\{\{\w{1,60}: [^{}\n]{1,200}\}\}")
_PLACEHOLDER = re.compile(r"\{\{[^{}]++\}\}")
_BACKTICKS = re.compile(r"`+")


def read_comments(source: SourceText, blocks: Sequence[Block]) -> Iterator[Comment]:
    """The HTML comments, each with the lines of the block after it.

    A comment counts where it stands alone on its lines, in whichever block that is.
    """
    if "<!--" in source.text:
        yield from reversed(list(_backwards(source, blocks, None)))


def _backwards(
    source: SourceText, blocks: Sequence[Block | Item], following: tuple[int, int] | None
) -> Iterator[Comment]:
    """The comments of some blocks, last first. `following` are the lines of what comes after the blocks."""
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
    """The comments in the rows of an HTML block."""
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


def read_placeholders(source: SourceText, blocks: Sequence[Block]) -> Iterator[Place]:
    """`{{…}}` on one line, outside of code: what a template left to fill in.

    In a fence only the template's own form counts (`{{name: what to write}}`), since data may hold braces, and only
    where the same text does not stand above: what `new` writes into table and schema alike is one thing to fill in.
    """
    if "{{" not in source.text:
        return
    code = {row for block in nested(blocks) if isinstance(block, Fence) for row in range(block.row, block.end)}
    seen = set()
    for row, line in enumerate(source.lines):
        if "{{" not in line:
            continue
        if row in code:
            for match in _PLACEHOLDER_IN_CODE.finditer(line):
                if match[0] not in seen:
                    seen.add(match[0])
                    yield source.place(row, match.start(), match.end())
            continue
        spans = list(_code_spans(line)) if "`" in line else []
        ends = [end for _, end in spans]
        for match in _PLACEHOLDER.finditer(line):
            index = bisect_right(ends, match.start())
            if index == len(spans) or match.start() < spans[index][0]:
                seen.add(match[0])
                yield source.place(row, match.start(), match.end())


def _code_spans(line: str) -> Iterator[tuple[int, int]]:
    """Where the code spans of a line stand: from a run of backticks to the next run of the same length."""
    runs = [match.span() for match in _BACKTICKS.finditer(line)]
    positions: dict[int, list[int]] = {}
    for index, (start, end) in enumerate(runs):
        positions.setdefault(end - start, []).append(index)
    at = 0
    while at < len(runs):
        start, end = runs[at]
        same = positions[end - start]
        closing = bisect_right(same, at)
        if closing < len(same):
            yield start, runs[same[closing]][1]
            at = same[closing]
        at += 1
