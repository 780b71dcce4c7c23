"""A whole specification file: its tools, and what is said of the module."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import PurePosixPath

from mcp_contracts.contract import Fault, FaultKind, Placeholder, SchemaOrigin, SpecFile, SpecTool, ToolContract
from mcp_contracts.parsing.canonical import invoked_as, read_canonical
from mcp_contracts.parsing.data.front_matter import read_front_matter, text_value
from mcp_contracts.parsing.fields import fields
from mcp_contracts.parsing.headings import GROUP, IDENTIFIER, PLACEHOLDER_NAMES, ToolHeading, tool_headings
from mcp_contracts.parsing.legacy.tool import read_legacy
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    Html,
    Paragraph,
    TableBlock,
    nested,
    parse_blocks,
)
from mcp_contracts.parsing.markdown.comments import read_comments
from mcp_contracts.parsing.no_tools import states_no_tools
from mcp_contracts.parsing.other_forms import fenced_tools, unread_tool
from mcp_contracts.parsing.parameters.tables import (
    Cell,
    cells_of,
    is_parameter_table,
    lost_table,
    misshapen_rows,
    place_of_table,
    plain_name,
    read_table,
)
from mcp_contracts.parsing.placeholder_texts import is_suspect, read_schema_marks
from mcp_contracts.parsing.placeholders import inside, read_braces, read_marks
from mcp_contracts.parsing.raw import RawTool, split_sections
from mcp_contracts.parsing.schemas import is_data
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.topics import about

MAX_LINES = 20_000
"""How long a spec may be. The longest of real ones has 758 lines; past this, block parsing takes seconds."""

_HIDDEN_HEADING = re.compile(r"^#{2,6} ", re.MULTILINE)
_MEANT_AS_NAME = re.compile(r"[A-Za-z][\w.-]*(?:[ /][\w.-]+){0,3}")
_FEWEST_NUMBERED = 3
_DESCRIPTION, _PARAMETERS = 1, 3
_NO_SCHEMA = "it has no JSON Schema block in sections 3 and 4"


def read_spec(path: str, text: str) -> SpecFile:
    """Read a specification. Whatever its author wrote, this returns; faults are in the result.

    `path` is shown in places as it is; its folder is the module's name where the front matter gives none.
    """
    source = SourceText.of(path, text)
    if len(source.lines) > MAX_LINES:
        message = f"the file has {len(source.lines):,} lines, more than {MAX_LINES:,}"
        fault = Fault(FaultKind.OVERSIZED, message, source.place(0), "split it into one file a module")
        return SpecFile(path, source.text, faults=(fault,))
    matter, skip_rows, faults = read_front_matter(source)
    blocks = parse_blocks(source, skip_rows=skip_rows)
    module = text_value(matter, "module") or PurePosixPath(path).parent.name or None
    placeholders = list(read_braces(source, blocks))
    headings = []
    for found in tool_headings(blocks):
        if found.name in PLACEHOLDER_NAMES:
            place = source.place_in(found.heading.line, found.column, found.column + len(found.name))
            placeholders.append(Placeholder(found.name, place))
        elif "{{" not in found.name:
            headings.append(found)
    names = frozenset(found.name for found in headings)
    tools = [_with_braces(_read_tool(source, blocks, found, module, names), placeholders) for found in headings]
    first_at = headings[0].at if headings else len(blocks)
    tools = _with_listed_tools(source, blocks[:first_at], tools, module)
    tools = tools or list(fenced_tools(source, blocks, module))
    has_none = not tools and states_no_tools(blocks)
    return SpecFile(
        path=path,
        text=source.text,
        module=module,
        module_version=text_value(matter, "version") or _head_version(source, blocks[:first_at]),
        front_matter=matter,
        states_no_tools=has_none,
        unread_tool=None if tools or has_none else unread_tool(source, blocks),
        tools=tuple(tools),
        comments=tuple(read_comments(source, blocks)),
        placeholders=tuple(sorted(placeholders, key=lambda placeholder: placeholder.place)),
        faults=(*faults, *_unclosed(source, blocks)),
    )


def _unclosed(source: SourceText, blocks: Sequence[Block]) -> Iterator[Fault]:
    """The last fence or comment, where it is never closed and hides headings. One that holds data has its own fault."""
    last = blocks[-1] if blocks else None
    if isinstance(last, Fence) and not last.is_closed and not is_data(last):
        what, end, content = "code fence", "a line of three backticks", last.content
    elif isinstance(last, Html) and last.content.lstrip().startswith("<!--") and "-->" not in last.content:
        what, end, content = "comment", "`-->`", last.content
    else:
        return
    if _HIDDEN_HEADING.search(content):
        line = source.lines[last.row]
        place = source.place(last.row, len(line) - len(line.lstrip()), len(line.rstrip()))
        message = f"the {what} that opens here is never closed, and hides the headings after it"
        yield Fault(FaultKind.UNCLOSED, message, place, f"close it with {end}")


def _read_tool(
    source: SourceText, blocks: Sequence[Block], found: ToolHeading, module: str | None, siblings: AbstractSet[str]
) -> SpecTool:
    last_row = blocks[found.end].row if found.end < len(blocks) else len(source.lines)
    intro, sections = split_sections(blocks[found.at + 1 : found.end])
    raw = RawTool(
        heading=found.heading,
        name=found.name,
        name_place=source.place_in(found.heading.line, found.column, found.column + len(found.name)),
        module=module,
        intro=intro,
        sections=sections,
        end_row=last_row,
        extent=source.place(found.heading.row, end_row=last_row - 1),
    )
    deviations = tuple(_deviations(source, found, raw))
    is_title = found.heading.level == 1 or re.match(r"[A-Z].* ", found.name) is not None
    invoked = invoked_as(raw) if deviations and is_title else None
    if invoked is not None and (IDENTIFIER.fullmatch(invoked[0]) or _MEANT_AS_NAME.fullmatch(invoked[0])):
        # The heading has a title, not a name.
        name, line, column = invoked
        raw = replace(raw, name=name, name_place=source.place_in(line, column, column + len(name)))
    if deviations and raw.numbered < _FEWEST_NUMBERED:
        tool = read_legacy(source, raw, deviations, siblings)
        if any(
            part is not None and part.origin is SchemaOrigin.SCHEMA
            for part in (tool.contract.input, tool.contract.output)
        ):
            tool = replace(tool, deviations=tuple(one for one in deviations if one != _NO_SCHEMA))
    else:
        tool = read_canonical(source, raw, deviations)
    tool = _with_tables(source, tool, blocks[found.at + 1 : found.end])
    marks = tuple(_marks(source, raw, tool))
    return replace(tool, contract=replace(tool.contract, placeholders=marks)) if marks else tool


def _with_tables(source: SourceText, tool: SpecTool, blocks: Sequence[Block]) -> SpecTool:
    """The tool with all its tables of parameters and fields, and with what is wrong with the rows of any table."""
    known = [table for table in (tool.input_table, tool.output_table, *tool.tables) if table is not None]
    tables = {table.place: table for table in known}
    faults: list[Fault] = []
    for block in nested(blocks):
        if isinstance(block, Paragraph):
            faults.extend(lost_table(source, block))
        elif isinstance(block, TableBlock):
            faults.extend(misshapen_rows(source, block))
            if is_parameter_table(block) and (place := place_of_table(source, block)) not in tables:
                tables[place] = read_table(source, block)
    return replace(tool, tables=tuple(tables.values()), faults=(*tool.faults, *faults)) if tables or faults else tool


def _marks(source: SourceText, raw: RawTool, tool: SpecTool) -> Iterator[Placeholder]:
    """What a tool leaves to be written, its purpose among it; sections of an author's own may hold any notes."""
    purpose = tool.section(1)
    if purpose is not None and purpose.is_empty:
        yield Placeholder("", purpose.place)
    if not is_suspect("\n".join(source.lines[raw.heading.row : raw.end_row])):
        return
    own = (section for section in raw.sections if section.meaning is not None or tool.is_legacy)
    yield from read_marks(source, (*raw.intro, *(block for section in own for block in section.blocks)))
    for part in (tool.contract.input, tool.contract.output):
        if part is not None and part.origin is SchemaOrigin.SCHEMA:
            yield from read_schema_marks(part)


