"""The rule about limits, defaults and listed values that a description states in addition to a schema (MC337)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import (
    JsonValue,
    SchemaOrigin,
    SchemaPart,
    SourceFile,
    SpecFile,
    SpecTool,
    TableRow,
    ToolContract,
)
from mcp_contracts.diagnostics import Finding, Place, Severity
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.behavior.calls import judged_arguments
from mcp_contracts.rules.prose.amounts import contradicted_amounts
from mcp_contracts.rules.prose.inner_contradictions import (
    OF_AN_OBLIGATION,
    contradictions_in,
    crossed_range,
    other_obligation,
)
from mcp_contracts.rules.prose.limits_of_calls import other_count, other_unit
from mcp_contracts.rules.prose.schema_limits import (
    agrees,
    counted_by,
    limit_of,
    listed_texts,
    plain_schema,
    stated_types,
    values_at,
)
from mcp_contracts.rules.prose.statements import (
    NUMBERS,
    OF_A_DEFAULT,
    Bound,
    Choices,
    bounds,
    choices_in_words,
    default_in_words,
    may_list_values,
    only_choices,
)
from mcp_contracts.rules.schemas.names import name_of
from mcp_contracts.rules.tables.cell_values import may_be_found_out, stated_value
from mcp_contracts.rules.texts import may_say, word_set
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.json_equality import same_json
from mcp_contracts.schema.outline import child_of, find_place, root_of
from mcp_contracts.schema.walk import escape, shared_subschemas
from mcp_contracts.schema.wording import one_of, shown_value

_SAYS = NUMBERS | OF_A_DEFAULT | word_set("one either must in many number optional required mandatory")
_JOINS = word_set("or oder ou o")
"""Characters that join the values of a list, or clauses, like a comma."""
_HINT = "correct the one that is wrong; the schema is authoritative"


class _DescribedValue(NamedTuple):
    """A text about one value, the schema of that value, and where a finding about it belongs.

    `row` is the row of a table that the text is in; MC322 compares its default and its values with the schema."""

    text: str
    name: str
    schema: Mapping[str, JsonValue]
    part: SchemaPart
    pointer: str
    place: Place | None = None
    row: TableRow | None = None


@rule("MC337", Severity.WARNING, since="0.1.0")
def words_and_schema_disagree(file: SourceFile) -> Iterator[Finding]:
    """A description and the schema disagree about limits, defaults or lists of values.

    Models follow the words, and validators the schema, so one of them is wrong. Descriptions in schemas, cells of
    parameter tables, and sentences of the purpose that name a parameter are checked. Where the schema states no limit,
    the default and the arguments of examples are checked against the description.
    """
    written = {id(tool.contract): tool for tool in file.tools} if isinstance(file, SpecFile) else {}
    for contract in file.contracts:
        reported: set[str] = set()
        loose: list[tuple[_DescribedValue, Bound | Choices]] = []
        for words in _all_words(contract, written.get(id(contract))):
            for message, loose_bounds in _disagreements(words):
                loose.extend((words, bound) for bound in loose_bounds)
                if message and message not in reported:
                    reported.add(message)
                    place = words.place or words.part.locator.place(words.pointer)
                    yield Finding(message, _HINT, place, part=words.part.part, pointer=words.pointer)
        yield from _in_examples(contract, loose)
        for message in contradicted_amounts(contract, written.get(id(contract))):
            yield Finding(message, _HINT, contract.place_of("description"))
        if (count := other_count(contract)) is not None:
            message = f"the description says `{show(count.words)}`, but the tool has {count.own}"
            yield Finding(message, "correct the number, or declare what is missing", contract.place_of("description"))


def _all_words(contract: ToolContract, tool: SpecTool | None) -> Iterator[_DescribedValue]:
    """Yield the texts of a tool that each describe one value, without rows that only repeat the schema."""
    stated = set[tuple[str, str, str]]()
    for part in (contract.input, contract.output):
        for node in shared_subschemas(part.value) if part is not None else ():
            text = node.value.get("description")
            if part is None or not isinstance(text, str):
                continue
            is_at_root = node.name is not None and node.pointer.count("/") == _AT_ROOT
            if is_at_root and part.origin is SchemaOrigin.SCHEMA and "type" in node.value:
                stated.add((part.part, node.name or "", text))
            if _says(text, node.name, node.value):
                pointer = f"{node.pointer}/description"
                yield _DescribedValue(text, name_of(node.pointer) or "the value", node.value, part, pointer)
    for table, part in ((tool.input_table, contract.input), (tool.output_table, contract.output)) if tool else ():
        if table is None or part is None:
            continue
        rows = [row for row in table.rows if not _repeats(row, part, stated) and _says(row.description)]
        root = root_of(part.value) if rows else None
        for row in rows:
            parent = find_place(part.value, root, row.path[:-1]) if root is not None else None
            found = child_of(part.value, parent, row.path[-1]) if parent is not None else None
            schema = found.schema if found is not None else None
            if found is not None and isinstance(schema, dict) and _says(row.description, row.name, schema):
                yield _DescribedValue(row.description, row.name, schema, part, found.pointer, row.place, row)
    yield from _named_in_purpose(contract)


def _repeats(row: TableRow, part: SchemaPart, stated: AbstractSet[tuple[str, str, str]]) -> bool:
    """Whether a row only repeats the description of the parameter or field of that name in a schema."""
    is_plain = row.default is None and row.example is None and "enum" not in (row.schema or {})
    return is_plain and len(row.path) == 1 and (part.part, row.name, row.description) in stated


def _says(text: str, name: str | None = None, schema: Mapping[str, JsonValue] | None = None) -> bool:
    """Whether a text may state a limit, a default or a list of values."""
    words = _words_of(text)
    if words != "joins" or name is None or schema is None:
        return words is not None
    return may_list_values(text, name) or bool(listed_texts(plain_schema(schema)))


def _words_of(text: str) -> Literal["enough", "joins"] | None:
    """Return which words of a text may state something: `joins` if the text may list the values of a parameter."""
    if may_say(_SAYS, text):
        return "enough"
    if ", " not in text and not may_say(_JOINS, text):
        return None
    return "enough" if may_say(OF_AN_OBLIGATION, text) else "joins"


_DOCUMENTED = re.compile(
    r"^[ \t]+(?:[-*] )?`?(?P<name>[A-Za-z_]\w*)`?(?: ?\([^()\n]*\))?: (?P<said>[^\n]+)$", re.MULTILINE
)
"""The lines below `Args:` in a description, as docstrings have them."""
_NAMED = re.compile(
    r"`(?P<name>[A-Za-z_]\w*)` (?=(?:must be|has to be|is|may be|can be|lies|ranges|defaults to|takes|accepts)\b)"
    r"(?P<said>(?:[^.;`\n]|`[-\d.,–]+`|[.](?=\d)){0,250})"
)


def _named_in_purpose(contract: ToolContract) -> Iterator[_DescribedValue]:
    """Yield the sentences of a purpose that mention a parameter."""
    part, schema = contract.input, contract.input_schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if part is None or not isinstance(properties, dict):
        return
    for match in _DOCUMENTED.finditer(contract.description[:20_000]) if "\n" in contract.description else ():
        value = properties.get(match["name"])
        if isinstance(value, dict) and "description" not in value and _says(match["said"]):
            pointer = f"/properties/{escape(match['name'])}"
            yield _DescribedValue(match["said"], match["name"], value, part, pointer, contract.place_of("description"))
    for match in _NAMED.finditer(contract.description[:20_000]) if "`" in contract.description else ():
        value = properties.get(match["name"])
        if isinstance(value, dict):
            pointer = f"/properties/{escape(match['name'])}"
            yield _DescribedValue(match["said"], match["name"], value, part, pointer, contract.place_of("description"))


def _disagreements(words: _DescribedValue) -> Iterator[tuple[str, Sequence[Bound | Choices]]]:
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
        for is_upper in (False, True):
            mine = [bound for bound in stated if bound.is_upper is is_upper]
            limit = limit_of(schema, keywords, is_upper=is_upper)
            if mine and limit is not None and not any(agrees(bound, limit, schema) for bound in mine):
                which = "at most" if is_upper else "at least"
                exactly = f"{'less' if is_upper else 'more'} than" if limit[1] else which
                asked = f"{exactly} {shown_value(limit[2])}{'' if counted == 'number' else f' {counted}'}"
                yield f"the description of `{name}` says `{show(mine[0].words)}`, but the schema allows {asked}", ()
            elif mine and limit is None:
                yield from _beyond(words, schema, mine)
    if has_number or has_default_in_words:
        yield from _against_itself(words, schema, types)
    is_scalar = bool(types) and types <= {"integer", "number", "boolean"}
    shown_text = _QUOTED_EXAMPLE.search(words.text) if is_scalar else None
    if shown_text is not None and not _OF_NO_TEXT.fullmatch(shown_text[2]):
        its_type = one_of(sorted(types))
        yield f"the description of `{name}` gives the example `{show(shown_text[2])}`, but its type is {its_type}", ()
    default = schema.get("default")
    has_default = words.row is not None and words.row.default is not None
    has_values = words.row is not None and "enum" in (words.row.schema or {})
    enum = [] if has_values else listed_texts(schema)
    if has_default:
        default = _default_of(words.row) if words.part.origin is not SchemaOrigin.SCHEMA else None
    said = default_in_words(words.text, default, enum) if default is not None and has_default_in_words else None
    if said is not None and not same_json(said.value, default):
        yield f"the description of `{name}` says `{show(said.words)}`, but its default is {shown_value(default)}", ()
    is_required = _is_required(words)
    is_simple = not types & {"object", "array"}
    said_so = (
        other_obligation(words.text, is_required=is_required, is_simple=is_simple) if is_required is not None else None
    )
    if said_so is not None:
        is_so = "required" if is_required else "optional"
        yield f"the description of `{name}` says `{show(said_so)}`, but it is {is_so}", ()
    outside = _PLAIN_DEFAULT.search(words.text) if has_default_in_words and enum and default is None else None
    named = (outside["noted"] or outside["said"] or outside["marked"]) if outside is not None else ""
    if outside is not None and named not in (*enum, "the", "a", "an") and not may_be_found_out(named):
        yield f"the description of `{name}` says `{show(outside[0].strip('()'))}`, which the schema does not allow", ()
    is_number = bool(types) and types <= {"integer", "number"} and not has_default
    odd = _NO_NUMBER.search(words.text) if has_default_in_words and is_number else None
    if odd is not None and not may_be_found_out(odd[1]):
        yield f"the description of `{name}` says `{show(odd[0].strip('()'))}`, which is not a number", ()
    is_flag = types == {"boolean"} and not (has_default and words.row is not None and words.row.schema)  # else MC333
    flag = _NO_FLAG.search(words.text) if has_default_in_words and is_flag else None
    if flag is not None and (flag[1] or flag[2]).lower() not in _FLAGS and not may_be_found_out(flag[1] or flag[2]):
        yield f"the description of `{name}` says `{show(flag[0])}`, which is neither true nor false", ()
    if enum and (listed := choices_in_words(words.text, enum)) is not None:
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


_OF_TYPE: Mapping[str, JsonValue] = {"integer": 0, "number": 0, "string": "text", "boolean": True}


def _against_itself(
    words: _DescribedValue, schema: Mapping[str, JsonValue], types: AbstractSet[str]
) -> Iterator[tuple[str, Sequence[Bound | Choices]]]:
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
_NO_NUMBER = re.compile(r"\(default(?:s(?= to))?\b(?::| to)? ?([a-z]+)\)", re.IGNORECASE)
_NO_FLAG = re.compile(
    r"(?:\bdefault(?::|s to| is)? ?`([^`]{1,30})`|`([^`]{1,30})` by default\b)(?! ?(?:if|when|for|in)\b)"
)
_FLAGS = frozenset(("true", "false", "yes", "no", "on", "off", "0", "1", "enabled", "disabled"))
_PLAIN_DEFAULT = re.compile(
    r"\(default: ?[`\"']?(?P<noted>[\w:/.-]+)[`\"']?\)"
    r"|\bdefault(?:s to|:| is) [`\"']?(?P<said>\w[\w:/.-]*?)[`\"']?(?=[.,;)]?(?:$|\.? (?-i:[A-Z])))"
    r"|[`\"'](?P<marked>[\w:/.-]+)[`\"'] \((?=default\))default",
    re.IGNORECASE,
)


def _is_required(words: _DescribedValue) -> bool | None:
    """Whether an argument of a tool is required, if that is stated."""
    root = words.part.value
    is_at_root = words.pointer.removesuffix("/description").count("/") == _AT_ROOT
    if not is_at_root or words.part.part != "input" or not isinstance(root, dict):
        return None
    required = root.get("required")
    if isinstance(required, list) and words.name in required:
        return True
    is_stated = words.part.origin is SchemaOrigin.SCHEMA or (words.row is not None and words.row.required is False)
    return False if is_stated else None


_AT_ROOT = 2


def _find_unlisted(
    words: _DescribedValue, schema: Mapping[str, JsonValue]
) -> Iterator[tuple[str, Sequence[Bound | Choices]]]:
    """Return values that only the text lists, against which the default and the example are checked."""
    listed = only_choices(words.text, words.name)
    if listed is None:
        return
    yield "", (listed,)
    default = schema.get("default", _default_of(words.row))
    in_words = default_in_words(words.text, "text", ()) if default is None else None
    if in_words is not None and not may_be_found_out(str(in_words.value)):
        default = in_words.value
    for subject, value in (("default", default), ("example", _example_of(words.row))):
        if _is_outside(value, listed):
            name, said = show(words.name), show(listed.words)
            yield f"the description of `{name}` lists {said}, but its {subject} is {shown_value(value)}", ()


def _is_outside(value: JsonValue, listed: Choices) -> bool:
    """Whether a text, or one of several, is not among the values that words list."""
    if isinstance(value, list):
        return any(_is_outside(one, listed) for one in value)
    return isinstance(value, str) and value != "" and value.casefold() not in {one.casefold() for one in listed.values}


def _beyond(
    words: _DescribedValue, schema: Mapping[str, JsonValue], stated: Sequence[Bound]
) -> Iterator[tuple[str, Sequence[Bound | Choices]]]:
    """Yield the limits that only the words state, and a message if the default or the example exceeds one."""
    if len({bound.value for bound in stated}) > 1:
        return
    yield "", stated[:1]
    in_words = default_in_words(words.text, 0, ())
    default = schema.get("default", _default_of(words.row))
    beside = (
        ("default", _drop_fraction(in_words.value) if default is None and in_words is not None else default),
        ("example", _example_of(words.row)),
    )
    for subject, value in beside:
        if stated[0].excludes(value):
            name, said = show(words.name), show(stated[0].words)
            yield f"the description of `{name}` says `{said}`, but its {subject} {_measure(value, stated[0])}", ()


def _drop_fraction(value: JsonValue) -> JsonValue:
    """Return a number from a text as an integer if it has no fraction."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _default_of(row: TableRow | None) -> JsonValue:
    stated = stated_value(row.default.text) if row is not None and row.default is not None else None
    return None if stated is None else stated.value


