"""The text of a file for the safety rules: offsets as places, and a summary that quickly rules out findings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool
from mcp_contracts.diagnostics import Place
from mcp_contracts.masking.words import FOLDED, unusual_characters
from mcp_contracts.records import NamedTuple
from mcp_contracts.schema.identity import cached_by_identity

LONGEST_PROSE = 20_000
"""The maximum length of a tool's prose that is read, in characters."""
LOOKALIKES = str.maketrans("авекмнорстухіјѕԁһӏαεικνορτυχ", "abekmhopctyxijsdhlaeiknoptux")
"""Lowercase letters of other scripts that look like Latin ones."""

_LINE_END = re.compile(r"\r\n?|\n")
_IN_SINGLE_QUOTES = re.compile(r"(?<![\w'=])'([a-z][a-z0-9]*(?:(?:_[a-z0-9]+)+|(?:[A-Z][a-z0-9]*)+))'(?![\w'])")


def quoted_names_in_code(text: str) -> str:
    """Return text with names in single quotes as names in code."""
    return _IN_SINGLE_QUOTES.sub(r"`\1`", text) if "'" in text else text


_LIKE_A_NAME = re.compile(r"\s(?<![^a-z\s]\s)(?:[`'\"“]|[a-z0-9]++[-_.][a-z0-9])")
"""Text after a word that may be a name; in a table, after a bar."""
_BEFORE_A_NAME = (
    *("use", "using", "call", "called", "calling", "run", "running", "invoke", "invoking", "prefer", "try", "see"),
    *("tool", "tools", "named", "param", "parameter", "argument", "of", "from", "aus", "by", "that", "which", "what"),
    *("as", "to", "with", "via", "suitable", "meant", "intended", "needed", "required", "input", "after", "before"),
    "than",
)
_BETWEEN = frozenset(("the", "for", "in"))
_AFTER_A_NAME = re.compile(
    r"[`'\"”](?:\s+(?:tool|param|argument)|(?<=`)[a-z][a-z0-9_]*\.)|[a-z0-9][_-][a-z0-9]{1,40}\s+tool\b"
)
_NEAR = 80  # characters before a name


_NUMBER = b"0"
_WITHOUT_DIGITS = b"0123456789"
DIGITS = frozenset((_NUMBER,))
"""The word that represents any number in digits."""


@lru_cache(maxsize=500)  # the same words appear in a table and in the schema, and several rules read them
def words_in(text: str) -> frozenset[bytes] | None:
    """Return the words of text in lowercase, with `DIGITS` for digits; None if it has non-ASCII letters."""
    if not text.isascii() and any(map(str.isalnum, unusual_characters(text))):
        return None
    data = text.encode("utf-8", "surrogatepass")
    words = data.translate(FOLDED).split()
    if len(data.translate(None, _WITHOUT_DIGITS)) < len(data):
        words.append(_NUMBER)
    return frozenset(words)


def may_say(words: frozenset[bytes], text: str) -> bool:
    """Whether text contains one of the lowercase words without which a rule finds nothing."""
    found = words_in(text)
    return found is None or not found.isdisjoint(words)


def word_set(*written: str) -> frozenset[bytes]:
    """Return the words of some strings, for `may_say`."""
    return frozenset(" ".join(written).encode().split())


_ODD = "\u0130\u0131\u017f\u212a"
"""The letters that a case-insensitive pattern matches as `i`, `s` or `k`, but whose lowercase is another letter."""


def in_lower_case(text: str) -> str | None:
    """Return text in lowercase, so that every match of a case-insensitive pattern can be found; None if unsure."""
    return text.lower() if text.isascii() or not any(map(text.__contains__, _ODD)) else None


def may_hold(words: Sequence[str], text: str) -> bool:
    """Whether text contains one of some words, in any case; the words are in lowercase.

    Use it for words without which a rule finds nothing: Python searches for a dozen words several times as fast as for
    a pattern of them.
    """
    lowered = in_lower_case(text)
    return lowered is None or any(map(lowered.__contains__, words))


def may_name(text: str) -> bool:
    """Whether text may mention a tool or a parameter by its name.

    This checks the words before each name, because a pattern that begins with these words would be tried at each
    letter.
    """
    lowered = in_lower_case(text)
    return lowered is None or _AFTER_A_NAME.search(lowered) is not None or may_speak_of_tool(text)


def may_speak_of_tool(text: str) -> bool:
    """Whether a word that introduces the name of a tool is followed by something that resembles one."""
    lowered = in_lower_case(text)
    if lowered is None:
        return True
    for match in _LIKE_A_NAME.finditer(lowered):
        words = lowered[max(0, match.start() - _NEAR) : match.start()].split()[-2:]
        if words and words[-1] in _BETWEEN:
            words.pop()
        if words[-1:] and words[-1].endswith(_BEFORE_A_NAME):
            return True
        if not words and match.start() >= _NEAR:  # only whitespace was seen
            return True
    return False


