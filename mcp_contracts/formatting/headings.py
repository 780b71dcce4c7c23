"""The headings of a tool and its sections in the format's wording, and its sections in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mcp_contracts import lazy_re as re
from mcp_contracts.formatting.layout import Layout, ToolLayout, is_comment
from mcp_contracts.formatting.rows import Edit, newline_of, rows_of
from mcp_contracts.parsing.locating.headings import IDENTIFIER
from mcp_contracts.parsing.markdown.blocks import Heading, Paragraph
from mcp_contracts.parsing.raw import RawSection
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.parsing.topics import about
from mcp_contracts.sections import SECTION_TITLES

_LEVEL = 3
_TOOL = re.compile(r"[^\w`]*Tool\**\s*(?::|[—–-])\s*", re.IGNORECASE)


def heading_edits(layout: Layout) -> Iterator[Edit]:
    """Yield edits for headings with the format's titles, and for section 2 with the name in backticks."""
    for tool in layout.tools:
        yield from _edit_heading(layout.source, tool.heading, _tool_heading(tool))
        for section in tool.sections:
            yield from _edit_heading(layout.source, section.heading, _section_heading(section))
            if section.meaning == 2:
                yield from _name_edits(layout.source, tool, section)


def in_order(layout: Layout) -> str:
    """Return the text with the sections of each tool in numerical order; others follow the one before them."""
    rows = rows_of(layout.source.text)
    newline = newline_of(rows)
    moved: list[str] = []
    at = 0
    for tool in layout.tools:
        numbers = [section.meaning for section in tool.sections]
        known = [number for number in numbers if number is not None]
        if known == sorted(known):
            continue
        starts = [_start(layout, section) for section in tool.sections]
        end = content_end(layout.source, starts[-1], tool.end)
        chunks = [rows[start:stop] for start, stop in pairwise([*starts, end])]
        keys: list[int] = []
        for number in numbers:
            keys.append(number if number is not None else keys[-1] if keys else 0)
        order = sorted(range(len(chunks)), key=lambda index: keys[index])
        moved.extend(rows[at : starts[0]])
        for index in order:
            chunk = "".join(chunks[index]).rstrip("\r\n")
            moved.append(f"{chunk}{newline}{newline}")
        at = end
    return "".join([*moved, *rows[at:]])


def _start(layout: Layout, section: RawSection) -> int:
    """Return the first row of a section, which includes comments directly before its heading."""
    row = section.heading.row
    at = next(index for index, block in enumerate(layout.blocks) if block is section.heading)
    while at and is_comment(layout.blocks[at - 1]):
        at -= 1
        row = layout.blocks[at].row
    return row


def content_end(source: SourceText, start: int, end: int) -> int:
    """Return the row after the last one that has content, which excludes rules between tools."""
    while end > start and source.lines[end - 1].strip() in ("", "---", "***", "___"):
        end -= 1
    return end


def _tool_heading(tool: ToolLayout) -> str | None:
    text, name = tool.heading.text, tool.found.name
    stated = _TOOL.match(text)
    if stated is None or not IDENTIFIER.fullmatch(name):
        return None
    before, after = text[stated.end() : tool.found.column], text[tool.found.column + len(name) :]
    return f"## Tool: `{name}`" if not before.strip("*` ") and not after.strip("*` ") else None


def _section_heading(section: RawSection) -> str | None:
    number = section.meaning
    marks = "#" * _LEVEL
    if number is not None and about(section.title) in (number, None) and is_plain_title(section.title, number):
        return f"{marks} {number}. {SECTION_TITLES[number]}"
    return f"{marks} {section.heading.text}" if section.heading.level != _LEVEL else None


def is_plain_title(title: str, number: int) -> bool:
    """Whether a title says nothing beyond the format's own title."""
    plain = title.strip("*_: ").lower()
    return SECTION_TITLES[number].lower().startswith(plain) or (
        about(title) == number and len(plain.split()) <= 3 and not re.search(r"[`\"(:/]|\bon\b|\bcodes?\b", plain)
    )


def _edit_heading(source: SourceText, heading: Heading, text: str | None) -> Iterator[Edit]:
    if text is not None and (heading.end - heading.row > 1 or source.lines[heading.row] != text):
        yield Edit(heading.row, heading.end, (text,))


def _name_edits(source: SourceText, tool: ToolLayout, section: RawSection) -> Iterator[Edit]:
    """Yield an edit that puts backticks around an invocation name on its own line."""
    blocks = [block for block in section.blocks if not is_comment(block)]
    if len(blocks) == 1 and isinstance(blocks[0], Paragraph) and len(blocks[0].lines) == 1:
        row = blocks[0].row
        wanted = f"`{tool.found.name}`"
        if source.lines[row].strip().strip("*`") == tool.found.name and source.lines[row] != wanted:
            yield Edit(row, row + 1, (wanted,))
