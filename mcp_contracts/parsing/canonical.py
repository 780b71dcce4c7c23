"""A tool in the canonical form: `## Tool: `name``, bold lines, numbered sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcp_contracts.contract import (
    SECTION_TITLES,
    ErrorType,
    Example,
    Fault,
    Migration,
    SchemaOrigin,
    SchemaPart,
    Section,
    SpecTool,
    Table,
    ToolContract,
)
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.parsing.derive import RowLocator
from mcp_contracts.parsing.fields import (
    fields,
    first_code,
    items,
    line_fields,
    plain,
    read_effects,
    read_flag,
    read_idempotent,
    read_list,
    read_status,
)
from mcp_contracts.parsing.markdown import Block, Fence, Heading, Html, Paragraph, TableBlock, split_cells
from mcp_contracts.parsing.schemas import read_example, schema_part
from mcp_contracts.parsing.tables import is_parameter_table, plain_name, read_table
from mcp_contracts.parsing.text import SourceText

NUMBERED = re.compile(r"\**(\d{1,2})[.)]?\**[\s:.–—-]+(.+)")
_NOTHING = re.compile(
    r"(this tool )?(takes |requires |has |accepts )?(no|none|zero|n/a)\b[\s\w]{0,40}\.?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RawSection:
    """A heading inside a tool and the blocks below it. `number` is its canonical number, if it has one."""

    heading: Heading
    number: int | None
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class RawTool:
    """A tool's stretch of a file: its heading, the blocks before the first section, and the sections."""

    heading: Heading
    name: str
    name_place: Place
    module: str | None
    intro: tuple[Block, ...]
    sections: tuple[RawSection, ...]
    end_row: int
    extent: Place

    def blocks(self, number: int) -> tuple[Block, ...]:
        """The blocks of all sections with a number."""
        return tuple(block for section in self.sections if section.number == number for block in section.blocks)


def read_canonical(source: SourceText, raw: RawTool) -> SpecTool:
    """Read a tool that is written in the canonical form."""
    faults: list[Fault] = []
    places: dict[str, Place] = {"name": raw.name_place, "extent": raw.extent}
    values: dict[str, str] = {}
    for field in fields(source, raw.intro):
        if field.name not in values:
            values[field.name] = field.value
            places[field.name.replace(" ", "_")] = field.place
    for section in raw.sections:
        if section.number is not None:
            places.setdefault(f"section:{section.number}", _heading_place(source, section.heading))
    invocation = _invocation_name(source, raw.blocks(2), places)
    input_table, input_part = _schema(source, raw.blocks(3), "input", faults)
    output_table, output_part = _schema(source, raw.blocks(4), "output", faults)
    idempotency = next((field for field in fields(source, raw.blocks(6)) if field.name == "idempotent"), None)
    if idempotency is not None:
        places["idempotency"] = idempotency.place
    examples = _examples(source, raw.blocks(7), faults)
    description = section_text(source, raw.blocks(1))
    if raw.blocks(1):
        places["description"] = _blocks_place(source, raw.blocks(1))
    security = section_text(source, raw.blocks(8)) or None
    contract = ToolContract(
        name=raw.name,
        place=raw.name_place,
        module=raw.module,
        version=plain(values["version"]) if "version" in values else None,
        description=description,
        status=read_status(values["status"]) if "status" in values else None,
        effects=read_effects(values["effects"]) if "effects" in values else None,
        category=plain(values["category"]) if "category" in values else None,
        tags=read_list(values.get("tags", "")),
        optional=read_flag(values["optional"]) if "optional" in values else None,
        use_when=values.get("use when"),
        channels=read_list(values.get("channels", "")),
        input=input_part,
        output=output_part,
        errors=tuple(_errors(source, raw.blocks(5))),
        idempotent=read_idempotent(idempotency.value) if idempotency else None,
        security=security,
        examples=tuple(examples),
        migrations=tuple(_migrations(source, raw.blocks(9))),
        places=places,
    )
    return SpecTool(
        contract=contract,
        lines=(raw.heading.row + 1, raw.end_row),
        heading=source.lines[raw.heading.row],
        sections=tuple(_section(source, section) for section in raw.sections),
        input_table=input_table,
        output_table=output_table,
        invocation_name=invocation,
        idempotency_text=idempotency.value if idempotency else None,
        faults=tuple(faults),
    )


def section_text(source: SourceText, blocks: Sequence[Block]) -> str:
    """The text of some blocks as written, without comments."""
    parts = []
    for block in blocks:
        if isinstance(block, Html):
            continue
        if isinstance(block, Paragraph):
            parts.append("\n".join(line.strip() for line in block.lines))
        else:
            parts.append("\n".join(source.lines[block.row : block.end]).rstrip())
    return "\n\n".join(part for part in parts if part)


