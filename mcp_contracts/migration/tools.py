"""A tool in an older dialect, converted to the canonical form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SchemaPart, SpecTool, Table, TableRow
from mcp_contracts.formatting.regeneration import Grid, new_grid, regenerate_table
from mcp_contracts.formatting.tables import grid_of
from mcp_contracts.migration.facts import plain_text, semantic_version
from mcp_contracts.migration.messages import message_of, old_names
from mcp_contracts.migration.passages import INTRO, NOTES, Passage, Passages
from mcp_contracts.parsing.canonical import states_nothing
from mcp_contracts.parsing.leads import says_no_parameters
from mcp_contracts.parsing.markdown.blocks import Block, Fence, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.table_faults import misshapen_rows
from mcp_contracts.parsing.parameters.tables import place_of_table
from mcp_contracts.parsing.schemas import holds_schema, is_data, is_from, is_schema, read_fence
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import dataclass
from mcp_contracts.schema.simple import properties_of
from mcp_contracts.sections import PROPERTY_LINES, SECTION_TITLES
from mcp_contracts.writing.json_text import json_fence
from mcp_contracts.writing.tables import table_cell, table_lines

MISSING = {
    1: "{{description: say what the tool does, when to choose it, and what it does not do}}",
    3: "{{parameters: list the parameters in a table and in the schema, and delete this line}}",
    4: "{{result: describe the data that the tool returns, in a table and in the schema, and delete this line}}",
    5: "{{errors: list the error types that can occur, and say when each of them occurs}}",
    7: "{{examples: add a real call, its result, and a failure}}",
    8: "{{security: say what a caller can reach, break or spend through the arguments, and what prevents it}}",
}
"""The placeholders for sections without content."""
NO_PARAMETERS = "This tool takes no parameters."
_WORD = re.compile(r"\w+")
_STRUCTURE = frozenset(
    ("parameter", "parameters", "param", "params", "name", "type", "required", "optional", "default", "description",
     "field", "fields", "value", "example", "examples", "yes", "no", "true", "false", "none", "null", "input",
     "output", "inputs", "arguments", "args", "inputschema", "input_schema", "outputschema", "output_schema",
     "returns", "return", "properties", "object", "string", "integer", "number", "boolean", "array", "any", "str",
     "int", "float", "bool", "list", "dict", "json", "yaml", "tool", "tool_name", "toolname", "function", "call",
     "method", "tools", "id", "jsonrpc", "of", "or", "and", "the", "a", "is", "status")
)  # fmt: skip


def schema_texts(
    source: SourceText, blocks: Sequence[Block], part: SchemaPart | None, table: Table | None, name: str
) -> Iterator[str]:
    """Yield the blocks of a section for a schema: the table, then the schema, with placeholders for missing parts.

    `name` is `input` or `output`; `blocks` are the blocks of the tool, including the parsed table.
    """
    if part is None or not is_schema(part.value):
        yield MISSING[3 if name == "input" else 4]
        yield json_fence({"type": "object"})
        return
    grid = _grid(source, blocks, part, table)
    if grid is not None and len(grid.rows) > 1:
        yield "\n".join(table_lines(grid.rows, grid.alignments))
    yield json_fence(part.value)


def _grid(source: SourceText, blocks: Sequence[Block], part: SchemaPart, table: Table | None) -> Grid | None:
    if not properties_of(part.value):
        return None
    for block in blocks if table is not None else ():
        if isinstance(block, TableBlock) and table is not None and place_of_table(source, block) == table.place:
            written = None if any(misshapen_rows(source, block)) else grid_of(block)
            if written is not None:
                return regenerate_table(written, part)
    if table is not None and table.rows:
        return regenerate_table(_tabulate(table.rows, part), part)
    return new_grid(part)


def _tabulate(rows: Sequence[TableRow], part: SchemaPart) -> Grid:
    """Return a table for rows from a list, from code, or from a table that cannot be kept."""
    has_default = any(row.default is not None for row in rows)
    has_example = any(row.example is not None for row in rows)
    name = "Parameter" if part.part == "input" else "Field"
    header = [name, "Type", "Required", *["Default"] * has_default, "Description", *["Example"] * has_example]
    written = [header]
    for row in rows:
        cells = [f"`{row.name}`", table_cell(row.type or ""), table_cell(row.required_text)]
        cells += [table_cell(row.default.text if row.default is not None else "")] if has_default else []
        cells += [table_cell(row.description)]
        cells += [table_cell(row.example.text if row.example is not None else "")] if has_example else []
        written.append(cells)
    return Grid(written)


_TOOL_NAME = re.compile(r'("tool_name"\s*:\s*)"((?:[^"\\]|\\.)*)"')
_OPENING = re.compile(r"^([ \t]*)(`{3,}|~{3,})[^\n]*")


def example_texts(source: SourceText, tool: SpecTool, name: str, parts: Sequence[Passage]) -> Iterator[str]:
    """Yield the section in parts, with calls rewritten as messages. Other examples are kept for people to read."""
    for part in parts:
        if not isinstance(part.block, Fence):
            yield part.text
            continue
        renamed = _rename_calls(part.text, tool, name)
        if _is_message(source, part.block) or not is_data(part.block):  # calls in Python are supported
            yield renamed
            continue
        found = [example for example in tool.contract.examples if is_from(example.locator, part.block)]
        messages = [
            message for message in (message_of(example, tool, name) for example in found) if message is not None
        ]
        written = [json_fence(message) for message in messages]
        yield from written
        if not written or not is_said(part.block.content, [*written, tool.contract.name]):
            yield _OPENING.sub(r"\1\2text", part.text)  # a code block that programs do not treat as an example


def _is_message(source: SourceText, block: Fence) -> bool:
    """Whether a code block contains a call or a result of the protocol."""
    if not is_data(block) or not block.is_closed:
        return False
    value = read_fence(source, block, "example").value
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("tool_name"), str):
        return value.keys() <= {"tool_name", "arguments"}
    return isinstance(value.get("status"), str) and {"data", "error", "explanation"} <= value.keys()


def _rename_calls(text: str, tool: SpecTool, name: str) -> str:
    """Return text in which calls have the tool's new name."""
    old = old_names(tool)
    return _TOOL_NAME.sub(lambda match: f'{match[1]}"{name}"' if match[2] in old else match[0], text)


