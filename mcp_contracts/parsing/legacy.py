"""A tool in one of the dialects that people wrote before there was a format, read by their intent.

Known forms: numbered or unnumbered sections with tables only, tables right under the heading, parameters as bullets
(`- `name` (type, required): …`) or inline signatures, whole tool objects as JSON or YAML, and property maps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from mcp_contracts.contract import (
    Fault,
    JsonValue,
    SchemaOrigin,
    SchemaPart,
    SpecTool,
    Table,
    TableRow,
    ToolContract,
)
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.parsing.canonical import empty_input, states_nothing
from mcp_contracts.parsing.derive import derive_schema, unknown_types
from mcp_contracts.parsing.documents import Document
from mcp_contracts.parsing.fields import line_fields, read_status
from mcp_contracts.parsing.markdown import Block, Fence, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.raw import RawTool
from mcp_contracts.parsing.schemas import is_data, is_property_map, is_schema, is_yaml, read_fence, schema_part
from mcp_contracts.parsing.signatures import bullet_rows, signature_rows
from mcp_contracts.parsing.tables import columns_of, is_parameter_table, read_table
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.schema.walk import escape

_TOPICS = {
    "description": ("description", "purpose", "summary", "tool purpose and description", "overview"),
    "input": ("parameters", "parameter", "input", "inputs", "arguments", "args", "input schema", "params",
              "input schema (parameters)", "input parameters"),
    "output": ("returns", "return", "output", "outputs", "output schema", "return schema", "return value", "success",
               "response", "returns on success", "result", "output schema (return value)"),
    "other": ("example", "examples", "usage", "notes", "note", "trust level", "errors", "error", "error handling"),
}  # fmt: skip
_TOPIC_OF = {title: topic for topic, titles in _TOPICS.items() for title in titles}
_LABEL = re.compile(r"\**+ ?([A-Za-z][A-Za-z ()]{2,40}?) ?\**+ ?: ?\**+[ \t]*+")


@dataclass(slots=True)
class _Reading:
    """What has been read of a tool so far. `topic` is what the last heading or label spoke of."""

    source: SourceText
    topic: str = "intro"
    is_schema_section: bool = False
    description: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    rows: list[TableRow] = field(default_factory=list)
    states_no_parameters: bool = False
    input: SchemaPart | None = None
    output: SchemaPart | None = None
    tables: dict[str, Table] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)


def read_legacy(source: SourceText, raw: RawTool, deviations: tuple[str, ...]) -> SpecTool:
    """Read a tool that is not in the canonical form; `deviations` says why it is not."""
    reading = _Reading(source, places={"name": raw.name_place, "extent": raw.extent})
    _read_blocks(reading, raw.intro)
    for section in raw.sections:
        title = section.title.strip("*_:` ").lower()
        by_number = {1: "description", 3: "input", 4: "output"}.get(section.meaning or 0)
        reading.topic = by_number or _TOPIC_OF.get(title, "other")
        reading.is_schema_section = "schema" in title
        _read_blocks(reading, section.blocks)
    _settle_input(reading, raw)
    contract = ToolContract(
        name=raw.name,
        place=raw.name_place,
        module=raw.module,
        version=reading.fields.get("version"),
        description="\n\n".join(reading.description),
        status=read_status(reading.fields["status"]) if "status" in reading.fields else None,
        category=reading.fields.get("category"),
        input=reading.input,
        output=reading.output,
        places=reading.places,
    )
    return SpecTool(
        contract=contract,
        lines=(raw.heading.row + 1, raw.end_row),
        heading=source.lines[raw.heading.row],
        input_table=reading.tables.get("input"),
        output_table=reading.tables.get("output"),
        deviations=deviations,
        faults=tuple(reading.faults),
    )


def _settle_input(reading: _Reading, raw: RawTool) -> None:
    """The input schema, where no fence gave one: from the table, from bullets and signatures, or none at all."""
    table = reading.tables.get("input")
    if reading.input is None and table is None and reading.rows:
        table = reading.tables["input"] = Table(tuple(reading.rows), reading.places.get("input", raw.name_place))
        reading.input = derive_schema(table, "input", SchemaOrigin.PROSE)
        reading.faults.extend(unknown_types(table, "input"))
    elif reading.input is None and table is not None:
        reading.input = derive_schema(table, "input", SchemaOrigin.TABLE)
        reading.faults.extend(unknown_types(table, "input"))
    elif reading.input is None and reading.states_no_parameters:
        reading.input = empty_input(reading.places.get("input", raw.name_place))
    output = reading.tables.get("output")
    if reading.output is None and output is not None:
        reading.output = derive_schema(output, "output", SchemaOrigin.TABLE)
        reading.faults.extend(unknown_types(output, "output"))


def _read_blocks(reading: _Reading, blocks: Sequence[Block]) -> None:
    for block in blocks:
        if isinstance(block, Paragraph):
            _read_paragraph(reading, block)
        elif isinstance(block, ListBlock):
            _read_list(reading, block)
        elif isinstance(block, TableBlock):
            _read_table(reading, block)
        elif isinstance(block, Fence) and is_data(block):
            _read_fence(reading, block)


def _read_paragraph(reading: _Reading, block: Paragraph) -> None:
    prose: list[Line] = []
    for line in block.lines:
        if _read_line(reading, line):
            continue
        if reading.topic in ("intro", "input") and states_nothing(line.text.partition(". ")[0]):
            reading.states_no_parameters = True
            reading.places.setdefault("input", reading.source.place_in(line))
        elif reading.topic in ("intro", "description"):
            prose.append(line)
    _describe(reading, prose)


def _read_line(reading: _Reading, line: Line) -> bool:
    """A bold line or a label; whether the line was one."""
    is_read = False
    for name, value, place, _ in line_fields(reading.source, line):
        if name in ("version", "status", "category"):
            reading.fields[name] = value
            reading.places[name] = place
            is_read = True
    label = _LABEL.match(line.text)
    topic = _TOPIC_OF.get(label[1].strip().lower()) if label else None
    if label is None or topic is None or is_read:
        return is_read
    reading.topic = topic
    rest = Line(line.text[label.end() :], line.row, line.column + label.end())
    if topic == "description":
        _describe(reading, [rest])
    elif topic == "input" and rest.text:
        reading.places.setdefault("input", reading.source.place_in(rest))
        if states_nothing(rest.text):
            reading.states_no_parameters = True
        else:
            reading.rows.extend(signature_rows(reading.source, rest))
    return True


def _describe(reading: _Reading, lines: Sequence[Line]) -> None:
    text = "\n".join(line.text for line in lines).strip()
    if text:
        reading.description.append(text)
        reading.places.setdefault("description", reading.source.place_in(lines[0]))


def _read_list(reading: _Reading, block: ListBlock) -> None:
    for item in block.items:
        if not item.lines or _read_line(reading, item.lines[0]):
            continue
        if reading.topic == "input" and reading.input is None:
            reading.places.setdefault("input", reading.source.place_in(item.lines[0]))
            reading.rows.extend(bullet_rows(reading.source, item))


def _read_table(reading: _Reading, block: TableBlock) -> None:
    if not is_parameter_table(block):
        return
    part = "output" if reading.topic == "output" else "input"
    roles = columns_of(block.lines[0].text).roles
    is_input = part == "input" and (reading.topic == "input" or "required" in roles)
    if (is_input or part == "output" or reading.topic == "intro") and part not in reading.tables:
        reading.tables[part] = read_table(reading.source, block)


def _read_fence(reading: _Reading, block: Fence) -> None:
    """A block of JSON or YAML: a whole tool, a schema, a property map; an example only counts where a schema is due."""
    if reading.is_schema_section and reading.topic in ("input", "output"):
        part: Part = "input" if reading.topic == "input" else "output"
        if (reading.input if part == "input" else reading.output) is None:
            schema, faults = schema_part(reading.source, [block], reading.tables.get(part), part)
            reading.faults.extend(faults)
            _set(reading, part, schema)
        return
    if reading.topic == "other":
        return
    document = read_fence(reading.source, block, None)
    if document.value is None and is_yaml(block) and block.is_closed:
        from mcp_contracts.parsing.loose_yaml import read_loose_yaml  # a YAML parser costs 20 ms to import

        document = read_loose_yaml(document)
    value = document.value
    if value is not None or reading.topic != "output":  # a sketch of an answer need not be JSON
        reading.faults.extend(document.faults)
    if not isinstance(value, dict):
        return
    tool = _tool_object(value)
    if tool is not None:
        description = value.get("description")
        if isinstance(description, str) and description.strip():
            reading.description.append(description.strip())
            reading.places.setdefault("description", document.place("/description"))
        for part, pointer in tool:
            _set(reading, part, _at(document, part, pointer))
    elif reading.topic == "input" and is_property_map(value):
        reading.input = _property_map(document, value)
    elif reading.topic in ("input", "output") and is_schema(value) and value:
        part = "input" if reading.topic == "input" else "output"
        _set(reading, part, _at(document, part, ""))


def _set(reading: _Reading, part: Part, schema: SchemaPart | None) -> None:
    if part == "input" and reading.input is None:
        reading.input = schema
    elif part == "output" and reading.output is None:
        reading.output = schema


_INPUT_KEYS = ("inputSchema", "input_schema", "parameters", "input", "arguments")
_OUTPUT_KEYS = ("outputSchema", "output_schema", "returns", "output", "return")


def _tool_object(value: dict[str, JsonValue]) -> list[tuple[Part, str]] | None:
    """Where a whole tool's schemas stand, if the value is one: it has a name and a schema of its input."""
    key = next((key for key in _INPUT_KEYS if isinstance(value.get(key), dict)), None)
    if "name" not in value or key is None:
        return None
    found: list[tuple[Part, str]] = [("input", f"/{key}")]
    output = next((key for key in _OUTPUT_KEYS if isinstance(value.get(key), dict)), None)
    return [*found, ("output", f"/{output}")] if output else found


