"""The limits, the default and the possible values that a description states in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.texts import DIGITS, may_hold, may_say, word_set

Counted = Literal["number", "characters", "items"]
"""The subject of a limit: the value itself, the characters of a text, or the items of a list."""


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
        """Whether a value certainly exceeds the limit; a text with an ellipsis or a placeholder stands for others."""
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
_LONGEST = 1_000
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
"""Words for characters of something derived from a text."""
_OF_OTHERS = re.compile(r"\b(?:people|persons|children|adults|men|women|[a-z]{3,}[^s]s) $", re.IGNORECASE)
"""The subject of a limit that follows: `People below 18` is not about fewer than 18 people."""
_COUNTED_OTHERWISE = re.compile(
    r" ?(?:times|retr\w+|decimals?|digits?|significant|places|words|lines|levels|bytes|hops?|redirects?|attempts?)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(rf" ?({_UNITS})\b", re.IGNORECASE)


NUMBERS = word_set(*NUMERALS) - word_set("one") | DIGITS
"""Every text with a number has one of these characters."""
_EXPLAINS = re.compile(r" ?(?:=(?!=)|:|means\b|for\b|is )", re.IGNORECASE)
"""The explanation of a number: `>1 = more varied`."""
_ACTS = re.compile(
    r" (?:yields?|returns?|gives?|causes?|triggers?|disables?|enables?|produces?|makes?|selects?|turns?|means|leads?)\b"
)
"""The effect of a number: `Below 3 yields no verdict`."""
_NUMBER_IN_CODE = re.compile(r"`([-−]?\d[\d.,]*(?: ?(?:\.\.|-|–|to) ?[-−]?\d[\d.,]*)?)`")


@lru_cache(maxsize=2_000)  # the same words appear in a table and in the schema that is derived from it
def bounds(text: str, counted: Counted) -> tuple[Bound, ...]:
    """Return the limits that a description states unambiguously for a subject."""
    if not may_say(NUMBERS, text):
        return ()
    clauses = _CLAUSE.finditer(_NUMBER_IN_CODE.sub(r"\1", text[:_LONGEST]))
    return tuple(bound for clause in clauses for bound in _bounds_of(clause[0], counted))


def _bounds_of(clause: str, counted: Counted) -> Iterator[Bound]:
    if not may_say(NUMBERS, clause):
        return
    for match in _RANGE.finditer(clause) if len(_ANY_NUMBER.findall(clause)) > 1 else ():
        low = next(filter(None, (match[name] for name in "abcdef")))
        end, rest = ("last", match["beyond"]) if match["e"] else ("high", match["rest"])
        is_led = match[0][0].isalnum() or match[0][0] in "-−"
        before = clause[: match.start()] if is_led else clause[: match.start() + 1]
        before = before.removesuffix("[").removesuffix(" in ") if match["e"] else before
        is_marked = match["d"] is None or _ENDS_RANGE.match(rest) is not None
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
            is_sign = match[0][0] in "<>≤≥" and _EXPLAINS.match(rest) is not None
            is_of_others = is_sign or (
                group == "exclusive" and (_OF_OTHERS.search(clause[: match.start()]) or _ACTS.match(rest))
            )
            if not is_of_others and _is_of(counted, clause[: match.start()], rest):
                words = clause[match.start() : match.end(group)].strip()
                yield Bound(is_upper, _number(match[group]), group == "exclusive", words, _unit(rest), counted)


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
    if _COUNTED_OTHERWISE.match(rest) or (counted == "items" and _unit(rest)):
        return False
    return counted == "number" or _CHARACTERS.match(rest) is None


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
    r"(?:\b(?:defaults?(?: value)?|défaut|(?:por )?defecto|predeterminado|padrão|standard(?:wert)?(?=:)|vorgabe(?=:))\b"
    r"(?: to| is|:|=| of| ?:)*:? ?|默认(?:值)?[为是：:]? ?)" + _VALUE.format("value") + r"(?=(?P<rest>[^.;]{0,30}))"
    r"|" + _VALUE.format("first") + r" (?:is (?:the )?default\b|by default\b|\(default\)|por defecto\b|par défaut\b)",
    re.IGNORECASE,
)
OF_A_DEFAULT = word_set("default defaults defecto predeterminado standard standardwert vorgabe")
_ENDS = re.compile(r"\s*(?:[).,;\]]|$|\s[-–—(]|or \w)")
_DEPENDS = re.compile(r" ?(?:if|when|for|on|in|unless|or)\b", re.IGNORECASE)
_FLAGS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}


def default_in_words(text: str, default: JsonValue, choices: Sequence[str]) -> WordedValue | None:
    """Return the default that a description certainly states, if it has the same type as the schema's `default`."""
    found = list(defaults_in_words(text, default, choices))
    return found[0] if len({str(said.value) for said in found}) == 1 else None


