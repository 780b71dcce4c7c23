"""Tools without a heading or a row in a table: whole tool objects in fences, which are read, and forms that are not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mcp_contracts.contract import JsonValue, Mention, SchemaPart, SpecTool
from mcp_contracts.diagnostics import Part
from mcp_contracts.parsing.data.documents import Document
from mcp_contracts.parsing.legacy.schemas import property_map, tool_object
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Html, Item, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.tables import cells_of, is_parameter_table
from mcp_contracts.parsing.schemas import is_data, is_property_map, read_fence
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.tool_entries import mcp_contract, schema_part
from mcp_contracts.parsing.topics import about

MOST_FENCED = 1_000
"""How many tools are read from the fences of one file."""

_NAME = r"(?P<name>[A-Za-z][\w-]*(?:\.[\w-]+)*)"
_REGISTRATION = re.compile(
    rf"@[\w.]*\btool\b[^\n]*(?:\n[ \t]*@[^\n]*)*\n\s*(?:async )?def {_NAME.replace('name', 'defined')}"
    rf"|\b\w+\.(?:tool|registerTool|register_tool|add_tool|addTool)\(\s*\{{?\s*(?:name\s*[:=]\s*)?[\"']{_NAME}[\"']"
)
_LABELLED = re.compile(
    rf"\**(?:MCP )?(?:Tool|Function)(?: name)?\s*(?::\s*\**|\**\s*:)\s*`?{_NAME}`?\s*$", re.IGNORECASE
)
_LED = re.compile(rf"(?:\*\*`?|`){_NAME}(?:\([^`]*\))?(?:`?\*\*|`)(?=\s*(?:[:(–—-]|$))")
_PARAMETERS = re.compile(
    r"\b(?:param(?:eter)?s?|arg(?:ument)?s?|inputs?|accepts|takes|returns?)\b|\((?:str(?:ing)?|int(?:eger)?|number|bool\w*"
    r"|float|object|array|list)\b",
    re.IGNORECASE,
)
_EXPOSED = re.compile(
    r"\b(?:expos|provid|offer|defin|regist|add|implement|publish|contribut|ha[sv])\w* (?:[\w-]+ ){0,4}?tools?\b"
    rf"[^.`]{{0,30}}`{_NAME}`",
    re.IGNORECASE,
)
_SUMMARY = re.compile(rf"<(?:summary|h[1-6]|dt)[^>]*>\s*(?:<(?:b|code|strong)>\s*)*{_NAME}\s*<", re.IGNORECASE)
_LONGEST = 4_000


def fenced_tools(source: SourceText, blocks: Sequence[Block], module: str | None) -> Iterator[SpecTool]:
    """The tools that stand in fences as whole objects, or as a list of them: `{"name": …, "inputSchema": {…}}`."""
    count = 0
    for block in blocks:
        if not isinstance(block, Fence) or not is_data(block) or not block.is_closed or "name" not in block.content:
            continue
        document = read_fence(source, block, None)
        for here, entry in _entries(document.value):
            count += 1
            if count > MOST_FENCED:
                return
            yield _fenced(source, document, block, here, entry, module)


def _entries(value: JsonValue, here: str = "") -> Iterator[tuple[str, dict[str, JsonValue]]]:
    if isinstance(value, dict):
        if isinstance(value.get("tools"), list):
            yield from _entries(value["tools"], f"{here}/tools")
        elif isinstance(value.get("function"), dict):
            yield from _entries(value["function"], f"{here}/function")
        elif isinstance(value.get("name"), str) and value["name"] and tool_object(value) is not None:
            yield here, value
    elif isinstance(value, list):
        for index, member in enumerate(value):
            if isinstance(member, dict):
                yield from _entries(member, f"{here}/{index}")


def _fenced(
    source: SourceText, document: Document, fence: Fence, here: str, entry: dict[str, JsonValue], module: str | None
) -> SpecTool:
    pointers = dict(tool_object(entry) or ())
    contract = replace(
        mcp_contract(document, here, entry, module),
        input=_schema(document, here, entry, pointers.get("input"), "input"),
        output=_schema(document, here, entry, pointers.get("output"), "output"),
    )
    row = document.place(f"{here}/name").line - 1
    deviation = "it only appears in a code block"
    return SpecTool(contract, (fence.row + 1, fence.end), source.lines[row], deviations=(deviation,))


def _schema(
    document: Document, here: str, entry: dict[str, JsonValue], pointer: str | None, part: Part
) -> SchemaPart | None:
    """The schema of a tool object, under whatever key; a map of properties is that of an object."""
    if pointer is None:
        return None
    value = entry[pointer[1:]]
    if part == "input" and isinstance(value, dict) and is_property_map(value):
        return property_map(document, value, here + pointer)
    return schema_part(document, here, entry, pointer[1:], part)


def unread_tool(source: SourceText, blocks: Sequence[Block]) -> Mention | None:
    """What a file without tools says of one in a form that is not read: a name and its place, or a table of parameters.

    The name is empty where there are parameters and nothing says whose they are.
    """
    for block in blocks:
        named = next(_names(block), None)
        if named is not None:
            line, start, name = named
            return Mention(name, source.place_in(line, start, start + len(name)))
    for block in blocks:
        if isinstance(block, TableBlock) and is_parameter_table(block) and _is_of_parameters(block):
            return Mention("", source.place_in(block.lines[0]))
    return None


def _is_of_parameters(block: TableBlock) -> bool:
    """Whether the head of a table says that its rows are parameters, and not options or variables of something else."""
    return about(cells_of(block.lines[0])[0].text) == 3


def _names(block: Block) -> Iterator[tuple[Line, int, str]]:
    """The names of tools that a block speaks of: a line, a column and a name."""
    if isinstance(block, Fence):
        match = _REGISTRATION.search(block.content[:_LONGEST]) if not is_data(block) else None
        if match is not None:
            group = "defined" if match["defined"] else "name"
            yield from _at(block.content, block.first_row, match.start(group), match[group])
    elif isinstance(block, Html):
        match = _SUMMARY.search(block.content[:_LONGEST]) if not block.is_comment else None
        if match is not None:
            yield from _at(block.content, block.row, match.start("name"), match["name"])
    elif isinstance(block, TableBlock):
        yield from _properties(block)
    elif isinstance(block, ListBlock):
        for item in block.items:
            yield from _led(item.lines, _text_of(item))
    elif isinstance(block, Paragraph):
        for line in block.lines:
            match = _LABELLED.match(line.text) or _EXPOSED.search(line.text[:_LONGEST])
            if match is not None:
                yield line, match.start("name"), match["name"]
        if any(line.text.startswith(":") for line in block.lines[1:]):  # a definition list
            yield from _led(block.lines, block.text)


def _at(text: str, first_row: int, start: int, name: str) -> Iterator[tuple[Line, int, str]]:
    begin = text.rfind("\n", 0, start) + 1
    yield Line(text[begin:].partition("\n")[0], first_row + text.count("\n", 0, start), 0), start - begin, name


def _properties(block: TableBlock) -> Iterator[tuple[Line, int, str]]:
    """The name in a table of one tool's properties: `| Name | `x` |` above `| Input | … |`."""
    rows = [cells_of(line) for line in block.lines if "---" not in line.text]
    titles = [row[0].text.strip("*_` ").lower() for row in rows if len(row) == 2]
    if len(titles) != len(rows) or not any(about(title) in (3, 4) for title in titles):
        return
    for line, row, title in zip([line for line in block.lines if "---" not in line.text], rows, titles, strict=True):
        name = row[1].text.strip("*` ")
        if title in ("name", "tool", "tool name") and re.fullmatch(_NAME, name):
            yield line, line.text.index(name, row[1].column - line.column), name


def _led(lines: Sequence[Line], text: str) -> Iterator[tuple[Line, int, str]]:
    """The name that an item begins with, where the item speaks of parameters."""
    match = _LED.match(lines[0].text) if lines else None
    if match is not None and _PARAMETERS.search(text[match.end() :][:_LONGEST]):
        yield lines[0], match.start("name"), match["name"]


def _text_of(item: Item) -> str:
    """An item's text with that of the lists in it."""
    parts = [item.text]
    for block in item.blocks:
        if isinstance(block, ListBlock):
            parts.extend(_text_of(inner) for inner in block.items[:20])
    return "\n".join(parts)