_OPENING = re.compile(r"\n {0,3}(`{3,}|~{3,})[^\n]*")


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each code block in text that begins with a line break, with the one before it."""
    end = 0
    while (opening := _OPENING.search(text, end)) is not None:
        closing = re.compile(rf"\n {{0,3}}{opening[1]}").search(text, opening.end())
        end = closing.end() if closing is not None else len(text)
        yield opening.start(), end


def without_fences(text: str) -> str:
    """Return text without its code blocks, each from its opening fence to its closing fence or the end."""
    return _replace_fences(text, lambda _: "\n")


@lru_cache(maxsize=8)  # several rules read the passage of one tool
def blank_fences(text: str) -> str:
    """Return text with spaces in place of its code blocks, so that all offsets and lines remain."""
    return _replace_fences(text, lambda block: "\n".join([" " * len(line) for line in block.split("\n")]))


@lru_cache(maxsize=4)  # several rules read the same file
def blank_history(text: str) -> str:
    """Return text with spaces in place of its sections about earlier or later versions, so that all offsets remain."""
    if _HISTORY.search(text) is None:
        return text
    parts = _HEADING_LINE.split(text)  # text, the marks of a heading, its title, text, …
    kept, level = [parts[0]], 0
    for marks, title, below in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        depth = len(marks.strip())
        if not level or depth <= level:
            level = depth if _HISTORY.search(f"{marks}{title}") else 0
        section = f"{marks}{title}{below}"
        kept.append("\n".join([" " * len(line) for line in section.split("\n")]) if level else section)
    return "".join(kept)


_HEADING_LINE = re.compile(r"^( {0,3}#{1,6}[ \t])([^\n]*)", re.MULTILINE)
_HISTORY = re.compile(
    r"^ {0,3}#{1,6}[ \t][^\n]*\b(?:change ?logs?|release notes|what['’]s new|(?:version|release|revision) history"
    r"|recent changes|future (?:work|plans?|tools?|versions?)|roadmap|planned \w+|backlog|historial de cambios"
    r"|journal des modifications|änderungsprotokoll)\b|更新日志|変更履歴",
    re.MULTILINE | re.IGNORECASE,
)


def _replace_fences(text: str, replacement: Callable[[str], str]) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    text, last = f"\n{text}", 0
    kept: list[str] = []
    for start, end in _fences(text):
        kept += (text[last:start], replacement(text[start:end]))
        last = end
    return "".join((*kept, text[last:]))[1:]


ERRORS = 5
_OF_SCHEMAS_AND_EXAMPLES = (2, 3, 4, 7)


class SectionText(NamedTuple):
    """The text of a section without code blocks. `is_prose` means that it is not about a name, schemas or examples."""

    number: int
    text: str
    is_prose: bool


@cached_by_identity(32)  # three rules use them
def sections_of(tool: SpecTool) -> Sequence[SectionText]:
    """The sections of a tool as text, each with its number or the number of its topic."""
    numbered = ((one.number or one.about or 0, one) for one in tool.sections)
    return [SectionText(at, without_fences(one.text), at not in _OF_SCHEMAS_AND_EXAMPLES) for at, one in numbered]


def sentence_start(text: str, at: int) -> int:
    """Return the start of the sentence, paragraph, item or row that contains an offset."""
    return max(text.rfind(mark, 0, at) for mark in (". ", "\n\n", "\n- ", "\n|")) + 1


def place_between(path: str, text: str, start: int, end: int) -> Place:
    """Return the place of two offsets of text; lines end as in CommonMark, at LF, CR or CRLF."""
    line, column = _line_and_column(text, start)
    end_line, end_column = _line_and_column(text, end)
    return Place(path, line, column, end_line, end_column)


def offset_of(text: str, line: int, column: int) -> int:
    """Return the offset of a line and column (from 1), or the nearest offset in the text."""
    starts = line_starts(text)
    begin = starts[min(max(line, 1), len(starts)) - 1]
    if "\r" in text:
        following = _LINE_END.search(text, begin)
        end = following.start() if following is not None else len(text)
    else:
        end = text.find("\n", begin)
    return min(begin + column - 1, end if end >= 0 else len(text))


@lru_cache(maxsize=2)  # several rules ask for many places of one text
def line_starts(text: str) -> Sequence[int]:
    """Return the offsets at which the lines of text begin."""
    if "\r" in text:
        return [0, *(match.end() for match in _LINE_END.finditer(text))]
    starts = list(accumulate(map((1).__add__, map(len, text.split("\n"))), initial=0))
    starts.pop()
    return starts


def slice_at(text: str, place: Place) -> str:
    """Return the text at a place."""
    return text[offset_of(text, place.line, place.column) : offset_of(text, place.end_line, place.end_column)]


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    if "\r" not in text:
        return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    starts = line_starts(text)
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1