def defaults_in_words(text: str, default: JsonValue, choices: Sequence[str]) -> Iterator[WordedValue]:
    """Yield each default of the same type as `default` that a description states."""
    if not may_say(OF_A_DEFAULT, text):
        return
    for match in _DEFAULT.finditer(text[:_LONGEST]):
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
        is_number = re.fullmatch(r"[-−]?[\d,]+(?:\.\d+)?", plain) is not None
        return (
            WordedValue(_number(plain), words)
            if is_number and not _unit(rest) and not re.match(rf"\w|\.\d|:|{_TO}\d", rest)
            else None
        )
    if isinstance(default, str) and not _VARIABLE.fullmatch(plain):
        is_sure = is_quoted or plain in choices or (match["value"] is not None and _ENDS.match(rest) and not choices)
        is_word = match["first"] is None or is_quoted or plain in choices
        is_like = is_quoted or re.fullmatch(r"[\w-]+", default) is not None
        return WordedValue(plain, words) if is_sure and is_word and is_like and plain.lower() not in _NO_TEXT else None
    return None


_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+")
"""An environment variable, which has its own value."""
_NO_TEXT = frozenset(
    ("none", "null", "empty", "auto", "all", "current", "now", "today", "the", "a", "an", "value", "values")
)
_ITEM = r"(?:`[^`\n]{1,60}`|\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'|[A-Za-z0-9][\w.+/-]{0,40}\w|[A-Za-z0-9])"
_BETWEEN = r"(?:, or |, and | or | and | oder | ou | o |, ?| ?\| ?)"
_SEPARATORS = (",", "|", " or ", " and ", " oder ", " ou ", " o ")
_LIST = rf"(?P<list>{_ITEM}(?:{_BETWEEN}{_ITEM}){{1,30}})(?=\s*(?:[.;)\]]|$|[,(] ?default| [-–—(]))"
_LED = re.compile(
    r"(?P<lead>\b(?:one of|any of|some of|subset of|either|must be"
    r"|(?:allowed|possible|valid|accepted|supported)(?: values?| options?)?(?: are)?"
    r"|values(?: are)?|options(?: are)?|choose(?: from| between)?|choices(?: are)?))"
    r"(?: one of| either)?(?: the following| these)?:? ?" + _LIST,
    re.IGNORECASE,
)
_UNLED = re.compile(rf"(?:^|[:(] ?){_LIST}", re.IGNORECASE)
_WHOLE_PAIR = re.compile(rf"{_ITEM} or {_ITEM}\.?")
_OF_NUMBERS = re.compile(
    r"(?:^|[:(] ?)(?P<list>\d+(?:\.\d+)?(?:, ?\d+(?:\.\d+)?)*,? (?:or|oder|ou|o) \d+(?:\.\d+)?)\b(?!%|[.:]\d)"
)
_OPEN = re.compile(r"\b(?:e\.g|etc|such as|like|including|for example|among)\b|…|\.\.\.", re.IGNORECASE)
_LEFT_OUT = frozenset(("null", "none", "omitted", "empty", "unset", "nothing", "undefined", "default"))
_FEWEST_KNOWN = 2


class Choices(NamedTuple):
    """Values that a description lists; `is_whole` says that there are no others."""

    values: tuple[str, ...]
    words: str
    is_whole: bool


def choices_in_words(text: str, known: Sequence[str]) -> Choices | None:
    """Return the values that a description lists, if they are certainly meant as those of a schema's `enum`."""
    text = text[:_LONGEST]
    if not may_hold(_SEPARATORS, text) or _OPEN.search(text):
        return None
    folded = {value.casefold() for value in known}
    for pattern in (_LED, _UNLED, *((_OF_NUMBERS,) if known and known[0].isdigit() else ())):
        found = list(pattern.finditer(text))
        for match in found:
            written = re.findall(_ITEM, re.sub(r"\b(?:or|and)\b", ",", match["list"]))
            bare = (item.strip("`\"'") for item in written)
            values = tuple(value for value in bare if value and value.casefold() not in _LEFT_OUT - folded)
            shared = sum(value.casefold() in folded for value in values)
            is_led = pattern is _LED or _WHOLE_PAIR.fullmatch(text) is not None
            if shared >= (1 if is_led else _FEWEST_KNOWN) and len(values) > 1 and shared * 2 >= len(values):
                is_whole = pattern is _LED and len(found) == 1
                return Choices(values, " ".join(match["list"].split()), is_whole)
    return None


