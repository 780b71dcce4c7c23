"""Finds what stands beside the tools of a file in the same form, but is not read as a tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Mention, SpecTool
from mcp_contracts.parsing.locating.headings import OF_TOOLS_ELSEWHERE, is_no_name
from mcp_contracts.parsing.locating.odd_headings import OTHER_GROUP
from mcp_contracts.parsing.markdown.blocks import Block, Heading, ListBlock, TableBlock
from mcp_contracts.parsing.parameters.tables import cells_of
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.topics import about
from mcp_contracts.records import NamedTuple

_ENTRY = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{1,3})*[.)]? )?(?P<mark>\*\*`|`\*\*|\*\*|__|\[`|`)?"
    r"(?P<name>[a-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*)(?P<call>\([^`*]*\))?(?P<end>[`*_\]]+)?"
    r"(?P<said>:?\*{0,2}\s*(?:$|[:(–—-].*|\S.*))",
    re.DOTALL,
)
_JOINED = re.compile(r"[a-z0-9][_.-][A-Za-z0-9]|[a-z][A-Z]")


class Entry(NamedTuple):
    """A name that begins a heading, an item or a row, and the form that it has there."""

    name: str
    line: Line
    column: int
    form: tuple[str, bool, str]


def entry_of(kind: str, line: Line) -> Entry | None:
    """Return the name that a line begins with, if it looks like that of a tool: in code, bold, joined, or numbered."""
    match = _ENTRY.match(line.text)
    if match is None or is_no_name(match["name"]):
        return None
    said = match["said"].strip("*: ")
    if said and kind[0] == "h" and said[0] not in "(–—-":
        return None  # words of a title
    is_sure = _JOINED.search(match["name"]) is not None or match["mark"] or (match["number"] and not said)
    if not is_sure or (about(match["name"]) is not None and not match["number"]):
        return None
    form = kind, bool(match["number"]), match["mark"] or ""
    return Entry(match["name"], line, match.start("name"), form)


def unread_siblings(source: SourceText, blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Iterator[Mention]:
    """Yield the headings, items and rows beside those of the tools that have the same form, and are not tools.

    Beside a heading are those of the same level and parent; beside an item or a row, the others of its list or table.
    """
    rows = {tool.contract.place.line - 1 for tool in tools} | {tool.lines[0] - 1 for tool in tools}
    known = {form for tool in tools for form in names_of(tool)}
    extents = [(tool.lines[0] - 1, tool.lines[1]) for tool in tools]
    for group in _groups(blocks):
        forms = {entry.form for line, entry in group if entry is not None and line.row in rows}
        for line, entry in group:
            if entry is None or entry.form not in forms or line.row in rows or entry.name.rpartition(".")[2] in known:
                continue
            if entry.form[0][0] != "h" and any(first < line.row < last for first, last in extents):
                continue  # part of a tool, such as a parameter
            known.add(entry.name)
            yield Mention(entry.name, source.place_in(line, entry.column, entry.column + len(entry.name)))


def names_of(tool: SpecTool) -> Iterator[str]:
    """Yield the names under which a file may mention a tool."""
    for name in (tool.contract.name, tool.contract.source_name, tool.invocation_name):
        if name:
            yield from (name, name.rpartition(".")[2])


def _groups(blocks: Sequence[Block]) -> Iterator[list[tuple[Line, Entry | None]]]:
    """Yield the headings below each heading, the items of each list, and the rows of each table."""
    below: dict[tuple[object, ...], list[tuple[Line, Entry | None]]] = {}
    above: dict[int, tuple[int, str]] = {}
    for at, block in enumerate(blocks):
        if isinstance(block, Heading):
            above = {level: one for level, one in above.items() if level < block.level}
            parent = max(above.values(), default=(-1, ""))[0]
            if not _is_elsewhere(above):
                group = below.setdefault((parent, block.level), [])
                group.append((block.line, entry_of(f"h{block.level}", block.line)))
            above[block.level] = at, block.text
        elif isinstance(block, ListBlock) and not _is_elsewhere(above):
            level = max(above, default=0)
            parent = max((one for higher, one in above.items() if higher < level), default=(-1, ""))[0]
            group = below.setdefault(("items", parent, level), [])
            group.extend((item.lines[0], entry_of("item", item.lines[0])) for item in block.items if item.lines)
        elif isinstance(block, TableBlock) and not _is_elsewhere(above):
            cells = [cells_of(line)[0] for line in block.lines[2:]]
            lines = [Line(cell.text, cell.row, cell.column) for cell in cells]
            group = below.setdefault(("rows", block.lines[0].text), [])
            group.extend((line, entry_of("row", line)) for line in lines)
    yield from below.values()


def _is_elsewhere(above: dict[int, tuple[int, str]]) -> bool:
    """Whether the titles above a block are about former tools, those of others, or prompts and resources."""
    titles = [title for level, (_, title) in above.items() if level > 1]
    return any(OF_TOOLS_ELSEWHERE.search(title) or OTHER_GROUP.fullmatch(title.strip("*_: ")) for title in titles)