def _example_of(row: TableRow | None) -> JsonValue:
    stated = stated_value(row.example.text) if row is not None and row.example is not None else None
    return None if stated is None else stated.value


def _measure(value: JsonValue, bound: Bound) -> str:
    """Return the words for a value, or for its length if the limit counts that."""
    if not isinstance(value, str | list):
        return f"is {shown_value(value)}"
    return f"has {len(value)}{' characters' if bound.counted == 'characters' else ''}"


def _in_examples(contract: ToolContract, loose: Sequence[tuple[_DescribedValue, Bound | Choices]]) -> Iterator[Finding]:
    """Yield the arguments of examples that exceed a limit that only words state."""
    limits = {
        (words.name, limit): words.pointer.removesuffix("/description")
        for words, limit in loose
        if words.part.part == "input"
    }
    for judged in judged_arguments(contract) if limits else ():
        for (name, limit), pointer in limits.items():
            for at, value in values_at(judged.value, pointer.split("/")[1:]):
                if _is_outside(value, limit) if isinstance(limit, Choices) else limit.excludes(value):
                    said, own = show(limit.words), shown_value(value)
                    says = f"lists {said}" if isinstance(limit, Choices) else f"says `{said}`"
                    if isinstance(limit, Bound) and isinstance(value, str | list):
                        own = f"one of {len(value)}"
                    message = f"the description of `{show(name)}` {says}, but an example has {own}"
                    at = f"{judged.base}{at}"
                    place = judged.example.locator.place(at)
                    yield Finding(message, "correct the example or the description", place, part="example", pointer=at)