def _with_braces(tool: SpecTool, braces: Sequence[Placeholder]) -> SpecTool:
    """A tool with the braces in it among its placeholders."""
    extent = tool.contract.place_of("extent")
    own = [placeholder for placeholder in braces if inside(placeholder.place, extent)]
    if not own:
        return tool
    placeholders = tuple(sorted((*tool.contract.placeholders, *own), key=lambda placeholder: placeholder.place))
    return replace(tool, contract=replace(tool.contract, placeholders=placeholders))


def _deviations(source: SourceText, found: ToolHeading, raw: RawTool) -> Iterator[str]:
    """What keeps a tool from being canonical.

    A canonical heading over numbered sections is taken as an attempt at the format, and its faults are reported one
    by one, unless it has none of a dotted name, a version and a schema: so tools were written before there was one.
    """
    has_schema = any(isinstance(block, Fence) and is_data(block) for block in nested((*raw.blocks(3), *raw.blocks(4))))
    has_version = any(field.name == "version" for field in fields(source, raw.intro))
    is_attempt = "." in found.name or has_version or (has_schema and bool(raw.blocks(7)))
    if found.is_canonical and raw.numbered and is_attempt:
        return
    if found.is_canonical and not raw.sections and not raw.intro:
        return
    if not found.is_canonical:
        yield "the heading is not ``## Tool: `module.tool` ``"
    invoked = invoked_as(raw)
    if "." not in found.name and (invoked is None or "." not in invoked[0]):
        yield "the name has no module prefix"
    if not has_version:
        yield "it states no version"
    if not raw.numbered:
        yield "its sections are not the numbered ones"
    if not has_schema:
        yield _NO_SCHEMA


