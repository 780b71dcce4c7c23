"""The bold lines below a tool's heading in one spelling and order, and the blank lines between blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.formatting.layout import Layout, ToolLayout, block_end, is_at_margin, is_comment
from mcp_contracts.formatting.rows import Edit
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Paragraph, TableBlock
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.sections import PROPERTY_LINES

_LINE = re.compile(r"\*\*\s*([A-Za-z][\w ./-]{0,40}?)\s*(?::\s*\*\*|\*\*\s*:)[ \t]*(.*)", re.DOTALL)
_NAMES = {name: name[0].upper() + name[1:] for name in PROPERTY_LINES}


def property_edits(layout: Layout) -> Iterator[Edit]:
    """Yield edits that write bold lines as `**Name**: value`, and put the lines of the format in its order."""
    for tool in layout.tools:
        for block in tool.intro:
            if not isinstance(block, Paragraph):
                continue
            if not all(is_at_margin(layout.source, line.row) for line in block.lines):
                continue
            written = [layout.source.lines[line.row] for line in block.lines]
            named = [_split_name(line) for line in written]
            lines = [line if known is None else known[1] for line, known in zip(written, named, strict=True)]
            known = [name[0] for name in named if name is not None and name[0] in PROPERTY_LINES]
            ranks = [PROPERTY_LINES.index(name) for name in known]
            if len(ranks) == len(lines):
                lines = [line for _, line in sorted(zip(ranks, lines, strict=True), key=lambda pair: pair[0])]
            if lines != written:
                yield Edit(block.row, block.end, tuple(lines))


def blank_edits(layout: Layout) -> Iterator[Edit]:
    """Yield edits for one blank line between blocks, and around headings, tables and code blocks."""
    for tool in layout.tools:
        yield from _blanks(layout.source, tool)


def _split_name(line: str) -> tuple[str, str] | None:
    """Return the name of a bold line, and the line as the format spells it; None unless it has exactly one name."""
    match = _LINE.fullmatch(line)
    if match is None or re.search(r"\s\|\s+\*\*", match[2]):
        return None
    name = match[1].lower()
    return name, f"**{_NAMES.get(name, match[1])}**: {match[2]}".rstrip() + match[2][len(match[2].rstrip()) :]


def _blanks(source: SourceText, tool: ToolLayout) -> Iterator[Edit]:
    blocks: Sequence[Block] = (tool.heading, *tool.blocks)
    inside: set[int] = set()
    apart: set[int] = set()  # rows that need a blank line before them
    for index, block in enumerate(blocks):
        end = block_end(source, block)
        inside.update(range(block.row, end))
        if not isinstance(block, Heading | Fence | TableBlock) or not is_at_margin(source, block.row):
            continue
        is_spoken_of = (
            source.lines[block.row - 1].rstrip().endswith("-->") if index == 0 else is_comment(blocks[index - 1])
        )
        if not is_spoken_of:
            apart.add(block.row)
        apart.add(end)
    last = max(inside, default=tool.heading.row)
    row = tool.heading.row
    while row < tool.end:
        if row in inside or source.lines[row].strip():
            if row in apart and row and source.lines[row - 1].strip():
                yield Edit(row, row, ("",))
            row += 1
            continue
        stop = row
        while stop < tool.end and stop not in inside and not source.lines[stop].strip():
            stop += 1
        # The last row follows the last line end: it is empty if the text ends correctly.
        is_last = stop >= len(source.lines)
        if (stop - row > 1 or source.lines[row]) and (not is_last or row > last):
            yield Edit(row, stop, () if is_last else ("",))
        row = stop
    if tool.end < len(source.lines) and source.lines[tool.end - 1].strip():
        yield Edit(tool.end, tool.end, ("",))
