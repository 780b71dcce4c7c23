"""Lines for a terminal: colours, prose wrapped between words, and pieces that flow from one line to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_contracts.reporting.visible import cell_width

_GAP = "  "

# Plain ANSI sequences: no library is worth its start-up time here.
_SEQUENCES = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;36m",
    "help": "\x1b[1;32m",
    "strong": "\x1b[1m",
    "dim": "\x1b[2m",
}


def paint(text: str, style: str, *, color: bool) -> str:
    """Text in a style (a severity, `help`, `strong` or `dim`), or as it is without colour."""
    return f"{_SEQUENCES[style]}{text}\x1b[0m" if color and text else text


def wrapped(text: str, width: int, indent: str = "", first: str | None = None) -> Iterator[str]:
    """Yield a text in lines of `width` cells, broken at spaces only, so that a name or path stays whole.

    Each line starts with `indent`, the first with `first` instead where that is given.
    """
    line = indent if first is None else first
    is_empty = True
    for word in text.split(" "):
        if not is_empty and cell_width(line) + 1 + cell_width(word) > width:
            yield line
            line, is_empty = indent, True
        line = f"{line}{word}" if is_empty else f"{line} {word}"
        is_empty = False
    yield line


def flowed(pieces: Iterable[tuple[str, str | None]], width: int, indent: str, *, color: bool) -> Iterator[str]:
    """Yield pieces of text, each with its style, two spaces apart; one that does not fit starts an indented line."""
    line, used = "", 0
    for text, style in pieces:
        if not text:
            continue
        size = cell_width(text)
        painted = paint(text, style, color=color) if style is not None else text
        if not used:
            line, used = painted, size
        elif used + len(_GAP) + size <= width:
            line, used = f"{line}{_GAP}{painted}", used + len(_GAP) + size
        else:
            yield line
            line, used = f"{indent}{painted}", len(indent) + size
    yield line
