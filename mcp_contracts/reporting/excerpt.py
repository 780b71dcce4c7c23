"""A line of source with the columns that matter underlined, cut to the width of the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts.records import dataclass
from mcp_contracts.reporting.visible import cells, visible_characters

_TAB = 4
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A line as it is shown, and the carets that go under it."""

    line: str
    carets: str


def excerpt(line: str, start: int, end: int, width: int) -> Excerpt:
    """Show the columns `start` to `end` of a line (from 0, in code points, end exclusive) within `width` cells.

    An empty range gets one caret, as does one past the end of the line. Only the part that may fit is read, so a very
    long line takes no longer than a short one.
    """
    start = min(start, len(line))
    end = min(max(start, end), len(line))
    first = max(0, start - width)
    shown = _show(line[first : start + width])
    widths = [size for _, size in shown]
    start, end = start - first, min(end - first, len(shown))
    low, high = 0, len(shown)
    if first or first + len(shown) < len(line) or sum(widths) > width:
        low, high = _window(widths, start, end, width - 2 * len(_ELLIPSIS))
    left = _ELLIPSIS if first + low else ""
    right = _ELLIPSIS if first + high < len(line) else ""
    before = len(left) + sum(widths[low:start])
    if start < len(shown) and not widths[start] and before:
        before -= 1  # a combining character occupies the cell of the one before it
    carets = " " * before + "^" * max(1, sum(widths[start : min(end, high)]))
    text = "".join(text for text, _ in shown[low:high])
    return Excerpt((left + text + right).rstrip(), carets)


def _show(text: str) -> list[tuple[str, int]]:
    """Return each character as it is shown, with the cells that it takes."""
    shown = []
    column = 0
    for raw, character in zip(text, visible_characters(text), strict=True):
        if raw == "\t":
            character = " " * (_TAB - column % _TAB)
        size = len(character) if len(character) > 1 else cells(character)
        shown.append((character, size))
        column += size
    return shown


def _window(widths: Sequence[int], start: int, end: int, room: int) -> tuple[int, int]:
    """Return the range to show: the underlined part, and as much context on either side as fits."""
    low, high = start, start
    while high < end and widths[high] <= room:
        room -= widths[high]
        high += 1
    is_whole = high == end
    half = room // 2
    while low > 0 and widths[low - 1] <= half:
        low -= 1
        half -= widths[low]
        room -= widths[low]
    while is_whole and high < len(widths) and widths[high] <= room:
        room -= widths[high]
        high += 1
    while low > 0 and widths[low - 1] <= room:
        low -= 1
        room -= widths[low]
    while low < start and not widths[low]:  # a combining character is cut off with its base character
        low += 1
    return low, high
