"""Reads blocks of JSON or YAML in a tool of an older dialect: a whole tool, a schema, a property map, or an example."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, TableRow
from mcp_contracts.diagnostics import Part
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.canonical import states_nothing
from mcp_contracts.parsing.data.documents import Document
from mcp_contracts.parsing.legacy.reading import DESCRIPTION, EXAMPLES, INPUT, INTRO, OTHER, OUTPUT, Reading
from mcp_contracts.parsing.legacy.schemas import (
    SCHEMA_WORDS,
    TOOL_OBJECT,
    locate_schema,
    property_map,
    tool_object,
)
from mcp_contracts.parsing.legacy.sketches import read_sketches
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.parameters.notes import is_plain_type
from mcp_contracts.parsing.parameters.signatures import named_row
from mcp_contracts.parsing.schemas import is_property_map, is_schema, is_yaml, read_fence, schema_part
from mcp_contracts.parsing.text import Line
from mcp_contracts.parsing.tool_entries import effects_of
from mcp_contracts.records import replace

_TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")


_WHOLE_SCHEMA = re.compile(
    r"\A\s*\{\s*(?:\"\$schema\"\s*:\s*\"[^\"]*\",\s*)?\"type\"\s*:\s*\"object\"\s*,\s*\"(?:properties|required)\""
)
"""A JSON Schema of an object, anywhere below a tool."""


def _lead(reading: Reading) -> str:
    """Return the title above a value, with a word for results if it has that meaning in any language."""
    return f"{reading.lead} (output)" if reading.topic == OUTPUT else reading.lead


def _is_typed(value: dict[str, JsonValue]) -> bool:
    """Whether most members of a map have a JSON Schema type or a description, so that it is not an example."""
    members = [member for member in value.values() if isinstance(member, dict)]
    typed = [one for one in members if one.get("type") in _TYPES or isinstance(one.get("description"), str)]
    return len(typed) * 2 >= len(value)


def _rows_in_words(reading: Reading, document: Document, value: dict[str, JsonValue]) -> list[TableRow]:
    """Return the parameters of `{"word": "string (required) — The word."}`; none if a member is anything else.

    A member may be an object of such members: `{"size": {"width": "number (optional)"}}`.
    """
    rows = list(_members_in_words(reading, document, value))
    found = [row for row in rows if row is not None]
    are_stated = any(row.required is not None for row in found) or _begin_with_types(value)
    return found if len(found) == len(rows) and are_stated else []


def _begin_with_types(value: dict[str, JsonValue]) -> bool:
    """Whether all members begin with a type, and most say more: `{"word": "string, the word"}`."""
    said = [one if isinstance(one, str) else "" for one in value.values()]
    more = sum(" " in one for one in said)
    return all(map(_TYPE_FIRST.match, said)) and more * 2 > len(said)


_TYPE_FIRST = re.compile(
    r"(?:string|integer|number|boolean|array|object|int|float|bool)\b(?:\[\])?(?=\s*(?:$|[,;(–—-]))"
)


def _members_in_words(
    reading: Reading, document: Document, value: dict[str, JsonValue], pointer: str = "", path: tuple[str, ...] = ()
) -> Iterator[TableRow | None]:
    """Yield a parameter for each member described in words, those of nested objects too; None for any other member."""
    for name, said in value.items():
        here = f"{pointer}/{escape(name)}"
        is_group = isinstance(said, dict) and bool(said) and len(path) < _MOST_NESTING
        text = f"`{name}`: {'object' if is_group else _choice_of(said) or said}"
        row = (
            named_row(reading.source, Line(text, 0, 0), text, is_sure=True)
            if is_group or isinstance(said, str)
            else None
        )
        if row is None or row.type is None or row.path != (name,):
            yield None
            return
        place, at = document.place(here, on_key=True), document.place(here)
        default = None if row.default is None else replace(row.default, place=at)
        own = (*path, name)
        yield replace(row, name=".".join(own), path=own, place=place, type_place=at, required_place=at, default=default)
        if isinstance(said, dict):
            yield from _members_in_words(reading, document, said, here, own)


_MOST_NESTING = 6


def _rows_of_types(reading: Reading, document: Document, value: dict[str, JsonValue]) -> list[TableRow]:
    """Return the parameters of `{"word": "string", "kind": "boat | pier", "limit": 10}`, whose strings are types.

    A number or a Boolean next to them shows its type. Returns none if a member is anything else.
    """
    if not any(isinstance(said, str) and _TYPE_WORD.fullmatch(said) and _type_of(said) for said in value.values()):
        return []
    rows = list(_members_in_words(reading, document, {name: _type_of(said) for name, said in value.items()}))
    found = [row for row in rows if row is not None]
    if not all(isinstance(said, str) and _TYPE_WORD.fullmatch(said) for said in value.values()):
        found = [replace(row, required=None) for row in found]  # the others need not be required
    return found if len(found) == len(rows) else []


def _type_of(said: JsonValue) -> str | None:
    """Return the type that a member stands for, in the words of a list of parameters."""
    if isinstance(said, bool):
        return "boolean"
    if isinstance(said, int | float):
        return "number"
    if not isinstance(said, str):
        return None
    if (word := _TYPE_WORD.fullmatch(said)) is not None and is_plain_type(word[1]):
        return word[1] if word[2] is None else f"{word[1]} ({word[2]})"
    return _choice_of(said)


def _choice_of(said: JsonValue) -> str | None:
    """Return values in quotes, in the words of a list of parameters: `a | b (optional)` is `"a" | "b" (optional)`.

    Types stay as they are: `string | null`.
    """
    match = _CHOICE.fullmatch(said) if isinstance(said, str) else None
    if match is None:
        return None
    values = [one.strip() for one in match[1].split("|")]
    if all(is_plain_type(one) for one in values):
        return said if isinstance(said, str) else None
    return " | ".join(f'"{one}"' for one in values) + (match[2] or "")


_TYPE_WORD = re.compile(r"([a-z]+(?:\[\])?)(?: \(?(optional|required)\)?)?")
_CHOICE = re.compile(r"([\w.-]+(?: ?\| ?[\w.-]+)+)( \((?:optional|required)[^()]*\))?")


_OPTIONAL_KEY = re.compile(r"\"\w+\"\? ?:")
"""A key of JSON that is marked as optional, as in no format that we read."""


def read_data(reading: Reading, block: Fence) -> None:
    """Read a block of JSON or YAML. An example only counts where a schema is expected."""
    written = block.content.strip("{}() \n")
    if reading.topic in (INTRO, INPUT) and (states_nothing(written) or (reading.topic == INPUT and not written)):
        reading.states_no_parameters = True  # `{}` or `{} (no parameters)`
        return
    if reading.is_schema_section and reading.topic in (INPUT, OUTPUT) and not TOOL_OBJECT.search(block.content):
        part: Part = "input" if reading.topic == INPUT else "output"
        if (reading.input if part == "input" else reading.output) is None:
            schema, faults = schema_part(reading.source, [block], reading.tables.get(part), part)
            reading.faults.extend(faults)
            read = read_fence(reading.source, block, None) if schema is None else None
            if read is not None and isinstance(read.value, dict) and is_property_map(read.value):
                schema = property_map(read, read.value, part=part)
            reading.take(part, schema)
        return
    may_be_schema = reading.input is None and any(
        pattern.search(block.content) for pattern in (_WHOLE_SCHEMA, TOOL_OBJECT)
    )
    if reading.topic not in (INTRO, DESCRIPTION, INPUT, OUTPUT) and not (reading.topic == OTHER and may_be_schema):
        is_first = not any(lead == reading.lead for _, lead, _ in reading.fences)
        reading.fences.append((block, reading.lead, is_first and reading.topic == EXAMPLES))
        return
    document = read_fence(reading.source, block, None)
    if document.faults and not is_yaml(block):
        sketches = list(read_sketches(reading.source, block))
        is_readable = not any(sketch.document.faults for sketch in sketches)
        if len(sketches) > 1 and is_readable and not any(is_schema(one.document.value) for one in sketches):
            reading.fences.append((block, "" if reading.is_aside else _lead(reading), False))
            return
        if len(sketches) == 1 and is_readable and reading.topic == INPUT:
            document = sketches[0].document  # without the comments
    if document.value is None and is_yaml(block) and block.is_closed:
        from mcp_contracts.parsing.data.loose_yaml import read_loose_yaml  # a YAML parser costs 20 ms to import

        document = read_loose_yaml(document)
    value = document.value
    is_sketch = reading.topic == OUTPUT or (
        reading.topic in (INTRO, DESCRIPTION) and not SCHEMA_WORDS.search(block.content)
    )
    if value is None and is_sketch:  # a sketch of an answer need not be JSON
        reading.fences.append((block, _lead(reading), False))
        return
    if document.faults and reading.topic in (INTRO, INPUT) and _OPTIONAL_KEY.search(block.content):
        reading.note_unread("block", block.row)
        reading.is_partly_read = True
        return
    reading.faults.extend(document.faults)
    if not isinstance(value, dict):
        return
    base, inner = "", value.get("function")
    if isinstance(inner, dict) and tool_object(inner) is not None:
        base, value = "/function", inner  # the form of OpenAI
    tool = tool_object(value)
    if tool is not None:
        description, name = value.get("description"), value.get("name")
        if isinstance(description, str):
            reading.define(description, document.place(f"{base}/description"))
        hints = value.get("annotations")
        if isinstance(hints, dict):
            reading.effects = effects_of(hints)
            if "idempotentHint" in hints:
                reading.fields.setdefault("idempotent", "yes" if hints["idempotentHint"] is True else "no")
        if isinstance(name, str):
            reading.named = name, document.place(f"{base}/name")
        for part, pointer in tool:
            reading.take(part, locate_schema(document, part, base + pointer))
    elif reading.topic == INPUT and is_property_map(value):
        reading.input = property_map(document, value)
    elif (reading.topic == INPUT or (reading.topic == INTRO and _begin_with_types(value))) and (
        rows := _rows_in_words(reading, document, value) or _rows_of_types(reading, document, value)
    ):
        reading.rows.extend(rows)
    elif reading.topic == OUTPUT and reading.output is None and is_property_map(value) and _is_typed(value):
        reading.output = property_map(document, value, part="output")
    elif is_schema(value) and value and (reading.topic in (INPUT, OUTPUT) or may_be_schema):
        part = "output" if reading.topic == OUTPUT else "input"
        reading.take(part, locate_schema(document, part, ""))
    else:
        reading.fences.append((block, _lead(reading), False))