def states_nothing(text: str) -> bool:
    """Whether a text says that there are no parameters."""
    return bool(_NOTHING.fullmatch(text.strip().strip("*_").strip()))


def empty_input(place: Place) -> SchemaPart:
    """The schema of a tool that states that it takes no parameters."""
    return SchemaPart("input", {"type": "object", "properties": {}}, SchemaOrigin.PROSE, RowLocator(place, {}))


def _section(source: SourceText, section: RawSection) -> Section:
    content = [block for block in section.blocks if not isinstance(block, Html)]
    return Section(
        number=section.number if section.number in SECTION_TITLES else None,
        title=section.title,
        place=_heading_place(source, section.heading),
        is_empty=not content,
        text=section_text(source, content),
    )


def _heading_place(source: SourceText, heading: Heading) -> Place:
    return source.place_of(heading.text.partition("\n")[0], heading.row)


def _blocks_place(source: SourceText, blocks: Sequence[Block]) -> Place:
    first = blocks[0]
    line = source.lines[first.row]
    return source.place(first.row, len(line) - len(line.lstrip()), len(line.rstrip()))


def _invocation_name(source: SourceText, blocks: Sequence[Block], places: dict[str, Place]) -> str | None:
    for block in blocks:
        if isinstance(block, Paragraph):
            text = block.lines[0].strip()
            name = first_code(text) or (text if re.fullmatch(r"\S+", text) else None)
            if name is not None:
                places["invocation"] = source.place_of(name, block.row)
                return name
        if isinstance(block, Fence) and block.content.strip():
            name = block.content.strip().partition("\n")[0].strip()
            places["invocation"] = source.place_of(name, block.first_row)
            return name
    for item in items(blocks):
        name = first_code(item.text)
        if name is not None:
            places["invocation"] = source.place_of(name, item.row)
            return name
    return None


def _schema(
    source: SourceText, blocks: Sequence[Block], part: Part, faults: list[Fault]
) -> tuple[Table | None, SchemaPart | None]:
    table_block = next((b for b in blocks if isinstance(b, TableBlock) and is_parameter_table(source, b)), None)
    table = read_table(source, table_block) if table_block is not None else None
    fences = [block for block in blocks if isinstance(block, Fence)]
    schema, found = schema_part(source, fences, table, part, origin=SchemaOrigin.TABLE)
    faults.extend(found)
    if schema is None and part == "input" and not found:
        paragraph = next((b for b in blocks if isinstance(b, Paragraph) and states_nothing(b.lines[0])), None)
        if paragraph is not None:
            schema = empty_input(_blocks_place(source, [paragraph]))
    return table, schema


def _errors(source: SourceText, blocks: Sequence[Block]) -> list[ErrorType]:
    errors = []
    for item in items(blocks):
        text = item.text
        match = re.match(r"\s*(?:\*\*)?`([^`]+)`(?:\*\*)?\s*[:—–-]*\s*", text)
        if match:
            when = text[match.end() :].strip()
            errors.append(ErrorType(match[1].strip(), when, source.place_of(match[1], item.row)))
    for block in blocks:
        if isinstance(block, TableBlock):
            for row in range(block.row + 2, block.end):
                cells = split_cells(source.lines[row])
                if cells and cells[0][0].startswith("`"):
                    name = plain_name(cells[0][0])
                    when = cells[1][0] if len(cells) > 1 else ""
                    errors.append(ErrorType(name, when, source.place_of(name, row)))
    return errors


def _examples(source: SourceText, blocks: Sequence[Block], faults: list[Fault]) -> list[Example]:
    examples = []
    lead = ""
    for block in nested(blocks):
        if isinstance(block, Fence):
            if block.language in ("json", "jsonc", "json5", "yaml", "yml", ""):
                example, found = read_example(source, block, lead)
                examples.append(example)
                faults.extend(found)
            lead = ""
        elif isinstance(block, Paragraph | Heading):
            lead = block.text
    return examples


def nested(blocks: Sequence[Block]) -> list[Block]:
    """Some blocks and, in order, the blocks inside their lists."""
    found: list[Block] = []
    for block in blocks:
        found.append(block)
        for item in items([block]):
            found.extend(nested(item.blocks))
    return found


def _migrations(source: SourceText, blocks: Sequence[Block]) -> list[Migration]:
    migrations: list[Migration] = []
    for block in blocks:
        rows = [block.row] if isinstance(block, Paragraph) else [item.row for item in items([block])]
        if isinstance(block, Paragraph):
            rows = list(range(block.row, block.end))
        for row in rows:
            migrations.extend(
                Migration(field.name.removeprefix("from").strip(), field.value)
                for field in line_fields(source, row)
                if field.name.startswith("from")
            )
    return migrations
