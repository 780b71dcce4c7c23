"""Reads a whole specification file: its tools, and the information about the module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import LISTED_ONLY, FrontMatter, Placeholder, SchemaOrigin, SpecFile, SpecTool
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.parsing.canonical import find_invocation_name, read_canonical
from mcp_contracts.parsing.data.front_matter import read_front_matter, states_no_tools, text_value
from mcp_contracts.parsing.fields import fields
from mcp_contracts.parsing.locating.absence.library_functions import Division, divide, explain_absence, fenced_instead
from mcp_contracts.parsing.locating.closing_remarks import without_closing_remarks
from mcp_contracts.parsing.locating.headings import (
    IDENTIFIER,
    PLACEHOLDER_NAMES,
    TEMPLATE_NAME,
    ToolHeading,
    is_about_others,
    tool_headings,
)
from mcp_contracts.parsing.locating.listing.listed import with_listed_tools
from mcp_contracts.parsing.locating.odd_headings import TITLED
from mcp_contracts.parsing.locating.siblings import is_bare, unread_siblings, with_open_inputs
from mcp_contracts.parsing.locating.unread import tools_beside, unread_tools
from mcp_contracts.parsing.locating.usual_blocks import usual_blocks
from mcp_contracts.parsing.locating.whole_files import is_plainly_tool, titled_by_path
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Paragraph, TableBlock, flatten_blocks
from mcp_contracts.parsing.markdown.comments import read_comments
from mcp_contracts.parsing.markup import broken_markup, unclosed_blocks
from mcp_contracts.parsing.outside import outer_faults, with_outer_text
from mcp_contracts.parsing.parameters.table_faults import lost_table, misshapen_rows
from mcp_contracts.parsing.parameters.tables import is_parameter_table, place_of_table, read_table
from mcp_contracts.parsing.placeholder_texts import is_placeholder, read_example_marks, read_schema_marks, traces_in
from mcp_contracts.parsing.placeholders import inside, read_braces, read_marks
from mcp_contracts.parsing.raw import RawTool, number_of_title, split_sections
from mcp_contracts.parsing.schemas import is_data
from mcp_contracts.parsing.text import SourceText, shorten
from mcp_contracts.records import replace
from mcp_contracts.sections import Mention

MAX_LINES = 20_000
"""The maximum number of lines. The longest known specification has 758; beyond this, block parsing takes seconds."""

_TITLES = ("\n### 1. Tool Purpose and Description\n", "| Description |")
"""Titles that are not placeholders, although they mention a description."""
_MEANT_AS_NAME = re.compile(r"[A-Za-z][\w.-]*(?:[ /][\w.-]+){0,3}")
_FEWEST_NUMBERED = 3
_NO_SCHEMA = "it has no JSON Schema block in sections 3 and 4"


def read_spec(path: str, text: str) -> SpecFile:
    """Read a specification. This never fails; faults are part of the result.

    `path` is the path in places; its folder is the name of the module if the front matter has none.
    """
    source = SourceText.of(path, text)
    if len(source.lines) > MAX_LINES:
        message = f"the file has {len(source.lines):,} lines, more than {MAX_LINES:,}"
        fault = Fault(FaultKind.OVERSIZED, message, source.place(0), "split it into one file for each module")
        return SpecFile(path, source.text, faults=(fault,))
    matter, skip_rows, faults = read_front_matter(source)
    blocks = usual_blocks(source, skip_rows=skip_rows)
    file = _read(source, blocks, matter, skip_rows, faults)
    if not file.tools and not file.states_no_tools and (titled := titled_by_path(path, blocks)) is not None:
        again = _read(source, titled, matter, skip_rows, faults)
        return again if again.tools and all(map(is_plainly_tool, again.tools)) else file
    return file


def _read(
    source: SourceText, blocks: Sequence[Block], matter: FrontMatter | None, skip_rows: int, faults: Sequence[Fault]
) -> SpecFile:
    """Read the tools of a specification, and what it says about its module."""
    path = source.path
    module = text_value(matter, "module") or PurePosixPath(path).parent.name or None
    placeholders = list(read_braces(source, blocks))
    in_text = len(placeholders)
    tools = _tools_below_headings(source, blocks, module, placeholders)
    fenced: Sequence[SpecTool] = ()
    is_of_others = False
    if not tools:  # which is rare
        from mcp_contracts.parsing.locating.code.fenced import fenced_tools
        from mcp_contracts.parsing.locating.foreign_headings import with_foreign_headings

        if (headed := with_foreign_headings(source, blocks, skip_rows=skip_rows)) is not None:
            tools = _tools_below_headings(source, headed, module, placeholders)
            blocks = headed if tools else blocks
        is_of_others = not tools and is_about_others(blocks)
        fenced = [] if tools or is_of_others else list(fenced_tools(source, blocks, module))
        if not tools and not is_of_others:
            implied = list(_find_implied_tools(source, blocks, module, placeholders))
            tools = with_outer_text(source, blocks, implied) if len(implied) > len(fenced) else []
        tools = tools or with_outer_text(source, blocks, list(fenced))
    unread: tuple[Mention, ...] = ()
    division = Division(tools)
    lists_none = states_no_tools(matter)
    if not tools:
        unread = tuple(unread_tools(source, blocks, is_template=bool(placeholders)))
        if len(placeholders) == in_text:  # otherwise the file is a template, and its tools have no names yet
            division = explain_absence(blocks, unread, module, lists_none=lists_none)
    elif any(tool.is_legacy for tool in tools):
        division = divide(blocks, tools, module, lists_none=lists_none)
    tools, denial = list(division.tools), division.denial
    named = (*tools, *division.denied)
    has_none = not tools and (division.is_plain or denial is not None)
    if tools and all(LISTED_ONLY in tool.deviations for tool in tools):
        described = list(_find_implied_tools(source, blocks, module, placeholders))
        if any(LISTED_ONLY not in tool.deviations for tool in described) and len(described) * 2 > len(tools):
            tools = described  # the table that lists them has less information
    first_row = tools[0].lines[0] - 1 if tools else len(source.lines)
    part = None
    fence_faults: Sequence[Fault] = ()
    if not tools and not has_none:
        from mcp_contracts.parsing.locating.code.fenced import fenced_faults
        from mcp_contracts.parsing.locating.contract_parts import first_of_contract

        part = None if is_of_others else first_of_contract(blocks)
        fence_faults = tuple(fenced_faults(source, blocks))
    return SpecFile(
        path=path,
        text=source.text,
        module=module,
        module_version=text_value(matter, "version")
        or _head_version(source, [block for block in blocks if block.row < first_row]),
        front_matter=matter,
        states_no_tools=has_none,
        plainly_has_none=division.is_plain,
        unread_tools=tuple(tools_beside(source, blocks, named)) if tools else () if has_none else unread,
        unread_siblings=tuple(unread_siblings(source, blocks, named)) if any(tool.is_legacy for tool in tools) else (),
        contract_part=None if part is None else source.place(part.row),
        functions=division.functions,
        denial=None if denial is None else source.place(denial.row),
        tools=tuple(tools),
        comments=tuple(read_comments(source, blocks)),
        placeholders=tuple(sorted(placeholders, key=lambda placeholder: placeholder.place)),
        faults=(
            *faults,
            *unclosed_blocks(source, blocks),
            *broken_markup(source, blocks),
            *fence_faults,
            *(outer_faults(source, blocks, tools) if tools else ()),
        ),
    )


def _tools_below_headings(
    source: SourceText, blocks: Sequence[Block], module: str | None, placeholders: list[Placeholder]
) -> list[SpecTool]:
    """Return the tools with headings, and those of an overview table. Names in braces are placeholders."""
    headings = []
    for found in without_closing_remarks(blocks, tool_headings(blocks)):
        if found.name in PLACEHOLDER_NAMES or re.fullmatch(r"\[\w[\w ]*\]", found.name):
            place = source.place_in(found.heading.line, found.column, found.column + len(found.name))
            placeholders.append(Placeholder(found.name, place))
            if found.name == TEMPLATE_NAME and _is_filled_in(source, blocks, found):
                headings.append(found)
        elif "{{" not in found.name and not (_NONE.fullmatch(found.name) or _DENIED.match(found.heading.text)):
            headings.append(found)
    names = frozenset(found.name for found in headings)
    tools = [_with_braces(_read_tool(source, blocks, found, module, names), placeholders) for found in headings]
    if any(tool.is_legacy for tool in tools):
        from mcp_contracts.parsing.locating.listing.items import tools_in_lists  # few files are in an older dialect
        from mcp_contracts.parsing.locating.listing.shared_tables import shared_tables

        for number, table in enumerate(map(shared_tables(blocks).get, (found.name for found in headings))):
            if table is not None and tools[number].contract.input is None:
                found = headings[number]
                own = (found.heading, table, *blocks[found.at + 1 : found.end + 1])
                moved = replace(found, at=0, end=found.end - found.at + 1)
                tools[number] = _read_tool(source, own, moved, module, names)
        starts = Counter(found.at for found in headings)
        for number, found in enumerate(headings):
            if tools[number].contract.input is None and starts[found.at] > 1:
                tools[number] = _with_row(source, blocks[found.at + 1 : found.end], tools[number], module)
        for beside in tools_in_lists(blocks, headings):
            tools.extend(_read_tool(source, beside.blocks, found, module, names) for found in beside.headings)
        tools.sort(key=lambda tool: tool.lines)
    if tools and all(tool.is_legacy for tool in tools):
        tools = list(fenced_instead(source, blocks, tools, module))
    tools = with_open_inputs(tools)
    bare = [number for number, tool in enumerate(tools) if is_bare(tool)]
    if len(bare) > 1 and len(bare) * 2 > len(tools):
        for number in bare:  # a sentence for each tool lists them
            tools[number] = replace(tools[number], deviations=(*tools[number].deviations, LISTED_ONLY))
    first_at = headings[0].at if headings else len(blocks)
    tools = with_listed_tools(source, blocks[:first_at], tools, module)
    if tools and not headings:  # lists next to the tables may contain other tools
        tools = sorted([*tools, *_listed_beside(source, blocks, tools, module)], key=lambda tool: tool.lines)
    return with_outer_text(source, blocks, tools)


_DENIED = re.compile(r"\W*(?:not|no longer) an? (?:MCP )?tool\b", re.IGNORECASE)
"""The title of what is no tool: ``### Not a tool: `x` ``."""
_NONE = re.compile(r"(?:none|n/a)(?:\b.*)?", re.IGNORECASE)
"""What stands in place of a name: `## Tool: none for payouts`."""


