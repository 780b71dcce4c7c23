"""A tool in one of the dialects that people wrote before there was a format, read by their intent.

Known forms: numbered or unnumbered sections with tables only, tables right under the heading, parameters as bullets
(`- `name` (type, required): …`) or inline signatures, whole tool objects as JSON or YAML, and property maps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain

from mcp_contracts.contract import (
    ErrorType,
    Example,
    Fault,
    SchemaOrigin,
    SchemaPart,
    Section,
    SpecTool,
    Table,
    TableRow,
    ToolContract,
)
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.parsing.canonical import empty_input, error_types, states_nothing
from mcp_contracts.parsing.fields import line_fields, plain_idempotency, read_idempotent, read_status
from mcp_contracts.parsing.legacy.code_examples import code_examples, code_faults, is_code
from mcp_contracts.parsing.legacy.examples import as_examples, declared_names
from mcp_contracts.parsing.legacy.schemas import located, property_map, tool_object
from mcp_contracts.parsing.legacy.sketches import read_sketches
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Html, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.code_signatures import Signature, fence_signature, heading_signature
from mcp_contracts.parsing.parameters.columns import columns_of
from mcp_contracts.parsing.parameters.derive import derive_schema
from mcp_contracts.parsing.parameters.signatures import bullet_rows, meant_type, signature_rows
from mcp_contracts.parsing.parameters.tables import is_parameter_table, read_table, trailing_lines
from mcp_contracts.parsing.raw import RawTool
from mcp_contracts.parsing.schemas import is_data, is_property_map, is_schema, is_yaml, read_fence, schema_part
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.topics import about, label_of, split_at_labels

_INTRO, _DESCRIPTION, _INPUT, _OUTPUT, _ERRORS, _IDEMPOTENCY, _EXAMPLES, _SECURITY = 0, 1, 3, 4, 5, 6, 7, 8
_OTHER = -1


@dataclass(slots=True)
class _OpenSection:
    """A heading or label inside the tool, and what has been read below it."""

    title: str
    place: Place
    about: int | None
    text: list[str] = field(default_factory=list)
    is_empty: bool = True


@dataclass(slots=True)
class _Reading:
    """What has been read of a tool so far. `topic` is what the last heading, or label (`is_labelled`), spoke of."""

    source: SourceText
    raw: RawTool
    topic: int = _INTRO
    is_schema_section: bool = False
    is_labelled: bool = False
    lead: str = ""
    description: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    rows: list[TableRow] = field(default_factory=list)
    output_rows: list[TableRow] = field(default_factory=list)
    states_no_parameters: bool = False
    input: SchemaPart | None = None
    output: SchemaPart | None = None
    tables: dict[str, Table] = field(default_factory=dict)
    sections: list[_OpenSection] = field(default_factory=list)
    errors: list[ErrorType] = field(default_factory=list)
    fences: list[tuple[Fence, str, bool]] = field(default_factory=list)
    named: tuple[str, Place] | None = None
    signature: Signature | None = None
    is_partly_read: bool = False
    faults: list[Fault] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)

    def begin(self, title: str, place: Place, number: int | None) -> None:
        """A heading or a label opens a section."""
        title = re.sub(r"^[^\w(`]+", "", title)  # a symbol before the words
        self.sections.append(_OpenSection(title, place, number))

    def fill(self, text: str) -> None:
        """Something stands in the last section."""
        if self.sections:
            self.sections[-1].is_empty = False
            self.sections[-1].text.append(text)


def read_legacy(
    source: SourceText, raw: RawTool, deviations: tuple[str, ...], siblings: AbstractSet[str] = frozenset()
) -> SpecTool:
    """Read a tool that is not in the canonical form; `deviations` says why it is not.

    `siblings` are the names of all tools of the file.
    """
    reading = _Reading(source, raw, places={"name": raw.name_place, "extent": raw.extent})
    _read_blocks(reading, raw.intro)
    for section in raw.sections:
        _read_heading(reading, section.title, source.place_in(section.heading.line), section.meaning)
        _read_blocks(reading, section.blocks)
        if any(not (isinstance(block, Html) and block.is_comment) for block in section.blocks):
            heading = next(one for one in reading.sections if one.place == source.place_in(section.heading.line))
            heading.is_empty = False
    _settle_schemas(reading)
    examples = _examples(reading, siblings)
    security = "\n\n".join(text for one in reading.sections if one.about == _SECURITY for text in one.text)
    contract = ToolContract(
        name=raw.name,
        place=raw.name_place,
        module=raw.module,
        version=reading.fields.get("version"),
        description="\n\n".join(reading.description),
        status=read_status(reading.fields["status"]) if "status" in reading.fields else None,
        idempotent=read_idempotent(reading.fields.get("idempotent", "")),
        category=reading.fields.get("category"),
        input=reading.input,
        output=reading.output,
        errors=tuple(reading.errors),
        security=security or None,
        examples=tuple(examples),
        places=reading.places,
    )
    if reading.named is not None:
        reading.places["invocation"] = reading.named[1]
    return SpecTool(
        contract=contract,
        lines=(raw.heading.row + 1, raw.end_row),
        heading=source.lines[raw.heading.row],
        sections=tuple(
            Section(None, one.title, one.place, one.is_empty, "\n\n".join(one.text), one.about)
            for one in reading.sections
        ),
        input_table=reading.tables.get("input"),
        output_table=reading.tables.get("output"),
        tables=(Table(tuple(reading.output_rows), reading.output_rows[0].place),) if reading.output_rows else (),
        signature=reading.signature.rows if reading.signature is not None else (),
        idempotency_text=reading.fields.get("idempotent"),
        invocation_name=None if reading.named is None else reading.named[0],
        deviations=deviations,
        faults=tuple(reading.faults),
    )


def _settle_schemas(reading: _Reading) -> None:
    """The schemas, where no fence gave one: from the table, from bullets and signatures, or none at all."""
    table = reading.tables.get("input")
    in_heading = heading_signature(reading.source, reading.raw.heading, reading.raw.name)
    for signature in (in_heading, reading.signature):
        _read_signature(reading, signature)
    reading.signature = in_heading or reading.signature
    if reading.input is None and table is None and reading.rows:
        place = reading.places.get("input", reading.raw.name_place)
        table = reading.tables["input"] = Table(tuple(reading.rows), place)
        reading.input = derive_schema(table, "input", SchemaOrigin.PROSE)
    elif reading.input is None and table is not None:
        reading.input = derive_schema(table, "input", SchemaOrigin.TABLE)
    elif reading.input is None and reading.states_no_parameters:
        reading.input = empty_input(reading.places.get("input", reading.raw.name_place))
    output = reading.tables.get("output")
    if reading.output is None and output is not None:
        reading.output = derive_schema(output, "output", SchemaOrigin.TABLE)
    if reading.input is None:
        unread = reading.places.pop("input", None)
        if unread is not None or reading.is_partly_read:
            reading.places["unread_input"] = unread or reading.raw.name_place


def _read_signature(reading: _Reading, signature: Signature | None) -> None:
    """What a signature says, where nothing else does."""
    if signature is None:
        return
    if not reading.rows and not reading.states_no_parameters and not reading.tables and reading.input is None:
        reading.rows.extend(signature.rows)
        reading.states_no_parameters = not signature.rows
        reading.places.setdefault("input", signature.place)
    if signature.returns and not any(section.about == _OUTPUT for section in reading.sections):
        reading.begin("Returns", signature.place, _OUTPUT)
        reading.fill(signature.returns)
    if signature.docstring and not reading.description:
        reading.description.append(signature.docstring)
        reading.places.setdefault("description", signature.place)


def _read_heading(reading: _Reading, title: str, place: Place, meaning: int | None) -> None:
    number = meaning if meaning is not None else about(title)
    reading.topic = _OTHER if number is None else number
    reading.is_schema_section = "schema" in title.lower()
    reading.is_labelled = False
    reading.lead = title
    reading.begin(title.strip("*: "), place, number)


def _read_blocks(reading: _Reading, blocks: Sequence[Block]) -> None:
    for block in blocks:
        if isinstance(block, Paragraph):
            _read_paragraph(reading, block)
        elif isinstance(block, Heading):
            _read_heading(reading, block.text, reading.source.place_in(block.line), None)
        elif isinstance(block, ListBlock):
            _read_list(reading, block)
        elif isinstance(block, TableBlock):
            _read_table(reading, block)
        elif isinstance(block, Fence):
            reading.fill(block.content)
            if is_data(block):
                _read_fence(reading, block)
            elif is_code(block):
                reading.fences.append((block, reading.lead, False))
                reading.signature = reading.signature or fence_signature(reading.source, block, reading.raw.name)
            is_read = is_data(block) or reading.topic not in (_INTRO, _INPUT)
            reading.is_partly_read = reading.is_partly_read or not is_read
        elif isinstance(block, Html) and not block.is_comment:
            reading.is_partly_read = True


def _read_paragraph(reading: _Reading, block: Paragraph) -> None:
    prose: list[Line] = []
    for line in chain.from_iterable(map(split_at_labels, block.lines)):
        if _read_line(reading, line, is_item=False):
            continue
        reading.fill(line.text)
        reading.is_partly_read = reading.is_partly_read or line.text.startswith((": ", ":\t", ":param"))
        if reading.topic in (_INTRO, _INPUT) and states_nothing(line.text.partition(". ")[0]):
            reading.states_no_parameters = True
            reading.places.setdefault("input", reading.source.place_in(line))
        elif reading.topic in (_INTRO, _DESCRIPTION) or (
            reading.topic == _INPUT and reading.rows and reading.is_labelled
        ):
            prose.append(line)
    if reading.topic == _EXAMPLES:
        reading.lead = block.text
    _describe(reading, prose)


def _read_line(reading: _Reading, line: Line, *, is_item: bool) -> bool:
    """A bold line or a label; whether the line was one. Items of lists that begin in bold are seldom labels."""
    is_read = False
    for name, value, place, _ in line_fields(reading.source, line):
        if name in ("version", "status", "category", "idempotent"):
            reading.fields[name] = value
            reading.places["idempotency" if name == "idempotent" else name] = place
            is_read = True
    stated = plain_idempotency(reading.source, line)
    if stated is not None and (reading.topic == _IDEMPOTENCY or not is_item):
        reading.fields.setdefault("idempotent", stated.value)
        reading.places.setdefault("idempotency", stated.place)
    label = label_of(line)
    if label is None:
        return is_read
    rest = Line(line.text[label.end :], line.row, line.column + label.end)
    if label.about is not None or not is_item or reading.topic in (_INTRO, _DESCRIPTION, _OTHER):
        reading.begin(label.title, reading.source.place_in(line, 0, label.end), label.about)
        if rest.text.strip():
            reading.fill(rest.text)
    if label.about is None or is_read:
        return is_read
    reading.topic, reading.is_labelled = label.about, True
    reading.is_schema_section = reading.is_schema_section and label.about in (_INPUT, _OUTPUT)
    reading.lead = label.title
    if label.about == _DESCRIPTION:
        _describe(reading, [rest])
    elif label.about == _INPUT and rest.text.strip():
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
    if reading.topic == _ERRORS:
        reading.errors.extend(error_types(reading.source, [block]))
    for item in block.items:
        if not item.lines or _read_line(reading, item.lines[0], is_item=True):
            continue
        reading.fill(item.text)
        if reading.topic == _INPUT and reading.input is None:
            reading.places.setdefault("input", reading.source.place_in(item.lines[0]))
            reading.rows.extend(bullet_rows(reading.source, item))
        elif reading.topic == _OUTPUT:
            rows = bullet_rows(reading.source, item)
            reading.output_rows.extend(row for row in rows if row.type and row.schema is None and meant_type(row.type))


def _read_table(reading: _Reading, block: TableBlock) -> None:
    reading.fill(block.lines[0].text)
    if is_parameter_table(block, is_due=reading.topic in (_INPUT, _OUTPUT)):
        part = "output" if reading.topic == _OUTPUT else "input"
        roles = columns_of(block.lines[0].text).roles
        is_of_parameters = block.lines[0].text.strip("|*_ ").lower().startswith(("param", "arg"))
        is_input = part == "input" and (reading.topic == _INPUT or "required" in roles or is_of_parameters)
        if (is_input or part == "output" or reading.topic == _INTRO) and part not in reading.tables:
            reading.tables[part] = read_table(reading.source, block)
    elif reading.topic == _ERRORS:
        reading.errors.extend(error_types(reading.source, [block]))
    elif reading.topic == _INPUT:
        reading.places.setdefault("input", reading.source.place_in(block.lines[0]))  # it is not read
    after = trailing_lines(block)
    if after:
        _read_paragraph(reading, Paragraph(after, after[0].row, after[-1].row + 1))


def _read_fence(reading: _Reading, block: Fence) -> None:
    """A block of JSON or YAML: a whole tool, a schema, a property map; an example only counts where a schema is due."""
    if reading.is_schema_section and reading.topic in (_INPUT, _OUTPUT):
        part: Part = "input" if reading.topic == _INPUT else "output"
        if (reading.input if part == "input" else reading.output) is None:
            schema, faults = schema_part(reading.source, [block], reading.tables.get(part), part)
            reading.faults.extend(faults)
            _set(reading, part, schema)
        return
    if reading.topic not in (_INTRO, _DESCRIPTION, _INPUT, _OUTPUT):
        is_first = not any(lead == reading.lead for _, lead, _ in reading.fences)
        reading.fences.append((block, reading.lead, is_first and reading.topic == _EXAMPLES))
        return
    document = read_fence(reading.source, block, None)
    if document.value is None and is_yaml(block) and block.is_closed:
        from mcp_contracts.parsing.data.loose_yaml import read_loose_yaml  # a YAML parser costs 20 ms to import

        document = read_loose_yaml(document)
    value = document.value
    if value is None and reading.topic == _OUTPUT:  # a sketch of an answer need not be JSON
        reading.fences.append((block, reading.lead, False))
        return
    reading.faults.extend(document.faults)
    if not isinstance(value, dict):
        return
    tool = tool_object(value)
    if tool is not None:
        description, name = value.get("description"), value.get("name")
        if isinstance(description, str) and description.strip():
            reading.description.append(description.strip())
            reading.places.setdefault("description", document.place("/description"))
        if isinstance(name, str):
            reading.named = name, document.place("/name")
        for part, pointer in tool:
            _set(reading, part, located(document, part, pointer))
    elif reading.topic == _INPUT and is_property_map(value):
        reading.input = property_map(document, value)
    elif reading.topic in (_INPUT, _OUTPUT) and is_schema(value) and value:
        part = "input" if reading.topic == _INPUT else "output"
        _set(reading, part, located(document, part, ""))
    else:
        reading.fences.append((block, reading.lead, False))


def _set(reading: _Reading, part: Part, schema: SchemaPart | None) -> None:
    if part == "input" and reading.input is None:
        reading.input = schema
    elif part == "output" and reading.output is None:
        reading.output = schema


def _examples(reading: _Reading, siblings: AbstractSet[str]) -> list[Example]:
    """The examples in the fences that hold no schema. What cannot be read is a fault."""
    declared = declared_names(reading.input.value if reading.input is not None else None)
    table = reading.tables.get("input")
    parameters = [row.name for row in table.rows] if table is not None else sorted(declared)
    examples: list[Example] = []
    before = ""  # what led to the fence before; a second one below the same words shows the answer
    for fence, lead, is_call_due in reading.fences:
        if is_code(fence):
            examples.extend(code_examples(reading.source, fence, reading.raw.name, siblings, parameters))
            reading.faults.extend(code_faults(reading.source, fence, reading.raw.name))
            continue
        for sketch in read_sketches(reading.source, fence):
            document = sketch.document
            reading.faults.extend(document.faults)
            if sketch.is_exact and not document.faults:
                is_answer = lead == before and not is_call_due
                due = "response" if is_answer else lead
                examples.extend(as_examples(document.value, document, due, declared, is_call_due=is_call_due))
            is_call_due, before = False, lead
    return examples
