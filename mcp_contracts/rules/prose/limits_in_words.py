"""The rule that compares limits, defaults and listed values in descriptions with the schema (MC337)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import (
    JsonValue,
    SchemaOrigin,
    SourceFile,
    SpecFile,
    SpecTool,
    ToolContract,
)
from mcp_contracts.diagnostics import Finding, Place, Severity
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.behavior.calls import judged_arguments
from mcp_contracts.rules.behavior.results import judged_data
from mcp_contracts.rules.prose.amounts import contradicted_amounts
from mcp_contracts.rules.prose.choices import Choices, choices_in_words, glossed_choices, only_choices
from mcp_contracts.rules.prose.described_values import (
    DescribedValue,
    default_of,
    described_values,
    example_of,
    is_required,
    pointer_of,
    refused_null,
)
from mcp_contracts.rules.prose.forms import Form, other_form, refused_example, stated_form
from mcp_contracts.rules.prose.inner_contradictions import (
    contradictions_in,
    crossed_range,
    other_obligation,
)
from mcp_contracts.rules.prose.limits_of_calls import other_count, other_unit
from mcp_contracts.rules.prose.repeated_amounts import other_most, repeated_amounts
from mcp_contracts.rules.prose.schema_limits import (
    Limit,
    agrees,
    counted_by,
    limit_of,
    listed_texts,
    listed_value,
    plain_schema,
    stated_types,
    values_at,
)
from mcp_contracts.rules.prose.statements import (
    NUMBERS,
    OF_A_DEFAULT,
    Bound,
    bounds,
    default_in_words,
)
from mcp_contracts.rules.prose.value_lists import unknown_values
from mcp_contracts.rules.tables.cell_values import may_be_found_out
from mcp_contracts.rules.texts import may_say, offset_of, place_between
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.json_equality import same_json
from mcp_contracts.schema.wording import one_of, shown_value

_HINT = "fix the wrong one; calls are validated against the schema"


@rule("MC337", Severity.WARNING, since="0.2.0")
def words_and_schema_disagree(file: SourceFile) -> Iterator[Finding]:
    """A description and the schema disagree about limits, defaults or lists of values.

    Models follow the description and validators follow the schema, so one of them is wrong. This rule checks
    descriptions in schemas, cells of parameter tables, and sentences in the purpose that name a parameter. Where the
    schema sets no limit, it compares the description with the default and the values in examples. The description may
    also state the form of a string (`YYYY-MM-DD`, ISO 8601, "five digits"), or that null is a value ("or null for the
    root").
    """
    written = {id(tool.contract): tool for tool in file.tools} if isinstance(file, SpecFile) else {}
    for contract in file.contracts:
        reported: set[str] = set()
        loose: list[tuple[DescribedValue, Bound | Choices | Form]] = []
        for words in described_values(contract, written.get(id(contract))):
            for message, loose_bounds in _disagreements(words):
                loose.extend((words, bound) for bound in loose_bounds)
                if message and message not in reported:
                    reported.add(message)
                    place = words.place or words.part.locator.place(words.pointer)
                    yield Finding(message, _HINT, place, part=words.part.part, pointer=words.pointer)
        yield from _in_examples(contract, loose)
        tool = written.get(id(contract))
        for unknown in unknown_values(file, tool) if tool is not None and isinstance(file, SpecFile) else ():
            message = (
                f"the text lists `{show(unknown.value)}` as a value of `{show(unknown.name)}`, which does not allow it"
            )
            yield Finding(message, _HINT, unknown.place)
        for amount in repeated_amounts(file, tool) if tool is not None and isinstance(file, SpecFile) else ():
            message = f"the text says both `{show(amount.before)}` and `{show(amount.words)}`"
            yield Finding(message, "fix the number that is wrong", amount.place)
        for message, said in contradicted_amounts(contract, tool):
            yield Finding(message, _HINT, _place_of(said, file, tool) or contract.place_of("description"))
        if (count := other_count(contract)) is not None:
            message = f"the description says `{show(count.words)}`, but the tool has {count.own}"
            yield Finding(message, "fix the number, or declare what is missing", contract.place_of("description"))


def _place_of(said: str, file: SourceFile, tool: SpecTool | None) -> Place | None:
    """Return the first place of words in the text of a tool, whose lines may break between them."""
    if tool is None or not isinstance(file, SpecFile):
        return None
    start, end = offset_of(file.text, tool.lines[0], 1), offset_of(file.text, tool.lines[1], 1_000_000)
    found = re.search(r"\s+".join(map(re.escape, said.split())), file.text[start:end])
    return place_between(file.path, file.text, start + found.start(), start + found.end()) if found else None


def _disagreements(words: DescribedValue) -> Iterator[tuple[str, Sequence[Bound | Choices | Form]]]:
    """Yield a message for each disagreement, and an empty message with the limits that only the words state."""
    schema = plain_schema(words.schema)
    types = stated_types(schema)
    if not types and words.row is not None:
        types = {kind for kind, pattern in _KINDS_IN_WORDS if pattern.search(words.text)}
    name = show(words.name)
    if types & {"integer", "number"} and (unit := other_unit(words.name, words.text)) is not None:
        yield f"the description of `{name}` says `{show(unit)}`, which is not the unit in its name", ()
    has_default_in_words = may_say(OF_A_DEFAULT, words.text)
    has_number = may_say(NUMBERS, words.text)
    for counted, keywords in counted_by(types) if has_number else ():
        stated = bounds(words.text, counted)
        if counted == "items" and len({bound.is_upper for bound in stated}) == _BOTH and _has_numbers(schema):
            continue  # a range of its numbers
        for is_upper in (False, True):
            mine = [bound for bound in stated if bound.is_upper is is_upper]
            limit = limit_of(schema, keywords, is_upper=is_upper)
            if mine and limit is not None and not any(agrees(bound, limit) for bound in mine):
                asked = f"{_worded(limit, is_upper=is_upper)}{'' if counted == 'number' else f' {counted}'}"
                yield f"the description of `{name}` says `{show(mine[0].words)}`, but the schema allows {asked}", ()
            elif mine and limit is None:
                yield from _beyond(words, schema, mine)
        yield from _beyond_the_schema(words, schema)
    in_schema = words.schema.get("description")
    in_schema = in_schema if words.row is not None and isinstance(in_schema, str) else ""
    if (pair := other_most(words.text, in_schema)) is not None:
        yield (
            f"the description of `{name}` says `{show(pair[0])}`, but the one in the schema says `{show(pair[1])}`",
            (),
        )
    if has_number or has_default_in_words:
        yield from _against_itself(words, schema, types)
    if words.part.origin is SchemaOrigin.SCHEMA and words.row is None and (null := refused_null(words)) is not None:
        yield f"the description of `{name}` says `{show(null)}`, but its type is {one_of(sorted(types))}", ()
    is_scalar = bool(types) and types <= {"integer", "number", "boolean"}
    shown_text = _QUOTED_EXAMPLE.search(words.text) if is_scalar else None
    if shown_text is not None and not _OF_NO_TEXT.fullmatch(shown_text[2]):
        its_type = one_of(sorted(types))
        yield f"the description of `{name}` gives the example `{show(shown_text[2])}`, but its type is {its_type}", ()
    default = schema.get("default")
    has_default = words.row is not None and words.row.default is not None
    has_values = words.row is not None and "enum" in (words.row.schema or {})
    has_values = has_values and not (words.row is not None and _IN_TYPE.search(words.row.type or ""))
    enum = [] if has_values else listed_texts(schema)
    if has_default:
        default = default_of(words) if words.part.origin is not SchemaOrigin.SCHEMA else None
    said = default_in_words(words.text, default, enum) if default is not None else None
    if said is not None and not same_json(said.value, default):
        yield f"the description of `{name}` says `{show(said.words)}`, but its default is {shown_value(default)}", ()
    required = is_required(words)
    is_simple = not types & {"object", "array"}
    said_so = other_obligation(words.text, is_required=required, is_simple=is_simple) if required is not None else None
    if said_so is not None:
        is_so = "required" if required else "optional"
        yield f"the description of `{name}` says `{show(said_so)}`, but it is {is_so}", ()
    may_be_outside = has_default_in_words and default is None and not words.has_default  # else MC333
    outside = _PLAIN_DEFAULT.search(words.text) if may_be_outside and enum else None
    named = (outside["noted"] or outside["said"] or outside["marked"]) if outside is not None else ""
    if outside is not None and named not in (*enum, "the", "a", "an") and not may_be_found_out(named):
        yield f"the description of `{name}` says `{show(outside[0].strip('()'))}`, which the schema does not allow", ()
    is_number = bool(types) and types <= {"integer", "number"} and not has_default
    odd = _NO_NUMBER.search(words.text) if has_default_in_words and is_number else None
    if odd is not None and (odd["quoted"] or default is None) and not may_be_found_out(odd["quoted"] or odd["noted"]):
        yield f"the description of `{name}` says `{show(odd[0].strip('()'))}`, which is not a number", ()
    is_flag = types == {"boolean"} and not (has_default and words.row is not None and words.row.schema)  # else MC333
    flag = _NO_FLAG.search(words.text) if has_default_in_words and is_flag else None
    if flag is not None and (flag[1] or flag[2]).lower() not in _FLAGS and not may_be_found_out(flag[1] or flag[2]):
        yield f"the description of `{name}` says `{show(flag[0])}`, which is neither true nor false", ()
    only = schema.get("const", listed_value(schema))
    always = _ALWAYS.match(words.text) if isinstance(only, str) else None
    if always is not None and always["value"] != only:
        allowed = shown_value(only)
        yield f"the description of `{name}` says `{show(always[0])}`, but the schema only allows {allowed}", ()
    if enum and (listed := choices_in_words(words.text, enum) or _explained(words, enum) or _only(words, enum)):
        known, in_text = ({value.casefold(): value for value in values} for values in (enum, listed.values))
        extra = [value for folded, value in in_text.items() if folded not in known]
        missing = [value for folded, value in known.items() if folded not in in_text] if listed.is_whole else []
        if extra:
            some = one_of([f"`{show(value)}`" for value in extra[:3]], "and")
            yield f"the description of `{name}` lists {some}, which the schema does not allow", ()
        elif missing:
            some = one_of([f"`{show(value)}`" for value in missing[:3]], "and")
            yield f"the description of `{name}` leaves out {some}, which the schema allows", ()
    items = schema.get("items")
    of_items = items if types == {"array"} and isinstance(items, dict) else schema
    if not enum and not has_values and "const" not in of_items and stated_types(of_items) <= {"string"}:
        yield from _find_unlisted(words, schema)
    if (refused := refused_example(words.text, schema)) is not None:
        yield f"the description of `{name}` gives the example `{show(refused)}`, which the schema does not allow", ()
    form = stated_form(words.text) if types == {"string"} and not enum else None
    if form is not None:
        if (other := other_form(form, schema)) is not None:
            yield f"{_said(words.name, form)}, but the schema has {other}", ()
        if "format" not in schema and "pattern" not in schema:  # with which the values are compared
            yield from _beside(words, form, schema.get("default", default_of(words)))


_BOTH = 2


def _has_numbers(schema: Mapping[str, JsonValue]) -> bool:
    items = schema.get("items")
    kinds = stated_types(items) if isinstance(items, dict) else frozenset[str]()
    return bool(kinds) and kinds <= {"integer", "number"}


_IN_TYPE = re.compile(r"\b(?:enum|literal)\b|[\"']", re.IGNORECASE)
"""The values in a type cell, which MC322 compares with the schema, but not with the words."""
_ALWAYS = re.compile(r"^always [`\"'](?P<value>[\w+-]{1,40})[`\"']", re.IGNORECASE)
_OF_TYPE: Mapping[str, JsonValue] = {"integer": 0, "number": 0, "string": "text", "boolean": True}


def _against_itself(
    words: DescribedValue, schema: Mapping[str, JsonValue], types: AbstractSet[str]
) -> Iterator[tuple[str, Sequence[Bound | Choices | Form]]]:
    """Statements in a description that contradict each other."""
    name, default = show(words.name), schema.get("default")
    if default is None and len(types) == 1:
        default = _OF_TYPE.get(next(iter(types)))
    stated = [bound for counted, _ in counted_by(types) for bound in bounds(words.text, counted)]
    for first, second in contradictions_in(words.text, default, listed_texts(schema), stated):
        yield f"the description of `{name}` says both `{show(first)}` and `{show(second)}`", ()
    if types & {"integer", "number"} and (crossed := crossed_range(words.text)) is not None:
        yield f"the description of `{name}` says `{show(crossed)}`, a range that ends before it begins", ()


_OF_A_NUMBER = re.compile(r"\bdefault(?::|s to| is)? `?\d+`?[,;)]")
"""A default that is a number, for a value without a type."""
_OF_A_FLAG = re.compile(r"\b(?:when|if|unless|set to) `(?:true|false)`(?! (?:or|and) `(?!true|false))", re.IGNORECASE)
"""True or false, for a value without a type."""
_KINDS_IN_WORDS = (("number", _OF_A_NUMBER), ("boolean", _OF_A_FLAG))
_QUOTED_EXAMPLE = re.compile(r"\b(?:e\.g\.,?|for example,?|such as) `?([\"'])([^\"'\n]{1,60})\1")
_OF_NO_TEXT = re.compile(r"[-+]?\d[\d.,_e]*|true|false|null|auto|all|none", re.IGNORECASE)
_NO_NUMBER = re.compile(
    r"\(default(?:s(?= to))?\b(?:(?::| to)? ?([`\"'])(?P<quoted>[a-z]+)\1|(?::| to) ?(?P<noted>[a-z]+))\)",
    re.IGNORECASE,
)
"""A default in quotes, or as a value; a plain word after `default` may describe the number (`default exact`)."""
_NO_FLAG = re.compile(
    r"(?:\bdefault(?::|s to| is)? ?`([^`]{1,30})`|`([^`]{1,30})` by default\b)(?! ?(?:if|when|for|in)\b)"
)
_FLAGS = frozenset(("true", "false", "yes", "no", "on", "off", "0", "1", "enabled", "disabled"))
_PLAIN_DEFAULT = re.compile(
    r"\(default: ?[`\"']?(?P<noted>[\w:/.-]+)[`\"']?\)"
    r"|\bdefault(?:: [`\"']?|(?:s to| is) (?:[`\"']|(?=[\w:/.-]*\d)|(?-i:(?=[A-Z]{2,}\b))))"
    r"(?P<said>\w[\w:/.-]*?)[`\"']?"
    r"(?=[.,;)]?(?:$|\.? (?-i:[A-Z])))"
    r"|[`\"'](?P<marked>[\w:/.-]+)[`\"'] \((?=default\))default",
    re.IGNORECASE,
)


def _only(words: DescribedValue, enum: Sequence[str]) -> Choices | None:
    """Return the values that a description definitely lists, if it has some of those of an `enum`."""
    listed = only_choices(words.text, words.name)
    return listed if listed is not None and not set(enum).isdisjoint(listed.values) else None


def _explained(words: DescribedValue, enum: Sequence[str]) -> Choices | None:
    """Return the values that a description explains, unless one of them is a parameter."""
    listed = glossed_choices(words.text, enum)
    root = words.part.value
    names = root.get("properties") if listed is not None and isinstance(root, dict) else None
    is_about_others = isinstance(names, dict) and listed is not None and any(one in names for one in listed.values)
    return None if is_about_others else listed


def _find_unlisted(
    words: DescribedValue, schema: Mapping[str, JsonValue]
) -> Iterator[tuple[str, Sequence[Bound | Choices | Form]]]:
    """Return values that only the text lists, to compare with the default and the example."""
    listed = only_choices(words.text, words.name)
    if listed is None:
        return
    default = schema.get("default", default_of(words))
    in_words = default_in_words(words.text, "text", ()) if default is None else None
    if in_words is not None and not may_be_found_out(str(in_words.value)):
        default = in_words.value
    yield from _beside(words, listed, default)


def _beside(
    words: DescribedValue, limit: Bound | Choices | Form, default: JsonValue
) -> Iterator[tuple[str, Sequence[Bound | Choices | Form]]]:
    """Yield a limit that only the words state, and a message if the default or the example exceeds it."""
    yield "", (limit,)
    for subject, value in (("default", default), ("example", example_of(words))):
        if limit.excludes(value):
            yield f"{_said(words.name, limit)}, but its {subject} {_measure(value, limit)}", ()


def _said(name: str, limit: Bound | Choices | Form) -> str:
    words = show(limit.words)
    return f"the description of `{show(name)}` {f'lists {words}' if isinstance(limit, Choices) else f'says `{words}`'}"


def _beyond(
    words: DescribedValue, schema: Mapping[str, JsonValue], stated: Sequence[Bound]
) -> Iterator[tuple[str, Sequence[Bound | Choices | Form]]]:
    """Yield the limits that only the words state, and a message if the default or the example exceeds one."""
    if len({bound.value for bound in stated}) > 1:
        return
    in_words = default_in_words(words.text, 0, ())
    default = schema.get("default", default_of(words))
    default = _drop_fraction(in_words.value) if default is None and in_words is not None else default
    yield from _beside(words, stated[0], default)


def _beyond_the_schema(
    words: DescribedValue, schema: Mapping[str, JsonValue]
) -> Iterator[tuple[str, Sequence[Bound | Choices | Form]]]:
    """Yield a message if only the words state a default, and the schema does not allow it."""
    is_stated = "default" in schema or (words.row is not None and words.row.default is not None)
    said = default_in_words(words.text, 0, ()) if not is_stated else None
    for is_upper in (False, True) if said is not None else ():
        limit = limit_of(schema, "imum", is_upper=is_upper)
        if said is not None and limit is not None and Bound(is_upper, limit[0], limit[1], "").excludes(said.value):
            asked = _worded(limit, is_upper=is_upper)
            yield (
                (f"the description of `{show(words.name)}` says `{show(said.words)}`, but the schema allows {asked}"),
                (),
            )


def _worded(limit: Limit, *, is_upper: bool) -> str:
    """Return the words for a limit of a schema."""
    which = "at most" if is_upper else "at least"
    exactly = f"{'less' if is_upper else 'more'} than" if limit[1] else which
    return f"{exactly} {shown_value(limit[2])}"


def _drop_fraction(value: JsonValue) -> JsonValue:
    """Return a number from text as an integer if it has no fraction."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _measure(value: JsonValue, bound: Bound | Choices | Form) -> str:
    """Return the words for a value, or for its length if the limit counts that."""
    if not isinstance(value, str | list) or not isinstance(bound, Bound):
        return f"is {shown_value(value)}"
    return f"has {len(value)}{' characters' if bound.counted == 'characters' else ''}"


def _in_examples(
    contract: ToolContract, loose: Sequence[tuple[DescribedValue, Bound | Choices | Form]]
) -> Iterator[Finding]:
    """Yield the values in examples that exceed a limit that only words state."""
    limits = {(words.name, limit): (words.part.part, pointer_of(words)) for words, limit in loose}
    for part, judged_values in (("input", judged_arguments), ("output", judged_data)) if limits else ():
        for judged in judged_values(contract):
            for (name, limit), (own_part, pointer) in limits.items():
                if own_part != part:
                    continue
                for at, value in values_at(judged.value, pointer.split("/")[1:]):
                    if limit.excludes(value):
                        own = shown_value(value)
                        if isinstance(limit, Bound) and isinstance(value, str | list):
                            own = f"one of {len(value)}"
                        message = f"{_said(name, limit)}, but an example has {own}"
                        at = f"{judged.base}{at}"
                        place = judged.example.locator.place(at)
                        hint = "fix the example or the description"
                        yield Finding(message, hint, place, part="example", pointer=at)