def _listed_beside(
    source: SourceText, blocks: Sequence[Block], tools: Sequence[SpecTool], module: str | None
) -> Iterator[SpecTool]:
    """Yield the tools that are in lists below titles about tools, but in no table."""
    from mcp_contracts.parsing.locating.listing.items import tools_in_lists  # few files only list their tools

    known = {tool.contract.name.rpartition(".")[2] for tool in tools}
    for beside in tools_in_lists(blocks, ()):
        if known.isdisjoint(found.name.rpartition(".")[2] for found in beside.headings):
            for found in beside.headings:
                tool = _read_tool(source, beside.blocks, found, module, frozenset(known))
                yield replace(tool, deviations=(LISTED_ONLY,)) if tool.contract.input is None else tool


def _with_row(source: SourceText, blocks: Sequence[Block], tool: SpecTool, module: str | None) -> SpecTool:
    """Return a tool that shares a heading with others, with its row of a table below the heading."""
    for row in with_listed_tools(source, blocks, [], module):
        if row.contract.name == tool.contract.name:
            own = tool.contract
            places = {**row.contract.places, "description": own.place_of("description")}
            kept = replace(row.contract, place=own.place, description=own.description, places=places)
            return replace(row, contract=kept, lines=tool.lines, deviations=tool.deviations)
    return tool


