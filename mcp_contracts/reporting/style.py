"""The colours of reports on a terminal, as plain ANSI sequences: no library is worth its start-up time here."""

from __future__ import annotations

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
