"""The text of a source file, its lines, and places in it."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.diagnostics import Place
from mcp_contracts.json_values.pointers import enclosing
from mcp_contracts.records import NamedTuple, dataclass

_LINE_END = re.compile(r"\r\n?|\n")


class Line(NamedTuple):
    """A line, or its content inside a list or a quote. It begins in `column` of `row`; both count from 0."""

    text: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's text. Lines end as in CommonMark: at LF, CR or CRLF only."""

    path: str
    text: str
    lines: tuple[str, ...]

    @classmethod
    def of(cls, path: str, text: str) -> SourceText:
        """Create one from a file's content, without its byte order mark."""
        text = text.removeprefix("\ufeff")
        return cls(path, text, tuple(_LINE_END.split(text) if "\r" in text else text.split("\n")))

    @property
    def body(self) -> str:
        """The text with LF line endings."""
        return "\n".join(self.lines) if "\r" in self.text else self.text

    def place(self, row: int, start: int = 0, end: int | None = None, *, end_row: int | None = None) -> Place:
        """Return the place of columns `start` to `end` (from 0, end exclusive; None is the line's end) of row `row`."""
        last = row if end_row is None else end_row
        stop = len(self.lines[last]) if end is None else end
        return Place(self.path, row + 1, start + 1, last + 1, stop + 1)

    def place_in(self, line: Line, start: int = 0, end: int | None = None) -> Place:
        """Return the place of a part of a line, or of the whole line."""
        text, row, column = line
        return Place(self.path, row + 1, column + start + 1, row + 1, column + (len(text) if end is None else end) + 1)


@dataclass(frozen=True, slots=True)
class MappedLocator:
    """Finds the places of JSON pointers, those of the value and of its key, or else the whole."""

    whole: Place
    places: Mapping[str, tuple[Place, Place]]

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        value, key = self.places.get(enclosing(pointer, self.places), (self.whole, self.whole))
        return key if on_key else value


def shorten(text: str) -> str:
    """Return text as messages show it: on one line, at most about 60 characters long, without invisible characters."""
    text = " ".join(text[:200].split())
    text = "".join(character if character.isprintable() else "\ufffd" for character in text)
    return text if len(text) <= 60 else f"{text[:57]}…"