def _at(document: Document, part: Part, pointer: str) -> SchemaPart:
    value: JsonValue = document.value
    if pointer and isinstance(value, dict):
        value = value[pointer[1:]]
    return SchemaPart(part, value, SchemaOrigin.SCHEMA, document.at(pointer))


@dataclass(frozen=True, slots=True)
class _MapLocator:
    """Finds pointers of the object schema that a property map means; `required` holds the names of its list."""

    document: Document
    required: tuple[str, ...]

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """The place of a pointer of the schema in the map."""
        steps = pointer.split("/")
        if steps[1:2] == ["required"] and steps[2:] and steps[2].isdecimal() and int(steps[2]) < len(self.required):
            return self.document.place(f"/{escape(self.required[int(steps[2])])}/required")
        if steps[1:2] == ["properties"]:
            return self.document.place(pointer.removeprefix("/properties"), on_key=on_key)
        return self.document.place()


def _property_map(document: Document, value: dict[str, JsonValue]) -> SchemaPart:
    """`{"x": {"type": "string", "required": true}}` as the object schema that it means."""
    properties: dict[str, JsonValue] = {}
    required = []
    for name, member in value.items():
        if isinstance(member, dict):
            properties[name] = {key: inner for key, inner in member.items() if key != "required"}
            if member.get("required") is True:
                required.append(name)
    schema: dict[str, JsonValue] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return SchemaPart("input", schema, SchemaOrigin.PROSE, _MapLocator(document, tuple(required)))