def _with_listed_tools(
    source: SourceText, blocks: Sequence[Block], tools: list[SpecTool], module: str | None
) -> list[SpecTool]:
    """The tools, with those that stand only in an overview table (`| Tool | Summary |`), in order of appearance.

    `blocks` are those before the first tool. Where no tool has a section, a table that gives their parameters may stand
    anywhere.
    """
    by_name = {tool.contract.name: tool for tool in tools}
    listed: dict[str, SpecTool] = {}
    is_under_tools = False
    for block in blocks:
        if isinstance(block, Heading):
            is_under_tools = block.level > 1 and bool(GROUP.search(block.text))
        elif isinstance(block, TableBlock) and (is_under_tools or (not tools and _gives_parameters(block))):
            if cells_of(block.lines[0])[0].text.strip("*` ").lower() not in ("tool", "tools", "tool name"):
                continue
            titles = [cell.text.strip("*_ ") for cell in cells_of(block.lines[0])]
            described = next((at for at, title in enumerate(titles) if at and about(title) in (None, _DESCRIPTION)), 0)
            for line in block.lines[2:]:
                cells = cells_of(line)
                name = plain_name(cells[0].text)
                if IDENTIFIER.fullmatch(name) and name not in (*listed, "none") and name not in PLACEHOLDER_NAMES:
                    listed[name] = by_name.get(name) or _listed(source, name, cells, line, module, described)
    return [*listed.values(), *(tool for tool in tools if tool.contract.name not in listed)] if listed else tools


def _gives_parameters(block: TableBlock) -> bool:
    return any(about(cell.text) == _PARAMETERS for cell in cells_of(block.lines[0])[1:])


def _listed(
    source: SourceText, name: str, cells: Sequence[Cell], line: Line, module: str | None, described: int
) -> SpecTool:
    """A tool that stands in a table only; the cell number `described` says what it does, if one does."""
    start = cells[0].column + cells[0].text.index(name)
    place = source.place(line.row, start, start + len(name))
    places = {"name": place, "extent": source.place(line.row)}
    description = ""
    if 0 < described < len(cells):
        description = cells[described].text
        places["description"] = source.place(line.row, cells[described].column, cells[described].end)
    contract = ToolContract(name, place, module=module, description=description, places=places)
    deviation = "it is only listed in a table and has no section of its own"
    return SpecTool(contract, (line.row + 1, line.row + 1), source.lines[line.row], deviations=(deviation,))


def _head_version(source: SourceText, blocks: Sequence[Block]) -> str | None:
    """The version stated before the first tool: the module's."""
    for field in fields(source, blocks):
        if field.name in ("version", "module version"):
            return field.value or None
    return None
