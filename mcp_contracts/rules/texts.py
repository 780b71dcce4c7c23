"""The text of a file for the safety rules: offsets as places, and a summary that shows fast that it is plain."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate

from mcp_contracts import lazy_re as re
from mcp_contracts.diagnostics import Place
from mcp_contracts.records import dataclass

LOOKALIKES = str.maketrans("авекмнорстухіјѕԁһӏαεικνορτυχ", "abekmhopctyxijsdhlaeiknoptux")
"""Small letters of other scripts that are drawn like Latin ones."""

_LINE_END = r"\r\n?|\n"
_ORDINARY = bytes(range(0x20, 0x7F)) + b"\t\n\f\r"
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_FOLDED = bytes(ord(chr(code).lower()) if code in _WORD else 0x20 for code in range(256))


_LIKE_A_NAME = re.compile(r"\s(?:[`'\"]|[a-z0-9]+[-_.][a-z0-9])")
_BEFORE_A_NAME = (
    *("use", "using", "call", "called", "calling", "run", "running", "invoke", "invoking", "prefer", "try", "see"),
    *("tool", "tools", "named", "param", "parameter", "argument", "of", "from", "by", "that", "which", "what", "as"),
    *("to", "with", "via"),
)
_BETWEEN = frozenset(("the", "for", "in"))
_AFTER_A_NAME = re.compile(r"[`'\"]\s+(?:tool|param|argument)|`[a-z][a-z0-9_]*\.")
_NEAR = 80  # characters before a name


@dataclass(frozen=True, slots=True)
class Summary:
    """What decides whether a text is worth a closer look.

    `words` are its distinct runs of ASCII letters, digits and underscores in lower case, `unusual` what is not ASCII,
    and controls.
    """

    words: frozenset[bytes]
    unusual: str


@lru_cache(maxsize=2)
def summary(text: str) -> Summary:
    """The summary of a text. Three rules ask for the same one in turn, hence the cache."""
    data = text.encode("utf-8", "surrogatepass")
    if b"\\" in data:
        data = data.replace(b"\\n", b"\n").replace(b"\\t", b"\t").replace(b"\\r", b"\r")
    return Summary(frozenset(data.translate(_FOLDED).split()), unusual_characters(text))


def may_hold(words: re.Pattern[str], text: str) -> bool:
    """Whether a pattern in small letters is found in a text in whatever case; True for any text that is not ASCII.

    For what a rule needs to find anything. Such a pattern begins with a letter of its own in each alternative, which
    Python searches for several times as fast as for words in any case.
    """
    return not text.isascii() or words.search(text.lower()) is not None


def may_name(text: str) -> bool:
    """Whether a text may mention a tool or a parameter by its name; True for any text that is not ASCII.

    This checks the words before each name. A pattern that begins with these words would be tried at each letter.
    """
    if may_hold(_AFTER_A_NAME, text):
        return True
    lowered = text.lower()
    for match in _LIKE_A_NAME.finditer(lowered):
        words = lowered[max(0, match.start() - _NEAR) : match.start()].split()[-2:]
        if words and words[-1] in _BETWEEN:
            words.pop()
        if words[-1:] and words[-1].endswith(_BEFORE_A_NAME):
            return True
        if not words and match.start() >= _NEAR:  # only whitespace was seen
            return True
    return False


def unusual_characters(text: str) -> str:
    """The characters of a text that are not ASCII, and controls."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ORDINARY).decode("utf-8", "surrogatepass")


def place_between(path: str, text: str, start: int, end: int) -> Place:
    """The place of two offsets of a text; lines end as in CommonMark, at LF, CR or CRLF."""
    line, column = _line_and_column(text, start)
    end_line, end_column = _line_and_column(text, end)
    return Place(path, line, column, end_line, end_column)


def offset_of(text: str, line: int, column: int) -> int:
    """The offset of a line and column (from 1), or the nearest one that the text has."""
    lines = _lines(text)
    begin, end = lines[min(max(line, 1), len(lines)) - 1]
    return min(begin + column - 1, end)


@lru_cache(maxsize=2)  # a rule asks for many places of one text
def _lines(text: str) -> list[tuple[int, int]]:
    """Where each line begins and ends."""
    if "\r" not in text:
        lengths = list(map(len, text.split("\n")))
        ends = accumulate(lengths, lambda end, length: end + 1 + length)
        return [(end - length, end) for end, length in zip(ends, lengths, strict=True)]
    breaks = list(re.compile(_LINE_END).finditer(text))
    return list(zip([0, *(one.end() for one in breaks)], [*(one.start() for one in breaks), len(text)], strict=True))


def slice_at(text: str, place: Place) -> str:
    """Return the text at a place."""
    return text[offset_of(text, place.line, place.column) : offset_of(text, place.end_line, place.end_column)]


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    if "\r" not in text:
        return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    begin, line = 0, 1
    for match in re.compile(_LINE_END).finditer(text, 0, offset):
        begin, line = match.end(), line + 1
    return line, offset - begin + 1
