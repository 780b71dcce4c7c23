"""Limits on amounts in sentences about a tool, compared with the limits of its schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SpecTool, ToolContract
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.prose.choices import only_choices
from mcp_contracts.rules.prose.schema_limits import Limit, limit_of, listed_texts, plain_schema, stated_types
from mcp_contracts.rules.prose.statements import NUMBERS, NUMERALS, bounds
from mcp_contracts.rules.texts import ERRORS, may_say, sections_of, sentence_start, word_set
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.wording import shown_value

_NUMERAL = "|".join(NUMERALS)
_NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?|{_NUMERAL})"
_LONGEST = 5_000
_NUMBERS = NUMBERS | word_set("one")
_LIMITS = word_set("most up maximum limited than above over exceed exceeds exceeding between beyond to or")
_LIMITED = re.compile(
    r"\b(?:(?P<most>at most|up to|no more than|not more than|no longer than|a maximum of|limited to)"
    r"|(?P<beyond>(?:longer|more|greater|larger|higher|heavier|farther|further|older) than|above|over|beyond"
    r"|exceed(?:s|ing)?)"
    rf"|(?:between (?P<low>{_NUMBER}) and|(?P<from>{_NUMBER}) (?:to|or))) (?:the )?(?P<number>{_NUMBER})"
    r"(?: (?:different|distinct|single))?[ -](?P<nouns>[a-z]{3,}(?: [a-z]{3,})?)\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\b(?:refus|reject|fail|error|invalid|not (?:allowed|accepted|possible)|denied|too |raise|cannot)", re.IGNORECASE
)
_UNSURE = re.compile(
    r"\b(?:default|usually|typically|about|around|recommended|should|each|every|per (?!call|request|page)|kept|stored"
    r"|retained|cached|expire|wait|retr(?:y|ies)|within|valid for|lock|timeout|times out|ago|last|at a time"
    r"|(?<!\d )free|plan|tier|account|batch|(?:in|during) (?:an?|one|the same) (?:second|minute|hour|day))\b",
    re.IGNORECASE,
)
_BESIDES = re.compile(r"\b(?:after|another|further|more|additional|next|following|besides)\b", re.IGNORECASE)
"""Words that add an amount to another one."""
_GIVES = re.compile(r"\b(?:returns?|finds?|gives?|yields?|shows?)\s*$", re.IGNORECASE)
"""Words before an amount of results."""
_NEAR = 20
_SENTENCE_END = re.compile(r"\.\s|\n\n|\n- |\n\|")
_CONDITION = re.compile(r"\b(?:if|when|unless|before)\b", re.IGNORECASE)
_NO_NOUNS = frozenset(
    ("max", "maximum", "min", "minimum", "limit", "most", "num", "number", "count", "the", "of", "how", "many", "total",
     "size", "length", "value", "list", "ids", "id", "name", "names", "page", "per", "and", "for", "are", "time",
     "times", "with", "can", "that", "from", "this", "each", "which", "whose", "is", "to", "in", "one", "an", "all",
     "items")
)  # fmt: skip
_COUNTS = re.compile(
    r"^(?:limit|top_?k|count|size|n|k"
    r"|(?:max|num|page|per|number_of)_?(?:results|items|count|size|rows|hits|page|n|entries)?)$"
)
_HOW_MANY = re.compile(
    r"^(?:the )?(?:max(?:imum|\.)?|most|greatest|number|how many|limit)\b(?: (?:number|of|the))*(?P<noun> [a-z]{3,})"
    r"|^(?P<per>[a-z]{3,}) (?:per page|to return)",
    re.IGNORECASE,
)
_IN_UNIT = re.compile(r"\bin (?P<unit>[a-z]{3,}(?: [a-z]{3,})?)\b|\b(?P<degrees>degrees(?: [a-z]+)?)\b", re.IGNORECASE)
_FIRST = re.compile(r"^(?:the |some |all )?(?P<nouns>[a-z]{3,}(?: [a-z]{3,})?)", re.IGNORECASE)


class Disagreement(NamedTuple):
    """Words that limit an amount, and the parameter or field with a different limit, described by `allowed`."""

    words: str
    name: str
    allowed: str


class _Limit(NamedTuple):
    """The upper and lower limit of a schema on things that some nouns name, or only the words in the schema."""

    name: str
    nouns: frozenset[str]
    highest: float | None
    lowest: float | None
    is_in_words: bool = False
    is_of_topic: bool = False
    is_of_result: bool = False
    is_list: bool = False


_GIVEN = r" (?:`[\"']?|[\"'])(?P<value>[\w.-]+)(?:[\"']?`|[\"'])"
_NAMED_VALUES = (
    (("` ",), re.compile(rf"`(?P<name>[A-Za-z_]\w*)` (?:is|was|=|(?:is )?set to|will be|becomes){_GIVEN}")),
    (
        (" value ", " values "),
        re.compile(
            r"\b(?P<name>[a-z]\w*) values? (?:falls?|defaults?|reverts?|maps?|(?:is|are) treated)(?: back)? (?:to|as)"
            + _GIVEN
        ),
    ),
)
"""Patterns for a value that text assigns to a parameter, each with strings that its matches contain."""


def contradicted_amounts(contract: ToolContract, tool: SpecTool | None) -> Iterator[tuple[str, str]]:
    """Yield a message for each amount or value in sentences about a tool that contradicts a schema, and the words."""
    for name, words in dict.fromkeys(_find_values(contract, tool)):
        yield f"the text says {words}, but `{show(name)}` does not allow that value", words
    for said, name, default in other_defaults(contract, tool):
        yield f"the text says `{show(said)}`, but the default of `{show(name)}` is {shown_value(default)}", said
    for other in _find_amounts(contract, tool):
        yield f"the text says `{show(other.words)}`, but `{show(other.name)}` allows {other.allowed}", other.words


_ANY_DEFAULT = re.compile(r"\b[Tt]he default is `[\"']?([\w-]+)[\"']?`(?=[.;,]|$)")


def other_defaults(contract: ToolContract, tool: SpecTool | None) -> Iterator[tuple[str, str, JsonValue]]:
    """Yield the defaults in sentences that can only be about one parameter whose default differs, with the words."""
    schema = contract.input_schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    texts = (contract.description, *(section.text for section in tool.sections)) if tool else (contract.description,)
    found = [match for text in texts if "default is `" in text for match in _ANY_DEFAULT.finditer(text)]
    declared = properties if isinstance(properties, dict) else {}
    for match in found:
        named = [
            (name, value["default"])
            for name, value in declared.items()
            if isinstance(value, dict) and match[1] in listed_texts(value) and "default" in value
        ]
        if len(named) == 1 and named[0][1] != match[1]:
            yield match[0], *named[0]


def _find_values(contract: ToolContract, tool: SpecTool | None) -> Iterator[tuple[str, str]]:
    """Yield the values of parameters in sentences that their `enum` does not have, each with the words."""
    texts = (contract.description, *(section.text for section in tool.sections)) if tool else (contract.description,)
    named = [
        match
        for text in texts
        for words, pattern in _NAMED_VALUES
        if any(map(text.__contains__, words))
        for match in pattern.finditer(text)
    ]
    properties: dict[str, JsonValue] = {}
    for schema in (contract.output_schema, contract.input_schema) if named else ():
        found = schema.get("properties") if isinstance(schema, dict) else None
        properties |= found if isinstance(found, dict) else {}
    for match in named:
        name = match["name"]
        value = properties.get(name)
        listed = value.get("enum") if isinstance(value, dict) else None
        said = value.get("description") if isinstance(value, dict) else None
        in_words = only_choices(said, name) if listed is None and isinstance(said, str) else None
        allowed = listed if isinstance(listed, list) else in_words.values if in_words is not None else ()
        if allowed and match["value"] not in map(str, allowed):
            yield name, " ".join(match[0].split())


def _find_amounts(contract: ToolContract, tool: SpecTool | None) -> Iterator[Disagreement]:
    """Return limits in the purpose and other sentences that no schema also states."""
    limits: list[_Limit] | None = None
    for text, is_about_errors in _texts(contract, tool):
        for match in _LIMITED.finditer(text[:_LONGEST]):
            sentence = _SENTENCE_END.split(text[sentence_start(text, match.start()) :], maxsplit=1)[0]
            is_refusal = is_about_errors or _REFUSED.search(sentence) is not None
            is_sure = is_refusal if match["beyond"] else is_about_errors or _CONDITION.search(sentence) is None
            if not is_sure or _UNSURE.search(sentence):
                continue
            limits = limits if limits is not None else list(_limits_of(contract))
            nouns = _nouns(match["nouns"])
            least = match["low"] or match["from"]
            stated, low = _value(match["number"]), _value(least) if least else None
            same = [limit for limit in limits if nouns & limit.nouns and (is_refusal or not limit.is_in_words)]
            same = [limit for limit in same if not limit.is_of_topic] or same
            if _GIVES.search(text, max(0, match.start() - _NEAR), match.start()):
                same = [limit for limit in same if not limit.is_of_topic or limit.is_of_result or not limit.is_list]
                same.sort(key=lambda limit: not limit.is_of_result)
            highest = [limit.highest for limit in same if limit.highest is not None]
            near = {stated, stated + 1} if _BESIDES.search(sentence) else {stated}
            if highest and near.isdisjoint(highest):
                words = " ".join(f"{match[0].removesuffix(match['nouns'])}{match['nouns'].split()[0]}".split())
                other = next(limit for limit in same if limit.highest is not None)
                yield Disagreement(words, other.name, f"at most {_shown(other.highest)}")
            elif low is not None and same and not any(limit.lowest in (None, low) for limit in same):
                yield Disagreement(" ".join(match[0].split()), same[0].name, f"at least {_shown(same[0].lowest)}")


def _texts(contract: ToolContract, tool: SpecTool | None) -> Iterator[tuple[str, bool]]:
    if _may_limit(contract.description):
        yield contract.description, False
    for section in sections_of(tool) if tool is not None else ():
        if section.is_prose and section.number != 1 and _may_limit(section.text):
            yield section.text, section.number == ERRORS


def _may_limit(text: str) -> bool:
    return may_say(_NUMBERS, text) and may_say(_LIMITS, text)


def _limits_of(contract: ToolContract) -> Iterator[_Limit]:
    """Yield the limits of the schemas, with the nouns of names and descriptions."""
    topic = _nouns(re.sub(r"[._-]", " ", f"{contract.module or ''} {contract.name}"))
    for schema in (contract.input_schema, contract.output_schema):
        properties = schema.get("properties") if isinstance(schema, dict) else None
        named = properties.items() if isinstance(properties, dict) else ()
        values = {name: plain_schema(value) for name, value in named if isinstance(value, dict)}
        lists = [name for name, value in values.items() if "maxItems" in value]
        for name, value in values.items():
            is_list = "array" in stated_types(value)
            keywords = "Items" if is_list else "imum"
            highest, lowest = (
                limit_of(value, keywords, is_upper=is_upper) or _limit_in_words(value, is_upper=is_upper)
                for is_upper in (True, False)
            )
            if highest is not None or lowest is not None:
                nouns = _nouns_of_list(name, value) if is_list else _nouns_of_number(name, value)
                most, least = highest and highest[0], lowest and lowest[0]
                is_of_result = schema is contract.output_schema
                limit = _Limit(name, nouns, most, least, is_of_result=is_of_result, is_list=is_list)
                yield limit
                if lists == [name] or (not is_list and _COUNTS.match(name)):
                    yield limit._replace(nouns=topic, is_of_topic=True)
            said = value.get("description")
            for match in _LIMITED.finditer(said[:_LONGEST]) if isinstance(said, str) and _may_limit(said) else ():
                if match["most"]:
                    unit = _nouns(match["nouns"].split()[0])
                    yield _Limit(name, unit, _value(match["number"]), None, is_in_words=True)


def _limit_in_words(schema: Mapping[str, JsonValue], *, is_upper: bool) -> Limit | None:
    """Return the only limit of a number that its description states, for a schema without one."""
    said = schema.get("description")
    is_number = stated_types(schema) <= {"integer", "number"} and "type" in schema
    stated = bounds(said, "number") if isinstance(said, str) and is_number else ()
    values = {bound.value for bound in stated if bound.is_upper is is_upper and not bound.is_exclusive}
    return next(((value, False, value) for value in values), None) if len(values) == 1 else None


def _nouns_of_list(name: str, schema: Mapping[str, JsonValue]) -> frozenset[str]:
    said = schema.get("description")
    first = _FIRST.match(said) if isinstance(said, str) else None
    return _nouns(name.replace("_", " ")) | (_nouns(first["nouns"]) if first is not None else frozenset())


def _nouns_of_number(name: str, schema: Mapping[str, JsonValue]) -> frozenset[str]:
    said = schema.get("description")
    found = _nouns(re.sub(r"(?<=[a-z])(?=[A-Z])|[_.-]", " ", name))
    for pattern in (_HOW_MANY, _IN_UNIT) if isinstance(said, str) else ():
        for match in pattern.finditer(said if isinstance(said, str) else ""):
            found |= _nouns(" ".join(filter(None, match.groups())))
    return found


def _nouns(words: str) -> frozenset[str]:
    """Return the nouns in a list of words, in the singular."""
    plain = (word for word in words.lower().split() if word not in _NO_NOUNS)
    return frozenset(word.removesuffix("s") for word in plain)


def _value(written: str) -> float:
    folded = written.lower()
    return float(NUMERALS[folded]) if folded in NUMERALS else float(folded.replace(",", ""))


def _shown(value: float | None) -> str:
    return f"{value:,.0f}" if value is not None and value.is_integer() else str(value)
