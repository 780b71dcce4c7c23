"""The JSON of a tool's schemas and examples, laid out in one way."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.formatting.layout import Layout, is_at_margin
from mcp_contracts.formatting.rows import Edit
from mcp_contracts.parsing.data.documents import read_json
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.schemas import is_data
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.writing.json_text import format_json

_OPENING = re.compile(r"(`{3,}|~{3,})[ \t]*(json)?[ \t]*")
_SECTIONS = (3, 4, 7)


def fence_edits(layout: Layout) -> Iterator[Edit]:
    """The fences of JSON in the sections of schemas and examples. What is not valid JSON stays as it is."""
    for tool in layout.tools:
        for section in tool.sections:
            for block in section.blocks if section.meaning in _SECTIONS else ():
                if isinstance(block, Fence) and is_data(block) and is_at_margin(layout.source, block.row):
                    yield from _edits(layout.source, block)


def _edits(source: SourceText, fence: Fence) -> Iterator[Edit]:
    opening = _OPENING.fullmatch(source.lines[fence.row])
    if opening is None or not fence.is_closed:
        return
    content = fence.content.removesuffix("\n")
    document = read_json(source, content, fence.first_row)
    if document.value is None or document.faults:
        return
    lines = (f"{opening[1]}json", *format_json(content).split("\n"))
    if lines != source.lines[fence.row : fence.end - 1]:
        yield Edit(fence.row, fence.end - 1, lines)
