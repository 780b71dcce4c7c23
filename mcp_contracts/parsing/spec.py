"""A whole specification file: which headings are tools, what is said of the module, and what is left over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from mcp_contracts.contract import SECTION_TITLES, Comment, Fault, FaultKind, SpecFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.canonical import NUMBERED, RawSection, RawTool, read_canonical
from mcp_contracts.parsing.fields import line_fields
from mcp_contracts.parsing.front_matter import read_front_matter, text_value
from mcp_contracts.parsing.legacy import read_legacy
from mcp_contracts.parsing.markdown import (
    Block,
    Fence,
    Heading,
    Html,
    ListBlock,
    Paragraph,
    TableBlock,
    parse_blocks,
    split_cells,
)
from mcp_contracts.parsing.schemas import is_data
from mcp_contracts.parsing.tables import header_of, plain_name
from mcp_contracts.parsing.text import SourceText

MAX_LINES = 20_000
"""How long a spec may be. The longest of real ones has 758 lines; past this, block parsing takes seconds."""

_TOOL_HEADING = re.compile(r"(?:MCP )?Tool\s*[:—–-]\s*(.+)", re.IGNORECASE | re.DOTALL)
_IDENTIFIER = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*")
_GROUP = re.compile(r"\btools?\b", re.IGNORECASE)
_PLACEHOLDER_NAMES = frozenset(
    ("tool_name", "your_tool", "your_tool_name", "my_tool", "example_tool", "module.tool", "module.tool_name",
     "module_name.tool_name", "your_module.your_tool", "tool_name_1", "tool_name_2", "toolname")
)  # fmt: skip
_NO_TOOLS = re.compile(
    r"\bno (?:production )?(?:MCP )?tools? (?:are |is |have been )?(?:currently |yet )*"
    r"(?:defined|exposed|provided|available)\b"
    r"|\bnot MCP-exposed\b|\b(?:exposes?|provides?|defines?|has) no (?:production )?(?:MCP )?tools\b"
    r"|\bdoes not (?:currently |yet )?(?:expose|provide|define) (?:any )?(?:production )?(?:MCP )?tools\b",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"(?<!`)\{\{[^{}\n]+\}\}(?!`)")
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)


class _ToolHeading(NamedTuple):
    heading: Heading
    at: int
    name: str
    is_canonical: bool


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
    stated_module = text_value(matter, "module")
    module = stated_module or _folder(path)
    placeholders = list(_placeholders(source, blocks))
    headings = []
    for found in _tool_headings(blocks):
        if found.name in _PLACEHOLDER_NAMES or "{{" in found.name:
            if "{{" not in found.name:
                placeholders.append(source.place_of(found.name, found.heading.row))
        else:
            headings.append(found)
    tools = [_read_tool(source, blocks, found, module) for found in headings]
    tools = _with_listed_tools(source, blocks, tools, module)
    first_row = headings[0].heading.row if headings else len(source.lines)
    return SpecFile(
        path=path,
        text=source.text,
        module=module,
        module_version=text_value(matter, "version") or _head_version(source, blocks, first_row),
        front_matter=matter,
        states_no_tools=not tools and _states_no_tools(blocks),
        tools=tuple(tools),
        comments=tuple(_comments(source, blocks)),
        placeholders=tuple(sorted(placeholders)),
        faults=faults,
    )


def _folder(path: str) -> str | None:
    parent = PurePosixPath(path).parent.name
    return parent or None


def _tool_headings(blocks: Sequence[Block]) -> Iterator[_ToolHeading]:
    """The headings that begin a tool. Inside a tool, deeper headings are its sections."""
    tool_level = 0
    group_level = 0
    for index, block in enumerate(blocks):
        if not isinstance(block, Heading):
            continue
        if tool_level and block.level > tool_level:
            continue
        tool_level = 0
        if group_level and block.level <= group_level:
            group_level = 0
        stated = _TOOL_HEADING.fullmatch(block.text.strip())
        if stated and block.level > 1:
            name = stated[1].strip().strip("*")
            name = name[1:-1].strip() if len(name) > 1 and name[0] == name[-1] == "`" else name
            tool_level = block.level
            yield _ToolHeading(block, index, name, block.level == 2)
        elif block.level > 1 and _is_tool_name(block.text.strip().strip("*"), in_group=bool(group_level)):
            tool_level = block.level
            yield _ToolHeading(block, index, block.text.strip().strip("*`"), False)
        elif _GROUP.search(block.text):
            group_level = group_level or block.level


def _is_tool_name(text: str, *, in_group: bool) -> bool:
    """Whether a heading without `Tool:` is a tool's name: an identifier, and surely one or under a heading of tools."""
    is_code = len(text) > 2 and text[0] == text[-1] == "`"
    name = text[1:-1] if is_code else text
    if not _IDENTIFIER.fullmatch(name) or not re.search(r"[a-z]", name):
        return False
    return in_group or "_" in name or (is_code and "." in name)