_FIRST_VERSION = "0.1.0"
_VERSION = "{{version: replace the 0.1.0 above with the version that callers know, and delete this line}}"
_IDEMPOTENCY = "{{idempotency: write yes, no or conditional above, and say what repeating a call changes}}"
_STATED = "idempotent"


@dataclass(frozen=True, slots=True)
class Original:
    """A parsed tool, its rows by section, and its new name."""

    source: SourceText
    tool: SpecTool
    name: str
    passages: Passages

    @property
    def is_numbered(self) -> bool:
        """Whether the tool has the sections of the format, whose content is kept."""
        return any(section.number is not None for section in self.tool.sections)

    def parts(self, *sections: int) -> list[Passage]:
        """Return the rows of some sections."""
        return [part for part in self.passages.parts if part.section in sections]


def tool_text(original: Original) -> str:
    """Return the text of the tool, from its heading."""
    blocks = [f"## Tool: `{original.name}`", *_properties(original)]
    notes: list[str] = []
    for number in range(1, 10):
        written = [text for text in _section(original, number, notes) if text.strip()]
        if number == 9 and not written:
            continue
        blocks += [f"### {number}. {SECTION_TITLES[number]}", *(written or filter(None, [MISSING.get(number)]))]
    notes += [part.text for part in original.parts(NOTES)]
    if notes and not notes[0].startswith("### "):
        notes.insert(0, "### Notes")
    return "\n\n".join([*blocks, *notes]) + "\n"


def _properties(original: Original) -> Iterator[str]:
    """Yield the bold lines in the format's order, with a placeholder for a missing version."""
    stated = dict(original.passages.properties)
    version = original.tool.contract.version
    lines = [f"**Version**: {semantic_version(version) or version or _FIRST_VERSION}"]
    lines += [f"**{name.capitalize()}**: {stated[name]}" for name in PROPERTY_LINES[1:] if stated.get(name)]
    yield "\n".join(lines)
    if not version:
        yield _VERSION