def _is_filled_in(source: SourceText, blocks: Sequence[Block], found: ToolHeading) -> bool:
    """Whether only the name is left of the template: then the rest is a tool, and is checked."""
    body = blocks[found.at : found.end]
    return (
        found.is_canonical
        and any(isinstance(block, Heading) for block in body[1:])
        and not any("{{" in line for line in source.lines[body[0].row : body[-1].end])
    )


def _find_implied_tools(
    source: SourceText, blocks: Sequence[Block], module: str | None, placeholders: Sequence[Placeholder]
) -> Iterator[SpecTool]:
    """Yield the tools that begin with something other than a heading."""
    from mcp_contracts.parsing.locating.implied import implied_tools  # nearly all files have headings

    found = implied_tools(blocks)
    if found is None:
        return
    headings = list(without_closing_remarks(found.blocks, found.headings))
    names = frozenset(heading.name for heading in headings)
    whole = {heading.name for number, heading in enumerate(headings) if number not in found.listed}
    for number, heading in enumerate(headings):
        if number in found.listed and heading.name in whole:
            continue  # named in a list, and described elsewhere
        tool = _with_braces(_read_tool(source, found.blocks, heading, module, names), placeholders)
        is_listed = number in found.listed and tool.contract.input is None
        yield replace(tool, deviations=(*tool.deviations, LISTED_ONLY)) if is_listed else tool


