"""The possible values of a parameter that a description lists in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.prose.statements import LONGEST
from mcp_contracts.rules.texts import may_hold

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
_ABROAD = re.compile(r"(?<=[`\"'] )(?:oder|und|ou|et|o|e|y|u|of|en|eller|och|og|lub|или)(?= [`\"'])")
"""`or` and `and` between marked values in other languages."""
_LEFT_OUT = frozenset(("null", "none", "omitted", "empty", "unset", "nothing", "undefined", "default"))
_FEWEST_KNOWN = 2


class Choices(NamedTuple):
    """Values that a description lists; `is_whole` says that the list is complete."""

    values: tuple[str, ...]
    words: str
    is_whole: bool

    def excludes(self, value: JsonValue) -> bool:
        """Whether a string, or one of several, is missing from the values."""
        if isinstance(value, list):
            return any(map(self.excludes, value))
        is_value = isinstance(value, str) and value != "" and value.casefold() not in _LEFT_OUT
        return is_value and str(value).casefold() not in {one.casefold() for one in self.values}


def choices_in_words(text: str, known: Sequence[str]) -> Choices | None:
    """Return the values that a description lists, if they are definitely meant as those of a schema's `enum`."""
    text = text[:LONGEST].replace(" (default)", "")
    if not may_hold(_SEPARATORS, text) or _OPEN.search(text):
        return None
    folded = {value.casefold() for value in known}
    for pattern in (_LED, _UNLED, *((_OF_NUMBERS,) if known and known[0].isdigit() else ())):
        found = list(pattern.finditer(text))
        for match in found:
            commas = _ABROAD.sub(",", re.sub(r"(?<![\w-])(?:or|and)(?![\w-])", ",", match["list"]))
            written = re.findall(_ITEM, commas)
            bare = (item.strip("`\"'") for item in written)
            values = tuple(value for value in bare if value and value.casefold() not in _LEFT_OUT - folded)
            shared = sum(value.casefold() in folded for value in values)
            is_led = pattern is _LED or _WHOLE_PAIR.fullmatch(text) is not None
            if shared >= (1 if is_led else _FEWEST_KNOWN) and len(values) > 1 and shared * 2 >= len(values):
                is_whole = pattern is _LED and len(found) == 1
                return Choices(values, " ".join(match["list"].split()), is_whole)
    return None


_GLOSSED = re.compile(
    r"(?:^|(?<=[.;:,] )|(?<=\band )|(?<=\bor ))(?:[-*] )?(?:"
    r"(?P<quote>[`\"'])(?P<marked>[\w+-]{1,40})(?P=quote)(?: ?[:=(–—]| - | (?!is\b|as\b|was\b|has\b)[a-z]+s\b)"
    r"|(?P<plain>[a-z]\w{0,40}) \()",
    re.MULTILINE,
)
"""A value before its explanation: `fast`: one pass. `safe` reads twice."""


def glossed_choices(text: str, known: Sequence[str]) -> Choices | None:
    """Return the values that a description explains one by one, if some of them are definitely those of an `enum`."""
    text = text[:LONGEST]
    if not may_hold(_OF_A_GLOSS, text) or _OPEN.search(text):
        return None
    found = list(_GLOSSED.finditer(text))
    for is_alike in (lambda match: match[0][0] in "-*", lambda match: match["marked"]):
        found = list(filter(is_alike, found)) or found  # the values of one list are written alike
    folded = {value.casefold() for value in known}
    is_lower = all(value == value.lower() for value in known)
    values = tuple(
        value
        for match in found
        if (value := match["marked"] or match["plain"]).casefold() not in _LEFT_OUT - folded
        and (value == value.lower()) is is_lower
    )
    shared = sum(value.casefold() in folded for value in values)
    fewest = _FEWEST_KNOWN if any(match["plain"] for match in found) else 1
    return Choices(values, "", is_whole=False) if shared >= fewest and shared * 2 >= len(values) else None


