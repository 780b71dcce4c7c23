"""The names that begin headings, items and rows, and the form that each has there."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.text import Line
from mcp_contracts.parsing.topics import about
from mcp_contracts.records import NamedTuple

_NAME = r"[a-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*"
_ENTRY = re.compile(
    rf"(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*[.)]? )?(?:(?P<mark>\*\*`|`\*\*|\*\*|__|\[`|`)(?P<marked>{_NAME})"
    rf"(?:\([^`*]*\))?[`*_\]]+|(?P<bare>{_NAME})(?:\([^`*]*\))?(?![\w`*]))(?P<said>.*)",
    re.DOTALL,
)
_JOINED = re.compile(r"[a-z0-9][_.-][A-Za-z0-9]|[a-z][A-Z]")
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")


class Entry(NamedTuple):
    """The name that begins a heading, an item or a row, its place, and the form that it has there.

    `form` is the kind of the block, whether a number precedes the name, and the mark before it. `is_alone` says that no
    words follow it.
    """

    name: str
    line: Line
    column: int
    form: tuple[str, bool, str]
    is_alone: bool

    @property
    def is_certain(self) -> bool:
        """Whether the name looks like a name in code: it has several words, markup or a number."""
        return is_joined(self.name) or self.form[1] or bool(self.form[2])


def entry_of(kind: str, line: Line) -> Entry | None:
    """Return the name that a line begins with; a heading has no other words."""
    match = _ENTRY.match(line.text)
    name = (match["marked"] or match["bare"]) if match is not None else ""
    if match is None or (about(name) is not None and not match["number"]):
        return None
    said = match["said"].strip("*: ")
    is_alone = not said or said[0] in "(–—-"
    if kind.startswith("h") and not is_alone:
        return None  # words of a title
    form = kind, bool(match["number"]), match["mark"] or ""
    return Entry(name, line, match.start("marked" if match["mark"] else "bare"), form, is_alone)


def is_joined(name: str) -> bool:
    """Whether a name has several words: `find_notes`, `findNotes`, `find-notes`."""
    return _JOINED.search(name) is not None


def outer_words(name: str) -> tuple[str, str]:
    """Return the first and the last word of a name, in lowercase."""
    words = [word.lower() for word in _WORDS.findall(name)] or [name]
    return words[0], words[-1]