def _read_tool(
    source: SourceText, blocks: Sequence[Block], found: ToolHeading, module: str | None, siblings: AbstractSet[str]
) -> SpecTool:
    last_row = blocks[found.end].row if found.end < len(blocks) else len(source.lines)
    last_row = max(last_row, found.heading.row + 1)
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
    invoked = find_invocation_name(raw) if deviations and is_title else None
    if invoked is not None and (IDENTIFIER.fullmatch(invoked[0]) or _MEANT_AS_NAME.fullmatch(invoked[0])):
        # The heading has a title, not a name.
        name, line, column = invoked
        raw = replace(raw, name=name, name_place=source.place_in(line, column, column + len(name)))
    if deviations and raw.numbered < _FEWEST_NUMBERED:
        from mcp_contracts.parsing.legacy.tool import read_legacy  # few tools are not canonical

        tool = read_legacy(source, raw, deviations, siblings)
        if any(
            part is not None and part.origin is SchemaOrigin.SCHEMA
            for part in (tool.contract.input, tool.contract.output)
        ) or any(fault.kind is FaultKind.INVALID_JSON and fault.part != "example" for fault in tool.faults):
            tool = replace(tool, deviations=tuple(one for one in deviations if one != _NO_SCHEMA))
    else:
        tool = read_canonical(source, raw, deviations)
    if not tool.contract.description and (titled := TITLED.search(found.heading.text)) is not None:
        words = found.heading.text[titled.start() : titled.start(1)].rstrip("(` ")
        tool = replace(tool, contract=replace(tool.contract, description=words))
    tool = _with_tables(source, tool, blocks[found.at + 1 : found.end])
    marks = tuple(_marks(source, raw, tool))
    return replace(tool, contract=replace(tool.contract, placeholders=marks)) if marks else tool


