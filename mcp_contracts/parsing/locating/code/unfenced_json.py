"""Finds JSON that is not in a fence: a line `{` below `Schema:`, up to the `}` that closes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Paragraph
from mcp_contracts.parsing.parameters.code_text import inside
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.topics import label_of

_SCHEMA = re.compile(r"\"(?:properties|inputSchema|input_schema|type)\"\s*:")
_LONGEST = 50_000


def with_fenced_json(source: SourceText, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return blocks in which a JSON Schema in a paragraph is a block of code."""
    kept: list[Block] = []
    for block in blocks:
        if isinstance(block, Paragraph) and len(block.lines) > 1 and "{" in block.text:
            kept.extend(_divided(source, block))
        else:
            kept.append(block)
    return tuple(kept)


def _divided(source: SourceText, block: Paragraph) -> Iterator[Block]:
    """Yield the text before an object, the object as a block of JSON, and the text after it."""
    at, start = next(((at, start) for at, line in enumerate(block.lines) if (start := _start(line)) >= 0), (0, -1))
    text = "\n".join((block.lines[at].text[start:], *(line.text for line in block.lines[at + 1 :])))
    close = inside(text, 0) if start >= 0 and len(text) <= _LONGEST else None
    is_alone = close is not None and not text[close + 1 :].partition("\n")[0].strip()
    if close is None or not is_alone or "\n" not in text[:close] or not _SCHEMA.search(text):
        yield block
        return
    end = at + text.count("\n", 0, close) + 1
    first, last = block.lines[at], block.lines[end - 1]
    before, after = list(block.lines[:at]), block.lines[end:]
    if start:
        before.append(Line(first.text[:start].rstrip(), first.row, first.column))
    if before:
        yield Paragraph(before, before[0].row, before[-1].row + 1)
    lines = [first.text[start:], *source.lines[first.row + 1 : last.row + 1]]
    content = "".join(f"{line}\n" for line in lines)
    yield Fence("json", content, first.row, last.row + 1, first.row, is_closed=True)
    if after:
        yield Paragraph(after, after[0].row, after[-1].row + 1)


def _start(line: Line) -> int:
    """Return the column of an object that begins a line, or follows the label that begins it; -1 without one."""
    if line.text.startswith("{"):
        return 0
    label = label_of(line) if line.text.rstrip().endswith("{") else None
    return line.text.index("{", label.end) if label is not None and line.text[label.end :].strip() == "{" else -1
