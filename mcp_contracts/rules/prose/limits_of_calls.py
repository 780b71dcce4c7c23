"""What the purpose of a tool says of how many there may be, and what a description says of a unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.schemas.declared_inputs import declared_input
from mcp_contracts.rules.texts import may_hold

_LONGEST = 5_000
_MAY_LIMIT = ("at most ", "up to ", "no more than ", "maximum of ")
_LIMITED = re.compile(
    r"\b(?:at most|up to|no more than|a maximum of) (?P<number>\d{1,3}(?:,\d{3})+|\d+) (?P<noun>[a-z]{3,})"
    r"(?=[.,;:)]|$| (?:per (?:call|request|page)|at (?:a time|once)|in one|into|of the|from|matching|whose|that"
    r"|with)\b)",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:if|when|unless|default|usually|typically|about|around|recommended|should|each|every|after|before"
    r"|for each)\b",
    re.IGNORECASE,
)
_COUNTS = (
    r"^(?:the )?(?:max(?:imum|\.)?|most|greatest|number|how many|limit)\b[^.,;(]{{0,20}}\b{0}s?\b"
    r"|^{0}s? (?:per page|to return)"
)


def limits_of_calls(contract: ToolContract) -> Iterator[tuple[str, str, int]]:
    """The words of a purpose that limit how many there are of something, and what the schemas allow otherwise.

    Each as the words, the name of the parameter or field, and its own limit.
    """
    text = contract.description[:_LONGEST]
    if not may_hold(_MAY_LIMIT, text):
        return
    for match in _LIMITED.finditer(text):
        begin = max(text.rfind(". ", 0, match.start()), text.rfind("\n", 0, match.start())) + 1
        sentence = text[begin:].partition(". ")[0]
        limits = dict(_limits_of(contract, match["noun"].lower()))
        stated = int(match["number"].replace(",", ""))
        if limits and stated not in limits.values() and not _UNSURE.search(sentence):
            name = next(iter(limits))
            yield " ".join(match[0].split()), name, limits[name]


def _limits_of(contract: ToolContract, noun: str) -> Iterator[tuple[str, int]]:
    """The parameters and the fields that say how many there may be of a thing, with their limits."""
    one = re.escape(noun.removesuffix("s"))
    for schema in (contract.input_schema, contract.output_schema):
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for name, value in properties.items() if isinstance(properties, dict) else ():
            if isinstance(value, dict) and (limit := _limit_of(name, value, one)) is not None:
                yield name, limit


def _limit_of(name: str, schema: Mapping[str, JsonValue], noun: str) -> int | None:
    said = schema.get("description")
    described = said if isinstance(said, str) else ""
    words = re.split(r"[_.-]|(?<=[a-z])(?=[A-Z])", name.lower())
    if schema.get("type") == "array":
        is_first = re.match(rf"(?:the )?{noun}s?\b", described, re.IGNORECASE) is not None
        is_meant = is_first or words[-1] in (noun, f"{noun}s")
        limit = schema.get("maxItems")
    else:
        is_count = re.search(_COUNTS.format(noun), described, re.IGNORECASE) is not None
        is_meant = is_count or (words[0] in ("max", "maximum", "limit") and words[-1] in (noun, f"{noun}s"))
        limit = schema.get("maximum")
    return limit if is_meant and isinstance(limit, int) and not isinstance(limit, bool) else None


_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_IN_WORDS = {word: number for number, word in enumerate(_WORDS)}
_NUMBERED = re.compile(
    r"(?:(?:^|[.;:!]\s+)(?:it |(?:the|this) (?:tool|function|call|command) )?|\b(?:it|(?:the|this) tool) "
    r"|,? and |(?-i:(?<=[a-z)`] )(?=[TARENH][a-z])))"
    rf"(?P<words>(?:takes|accepts|expects|has|(?P<asks>requires|needs)) (?:exactly |only )?"
    rf"(?P<number>{'|'.join(_IN_WORDS)}|\d{{1,2}}) (?:(?P<kind>required|mandatory|optional) )?"
    r"(?:input )?(?:parameter|argument|param|arg)s?)\b(?! (?:object|list|of|for each|per)\b)",
    re.IGNORECASE,
)
_MAY_NUMBER = ("param", "arg")


class Count(NamedTuple):
    """The words that state how many parameters there are, and how many the tool has indeed."""

    words: str
    own: str


def other_count(contract: ToolContract) -> Count | None:
    """What a description says of the number of parameters, where the schema surely declares another."""
    text = contract.description[:_LONGEST]
    match = _NUMBERED.search(text) if contract.input is not None and may_hold(_MAY_NUMBER, text) else None
    if match is None or contract.input is None:
        return None
    declared = declared_input(contract.input)
    if declared.is_open or not declared.is_known:
        return None
    number = match["number"].lower()
    stated = int(number) if number.isdigit() else _IN_WORDS[number]
    total, required = len(declared.pointers), len(declared.required)
    kind = (match["kind"] or "").lower()
    if kind == "optional":
        fitting, own = {total - required}, f"{total - required} optional"
    elif kind:
        fitting, own = {required}, f"{required} required"
    else:
        fitting, own = {total, required} if stated or match["asks"] else {total}, str(total)
    return None if stated in fitting else Count(" ".join(match["words"].split()), own)


_UNITS = (
    {"ms": "ms", "millis": "ms", "milliseconds": "ms", "s": "s", "sec": "s", "secs": "s", "seconds": "s",
     "minutes": "min", "mins": "min", "hours": "h", "days": "d"},
    {"bytes": "B", "kb": "kB", "kilobytes": "kB", "kib": "kB", "mb": "MB", "megabytes": "MB", "mib": "MB",
     "gb": "GB", "gigabytes": "GB"},
    {"g": "g", "grams": "g", "kg": "kg", "kilograms": "kg", "mg": "mg", "milligrams": "mg", "pounds": "lb"},
    {"mm": "mm", "millimetres": "mm", "millimeters": "mm", "cm": "cm", "centimetres": "cm", "centimeters": "cm",
     "metres": "m", "meters": "m", "km": "km", "kilometres": "km", "kilometers": "km"},
    {"celsius": "C", "fahrenheit": "F", "kelvin": "K"},
)  # fmt: skip
_NAMED_UNIT = "|".join(sorted((unit for units in _UNITS for unit in units if len(unit) > 1), key=len, reverse=True))
_IN_UNIT = re.compile(rf"\b(?:in|this many|how many|number of) ({_NAMED_UNIT})\b", re.IGNORECASE)


_BEFORE_A_UNIT = ("in ", "many ", "number of ")


def other_unit(name: str, text: str) -> str | None:
    """The words that give a number another unit than its name does: `timeout_ms`, in seconds."""
    found = list(_IN_UNIT.finditer(text)) if may_hold(_BEFORE_A_UNIT, text) else []
    if len(found) != 1:
        return None
    named = re.split(r"[_.\[\]-]|(?<=[a-z])(?=[A-Z])", name)[-1].lower()
    if re.search(rf"\b{re.escape(named)}\b", text, re.IGNORECASE):
        return None
    said = found[0][1].lower()
    is_other = any(named in units and said in units and units[named] != units[said] for units in _UNITS)
    return found[0][0] if is_other else None
