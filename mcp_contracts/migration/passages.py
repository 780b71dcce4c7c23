"""The rows of a tool in an older dialect, each with the section of the format that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcp_contracts.contract import SpecTool
from mcp_contracts.formatting.headings import is_plain_title
from mcp_contracts.formatting.layout import block_end
from mcp_contracts.migration.messages import message_of
from mcp_contracts.parsing.fields import line_fields
from mcp_contracts.parsing.locating.headings import ToolHeading
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Html, ListBlock, Paragraph
from mcp_contracts.parsing.raw import RawSection, split_sections
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.topics import about, label_of
from mcp_contracts.records import dataclass
from mcp_contracts.sections import PROPERTY_LINES
from mcp_contracts.writing.json_text import json_fence

INTRO, NOTES = 0, 99
_IDEMPOTENT = "idempotent"


@dataclass(frozen=True, slots=True)
class Passage:
    """Some rows of a tool: their section, the text to keep, and their block, if they form a single one."""

    section: int
    text: str
    block: Block | None = None


@dataclass(frozen=True, slots=True)
class Passages:
    """The rows of a tool in their sections, and its bold lines as written, by name in lowercase."""

    parts: tuple[Passage, ...]
    properties: dict[str, str]


def passages_of(source: SourceText, blocks: Sequence[Block], found: ToolHeading, tool: SpecTool) -> Passages:
    """Return the rows below the heading of a tool. Headings and labels that only name a section are left out."""
    intro, sections = split_sections(blocks[found.at + 1 : found.end])
    walk = _Walk(source, is_numbered=any(section.number is not None for section in tool.sections))
    walk.blocks(intro, found.heading.end)
    for section in sections:
        walk.section(section)
    walk.gap(tool.lines[1])
    return Passages(tuple(walk.found), walk.properties)


def passages_of_contract(tool: SpecTool, name: str) -> Passages:
    """Return the sections of a tool without its own rows, from its contract."""
    contract = tool.contract
    errors = "\n".join(f"- `{error.name}`: {error.when}".rstrip(": ") for error in contract.errors)
    calls = [message for example in contract.examples if (message := message_of(example, tool, name)) is not None]
    parts = [(5, errors), *((7, json_fence(call)) for call in calls), (8, contract.security or "")]
    status = contract.status.state if contract.status is not None else ""
    stated = {"status": status, "category": contract.category or "", "idempotent": contract.idempotent or ""}
    return Passages(tuple(Passage(number, text) for number, text in parts if text), stated)


def closing_line(source: SourceText, block: Block) -> str | None:
    """Return the line that closes a code block or a comment that would include the text after it."""
    if isinstance(block, Fence) and not block.is_closed:
        return source.lines[block.row].strip()[:3]
    if isinstance(block, Html) and "<!--" in block.content and "-->" not in block.content:
        return "-->"
    return None


class _Walk:
    """Walks the blocks of a tool like the parser of older dialects."""

    def __init__(self, source: SourceText, *, is_numbered: bool) -> None:
        self.found: list[Passage] = []
        self.properties: dict[str, str] = {}
        self._source = source
        self._is_numbered = is_numbered
        self._topic = INTRO
        self._row = 0

    def section(self, section: RawSection) -> None:
        """Read a heading of the highest level, and the rows below it."""
        number = section.meaning if section.meaning is not None else about(section.title)
        self._heading(section.heading, section.title, number, "###")
        self.blocks(section.blocks, section.heading.end)

    def blocks(self, blocks: Sequence[Block], start: int) -> None:
        """Read blocks in order, starting at a row."""
        self._row = start
        for block in blocks:
            if block.row < self._row:
                continue  # a part of a block that has been taken
            self.gap(block.row)
            if isinstance(block, Heading):
                number = None if self._is_numbered and self._topic != INTRO else about(block.text)
                self._heading(block, block.text, number, "####")
            elif isinstance(block, Paragraph) and not self._is_in_numbered:
                self._paragraph(block)
            else:
                end, closing = block_end(self._source, block), closing_line(self._source, block)
                self._add("\n".join([*self._source.lines[block.row : end], *([closing] if closing else [])]), block)
                for item in block.items if isinstance(block, ListBlock) else ():
                    for line in item.lines[:1]:
                        self._read_properties(line)
            self._row = max(self._row, block_end(self._source, block))

    def gap(self, end: int) -> None:
        """Read the rows between blocks: link references are kept, and rules between tools are dropped."""
        for row in range(self._row, end):
            line = self._source.lines[row]
            if line.strip() and not re.fullmatch(r"\s*([-*_])(?:\s*\1){2,}\s*", line):
                self._add(line, None)
        self._row = max(self._row, end)

    @property
    def _is_in_numbered(self) -> bool:
        return self._is_numbered and self._topic not in (INTRO, NOTES)

    def _heading(self, heading: Heading, title: str, number: int | None, marks: str) -> None:
        self.gap(heading.row)
        self._row = heading.end
        if number is None:
            if not (self._is_numbered and marks == "####"):
                self._topic = NOTES
            self._add(f"{marks} {title}", None)
            return
        self._topic = number
        if not is_plain_title(title, number):
            self._add(f"#### {title}", None)

    def _paragraph(self, block: Paragraph) -> None:
        kept: list[Line] = []
        for line in block.lines:
            named = {field.name for field in line_fields(self._source, line)}
            label = label_of(line)
            self._read_properties(line)
            if named and named <= {*PROPERTY_LINES, _IDEMPOTENT}:
                self._flush(kept)
            elif label is not None and label.about is not None:
                self._flush(kept)
                self._topic = label.about
                rest = line.text[label.end :].strip()
                is_name_only = is_plain_title(label.title, label.about) and (not rest or label.about in (1, 3, 4))
                if not is_name_only:
                    kept.append(line)
                elif rest:
                    kept.append(line._replace(text=rest))
            else:
                kept.append(line)
        self._flush(kept)

    def _read_properties(self, line: Line) -> None:
        """Read the bold lines of the format. The last of repeated lines counts."""
        for field in line_fields(self._source, line):
            if field.name in ("version", "status", "category", _IDEMPOTENT) or field.name not in self.properties:
                end = line.column + len(line.text) if " | " not in line.text else field.place.end_column
                self.properties[field.name] = self._source.lines[line.row][field.place.column - 1 : end].strip()

    def _flush(self, lines: list[Line]) -> None:
        if lines:
            rows = range(lines[0].row, lines[-1].row + 1)
            quoted = [self._source.lines[row] for row in rows if self._source.lines[row].lstrip().startswith(">")]
            text = "\n".join(quoted or [line.text for line in lines])
            self._add(text, Paragraph(tuple(lines), lines[0].row, lines[-1].row + 1))
            lines.clear()

    def _add(self, text: str, block: Block | None) -> None:
        self.found.append(Passage(self._topic, text, block))
