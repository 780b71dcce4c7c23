"""Finds what looks like the tools next to it, but is not read as a tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.locating.alike import Entry, entry_of, is_joined
from mcp_contracts.parsing.locating.headings import GROUP, NOT_OF_TOOLS, OF_TOOLS_ELSEWHERE, is_no_name
from mcp_contracts.parsing.locating.listing.kind_tables import tools_of_kinds
from mcp_contracts.parsing.locating.odd_headings import names_other_group
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Item, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.tables import cells_of
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.records import replace
from mcp_contracts.sections import Mention


def unread_siblings(source: SourceText, blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Iterator[Mention]:
    """Yield the siblings of headings, items and rows of tools that contain similar names but are not read as tools.

    Headings are next to each other if they have the same level and parent. Items and rows are next to each other if
    they are in the same list or table; so are names of several words in the lists of sibling sections, or in tables
    with the same header.
    """
    rows = {tool.contract.place.line - 1 for tool in tools} | {tool.lines[0] - 1 for tool in tools}
    known = {form for tool in tools for form in names_of(tool)}
    extents = [(tool.lines[0] - 1, tool.lines[1]) for tool in tools]
    joints = {joint for tool in tools for joint in "-_" if joint in tool.contract.name}
    for parts in _groups(blocks):
        forms = {entry.form for part in parts for line, entry in part if entry is not None and line.row in rows}
        forms |= {entry.form for part in parts for _, entry in part if entry is not None and entry.form[0] == _OF_TOOLS}
        for part in parts if forms else ():
            has_tools = any(line.row in rows for line, _ in part)
            found = [entry for line, entry in part if line.row not in rows and entry is not None]
            found = [one for one in found if one.form in forms and one.name.rpartition(".")[2] not in known]
            found = [one for one in found if not is_no_name(one.name)]
            if has_tools:
                found = [one for one in found if one.is_certain or one.is_alone]
            else:
                found = [one for one in found if is_joined(one.name) and not _is_inside(one.line.row, extents)]
                found = [one for one in found if joints != {"_"} or "-" not in one.name]  # an agent or a skill
            for one in found:
                if one.name not in known:
                    known.add(one.name)
                    yield Mention(one.name, source.place_in(one.line, one.column, one.column + len(one.name)))


def _is_inside(row: int, extents: Sequence[tuple[int, int]]) -> bool:
    """Whether a row is part of a tool."""
    return any(first < row < last for first, last in extents)


def names_of(tool: SpecTool) -> Iterator[str]:
    """Yield the names under which a file may mention a tool."""
    for name in (tool.contract.name, tool.contract.source_name, tool.invocation_name):
        if name:
            yield from (name, name.rpartition(".")[2])


_OF_TOOLS = "row of a tool"
"""The kind of the rows of a table of tools below a title about tools, whether or not another row is read."""
_Part = list[tuple[Line, Entry | None]]


def _groups(blocks: Sequence[Block]) -> Iterator[list[_Part]]:
    """Yield the headings below each heading, and the lists and tables that are next to each other."""
    groups: dict[tuple[object, ...], list[_Part]] = {}
    above: dict[int, tuple[int, str]] = {}
    for at, block in enumerate(blocks):
        parent, level = max(above.values(), default=(-1, ""))[0], max(above, default=0)
        if isinstance(block, Heading):
            above = {level: one for level, one in above.items() if level < block.level}
            parent = max(above.values(), default=(-1, ""))[0]
            if not _is_elsewhere(above) and "_*" not in block.text and not _says_no_tool(blocks[at + 1 : at + 2]):
                group = groups.setdefault((parent, block.level), [[]])
                group[0].append((block.line, entry_of(f"h{block.level}", block.line)))
            above[block.level] = at, block.text
        elif isinstance(block, ListBlock) and not _is_elsewhere(above) and not _introduces_others(blocks[at - 1]):
            parent = max((one for higher, one in above.items() if higher < level), default=(-1, ""))[0]
            below = (_tools_of_group(item) for item in block.items)
            lines = [one.lines[0] for item in (block.items, *below) for one in item if one.lines]
            groups.setdefault(("item", parent, level), []).append([(line, entry_of("item", line)) for line in lines])
        elif isinstance(block, TableBlock) and not _is_elsewhere(above) and tools_of_kinds(block) is None:
            cells = [cells_of(line)[0] for line in block.lines[2:]]
            lines = [Line(cell.text, cell.row, cell.column) for cell in cells]
            head = block.lines[0].text
            title = cells_of(block.lines[0])[0].text.strip("*_` ").lower()
            kind = _OF_TOOLS if title in ("tool", "tools") and GROUP.search(above.get(level, (-1, ""))[1]) else "row"
            groups.setdefault((kind, head), []).append([(line, entry_of(kind, line)) for line in lines])
    yield from groups.values()


def _tools_of_group(item: Item) -> Sequence[Item]:
    """Return the items of the list below an item that says `Moderation tools`, if they begin with names in code."""
    below = item.blocks[-1] if item.blocks else None
    if not isinstance(below, ListBlock) or not _GROUP_OF_TOOLS.match(item.text):
        return ()
    return below.items if all(_JOINED_IN_CODE.match(one.text) for one in below.items) else ()


_GROUP_OF_TOOLS = re.compile(r"[*_]{0,3}(?:[A-Z][\w/-]* ){0,4}[Tt]ools[*_:]{0,4}(?=\s*(?:$|[*_]?\())")
_JOINED_IN_CODE = re.compile(r"[*_]{0,2}`[a-z][a-z0-9]*[_.-][\w.-]+(?:\([^`]*\))?`")


def _is_elsewhere(above: dict[int, tuple[int, str]]) -> bool:
    """Whether the titles above a block are about former tools, tools elsewhere, or prompts and resources."""
    titles = [title for level, (_, title) in above.items() if level > 1]
    return any(OF_TOOLS_ELSEWHERE.search(title) or names_other_group(title) for title in titles)


def _says_no_tool(below: Sequence[Block]) -> bool:
    """Whether the text below a heading says that its subject is no tool: `Is done by hand, and is not a tool.`"""
    return any(isinstance(block, Paragraph) and _NO_TOOL.search(block.text[:_LONGEST]) is not None for block in below)


_NO_TOOL = re.compile(
    r"\bis(?: not|n[’']t) an? (?:MCP |agent )?tool\b|^\W*(?:it|this module) (?:has|exposes|offers) no (?:MCP )?tools\b",
    re.IGNORECASE,
)
_LONGEST = 400


def _introduces_others(block: Block) -> bool:
    """Whether the block before a list says that the list has something else than the tools."""
    return isinstance(block, Paragraph) and NOT_OF_TOOLS.search(block.text) is not None


def with_open_inputs(tools: list[SpecTool]) -> list[SpecTool]:
    """Return the tools. Those without a place for parameters are open, because they may have any.

    If most tools have such a place, the others are marked, so that MC025 reports them.
    """
    old = [tool for tool in tools if tool.is_legacy]
    keys = ("open_input", "silent_input")[: 2 if sum(map(_has_place_for_input, old)) * 2 >= len(old) else 1]
    return [
        replace(
            tool,
            contract=replace(
                tool.contract, places={**tool.contract.places, **dict.fromkeys(keys, tool.contract.place)}
            ),
        )
        if tool.is_legacy and tool.contract.input is None and not _has_place_for_input(tool)
        else tool
        for tool in tools
    ]


def _has_place_for_input(tool: SpecTool) -> bool:
    """Whether a tool has a section, label or table of its parameters, or their schema."""
    return tool.contract.input is not None or any(3 in (one.number, one.about) for one in tool.sections)


def is_bare(tool: SpecTool) -> bool:
    """Whether a tool in an older dialect has only a name and a sentence."""
    contract = tool.contract
    is_silent = contract.input is None and contract.places.keys().isdisjoint(("unread_input", "prose_input"))
    return tool.is_legacy and is_silent and not (tool.sections or tool.tables or contract.examples or contract.output)