_MARKED = r"(?:`[^`\n]{1,60}`|\"[^\"\n]{1,60}\"|(?<!\w)'[^'\n]{1,60}')"
_PLAIN = r"(?!(?:the|its|and|or|not|no|e\.g|i\.e)\b)[a-z][a-z0-9_]*"
_ONLY_LED = re.compile(
    r"\b(?:one of|either|must be(?: one of| either)?|(?:allowed|possible|valid|accepted|supported)"
    r"(?: values?| options?)?(?: are)?|(?:values|options|choices)(?: are)?):? ?"
    rf"(?P<list>{_MARKED}(?:{_BETWEEN}{_MARKED})+)(?=\s*(?:[.;)]|$|[,(] ?default| [-–—(]))",
    re.IGNORECASE,
)
_NOTED = r"(?: ?\([^()`]{1,40}\))?"
_ONLY_NOTED = re.compile(
    rf"(?:^|[\w ]: )(?P<list>{_MARKED} ?\([^()`]{{1,40}}\)(?:(?:, or |, and |, | or | and ){_MARKED}{_NOTED}){{2,}})"
    r"(?=\.?$)"
)
_ONLY_MARKED = re.compile(
    rf"(?:^|[:(]|[-–—] )[ ]?(?P<list>{_MARKED}(?:(?:, ?| ?\| ?){_MARKED})*(?:,? (?:or|oder|ou|o) | ?\| ?){_MARKED})"
    r"(?=\s*(?:[.;)]|\([^()]+\)\.?$|$))"
)
_ONLY_WHOLE = re.compile(
    rf"^(?:(?:Which|What) [^.:;`\"']{{1,60}}: )?(?P<list>{_MARKED}(?:, ?{_MARKED}){{2,}})(?=\.?$|\. Default)"
)
_EITHER = rf"(?:{_MARKED}|{_PLAIN})"
_ONLY_SORTED = re.compile(
    rf"^(?:Sort|Order|Group)(?:ed)? (?:\w+ )?by:? (?P<list>{_EITHER}(?:(?:, or |, | or ){_EITHER})+)"
    r"(?=\.?$|\. Default|;? ?\(default)",
    re.IGNORECASE,
)
_ONLY_PLAIN = re.compile(
    rf"(?:^|^[A-Za-z ]{{1,40}}: |\()(?P<list>{_PLAIN}(?:(?:, | ?\| ?|/){_PLAIN}){{1,20}}"
    rf"(?:(?:,? or |, | ?\| ?|/){_PLAIN}))(?=\.?$|\))"
)
_ONLY_QUOTED = re.compile(rf"(?:[:(]|[-–—] ) ?(?P<list>{_MARKED}(?:, ?{_MARKED})+)(?=\s*(?:[.;)]|$))")
_ONLY_ONE = re.compile(rf"\bonly (?P<list>{_MARKED}) (?:is )?(?:supported|allowed|accepted|valid)\b", re.IGNORECASE)
_KINDS = frozenset(
    ("type", "mode", "format", "kind", "level", "strategy", "priority", "status", "style", "method", "algorithm",
     "order", "direction", "unit", "units", "severity", "role", "operator", "policy", "scope", "visibility",
     "granularity", "depth", "position", "preset", "alignment", "layout", "verbosity", "detail",
     "size", "encoding", "protocol", "environment", "resolution", "quality", "theme", "state", "backend")
)  # fmt: skip
"""The last words of the names of parameters with a few possible values."""


@lru_cache(maxsize=256)  # a text in a schema is often in a table too
def _is_kind(name: str) -> bool:
    return re.split(r"[_.-]|(?<=[a-z])(?=[A-Z])", name)[-1].lower() in _KINDS


def may_list_values(text: str, name: str) -> bool:
    """Whether a description may list the values of a parameter: each in quotes, or in plain words for a `mode`."""
    is_sorted = text[:5].lower() in ("sort ", "order", "group", "sorte")
    return any(map(text.__contains__, "`\"'")) or (any(map(text.__contains__, ",|/")) and (is_sorted or _is_kind(name)))


def only_choices(text: str, name: str) -> Choices | None:
    """Return the complete list of values that a description certainly states for a parameter without an `enum`.

    Words without quotes are only taken for the values of a parameter such as `mode` or `sort_order`.
    """
    text = text[:_LONGEST]
    is_kind = _is_kind(name)
    if not may_list_values(text, name):
        return None
    beside = re.sub(_MARKED, "", text)  # a value may be called `prefix`
    if _OPEN.search(beside) or _UNSURE_LIST.search(beside):
        return None
    always = (_ONLY_ONE, _ONLY_LED, _ONLY_NOTED, _ONLY_MARKED, _ONLY_WHOLE, _ONLY_SORTED)
    for pattern in (*always, *((_ONLY_QUOTED, _ONLY_PLAIN) if is_kind else ())):
        found = list(pattern.finditer(text))
        if len(found) != 1:
            continue
        is_plain = pattern is _ONLY_PLAIN or (pattern is _ONLY_SORTED and found[0]["list"][0].isalpha())
        item = rf"(?!(?:or|and)\b){_PLAIN}" if is_plain else _MARKED
        written = (value.strip("`").strip("\"'") for value in re.findall(item, found[0]["list"]))
        values = tuple(value for value in written if value.casefold() not in _LEFT_OUT)
        if values and all(re.fullmatch(r"(?!\.{0,2}/\w)[\w.+/-]+", value) for value in values):  # and not a path
            return Choices(values, " ".join(found[0]["list"].split()), is_whole=True)
    return None


_UNSURE_LIST = re.compile(
    r"\b(?:any other|others?|custom \w+|or an?y? \w+|combination|prefix|suffix|comma|falls? ?back)\b", re.IGNORECASE
)
