"""Recognizes single lines of Markdown: a heading, a break, the delimiter row of a table, a row of cells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from mcp_contracts import lazy_re as re

HEADING = re.compile(r"(#{1,6})(?:[ \t]+|$)")
"""The marks of an ATX heading, and the space after them."""
BREAK = re.compile(r"([-*_])[ \t]*+(?:\1[ \t]*+){2,}+")
"""A thematic break."""
UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*+")
"""The underline of a Setext heading."""
_DELIMITER = re.compile(r"\|?+[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?+[ \t]*+")
_BACKTICKS = re.compile(r"`+")
_REQUEST = re.compile(r"(?:\s|(?://|#)[^\n]*\n)*+\{\s*\"")
_ANCHOR = re.compile(r"(?<![ \t])[ \t]+\{:?[ \t]?#[\w:.-]{1,100}[ \t]?\}$")


def without_closing(text: str) -> str:
    """Return the text of an ATX heading without the `#` at its end, and without an anchor (`{#name}`)."""
    text = text.rstrip()
    if text.endswith("}") and (anchor := _ANCHOR.search(text)) is not None:
        text = text[: anchor.start()]
    opened = text.rstrip("#")
    return opened.rstrip() if not opened or opened[-1] in " \t" else text


def is_delimiter(row: str, header: str) -> bool:
    """Whether a row makes the line before it the header of a table: it delimits the same number of cells."""
    if "|" not in header or not _DELIMITER.fullmatch(row):
        return False
    return len(split_cells(header)) == len(split_cells(row))


def language_of(info: str, content: str) -> str:
    """Return the language in the info string of a fence, in lowercase, or an empty string.

    A request of MCP is JSON, with or without comments, regardless of the language of the fence.
    """
    words = info.split(maxsplit=1)
    language = words[0].partition("{")[0].lower() if words else ""
    is_request = '"tools/call"' in content and _REQUEST.match(content) is not None
    return "jsonc" if is_request and language not in ("json", "json5", "yaml", "yml") else language


MOST_CELLS = 2_000
"""The maximum number of cells in a row; the last one includes the rest of the row."""


def split_cells(text: str) -> list[tuple[int, int]]:
    """Return the offsets of the cells of a table row, as GFM splits them: a backslash escapes a pipe."""
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    if text[start : start + 1] == "|":
        start += 1
    cells: list[tuple[int, int]] = []
    pipe = text.find("|", start, end)
    while pipe >= 0 and len(cells) < MOST_CELLS - 1:
        if pipe == 0 or text[pipe - 1] != "\\":
            cells.append((start, pipe))
            start = pipe + 1
        pipe = text.find("|", pipe + 1, end)
    if start < end or not cells:
        cells.append((start, end))
    return cells


def code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of the code spans of text: from a run of backticks to the next run of the same length."""
    runs = [match.span() for match in _BACKTICKS.finditer(text)]
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
