"""Reads the blocks of plain files in a twentieth of the time that markdown-it-py takes. Most specifications are plain.

A file is plain if it only has headings, paragraphs, tables, fences, breaks, comments on one line and flat bullet lists,
none of them indented. At anything else, this reader stops, and markdown-it-py reads the whole file. A test compares
both readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Html, Item, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.markdown.lines import (
    BREAK,
    HEADING,
    UNDERLINE,
    is_delimiter,
    language_of,
    without_closing,
)
from mcp_contracts.parsing.text import Line

_BLANK = " \t"
_BEGINNING = frozenset("#`~><-*+_0123456789")
"""The start of a line that interrupts a paragraph with another block."""
_CONTINUED = _BEGINNING | frozenset("|:=")
_BULLET = re.compile(r"[-*+] {1,4}(?=[^ \t])")
_ORDERED = re.compile(r"[0-9]{1,9}[.)](?:[ \t]|$)")
_FENCE = re.compile(r"`{3,}(?=[^`]*$)|~{3,}")

_Kind = Literal["heading", "fence", "break", "bullet", "comment"]


class _UnsureError(Exception):
    """Raised at a line that needs markdown-it-py."""


def plain_blocks(lines: Sequence[str], *, skip_rows: int = 0) -> list[Block] | None:
    """Return the blocks of some lines after the first `skip_rows`; None if this reader is not certain of them."""
    try:
        return _Reader(lines).blocks(skip_rows)
    except _UnsureError:
        return None


class _Reader:
    """Reads the lines of one file, from one row to the next."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._end = len(lines) if lines[-1].strip(_BLANK) else len(lines) - 1
        self._fences = [row for row, line in enumerate(lines) if "```" in line or "~~~" in line]
        self._next_fence = 0
        self._blocks: list[Block] = []

    def blocks(self, row: int) -> list[Block]:
        """Return the blocks from a row to the end."""
        lines, blocks = self._lines, self._blocks
        while row < self._end:
            line = lines[row]
            if not line.strip(_BLANK):
                row += 1
                continue
            kind = _kind(line) if line[0] in _BEGINNING else None
            if kind is None:
                row = self._text(row)
            elif kind == "fence":
                row = self._fence(row)
            elif kind == "bullet":
                row = self._list(row)
            else:
                if kind == "heading":
                    blocks.append(_heading(line, row))
                elif kind == "comment":
                    blocks.append(Html(line if row + 1 == len(lines) else f"{line}\n", row, row + 1))
                row += 1
        return blocks

    def _text(self, row: int) -> int:
        """Read a paragraph, a Setext heading, or a table, possibly with a paragraph before it; return the row after."""
        lines = self._lines
        if lines[row][0] in _BLANK:
            raise _UnsureError
        found = [Line(lines[row].rstrip(), row, 0)]
        header = level = 0
        is_table = False
        while (row := row + 1) < self._end:
            line = lines[row]
            if not line.strip(_BLANK):
                break
            first = line[0]
            if first in _BLANK:
                raise _UnsureError
            if first in "-=" and not is_table and UNDERLINE.fullmatch(line):
                level = 1 if first == "=" else 2
                row += 1
                break
            if first in _BEGINNING and _kind(line) is not None:
                break
            if first in "|-:" and not is_table and is_delimiter(line, found[-1].text):
                is_table, header = True, len(found) - 1
            found.append(Line(line.rstrip(), row, 0))
        _check_definitions(found)
        if header or not (is_table or level):
            text = found[:header] if is_table else found
            self._blocks.append(Paragraph(text, text[0].row, text[-1].row + 1))
        if is_table:
            self._blocks.append(TableBlock(found[header:], found[header].row, found[-1].row + 1))
        elif level:
            self._blocks.append(Heading(level, found[0], found[0].row, found[-1].row + 1))
        return row

    def _fence(self, row: int) -> int:
        """Read a fence; return the row after it."""
        lines = self._lines
        match = _FENCE.match(lines[row])
        if match is None:
            raise _UnsureError
        mark = match[0]
        fences = self._fences
        at = self._next_fence
        while at < len(fences):
            closing = fences[at]
            at += 1
            if closing > row and _closes(lines[closing], mark):
                break
        else:
            raise _UnsureError
        self._next_fence = at
        content = "\n".join([*lines[row + 1 : closing], ""])
        language = language_of(lines[row][len(mark) :], content)
        self._blocks.append(Fence(language, content, row, closing + 1, row + 1, True))
        return closing + 1

    def _list(self, row: int) -> int:
        """Read a flat bullet list; return the row after it."""
        lines = self._lines
        first, marker = row, lines[row][0]
        items = []
        while row < self._end and lines[row][0] == marker and _kind(lines[row]) == "bullet":
            start = row
            found, row = self._item(row)
            while row < self._end and not lines[row].strip(_BLANK):
                row += 1
            if row < self._end and lines[row][0] in _BLANK:
                raise _UnsureError
            items.append(Item(start, row, (Paragraph(found, start, found[-1].row + 1),)))
        self._blocks.append(ListBlock(tuple(items), first, row))
        return row

    def _item(self, row: int) -> tuple[list[Line], int]:
        """Read the paragraph of an item; return its lines and the row after them."""
        lines = self._lines
        match = _BULLET.match(lines[row])
        if match is None:
            raise _UnsureError
        text = lines[row][match.end() :]
        if text[0] in _BEGINNING and _kind(text) is not None:
            raise _UnsureError
        found = [Line(text.rstrip(), row, match.end())]
        while (row := row + 1) < self._end and (text := lines[row].lstrip(_BLANK)):
            indent = len(lines[row]) - len(text)
            if indent and (text[0] in _CONTINUED or "\t" in lines[row][:indent]):
                raise _UnsureError
            if text[0] in _BEGINNING and _kind(text) is not None:
                break
            if text[0] in _CONTINUED and is_delimiter(text, found[-1].text):
                raise _UnsureError
            found.append(Line(text.rstrip(), row, indent))
        _check_definitions(found)
        return found, row


def _kind(line: str) -> _Kind | None:
    """Return the kind of block that a line without indentation begins; None for text."""
    first = line[0]
    if first == "#":
        return "heading" if HEADING.match(line) else None
    if first in "`~":
        return "fence" if _FENCE.match(line) else None
    if first in "-*+_":
        if not line.strip(f"{first} \t") and BREAK.fullmatch(line):
            return "break"
        if first == "_" or line[1:2].strip(_BLANK):
            return None
        return "bullet"
    if first == "<":
        if line.startswith("<!--") and "-->" in line:
            return "comment"
        raise _UnsureError
    if first == ">" or _ORDERED.match(line):
        raise _UnsureError
    return None


def _heading(line: str, row: int) -> Heading:
    match = HEADING.match(line)
    if match is None:
        raise _UnsureError
    return Heading(len(match[1]), Line(without_closing(line[match.end() :]), row, match.end()), row, row + 1)


def _closes(line: str, mark: str) -> bool:
    """Whether a line closes a fence that a mark has opened."""
    text = line.lstrip(" ")
    if not text.startswith(mark) or text.lstrip(mark[0]).strip(_BLANK):
        return False
    return len(line) - len(text) <= 3


def _check_definitions(lines: Sequence[Line]) -> None:
    """Raise if text may be a link definition, which is not text."""
    if lines[0].text.startswith("[") and any("]:" in line.text for line in lines):
        raise _UnsureError
