"""The form of a string that a description states in words: the layout of a date or a time, or a number of digits."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.prose.statements import LONGEST, NUMERALS
from mcp_contracts.rules.texts import may_say, word_set
from mcp_contracts.schema.formats import wrong_formats

_PART = r"(?:YYYY|YY|DD|MM|HH|SS)"
_LAYOUT = re.compile(
    rf"(?<![\w%{{<\[-])(?:{_PART}(?:[-/.: ]{_PART}|(?<=DD)THH|(?<=SS)Z){{1,6}}|YYYYMMDD)(?![\w%}}>\]-]|[-/.:]\w)",
    re.IGNORECASE,
)
_ISO = re.compile(r"\bISO[ -]?8601(?!\w)|\bISO (?:date|time|timestamp|datetime)s?\b")
_IN_WORDS = "|".join(word for word, number in NUMERALS.items() if 1 < number <= 20)
_SIZED = re.compile(
    rf"(?<![\w.,:/-])(?P<number>\d{{1,2}}|{_IN_WORDS})[- ](?P<kind>digits?|letters?)(?![\w-])", re.IGNORECASE
)
OF_A_FORM = word_set("yyyy yy dd mm hh ss yyyymmdd ddthh ssz iso iso8601 digit digits letter letters")
_UNSURE = re.compile(
    r"\b(?:or|relative|keywords?|such as|e\.g|like|unix|epoch|natural|format string|strftime|ranges?)\b", re.IGNORECASE
)
"""Words for several forms, or for any."""
_IN_PART = re.compile(
    r"\b(?:at (?:least|most)|up to|min(?:imum)?|max(?:imum)?|to|last|first|final|begin\w*|start\w*|end\w*|prefix|suffix"
    r"|followed|check|decimals?|significant|contain\w*|includ\w*|with|each)\b",
    re.IGNORECASE,
)
"""Words for a part of a string, or for a limit."""
_ISO_VALUE = re.compile(
    r"[+-]?\d{4}(?:-?(?P<MM>\d\d)(?:-?(?P<DD>\d\d))?|-?W\d\d(?:-?\d)?|-?\d{3})?"
    r"(?:[Tt ](?P<HH>\d\d)(?::?(?P<mm>\d\d)(?::?\d\d(?:[.,]\d+)?)?)?(?: ?(?:[Zz]|[+-]\d\d(?::?\d\d)?))?)?"
    r"|P[\dYMWDTHS.,]+|R\d*/.+|T?\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?|.[^/\n]*+/.+|\d{4}-.(?=.*\.{3}).*"
)
_HIGHEST = {"MM": 12, "DD": 31, "HH": 24, "mm": 59}
_NO_LETTERS = frozenset(("all", "any", "auto", "none", "null", "default"))
_OF_DATES = {"date": "YYYY-MM-DD"}


class Form(NamedTuple):
    """The form of a string: a pattern of the whole string, or the number of its digits or letters."""

    words: str
    pattern: str = ""
    size: int = 0
    is_of_digits: bool = False

    def excludes(self, value: JsonValue) -> bool:
        """Whether a string definitely has another form. A string without digits may be a keyword, such as `today`."""
        if not isinstance(value, str) or len(value) > LONGEST or re.search(r"[<>{}…$]|\.\.\.", value):
            return False
        if self.size:
            is_of_kind = value.isdecimal() if self.is_of_digits else value.isalpha() and value.isascii()
            return is_of_kind and len(value) != self.size and value.lower() not in _NO_LETTERS
        if not any(letter.isdecimal() for letter in value):
            return False
        match = re.fullmatch(self.pattern, value) if self.pattern else _ISO_VALUE.fullmatch(value)
        return match is None or any(
            number is not None and int(number) > _HIGHEST[name]
            for name, number in match.groupdict().items()
            if name in _HIGHEST
        )


def stated_form(text: str) -> Form | None:
    """Return the only form that a description states, if it is definitely the form of the whole string."""
    text = text[:LONGEST]
    if not may_say(OF_A_FORM, text) or _UNSURE.search(text):
        return None
    layouts, sized = [*_LAYOUT.finditer(text)], [*_SIZED.finditer(text)]
    standards = [*_ISO.finditer(text)]
    if len(layouts) == 1 and not sized:
        return Form(layouts[0][0], _pattern_of(layouts[0][0]))
    if len(standards) == 1 and not layouts and not sized:
        return Form(standards[0][0])
    if len(sized) != 1 or layouts or standards or _IN_PART.search(text):
        return None
    number = sized[0]["number"].lower()
    size = int(number) if number.isdecimal() else NUMERALS[number]
    is_of_digits = sized[0]["kind"].lower().startswith("digit")
    return Form(sized[0][0], size=size, is_of_digits=is_of_digits) if size > 1 else None


def other_form(form: Form, schema: Mapping[str, JsonValue]) -> str | None:
    """Return what a schema requires instead of the form that its description states."""
    pattern, stated = schema.get("pattern"), schema.get("format")
    asked = re.fullmatch(r"\^(?:\[0-9\]|\\d|(?P<letters>\[A-Z\]|\[a-z\]))\{(\d+)\}\$", str(pattern))
    if form.size and asked is not None and (asked["letters"] is None) is form.is_of_digits:
        return None if int(asked[2]) == form.size else f"the pattern `{pattern}`"
    layout = _OF_DATES.get(str(stated))
    is_other = layout is not None and form.pattern != "" and form.words.upper() != layout
    return f"the format `{stated}`" if is_other else None


def _pattern_of(layout: str) -> str:
    """Return a pattern for the strings that have a layout such as `YYYY-MM-DD`."""
    parts: list[str] = []
    for part in re.findall(r"YYYY|YY|DD|MM|HH|SS|.", layout, re.IGNORECASE):
        name = "mm" if part.upper() == "MM" and any("HH" in one for one in parts) else part.upper()
        is_named = name in _HIGHEST and not any(f"<{name}>" in one for one in parts)
        if len(part) == 1:
            parts.append(re.escape(part))
        elif is_named:
            parts.append(rf"(?P<{name}>\d{{1,2}})")
        else:
            parts.append(r"\d{4}" if name == "YYYY" else r"\d\d")
    return "".join(parts) + r"(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?" if "HH" in layout.upper() else "".join(parts)


_EXAMPLE = re.compile(
    r"\b(?:e\.g\.,?|for example,?|such as) "
    r"(?:`[\"']?(?P<code>[^`\"'\n]{1,80})[\"']?`|\"(?P<text>[^\"\n]{1,80})\"(?!:))",
    re.IGNORECASE,
)
_LIMITS = ("pattern", "format", "minLength", "maxLength")


def refused_example(text: str, schema: Mapping[str, JsonValue]) -> str | None:
    """Return the only example in the description of a string, if the schema rejects it."""
    if schema.get("type") != "string" or not any(map(schema.__contains__, _LIMITS)):
        return None
    found = [match["code"] or match["text"] for match in _EXAMPLE.finditer(text[:LONGEST])]
    if len(found) != 1 or re.search(r"[<>{}…$]|\.\.\.", found[0]):
        return None
    from mcp_contracts.schema.validation.validators import (
        compile_schema,
        instance_errors,
    )  # few descriptions contain examples

    limits: dict[str, JsonValue] = {key: value for key, value in schema.items() if key in ("type", *_LIMITS)}
    is_refused = bool(instance_errors(compile_schema(limits), found[0]).errors) or any(wrong_formats(limits, found[0]))
    return found[0] if is_refused else None