def _with_tables(source: SourceText, tool: SpecTool, blocks: Sequence[Block]) -> SpecTool:
    """Return the tool with all its tables of parameters and fields, and the faults in the rows of any table."""
    tables = list(tool.tables or (table for table in (tool.input_table, tool.output_table) if table is not None))
    places = {table.place for table in tables}
    faults: list[Fault] = []
    before: Block | None = None
    for block in flatten_blocks(blocks):
        if isinstance(block, Paragraph):
            faults.extend(lost_table(source, block, before))
        elif isinstance(block, TableBlock):
            faults.extend(misshapen_rows(source, block))
            if is_parameter_table(block) and (place := place_of_table(source, block)) not in places:
                places.add(place)
                tables.append(read_table(source, block))
        before = block
    return replace(tool, tables=tuple(tables), faults=(*tool.faults, *faults)) if tables or faults else tool


def _marks(source: SourceText, raw: RawTool, tool: SpecTool) -> Iterator[Placeholder]:
    """Yield the placeholders of a tool, including its purpose, but not sections of an author's own."""
    purpose = tool.section(1)
    if purpose is not None and purpose.is_empty:
        yield Placeholder("", purpose.place)
    text = "\n".join(source.lines[raw.heading.row : raw.end_row])
    for title in _TITLES:
        text = text.replace(title, "\n")
    if not (traces := traces_in(text)):
        return
    yield from read_example_marks(tool.contract.examples)
    own = (section for section in raw.sections if section.meaning is not None or tool.is_legacy)
    marks = list(read_marks(source, (*raw.intro, *(block for section in own for block in section.blocks)), traces))
    yield from marks
    place = tool.contract.place_of("description")
    if tool.is_legacy and not marks:  # of a docstring, or of a definition in JSON
        for said in filter(is_placeholder, tool.contract.description.split("\n\n")):
            yield Placeholder(shorten(said), place)
    for part in (tool.contract.input, tool.contract.output):
        if part is not None and part.origin is SchemaOrigin.SCHEMA:
            yield from read_schema_marks(part)


def _with_braces(tool: SpecTool, braces: Sequence[Placeholder]) -> SpecTool:
    """Return a tool with its braces among its placeholders."""
    extent = tool.contract.place_of("extent")
    own = [placeholder for placeholder in braces if inside(placeholder.place, extent)]
    if not own:
        return tool
    placeholders = tuple(sorted((*tool.contract.placeholders, *own), key=lambda placeholder: placeholder.place))
    return replace(tool, contract=replace(tool.contract, placeholders=placeholders))


def _deviations(source: SourceText, found: ToolHeading, raw: RawTool) -> Iterator[str]:
    """Yield the reasons why a tool is not canonical.

    A canonical heading over numbered sections counts as an attempt at the format, whose errors are reported one by one,
    unless it has neither a dotted name nor a version: tools were written that way before the format existed.
    """
    has_schema = any(
        isinstance(block, Fence) and is_data(block) for block in flatten_blocks((*raw.blocks(3), *raw.blocks(4)))
    )
    has_version = any(field.name == "version" for field in fields(source, raw.intro))
    is_attempt = "." in found.name or has_version
    if found.is_canonical and raw.numbered and is_attempt:
        return
    if found.is_canonical and not raw.sections and not raw.intro:
        return
    if not found.is_canonical:
        yield "the heading is not ``## Tool: `module.tool` ``"
    invoked = find_invocation_name(raw)
    if "." not in found.name and (invoked is None or "." not in invoked[0]):
        yield "the name has no module prefix"
    if not has_version:
        yield "it has no version"
    if not raw.numbered:
        numbers = [number_of_title(one.title) for one in raw.sections if re.match(r"\W*\d", one.heading.text)]
        titled = len(numbers) - numbers.count(None)
        yield "its sections have other numbers" if titled >= _FEWEST_NUMBERED else "it lacks the numbered sections"
    if not has_schema:
        yield _NO_SCHEMA


def _head_version(source: SourceText, blocks: Sequence[Block]) -> str | None:
    """Return the version stated before the first tool, which is that of the module."""
    for field in fields(source, blocks):
        if field.name in ("version", "module version"):
            return field.value or None
    return None
