"""Amounts of the same things that the text of a tool states twice, with different numbers."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecFile, SpecTool
from mcp_contracts.diagnostics import Place
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.prose.statements import NUMERALS
from mcp_contracts.rules.texts import blank_fences, line_starts, may_hold, may_say, place_between, word_set

_AMOUNT = re.compile(
    r"\b(?:(?:the )?first|at most|up to|no more than|(?:a )?maximum of|limited to) "
    rf"(?P<number>\d{{1,6}}|{'|'.join(NUMERALS)}) (?P<noun>[a-z]{{3,}}s)\b(?! (?:of|per|each)\b)",
    re.IGNORECASE,
)
_OF_AN_AMOUNT = word_set("first most up more maximum limited")
_BEFORE_AN_AMOUNT = ("first ", "at most ", "up to ", "no more than ", "maximum of ", "limited to ")
_UNSURE = re.compile(
    r"\b(?:if|when|unless|default|plan|tier|per|each|every|recommended|usually|typically|about|around|otherwise|except"
    r"|additional|another|next|last|e\.g|example|such as)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"`([a-z]\w*)`")
_SENTENCE_END = re.compile(r"[.;|]\s|[()\n]")
_MINOR = frozenset(
    ("results", "items", "entries", "characters", "seconds", "minutes", "days", "bytes", "lines", "tokens")
)


class RepeatedAmount(NamedTuple):
    """Words for an amount, earlier words for another amount of the same things, and their place."""

    words: str
    before: str
    place: Place


def repeated_amounts(file: SpecFile, tool: SpecTool) -> Iterator[RepeatedAmount]:
    """Yield the amounts of a tool's own values that differ from an earlier one in its text."""
    starts = [*line_starts(file.text), len(file.text)]
    base = starts[tool.lines[0] - 1]
    text = file.text[base : starts[min(tool.lines[1], len(starts) - 1)]]
    if "`" not in text or not may_hold(_BEFORE_AN_AMOUNT, text) or _AMOUNT.search(text) is None:
        return
    text = blank_fences(text)
    own = {word for name in _NAME.findall(text) for word in name.split("_")} - _MINOR
    first: dict[str, tuple[float, str]] = {}
    for match in _AMOUNT.finditer(text):
        noun, number = match["noun"].lower(), match["number"].lower()
        before = text[: match.start()].rpartition("\n")[2]
        after = _SENTENCE_END.split(text[match.end() :], maxsplit=1)[0]
        if noun not in own or _UNSURE.search(_SENTENCE_END.split(before)[-1]) or _UNSURE.search(after):
            continue
        value = float(number) if number.isdecimal() else float(NUMERALS[number])
        stated, words = first.setdefault(noun, (value, match[0]))
        if stated != value:
            place = place_between(file.path, file.text, base + match.start(), base + match.end())
            yield RepeatedAmount(match[0], words, place)
            return


_MOST = re.compile(
    r"\b(?:at most|up to|no more than|(?:a )?maximum of|limited to) (?P<number>\d{1,9}(?:\.\d+)?)"
    r" ?(?P<unit>[A-Za-z]{1,12})\b",
    re.IGNORECASE,
)


def other_most(text: str, other: str) -> tuple[str, str] | None:
    """Return the only upper limits of two descriptions of one value, if only the number differs."""
    if text == other or not may_say(_OF_AN_AMOUNT, text) or not may_say(_OF_AN_AMOUNT, other):
        return None
    found, others = [*_MOST.finditer(text)], [*_MOST.finditer(other)]
    if len(found) != 1 or len(others) != 1 or found[0]["unit"].lower() != others[0]["unit"].lower():
        return None
    is_other = float(found[0]["number"]) != float(others[0]["number"])
    return (found[0][0], others[0][0]) if is_other else None
