"""Text as rows with their own line endings, and changes to whole rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.records import NamedTuple

_ROW = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


class Edit(NamedTuple):
    """The rows from `start` to `end` (exclusive, from 0) replaced by other lines."""

    start: int
    end: int
    lines: tuple[str, ...]


def rows_of(text: str) -> list[str]:
    """Return the rows of text with their line endings."""
    return _ROW.findall(text)


def newline_of(rows: Sequence[str]) -> str:
    """Return the most common line ending."""
    ends = [row[len(row.rstrip("\r\n")) :] for row in rows]
    return max(("\n", "\r\n", "\r"), key=ends.count)


def with_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return text with some of its rows replaced; the others keep their line endings. Edits must not overlap."""
    rows = rows_of(text)
    newline = newline_of(rows)
    changed: list[str] = []
    at = 0
    for edit in sorted(edits):
        # The last row of a file may have no line ending.
        changed.extend(row if row.endswith(("\n", "\r")) else f"{row}{newline}" for row in rows[at : edit.start])
        changed.extend(f"{line}{newline}" for line in edit.lines)
        at = max(at, edit.end)
    changed.extend(rows[at:])
    return "".join(changed)
