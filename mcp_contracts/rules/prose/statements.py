"""The limits and defaults that a description states in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.texts import DIGITS, may_say, word_set

Counted = Literal["number", "characters", "items"]
"""The subject of a limit: the value itself, the characters of text, or the items of a list."""


_STANDS_FOR_OTHERS = re.compile(r"\.\.\.|…|<[^<>]+>|\{[^{}]+\}")


class Bound(NamedTuple):
    """A limit in words: the minimum or maximum of the allowed values, and the `words` that state it."""

    is_upper: bool
    value: float
    is_exclusive: bool
    words: str
    unit: str = ""
    counted: Counted = "number"

    def excludes(self, value: JsonValue) -> bool:
        """Whether a value definitely exceeds the limit; text with an ellipsis or a placeholder stands for others."""
        if isinstance(value, bool) or _STANDS_FOR_OTHERS.search(str(value)):
            return False
        amount: float
        if isinstance(value, str | list) and self.counted == ("characters" if isinstance(value, str) else "items"):
            amount = len(value)
        elif isinstance(value, int | float) and self.counted == "number":
            amount = value
        else:
            return False
        if amount == self.value:
            return self.is_exclusive
        return amount > self.value if self.is_upper else amount < self.value


class WordedValue(NamedTuple):
    """A value that words state, and the words."""

    value: JsonValue
    words: str


NUMERALS = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 1
    )
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100}
LONGEST = 1_000
"""The maximum length of a description that is read, in characters."""
_IN_LETTERS = "|".join(word for word in NUMERALS if word != "one")
_NUMBER = (
    r"(?:(?<![\w.,:/$#])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w%]|[.:/,]\d|-\d|\^)"
    rf"|\b(?:{_IN_LETTERS})\b(?!-))"
)
_TO = r" ?(?:--?|–|—|to|bis|至|到|\.\.\.?|…) ?"
_ASIDE = r"(?: ?\([^()\d]{1,40}\))?"
_BARE = rf"(?:[-−]?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?|(?:{_IN_LETTERS})\b)"
_REST = r"[^.;]{0,40}"
_RANGE = re.compile(
    rf"(?:\b(?:between|zwischen|entre|tra) (?P<a>{_BARE}){_ASIDE} (?:and|und|et|y|e)"
    rf"|\b(?:from|von|de|da|(?<!one )(?<!any )(?<!out )of|be) (?P<b>{_BARE}){_ASIDE}"
    r"(?: (?:(?:up )?to|bis|à|a)|[-–—]|\.\.)"
    rf"|\branges? ?(?:is|:|of|from)? ?(?P<c>{_BARE}){_TO}"
    rf"|(?<=[a-z] )(?P<f>0(?:\.0)?){_TO}|(?:^ ?|(?<!default)(?<!defaults)[(,;:（，；：] ?)(?P<d>{_BARE}){_TO})"
    rf" ?(?P<high>{_BARE})(?![\w%]|[.:/,]\d|-\d)(?P<rest>{_REST})"
    rf"|\[(?P<e>{_BARE}), ?(?P<last>{_BARE})\](?P<beyond>{_REST})",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(rf"\d+|\b(?:{_IN_LETTERS})\b", re.IGNORECASE)
_UPPER = re.compile(
    r"(?:\b(?:at most|up to|no more than|not more than|no longer than|no greater than"
    r"|max(?:imum|\.)?(?: of| length| value)?(?: is|:)?|capped at|limited to|less than or equal to"
    r"|exceed(?:ing)?|höchstens|maximal|au plus|au maximum|como máximo|no máximo|al massimo)|最多|<=|≤)"
    rf" ?(?P<value>{_NUMBER})(?P<rest>{_REST})"
    r"|(?:(?<!no )(?<!not )\b(?:less than|below|smaller than|fewer than)|<(?!=))"
    rf" ?(?P<exclusive>{_NUMBER})(?P<after>{_REST})",
    re.IGNORECASE,
)
_LOWER = re.compile(
    r"(?:\b(?:at least|no less than|no fewer than|not less than|min(?:imum|\.)?(?: of| length| value)?(?: is|:)?"
    r"|greater than or equal to|not below|mindestens|au moins|à partir de|como mínimo|pelo menos|almeno)|至少|>=|≥)"
    rf" ?(?P<value>{_NUMBER})(?P<rest>{_REST})"
    r"|(?:(?<!no )(?<!not )\b(?:greater than|larger than|above)|>(?!=))"
    rf" ?(?P<exclusive>{_NUMBER})(?P<after>{_REST})",
    re.IGNORECASE,
)
# A clause without any of these words states no such limit; the patterns take milliseconds to compile.
_OF_MOST = word_set(
    "most up more longer greater less smaller fewer below max maximum maximal capped limited exceed exceeding",
    "plus massimo",
)
_OF_LEAST = word_set("least less fewer greater larger above below min minimum mindestens moins menos almeno")
_UNITS = (
    r"(?:ms|milliseconds?|secs?|seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?|[kmg]i?b|percent|kilobytes"
    r"|megabytes|thousand|million|k|m|s|h)"
)
_ENDS_RANGE = re.compile(rf" ?(?:inclusive|{_UNITS})? ?(?:[),]|$|\(default)", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:[^.;\n]|[.;](?![\s)]|$))+")
_UNSURE = re.compile(
    r"\b(?:if|when|unless|otherwise|except|recommended|typical(?:ly)?|usual(?:ly)?|e\.g|example|such as|should|normally"
    r"|often|ideally|best|suggested|currently|exclusive|while)\b",
    re.IGNORECASE,
)
_PHRASE = re.compile(r"[,;:(]")
_OF_OTHERS_BEFORE = re.compile(
    r"\b(?:for|in|on|with|after|only|per|each|every|about|around|roughly|approx\w*|plus)\b", re.IGNORECASE
)
_OF_OTHERS_BEHIND = re.compile(r"^ ?(?:by default|for )|\b(?:after|with|only|per|each|every|plus)\b", re.IGNORECASE)
"""Words in the same phrase as a number that counts something else."""
_PER = re.compile(r"\bper (?:page|call|request|line|query|search|result)\b", re.IGNORECASE)
"""Unambiguous words for the subject of a limit."""
_CHARACTERS = re.compile(r" ?(?:unicode )?(?:characters?|chars?|letters|symbols)\b", re.IGNORECASE)
_CUT = re.compile(
    r"\b(?:truncat|cut|shorten|preview|shown|returned|context|chunk|overlap|snippet|first|last)", re.IGNORECASE
)
"""Words for characters of something derived from text."""
_OF_OTHERS = re.compile(r"\b(?:people|persons|children|adults|men|women|[a-z]{3,}[^s]s) $", re.IGNORECASE)
"""The subject of a limit that follows: `People below 18` is not about fewer than 18 people."""
_COUNTED_OTHERWISE = re.compile(
    r" ?(?:times|retr\w+|decimals?|digits?|significant|places|words|lines|levels|bytes|hops?|redirects?|attempts?"
    r"|sub-?\w+)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(rf" ?({_UNITS})\b", re.IGNORECASE)


NUMBERS = word_set(*NUMERALS) - word_set("one") | DIGITS
"""Every text with a number has one of these characters."""
_EXPLAINS = re.compile(r" ?(?:=(?!=)|:|means\b|for\b|is )", re.IGNORECASE)
"""The explanation of a number: `>1 = more varied`."""
_OTHER_NAME = re.compile(r"(?<!\w)(?=\w+?_\w|\w*?[a-z][A-Z])\w++`? ?$")
"""A name before a sign: `wait_ms >= 16`."""
_ACTS = re.compile(
    r" (?:yields?|returns?|gives?|causes?|triggers?|disables?|enables?|produces?|makes?|selects?|turns?|means|leads?)\b"
)
"""The effect of a number: `Below 3 yields no verdict`."""
_NUMBER_IN_CODE = re.compile(r"`([-−]?\d[\d.,]*(?: ?(?:\.\.|-|–|to) ?[-−]?\d[\d.,]*)?)`")


@lru_cache(maxsize=2_000)  # the same words appear in a table and in the schema that is derived from it
def bounds(text: str, counted: Counted) -> tuple[Bound, ...]:
    """Return the limits that a description states unambiguously for a subject."""
    text = _NUMBER_IN_CODE.sub(r"\1", text[:LONGEST]) if "`" in text else text[:LONGEST]
    clauses = _CLAUSE.finditer(text) if _may_state_bounds(text) else ()
    return tuple(bound for clause in clauses for bound in _bounds_of(clause[0], counted))


def _may_state_bounds(text: str) -> bool:
    """Whether text has a number, and another one, a word or a sign that makes it a limit."""
    if not may_say(NUMBERS, text):
        return False
    is_limited = may_say(_OF_MOST | _OF_LEAST, text) or any(map(text.__contains__, "<≤>≥"))
    return is_limited or len(_ANY_NUMBER.findall(text)) > 1


def _bounds_of(clause: str, counted: Counted) -> Iterator[Bound]:
    if not may_say(NUMBERS, clause):
        return
    for match in _RANGE.finditer(clause) if len(_ANY_NUMBER.findall(clause)) > 1 else ():
        low = next(filter(None, (match[name] for name in "abcdef")))
        end, rest = ("last", match["beyond"]) if match["e"] else ("high", match["rest"])
        is_led = match[0][0].isalnum() or match[0][0] in "-−"
        before = clause[: match.start()] if is_led else clause[: match.start() + 1]
        before = before.removesuffix("[").removesuffix(" in ") if match["e"] else before
        if _OF_AN_ALTERNATIVE.search(clause, 0, match.start() + 1):
            continue
        is_marked = match["d"] is None or not before.strip() or _ENDS_RANGE.match(rest) is not None
        if (is_marked or counted != "number") and _is_of(counted, before, rest):
            words, unit = f"{match[0][: match.end(end) - match.start()]}".strip(" (,;:"), _unit(rest)
            words = f"{words}]" if match["e"] else words
            if (first := _number(low)) <= (last := _number(match[end])):
                yield Bound(False, first, False, words, unit, counted)
                yield Bound(True, last, False, words, unit, counted)
    for pattern, is_upper, needed, signs in ((_UPPER, True, _OF_MOST, "<≤"), (_LOWER, False, _OF_LEAST, ">≥")):
        may_match = may_say(needed, clause) or any(sign in clause for sign in signs)
        for match in pattern.finditer(clause) if may_match else ():
            group, rest = ("value", match["rest"]) if match["value"] else ("exclusive", match["after"])
            is_sign = match[0][0] in "<>≤≥" and (
                _EXPLAINS.match(rest) is not None or _OTHER_NAME.search(clause[: match.start()]) is not None
            )
            is_of_others = is_sign or (
                group == "exclusive" and (_OF_OTHERS.search(clause[: match.start()]) or _ACTS.match(rest))
            )
            if not is_of_others and _is_of(counted, clause[: match.start()], rest):
                words = clause[match.start() : match.end(group)].strip()
                yield Bound(is_upper, _number(match[group]), group == "exclusive", words, _unit(rest), counted)


_OF_AN_ALTERNATIVE = re.compile(r"\bor (?:an? )?[\w-]{1,40} ?\($")
"""The words before a range of one of two things: `items, or percent (1-100)`."""


def _is_of(counted: Counted, before: str, rest: str) -> bool:
    """Whether a number counts the subject, by the words around it."""
    if (
        _UNSURE.search(before)
        or _UNSURE.search(rest)
        or _OF_OTHERS_BEFORE.search(_PER.sub("", _PHRASE.split(before)[-1]))
        or _OF_OTHERS_BEHIND.search(_PHRASE.split(rest)[0])
    ):
        return False
    if counted == "characters":
        return _CHARACTERS.match(rest) is not None and not _CUT.search(before) and not _CUT.search(rest)
    if counted == "number" and _THINGS.match(rest) and _HAS_THEM.search(before):
        return False
    if _COUNTED_OTHERWISE.match(rest) or (counted == "items" and _unit(rest)):
        return False
    return counted == "number" or _CHARACTERS.match(rest) is None


_HAS_THEM = re.compile(
    r"\b(?:the|an?|each|every|whole|entire) (?:\w+ ){1,3}?(?:(?:may|must|can|should)"
    r" (?:have|contain|hold|cover|span|be)|has|contains|holds|covers|spans)\b[^,;]{0,20}$",
    re.IGNORECASE,
)
"""The subject of a number of things that it has: `the region may have` at most 100 bases."""
_THINGS = re.compile(r" ?[A-Za-z]{3,}")


def _unit(rest: str) -> str:
    match = _UNIT.match(rest)
    return match[1].lower() if match is not None else ""


def _number(written: str) -> float:
    in_letters = NUMERALS.get(written.lower())
    return float(in_letters if in_letters is not None else written.replace(",", "").replace("−", "-"))


_VALUE = (
    r"(?P<{0}>`[^`\n]{{1,80}}`|\"[^\"\n]{{0,80}}\"|'[^'\n]{{0,80}}'|[-−]?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?"
    r"|[A-Za-z][\w-]*)"
)
_DEFAULT = re.compile(
    r"(?:(?<![`\"'])\b(?:defaults?(?: value)?|défaut|(?:por )?defecto|predeterminado|padrão"
    r"|standard(?:wert)?(?=:)|vorgabe(?=:))\b"
    r"(?: to| is|=| of| ?:)*:? ?|默认(?:值)?[为是：:]? ?)" + _VALUE.format("value") + r"(?=(?P<rest>[^.;]{0,30}))"
    r"|" + _VALUE.format("first") + r" (?:is (?:the )?default\b|by default\b|\(default\)|por defecto\b|par défaut\b)",
    re.IGNORECASE,
)
_IF_OMITTED = (
    r"(?:(?:when|if) (?:it is )?(?:omitted|left out|absent|missing|unset|not (?:given|provided|specified|set|supplied"
    r"|passed))|unless (?:given|set|specified|stated|overridden|otherwise (?:specified|stated)))"
)
_IMPLIED = re.compile(
    rf"(?P<value>{_NUMBER})(?: [a-z]+)? {_IF_OMITTED}(?=[.,;)]|$)"
    rf"|\b{_IF_OMITTED},? (?:it is |is |the value is )?(?P<used>{_NUMBER})(?: [a-z]+)? (?:is|are)"
    r" (?:used|assumed|taken|applied)\b",
    re.IGNORECASE,
)
"""The number that applies if a call has none."""
_MAY_IMPLY = word_set("omitted left absent missing unset not unless")
OF_A_DEFAULT = word_set("default defaults defecto predeterminado standard standardwert vorgabe")
_ENDS = re.compile(r"\s*(?:[).,;\]]|$|\s[-–—(]|or \w)")
_DEPENDS = re.compile(r" ?(?:if|when|for|on|in|unless|or)\b", re.IGNORECASE)
_FLAGS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}


def default_in_words(text: str, default: JsonValue, choices: Sequence[str]) -> WordedValue | None:
    """Return the default that a description definitely states, if it has the same type as the schema's `default`."""
    found = list(defaults_in_words(text, default, choices))
    return found[0] if len({str(said.value) for said in found}) == 1 else None


