"""The number of parameters that the purpose of a tool states, and the units that a description states."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import ToolContract
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.prose.statements import NUMERALS
from mcp_contracts.rules.schemas.declared_inputs import declared_input
from mcp_contracts.rules.texts import may_say, word_set
from mcp_contracts.rules.vocabulary import UNITS

_LONGEST = 5_000
_IN_WORDS = {"no": 0, **NUMERALS}
_NUMBERED = re.compile(
    r"(?:(?:^|[.;:!]\s+)(?:it |(?:the|this) (?:tool|function|call|command) )?|\b(?:it|(?:the|this) tool) "
    r"|,? and |(?-i:(?<=[a-z)`] )(?=[TARENH][a-z])))"
    rf"(?P<words>(?:takes|accepts|expects|has|(?P<asks>requires|needs)) (?:exactly |only )?"
    rf"(?P<number>{'|'.join(_IN_WORDS)}|\d{{1,2}}) (?:(?P<kind>required|mandatory|optional) )?"
    r"(?:input )?(?:parameter|argument|param|arg)s?)\b(?! (?:object|list|of|for each|per)\b)",
    re.IGNORECASE,
)
_MAY_NUMBER = word_set("parameter parameters argument arguments param params arg args")


class Count(NamedTuple):
    """The words that state the number of parameters, and the actual number."""

    words: str
    own: str


def other_count(contract: ToolContract) -> Count | None:
    """Return the number of parameters that a description states, if it definitely differs from the schema's."""
    text = contract.description[:_LONGEST]
    match = _NUMBERED.search(text) if contract.input is not None and may_say(_MAY_NUMBER, text) else None
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


_NAMED_UNIT = "|".join(sorted((unit for units in UNITS for unit in units if len(unit) > 1), key=len, reverse=True))
_IN_UNIT = re.compile(rf"\b(?:in|this many|how many|number of) ({_NAMED_UNIT})\b", re.IGNORECASE)
_SHORT = {"m": "meters", "ft": "feet", "mi": "miles", "c": "celsius", "f": "fahrenheit"}
_BEFORE_A_UNIT = word_set("in many number")
_UNIT_WORDS = word_set(*(unit for units in UNITS for unit in units if len(unit) > 1))


def may_state_unit(text: str) -> bool:
    """Whether text may state the unit of a number."""
    return may_say(_BEFORE_A_UNIT, text) and may_say(_UNIT_WORDS, text)


def other_unit(name: str, text: str) -> str | None:
    """Return the words that state a different unit than the name of a number: `timeout_ms`, in seconds."""
    found = list(_IN_UNIT.finditer(text)) if may_state_unit(text) else []
    if len(found) != 1:
        return None
    joined = re.sub(r"(?:giga|mega|kilo)_?bytes", _join, name, flags=re.IGNORECASE)
    named = re.split(r"[_.\[\]-]|(?<=[a-z])(?=[A-Z])", joined)[-1].lower()
    if re.search(rf"\b{re.escape(named)}\b", text, re.IGNORECASE):
        return None
    said, named = found[0][1].lower(), _SHORT.get(named, named)
    is_other = any(named in units and said in units and units[named] != units[said] for units in UNITS)
    return found[0][0] if is_other else None


def _join(match: re.Match[str]) -> str:
    return f"{match[0][0]}{match[0][1:].replace('_', '').lower()}"