def _read_tool(source: SourceText, blocks: Sequence[Block], found: _ToolHeading, module: str | None) -> SpecTool:
    level = found.heading.level
    end = next(
        (i for i in range(found.at + 1, len(blocks)) if isinstance(b := blocks[i], Heading) and b.level <= level),
        len(blocks),
    )
    body = blocks[found.at + 1 : end]
    last_row = blocks[end].row if end < len(blocks) else len(source.lines)
    intro, sections = _sections(body)
    raw = RawTool(
        heading=found.heading,
        name=found.name,
        name_place=source.place_of(found.name.partition("\n")[0], found.heading.row),
        module=module,
        intro=intro,
        sections=sections,
        end_row=last_row,
        extent=source.place(found.heading.row, end_row=last_row - 1),
    )
    deviations = _deviations(source, found, raw)
    return read_legacy(source, raw, deviations) if deviations else read_canonical(source, raw)


def _sections(body: Sequence[Block]) -> tuple[tuple[Block, ...], tuple[RawSection, ...]]:
    """The blocks before the first heading, and the sections at the highest level of headings there is."""
    levels = [block.level for block in body if isinstance(block, Heading)]
    if not levels:
        return tuple(body), ()
    top = min(levels)
    starts = [i for i, block in enumerate(body) if isinstance(block, Heading) and block.level == top]
    sections = []
    for start, stop in zip(starts, [*starts[1:], len(body)], strict=True):
        heading = body[start]
        if isinstance(heading, Heading):
            number, title = _numbered(heading.text)
            sections.append(RawSection(heading, number, title, tuple(body[start + 1 : stop])))
    return tuple(body[: starts[0]]), tuple(sections)


def _numbered(text: str) -> tuple[int | None, str]:
    match = NUMBERED.fullmatch(text)
    if match and int(match[1]) in SECTION_TITLES:
        return int(match[1]), match[2].strip()
    lowered = text.strip().lower()
    for number, title in SECTION_TITLES.items():
        if lowered in (title.lower(), title.partition(" (")[0].lower()):
            return number, text.strip()
    return None, text.strip()


def _deviations(source: SourceText, found: _ToolHeading, raw: RawTool) -> tuple[str, ...]:
    """What keeps a tool from being canonical; empty if nothing does.

    A canonical heading over numbered sections is taken as an attempt at the format, and its faults are reported one
    by one, unless it has none of a dotted name, a version and a schema: so tools were written before there was one.
    """
    numbered = sum(1 for section in raw.sections if NUMBERED.fullmatch(section.heading.text))
    has_schema = any(isinstance(block, Fence) and is_data(block) for block in (*raw.blocks(3), *raw.blocks(4)))
    has_version = any(
        field.name == "version"
        for block in raw.intro
        if isinstance(block, Paragraph | ListBlock)
        for row in range(block.row, block.end)
        for field in line_fields(source, row)
    )
    is_attempt = "." in found.name or has_version or (has_schema and bool(raw.blocks(7)))
    if found.is_canonical and numbered and is_attempt:
        return ()
    if found.is_canonical and not raw.sections and not raw.intro:
        return ()
    deviations = []
    if not found.is_canonical:
        deviations.append("the heading is not ``## Tool: `module.tool` ``")
    if "." not in found.name:
        deviations.append("the name has no module prefix")
    if not has_version:
        deviations.append("it states no version")
    if not numbered:
        deviations.append("its sections are not the numbered ones")
    if not has_schema:
        deviations.append("it has no JSON Schema block in sections 3 and 4")
    return tuple(deviations)