_OF_A_GLOSS = ("`", "'", '"', " (")
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
    r"(?=\s*(?:[.;)]|, default\b|\([^()]+\)\.?$|$))"
)
_PHRASE = r"[A-Z][a-z]+(?: [a-z]+){0,4}"
_ONLY_WHOLE = re.compile(
    rf"^(?:(?:Which|What) [^.:;`\"']{{1,60}}: |(?![^:]*(?i:example|sample|field|column|key|note|see|try)){_PHRASE}: )?"
    rf"(?P<list>{_MARKED}(?:(?:, ?| ?/ ?){_MARKED}){{2,}})(?=\.?$|\. Default)"
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
_ONLY_BEFORE_DEFAULT = re.compile(
    rf"(?:^|[:(] ?)(?P<list>{_MARKED}(?:, ?{_MARKED}){{2,}}|{_PLAIN}(?:, ?{_PLAIN}){{2,}})"
    r"(?=[.;,]? ?\(?(?i:default)(?:s to|:| is|=) )"
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


@lru_cache(maxsize=256)  # text in a schema is often repeated in a table
def _is_kind(name: str) -> bool:
    return re.split(r"[_.-]|(?<=[a-z])(?=[A-Z])", name)[-1].lower() in _KINDS


def may_list_values(text: str, name: str) -> bool:
    """Whether a description may list the values of a parameter: each in quotes, or in plain words for a `mode`."""
    is_sorted = text[:5].lower() in ("sort ", "order", "group", "sorte")
    return any(map(text.__contains__, "`\"'")) or (
        any(map(text.__contains__, ",|/")) and (is_sorted or _is_kind(name) or "efault" in text)
    )


def only_choices(text: str, name: str) -> Choices | None:
    """Return the complete list of values that a description definitely states for a parameter without an `enum`.

    Words without quotes are only taken for the values of a parameter such as `mode` or `sort_order`.
    """
    text = text[:LONGEST]
    is_kind = _is_kind(name)
    if not may_list_values(text, name) or not (is_kind or _may_list_all(text)):
        return None
    beside = re.sub(_MARKED, "", text)  # a value may be named `prefix`
    if _OPEN.search(beside) or _UNSURE_LIST.search(beside):
        return None
    always = (_ONLY_BEFORE_DEFAULT, _ONLY_ONE, _ONLY_LED, _ONLY_NOTED, _ONLY_MARKED, _ONLY_WHOLE, _ONLY_SORTED)
    for pattern in (*always, *((_ONLY_QUOTED, _ONLY_PLAIN) if is_kind else ())):
        found = list(pattern.finditer(text))
        if len(found) != 1:
            continue
        is_plain = pattern is _ONLY_PLAIN or found[0]["list"][0].isalpha()
        item = rf"(?!(?:or|and)\b){_PLAIN}" if is_plain else _MARKED
        written = (value.strip("`").strip("\"'") for value in re.findall(item, found[0]["list"]))
        values = tuple(value for value in written if value.casefold() not in _LEFT_OUT - {"default"})
        if values and all(re.fullmatch(r"(?!\.{0,2}/\w)[\w.+/-]+", value) for value in values):  # and not a path
            return Choices(values, " ".join(found[0]["list"].split()), is_whole=True)
    return None


def _may_list_all(text: str) -> bool:
    """Whether text may list all values of a parameter. Few such texts contain fewer than two quoted values."""
    return sum(map(text.count, "`\"'")) >= _MARKS_OF_TWO or may_hold(_OF_ONE_OR_PLAIN, text)


_MARKS_OF_TWO = 4
_OF_ONE_OR_PLAIN = ("only", "sort", "order", "group", "default")
_UNSURE_LIST = re.compile(
    r"\b(?:any other|others?|custom \w+|or an?y? \w+|combination|prefix|suffix|comma|falls? ?back)\b", re.IGNORECASE
)
