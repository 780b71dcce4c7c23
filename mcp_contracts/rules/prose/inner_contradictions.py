"""Contradictions within a description, and between a description and whether its value is required."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.rules.prose.statements import Bound, defaults_in_words
from mcp_contracts.rules.texts import DIGITS, may_say, word_set

_BOTH = 2
_LEFT_OUT = re.compile(
    r"^\W*(?:omit|leave (?:empty|blank|out|unset)) (?:for|to|if|when)\b|^\W*optional(?=[.,;:)])"
    r"|(?:(?:^|[.;(\n])\W{0,9}|\bdefaults? (?:to|is) [^.;()\n]{1,80} )"  # not a statement about a part of the value
    r"(?P<left_out>(?:if|when) (?:omitted|left out|not (?:given|provided|specified|supplied|passed)))(?=[.,;:)]|$)"
    r"(?!, you (?:can|could|may|must|should|need to|have to)\b)"
    r"(?!, (?:\w+ )?(?:ask|prompt|call|use|run|search|first)\b)",  # what the caller does to obtain the value
    re.IGNORECASE,
)
_OPEN_BRACKET = re.compile(r"\(\s*[^()\s][^()]*\Z")
_ASKED_FOR = re.compile(
    r"^\W*(?:required|mandatory)(?=[.,;:)])(?![.,;:)] ?(?:if|when|for|unless|with)\b)", re.IGNORECASE
)
_LAST = re.compile(r"(?:\(|[.;] )((?:not )?(?:required|mandatory)|optional)\)?\W*$", re.IGNORECASE)
OF_AN_OBLIGATION = word_set("omit omitted leave optional left not required mandatory")
_CLEAR = re.compile(r"\bdefault\w*(?: value)?(?: to| is| ?:|=)|by default|\(default\)", re.IGNORECASE)
"""Words that always state a default, unlike a phrase such as `default branch`."""
_CROSSED = re.compile(
    r"\bbetween ([-−]?\d+(?:\.\d+)?) and ([-−]?\d+(?:\.\d+)?)(?![\w%]|[.:/,]\d|-\d)"
    r"|\((\d{1,3}) ?[-–] ?([1-9]\d{0,2}|0)\)"
    r"|(?:^|[,(:] ?)(\d{1,6}) to (\d{1,6})(?=\.?$| ?[),;]| \(default)"
    r"|(?<![\w.,:/$-])(\d{1,6})\.\.(\d{1,6})(?![\w%.])"
    r"|(?<![\w.,:/$-])(\d{1,3}\.\d{1,3}) ?[-–] ?(\d{1,3}\.\d{1,3})(?![\w%.]|-\d)",
    re.IGNORECASE,
)


def other_obligation(text: str, *, is_required: bool, is_simple: bool) -> str | None:
    """Return the words that call a required value optional, or the reverse.

    The end of a description may be about a part of the value, so it only counts if the value `is_simple`."""
    if not may_say(OF_AN_OBLIGATION, text):
        return None
    match = (_LEFT_OUT if is_required else _ASKED_FOR).search(text)
    if match is not None and is_required and match["left_out"]:
        start = match.start("left_out")
        return match["left_out"] if _OPEN_BRACKET.search(text, 0, start) is None else None
    last = _LAST.search(text) if match is None and is_simple else None
    if last is not None and last[1].lower().startswith(("optional", "not")) is is_required:
        return last[1]
    return match[0].strip(" (") if match is not None else None


def contradictions_in(
    text: str, default: JsonValue, choices: Sequence[str], stated: Sequence[Bound]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of words that cannot both be true: two defaults, or a lower limit above the upper one.

    `default` is the value's default, or any value of its kind; `stated` are the limits that the text states.
    """
    clear = (said for said in defaults_in_words(text, default, choices) if _CLEAR.search(said.words))
    defaults = list({str(said.value): said.words for said in clear if not _is_of_a_case(said.words, text)}.values())
    if len(defaults) > 1:
        yield defaults[0], defaults[1]
    ranges = {one.words for one in stated if one.is_upper} & {one.words for one in stated if not one.is_upper}
    for least in stated if len({bound.words for bound in stated}) == _BOTH else ():  # more belong to several cases
        for most in stated:
            is_pair = most.is_upper and not least.is_upper and most.unit == least.unit
            is_pair = is_pair and not {least.words, most.words} <= ranges  # one for each case
            if is_pair and most.value < least.value:
                yield least.words, most.words
                return


def _is_of_a_case(words: str, text: str) -> bool:
    """Whether the sentence that states a default begins with a condition: `With a mast, default: 9`."""
    return _CASE.search(text.partition(words)[0].rpartition(". ")[2]) is not None


_CASE = re.compile(r"\b(?:if|when|for|in|with|unless)\b", re.IGNORECASE)


def crossed_range(text: str) -> str | None:
    """Return a range in words whose first number is the greater one: `between 50 and 10`."""
    for match in _CROSSED.finditer(text) if may_say(DIGITS, text) else ():
        low, high = (float(number.replace("−", "-")) for number in match.groups() if number)
        if low > high:
            return match[0].strip("(),: ")
    return None