def _section(original: Original, number: int, notes: list[str]) -> Iterator[str]:
    """Yield the text of a section in parts. Text that belongs to no section goes to the notes."""
    contract = original.tool.contract
    if number == 1:
        yield from _description(original, notes)
    elif number == 2:
        yield f"`{original.name}`"
        kept = [part.text for part in original.parts(2)]
        yield from (text for text in kept if not is_said(text, [original.name, contract.name]))
    elif number == 3:
        yield from _schema(original, number, contract.input)
    elif number == 4:
        yield from _schema(original, number, contract.output)
    elif number == 6:
        yield from _idempotency(original)
    elif number == 7:
        yield from example_texts(original.source, original.tool, original.name, original.parts(7))
    else:
        yield from (part.text for part in original.parts(number))


def _description(original: Original, notes: list[str]) -> Iterator[str]:
    if original.is_numbered:
        yield from (part.text for part in original.parts(1))
        notes += [part.text for part in original.parts(INTRO)]
        return
    description = original.tool.contract.description
    yield description
    said = _comparable(description)
    part = original.tool.contract.input
    for passage in original.parts(INTRO, 1):
        if isinstance(passage.block, Paragraph):
            lines = [line.text for line in passage.block.lines]
            left = [line for line in lines if _comparable(line) not in said]
            if left and not (part is not None and states_nothing(" ".join(left))):
                notes.append("\n".join(left))
        elif isinstance(passage.block, TableBlock | Fence | ListBlock):
            generated = [description, *_generate(original, 3), *_generate(original, 4)]
            if not is_said(_plain_block(passage), [*generated, original.tool.contract.name]):
                notes.append(passage.text)
        else:
            notes.append(passage.text)


def _schema(original: Original, number: int, part: SchemaPart | None) -> Iterator[str]:
    """Yield a schema with its table, and the rest of the section."""
    kept = original.parts(number)
    if original.is_numbered and any(holds_schema(passage.block, part) for passage in kept):
        yield from (passage.text for passage in kept)
        return
    generated = _generate(original, number)
    left = [passage for passage in kept if not is_said(_plain_block(passage), generated)]
    takes_nothing = number == 3 and part is not None and not _has_properties(part)
    if takes_nothing and not any(says_no_parameters(one.text) or states_nothing(one.text) for one in left):
        yield NO_PARAMETERS
    before = [passage.text for passage in left if isinstance(passage.block, Paragraph)]
    yield from before
    yield from generated
    yield from (passage.text for passage in left if not isinstance(passage.block, Paragraph))


def _plain_block(passage: Passage) -> str:
    """Return a block's text; the text of a table omits its header."""
    if isinstance(passage.block, TableBlock):
        return "\n".join(line.text for line in passage.block.lines[2:])
    return passage.block.content if isinstance(passage.block, Fence) else passage.text


def _generate(original: Original, number: int) -> list[str]:
    """Return the table and the schema of section 3 or 4."""
    tool = original.tool
    blocks = [passage.block for passage in original.passages.parts if passage.block is not None]
    part = tool.contract.input if number == 3 else tool.contract.output
    table = tool.input_table if number == 3 else tool.output_table
    return list(schema_texts(original.source, blocks, part, table, "input" if number == 3 else "output"))


def _has_properties(part: SchemaPart) -> bool:
    return not isinstance(part.value, dict) or bool(part.value.get("properties")) or "type" not in part.value


def _idempotency(original: Original) -> Iterator[str]:
    texts = [part.text for part in original.parts(6)]
    stated = original.passages.properties.get(_STATED)
    if stated:
        yield f"**Idempotent**: {stated}"
    elif not texts or (original.tool.contract.idempotent is None and original.tool.idempotency_text is None):
        yield from ("**Idempotent**: no", _IDEMPOTENCY)
    yield from texts


def _comparable(text: str) -> str:
    return re.sub(r"[*_`\s]+", " ", plain_text(text)).strip().lower()


def is_said(text: str, replacements: Iterable[str]) -> bool:
    """Whether replacements contain all words of the original text, except words that only name its parts."""
    said = {word for replacement in replacements for word in _words(replacement)}
    return _words(text) - _STRUCTURE <= said


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text.replace("\\", " "))}