def defaults_in_words(text: str, default: JsonValue, choices: Sequence[str]) -> Iterator[WordedValue]:
    """Yield each default of the same type as `default` that a description states."""
    is_number = isinstance(default, int | float) and not isinstance(default, bool)
    if is_number and may_say(_MAY_IMPLY, text) and may_say(NUMBERS, text):
        for match in _IMPLIED.finditer(text[:LONGEST]):
            yield WordedValue(_number(match["value"] or match["used"]), " ".join(match[0].split()))
    if not may_say(OF_A_DEFAULT, text):
        return
    for match in _DEFAULT.finditer(text[:LONGEST]):
        if (said := _default(match, default, choices)) is not None:
            yield said


def _default(match: re.Match[str], default: JsonValue, choices: Sequence[str]) -> WordedValue | None:
    written, rest = match["value"] or match["first"], match["rest"] or ""
    if _DEPENDS.match(rest) or rest.startswith(("%", "/")):
        return None
    is_quoted = written[0] in "`\"'"
    plain = written.strip("`").strip("\"'") if is_quoted else written
    words = " ".join(match[0].split())
    if isinstance(default, bool):
        return WordedValue(_FLAGS[plain.lower()], words) if plain.lower() in _FLAGS else None
    if isinstance(default, int | float):
        is_number = re.fullmatch(r"[-−]?[\d,]+(?:\.\d+)?", plain) is not None or (
            plain.lower() in NUMERALS and plain.lower() != "one"
        )
        return (
            WordedValue(_number(plain), words)
            if is_number and not _unit(rest) and not re.match(rf"\w|\.\d|:|{_TO}\d", rest)
            else None
        )
    if isinstance(default, str) and not (_VARIABLE.fullmatch(plain) or _ADJECTIVE.fullmatch(written)):
        is_sure = is_quoted or plain in choices or (match["value"] is not None and _ENDS.match(rest) and not choices)
        is_word = match["first"] is None or is_quoted or plain in choices
        is_like = is_quoted or re.fullmatch(r"[\w-]+", default) is not None
        return WordedValue(plain, words) if is_sure and is_word and is_like and plain.lower() not in _NO_TEXT else None
    return None


_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+")
"""An environment variable, which has its own value."""
_ADJECTIVE = re.compile(r"\w+-(?:dependent|specific|defined|wide)", re.IGNORECASE)
_NO_TEXT = frozenset(
    ("none", "null", "empty", "auto", "all", "current", "now", "today", "the", "a", "an", "value", "values")
)
