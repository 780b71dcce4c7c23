"""Markdown tables for people: columns aligned, if the lines stay within the maximum width."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re

WIDTH = 120
"""Columns that end past this are not padded: a cell of 300 characters would push all others out of view."""

_PIPE = re.compile(r"(?<!\\)\|")
_NARROWEST = 3


def table_lines(rows: Sequence[Sequence[str]], alignments: Sequence[str] = ()) -> list[str]:
    """Return the lines of a table: its header, the delimiter row, and the other rows, each with a cell for each column.

    Cells are Markdown, with pipes already escaped (`table_cell`). `alignments` contains `:--`, `:-:`, `--:` or `---`
    for the columns that have one.
    """
    header = rows[0]
    widths = [max([_NARROWEST, *(_width(row[column]) for row in rows)]) for column in range(len(header))]
    padded = _count_padded_columns(widths)
    marks = [*alignments, *["---"] * (len(header) - len(alignments))]
    delimiters = [_delimiter(mark, widths[at] + 2 if at < padded else 3) for at, mark in enumerate(marks)]
    lines = ["|" + "|".join(_cells(row, widths, padded)) + "|" for row in rows]
    return [lines[0], "|" + "|".join(delimiters) + "|", *lines[1:]]


def table_cell(text: str) -> str:
    """Return text for a cell: on one line, with escaped pipes."""
    return _PIPE.sub(r"\\|", " ".join(text.split()))


def _count_padded_columns(widths: Sequence[int]) -> int:
    """Count the columns that are padded."""
    end = 1
    for count, width in enumerate(widths):
        end += width + 3
        if end > WIDTH:
            return count
    return len(widths)


def _cells(row: Sequence[str], widths: Sequence[int], padded: int) -> Iterator[str]:
    for at, cell in enumerate(row):
        space = " " * (widths[at] - _width(cell)) if at < padded else ""
        yield f" {cell}{space} " if cell or space else " "


def _delimiter(mark: str, width: int) -> str:
    left, right = mark.startswith(":"), mark.endswith(":")
    return f"{':' if left else ''}{'-' * (width - left - right)}{':' if right else ''}"


def _width(text: str) -> int:
    """Return the width of text in the cells of an editor."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )
