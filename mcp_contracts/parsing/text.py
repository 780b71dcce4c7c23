"""The text of a source file, its lines, and places in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcp_contracts.diagnostics import Place

_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's text. Lines end where CommonMark ends them: at LF, CR or CRLF, and at nothing else."""

    path: str
    text: str
    lines: tuple[str, ...]

    @classmethod
    def of(cls, path: str, text: str) -> SourceText:
        """Make one of a file's content, without its byte order mark."""
        text = text.removeprefix("\ufeff")
        return cls(path, text, tuple(_LINE_END.split(text) if "\r" in text else text.split("\n")))

    def place(self, row: int, start: int = 0, end: int | None = None, *, end_row: int | None = None) -> Place:
        """The place of columns `start` to `end` (from 0, end exclusive; None is the line's end) of row `row`."""
        row = min(max(row, 0), len(self.lines) - 1)
        last = row if end_row is None else min(max(end_row, row), len(self.lines) - 1)
        width = len(self.lines[last])
        start = min(start, len(self.lines[row]))
        stop = width if end is None else min(end, width)
        if last == row:
            stop = max(stop, start)
        return Place(self.path, row + 1, start + 1, last + 1, stop + 1)

    def place_of(self, needle: str, row: int, *, start: int = 0) -> Place:
        """The place of `needle` in a row, or of the row's visible text where it does not stand there."""
        line = self.lines[row] if row < len(self.lines) else ""
        at = line.find(needle, start) if needle else -1
        if at < 0:
            return self.place(row, len(line) - len(line.lstrip()), len(line.rstrip()))
        return self.place(row, at, at + len(needle))