def _with_listed_tools(
    source: SourceText, blocks: Sequence[Block], tools: list[SpecTool], module: str | None
) -> list[SpecTool]:
    """The tools, with those that stand only in an overview table (`| Tool | Summary |`), in order of appearance."""
    by_name = {tool.contract.name: tool for tool in tools}
    first_tool = min((tool.lines[0] for tool in tools), default=len(source.lines) + 1)
    listed: list[SpecTool] = []
    names: set[str] = set()
    under_tools = False
    for block in blocks:
        if block.row + 1 >= first_tool:
            break
        if isinstance(block, Heading):
            under_tools = bool(_GROUP.search(block.text)) and block.level > 1
        elif isinstance(block, TableBlock) and under_tools:
            if header_of(source, block)[0].strip("*` ").lower() not in ("tool", "tools", "tool name"):
                continue
            for row in range(block.row + 2, block.end):
                cells = split_cells(source.lines[row])
                name = plain_name(cells[0][0]) if cells else ""
                if not _IDENTIFIER.fullmatch(name) or name in names or name in _PLACEHOLDER_NAMES:
                    continue
                names.add(name)
                description = cells[1][0] if len(cells) > 1 else ""
                listed.append(by_name.get(name) or _listed(source, name, description, row, module))
    return [*listed, *(tool for tool in tools if tool.contract.name not in names)] if listed else tools


def _listed(source: SourceText, name: str, description: str, row: int, module: str | None) -> SpecTool:
    place = source.place_of(name, row)
    places = {"name": place, "extent": source.place(row), "description": source.place_of(description, row)}
    contract = ToolContract(name, place, module=module, description=description, places=places)
    deviation = "it is only listed in a table and has no section of its own"
    return SpecTool(contract, (row + 1, row + 1), source.lines[row], deviations=(deviation,))


def _head_version(source: SourceText, blocks: Sequence[Block], first_row: int) -> str | None:
    """The version stated before the first tool: the module's."""
    for block in blocks:
        if block.row >= first_row:
            return None
        if isinstance(block, Paragraph):
            for row in range(block.row, block.end):
                for field in line_fields(source, row):
                    if field.name in ("version", "module version"):
                        return field.value.strip("` ") or None
    return None


def _states_no_tools(blocks: Sequence[Block]) -> bool:
    return any(isinstance(block, Paragraph | Heading) and _NO_TOOLS.search(block.text) for block in blocks)


def _comments(source: SourceText, blocks: Sequence[Block]) -> Iterator[Comment]:
    """The HTML comments, each with the lines of the block after it. Comments inside lists count as well."""
    for index, block in enumerate(blocks):
        if isinstance(block, Html) and "<!--" in block.content:
            following = next((b for b in blocks[index + 1 :] if not isinstance(b, Html)), None)
            next_block = None if following is None else (following.row + 1, following.end)
            offset_row = block.row
            content = "\n".join(source.lines[block.row : block.end])
            for match in _COMMENT.finditer(content):
                row = offset_row + content.count("\n", 0, match.start())
                end_row = offset_row + content.count("\n", 0, match.end())
                start = match.start() - (content.rfind("\n", 0, match.start()) + 1)
                stop = match.end() - (content.rfind("\n", 0, match.end()) + 1)
                yield Comment(match[1].strip(), source.place(row, start, stop, end_row=end_row), next_block)
        elif isinstance(block, ListBlock):
            for item in block.items:
                yield from _comments(source, item.blocks)


def _placeholders(source: SourceText, blocks: Sequence[Block]) -> Iterator[Place]:
    """`{{…}}` outside fences and code spans: what a template left to fill in."""
    if "{{" not in source.text:
        return
    fenced = {row for block in _all_blocks(blocks) if isinstance(block, Fence) for row in range(block.row, block.end)}
    for row, line in enumerate(source.lines):
        if "{{" in line and row not in fenced:
            for match in _PLACEHOLDER.finditer(line):
                yield source.place(row, match.start(), match.end())


def _all_blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, ListBlock):
            for item in block.items:
                yield from _all_blocks(item.blocks)
