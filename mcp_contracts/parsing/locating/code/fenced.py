"""Finds whole tool objects in fences: `{"name": …, "inputSchema": {…}}`, or a list of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaPart, SpecTool
from mcp_contracts.diagnostics import Part
from mcp_contracts.faults import Fault
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.data.documents import Document
from mcp_contracts.parsing.legacy.schemas import describes_no_input, is_map_at, output_of, property_map, tool_object
from mcp_contracts.parsing.legacy.sketches import read_sketches
from mcp_contracts.parsing.locating.headings import is_no_name
from mcp_contracts.parsing.markdown.blocks import Block, Fence, flatten_blocks
from mcp_contracts.parsing.schemas import is_data
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.parsing.tool_entries import mcp_contract, schema_part, text_member
from mcp_contracts.records import replace

MOST_FENCED = 1_000
"""The maximum number of tools that are read from the fences of one file."""

_TOOL_OBJECT = re.compile(r"[\"']?(?:inputSchema|input_schema|parameters)[\"']?\s*:")


def fenced_tools(source: SourceText, blocks: Sequence[Block], module: str | None) -> Iterator[SpecTool]:
    """Yield the tools that are complete objects in fences, or lists of them: `{"name": …, "inputSchema": {…}}`."""
    count = 0
    for block, document in _documents(source, blocks):
        faults = document.faults
        for here, entry in _entries(document.value):
            count += 1
            if count > MOST_FENCED:
                return
            tool = _read_fenced_tool(source, document, block, here, entry, module)
            yield replace(tool, faults=faults) if faults else tool
            faults = ()  # those of the block are those of its first tool


def fenced_faults(source: SourceText, blocks: Sequence[Block]) -> Iterator[Fault]:
    """Yield the faults of fences that look like tool objects but cannot be read."""
    for block, document in _documents(source, blocks):
        if _TOOL_OBJECT.search(block.content):
            yield from (replace(fault, part=None) for fault in document.faults)  # it is not an example


def _documents(source: SourceText, blocks: Sequence[Block]) -> Iterator[tuple[Fence, Document]]:
    """Yield the documents of all fences that may contain tools, including those with comments."""
    for block in flatten_blocks(blocks):
        may_hold = isinstance(block, Fence) and ("name" in block.content or "tools" in block.content)
        if isinstance(block, Fence) and may_hold and is_data(block) and block.is_closed:
            for sketch in read_sketches(source, block):
                yield block, sketch.document


def _entries(value: JsonValue, here: str = "") -> Iterator[tuple[str, dict[str, JsonValue]]]:
    if isinstance(value, dict):
        key = next((key for key in _KEYS if key in value), "")
        if isinstance(listed := value.get(key), list):
            yield from _listed(listed, f"{here}/{key}")
        elif isinstance(listed, dict):  # by name
            for own, member in listed.items():
                if isinstance(member, dict) and not is_no_name(own) and tool_object({"name": own, **member}):
                    yield f"{here}/{key}/{escape(own)}", {"name": own, **member}
        elif isinstance(value.get("result"), dict) and "jsonrpc" in value:
            yield from _entries(value["result"], f"{here}/result")
        elif isinstance(value.get("function"), dict):
            yield from _entries(value["function"], f"{here}/function")
        elif isinstance(name := value.get("name"), str) and name and not is_no_name(name) and tool_object(value):
            yield here, value
    elif isinstance(value, list):
        for index, member in enumerate(value):
            if isinstance(member, dict):
                yield from _entries(member, f"{here}/{index}")


def _listed(members: list[JsonValue], here: str) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield the tools of a list of tools, those without parameters too if others have some."""
    found = [list(_entries(member, f"{here}/{index}")) for index, member in enumerate(members)]
    for index, (member, own) in enumerate(zip(members, found, strict=True)):
        if own:
            yield from own
        elif any(found) and isinstance(member, dict) and describes_no_input(member):
            yield f"{here}/{index}", member


_KEYS = ("tools", "mcp_tools", "mcpTools")


def _read_fenced_tool(
    source: SourceText, document: Document, fence: Fence, here: str, entry: dict[str, JsonValue], module: str | None
) -> SpecTool:
    pointers = dict(tool_object(entry) or output_of(entry))
    contract = replace(
        mcp_contract(document, here, entry, module),
        input=_schema(document, here, entry, pointers.get("input"), "input"),
        output=_schema(document, here, entry, pointers.get("output"), "output"),
    )
    if not contract.description:
        contract = replace(contract, description=text_member(entry, "summary") or "")
    if here.rpartition("/")[2] == escape(contract.name):
        contract = replace(contract, place=document.place(here, on_key=True))
    row = contract.place.line - 1
    deviation = "it only appears in a code block"
    return SpecTool(contract, (fence.row + 1, fence.end), source.lines[row], deviations=(deviation,))


def _schema(
    document: Document, here: str, entry: dict[str, JsonValue], pointer: str | None, part: Part
) -> SchemaPart | None:
    """Return the schema of a tool object, under any of its keys; a map of types is read as an object."""
    if pointer is None:
        return None
    value = entry[pointer[1:]]
    if is_map_at(value, pointer[1:]):
        return property_map(document, value, here + pointer, part)
    return schema_part(document, here, entry, pointer[1:], part)
