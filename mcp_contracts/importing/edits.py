"""The rows of a tool that an import changes: bold lines, sections, and the comment that records the import."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from mcp_contracts.contract import JsonValue, SchemaPart, SpecTool, ToolContract
from mcp_contracts.formatting.headings import content_end
from mcp_contracts.formatting.layout import ToolLayout, block_end, is_comment
from mcp_contracts.formatting.regeneration import update_table
from mcp_contracts.formatting.rows import Edit
from mcp_contracts.formatting.tables import grid_of
from mcp_contracts.importing.parts import EFFECTS, LINES, SECTIONS, Parts, record_block
from mcp_contracts.importing.texts import (
    FIRST_VERSION,
    LEADS,
    PLACEHOLDER,
    line_value,
    property_line,
    schema_blocks,
    section_blocks,
    takes_nothing,
)
from mcp_contracts.migration.tools import NO_PARAMETERS
from mcp_contracts.parsing.canonical import states_nothing
from mcp_contracts.parsing.fields import line_fields
from mcp_contracts.parsing.markdown.blocks import Block, Fence, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.tables import place_of_table
from mcp_contracts.parsing.raw import RawSection
from mcp_contracts.parsing.schemas import holds_schema, is_data
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import dataclass
from mcp_contracts.schema.simple import properties_of
from mcp_contracts.sections import SECTION_TITLES
from mcp_contracts.writing.tables import table_lines


@dataclass(frozen=True, slots=True)
class Update:
    """A tool of a specification, and its new content: `parts` are all parts, `changed` those that differ.

    `contract` is the contract of the source, `record` the comment, and `sampled` the call to use without examples.
    """

    source: SourceText
    layout: ToolLayout
    tool: SpecTool
    contract: ToolContract
    parts: Parts
    changed: Collection[str]
    record: str
    sampled: JsonValue


def update_edits(update: Update) -> Iterator[Edit]:
    """Yield all changes to the rows of a tool."""
    yield from _line_edits(update)
    yield from _record_edits(update)
    for name, number in SECTIONS.items():
        if name in update.changed:
            yield from _section_edits(update, number)


def _line_edits(update: Update) -> Iterator[Edit]:
    """Yield edits for the bold lines: replaced values, new lines after the last one, and removed empty lines."""
    lines = {line.name: line for line in reversed(update.tool.property_lines)}
    values: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    new = []
    for name in (*LINES, "effects"):
        if name not in update.changed and not (name == "effects" and set(EFFECTS) & set(update.changed)):
            continue
        value = line_value(name, update.parts) or (FIRST_VERSION if name == "version" else "")
        line = lines.get(name)
        if line is None:
            new += [property_line(name, update.parts)] if value else []
        elif value:
            place = line.value_place
            values[place.line - 1].append((place.column - 1, place.end_column - 1, value))
        else:
            yield Edit(line.place.line - 1, line.place.line, ())
    for row, changes in values.items():
        text = update.source.lines[row]
        for start, end, value in sorted(changes, reverse=True):
            text = f"{text[:start]}{value}{text[end:]}"
        yield Edit(row, row + 1, (text,))
    if new and lines:
        last = max(line.place.line for line in lines.values())
        yield Edit(last, last, tuple(new))
    elif new:
        yield Edit(update.layout.heading.end, update.layout.heading.end, ("", *new))


def _record_edits(update: Update) -> Iterator[Edit]:
    old = record_block(update.layout.intro)
    lines = tuple(update.record.split("\n"))
    if old is not None:
        yield Edit(old.row, block_end(update.source, old), lines)
        return
    at = update.layout.sections[0].heading.row if update.layout.sections else update.layout.end
    yield Edit(at, at, (*lines, ""))


def _section_edits(update: Update, number: int) -> Iterator[Edit]:
    section = next((one for one in update.layout.sections if one.meaning == number), None)
    if section is None:
        texts = [f"### {number}. {SECTION_TITLES[number]}", *_write_section(update, number)]
        later = (one for one in update.layout.sections if one.meaning is not None and one.meaning > number)
        at = next((one.heading.row for one in later), _end(update))
        if len(texts) > 1:
            yield Edit(at, at, ("", *_join(texts), ""))
        return
    end = next((one.heading.row for one in update.layout.sections if one.heading.row > section.heading.row), None)
    texts = [*_texts(update, number, section)]
    stop = _end(update) if end is None else end
    if not texts:
        yield Edit(section.heading.row, stop, ())
    else:
        yield Edit(section.heading.end, stop, ("", *_join(texts), ""))


def _texts(update: Update, number: int, section: RawSection) -> Iterator[str]:
    """Yield the blocks of a changed section: new ones for imported parts, and all others unchanged."""
    if number in (3, 4):
        yield from _schema_texts(update, number, section)
    elif number == 6:
        yield from _idempotency_texts(update, section)
    else:
        yield from _replace_part(update, number, section)


def _replace_part(update: Update, number: int, section: RawSection) -> Iterator[str]:
    """Yield the blocks of a section, with the block that states its part replaced."""
    fresh = [*_write_section(update, number)]
    for block in section.blocks:
        raw = _raw(update.source, block)
        if PLACEHOLDER.fullmatch(raw.strip()) or _states_part(block, number):
            yield from fresh
            fresh = []
        else:
            yield raw
    yield from fresh


def _states_part(block: Block, number: int) -> bool:
    """Whether a block states the part of its section. Every block of a description or a security note does."""
    if is_comment(block):
        return False
    match number:
        case 5:
            return isinstance(block, ListBlock | TableBlock)
        case 7:
            is_lead = isinstance(block, Paragraph) and block.text in LEADS
            return is_lead or (isinstance(block, Fence) and is_data(block))
        case 9:
            return isinstance(block, Paragraph) and block.text.startswith("**From ")
    return True


def _write_section(update: Update, number: int) -> Iterator[str]:
    return section_blocks(number, update.contract, update.parts, update.sampled)


def _schema_texts(update: Update, number: int, section: RawSection) -> Iterator[str]:
    """Yield the table and the schema in place, with the prose around them."""
    old = update.tool.contract.input if number == 3 else update.tool.contract.output
    table = update.tool.input_table if number == 3 else update.tool.output_table
    new = update.contract.input if number == 3 else update.contract.output
    if ("input" if number == 3 else "output") not in update.parts:
        new = None
    fresh = [*schema_blocks(number, new)]
    is_said = False
    for block in section.blocks:
        raw = _raw(update.source, block)
        if isinstance(block, TableBlock) and table is not None and place_of_table(update.source, block) == table.place:
            grid = grid_of(block)
            if new is not None and old is not None and grid is not None and properties_of(new.value):
                renewed_grid = update_table(grid, old, new)
                yield "\n".join(table_lines(renewed_grid.rows, renewed_grid.alignments))
                fresh = [text for text in fresh if not text.startswith("|")]
        elif isinstance(block, Fence) and holds_schema(block, old):
            yield from fresh
            is_said = True
        elif isinstance(block, Paragraph) and (PLACEHOLDER.fullmatch(raw.strip()) or _is_obsolete(raw, number, new)):
            continue
        else:
            yield raw
            fresh = [text for text in fresh if text != NO_PARAMETERS] if states_nothing(raw) else fresh
    if not is_said:
        yield from fresh


def _is_obsolete(text: str, number: int, new: SchemaPart | None) -> bool:
    """Whether a paragraph denies parameters that the tool now has."""
    return number == 3 and states_nothing(text) and (new is None or not takes_nothing(new))


def _idempotency_texts(update: Update, section: RawSection) -> Iterator[str]:
    """Yield the bold line with its new value, and the prose around it."""
    stated = [*_write_section(update, 6)]
    is_said = False
    others = []
    for block in section.blocks:
        raw = _raw(update.source, block)
        if isinstance(block, Paragraph):
            if PLACEHOLDER.fullmatch(raw.strip()):
                continue
            field = next(
                (one for line in block.lines for one in line_fields(update.source, line) if one.name == "idempotent"),
                None,
            )
            if field is not None and not is_said:
                is_said = True
                rest = [line.text for line in block.lines if line.row != field.place.line - 1]
                others += ["\n".join([*stated, *rest])]
                continue
        others.append(raw)
    yield from others if is_said else [*stated, *others]


def _raw(source: SourceText, block: Block) -> str:
    return "\n".join(source.lines[block.row : block_end(source, block)])


def _end(update: Update) -> int:
    return content_end(update.source, update.layout.heading.end, update.layout.end)


def _join(texts: Sequence[str]) -> list[str]:
    return "\n\n".join(texts).split("\n")
