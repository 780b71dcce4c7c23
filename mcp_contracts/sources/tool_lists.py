"""Contracts from JSON: `{"tools": […]}`, a bare array, a JSON-RPC `tools/list` answer, or our own bundle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts import bundle
from mcp_contracts.contract import Fault, FaultKind, JsonValue, ToolContract, ToolListFile
from mcp_contracts.diagnostics import Part
from mcp_contracts.parsing.bundle_entries import bundle_contract
from mcp_contracts.parsing.data.documents import Document, read_json
from mcp_contracts.parsing.text import SourceText, shortened
from mcp_contracts.parsing.tool_entries import mcp_contract

_SHAPES = (
    'write `{"tools": […]}`, a bare array of tools, a `tools/list` answer, or a bundle '
    "(each tool with `name` and `inputSchema`)"
)


MOST_TOOLS = 2_000
"""How many tools of one list are read: the largest that we have seen holds half as many."""


def read_tool_list(path: str, text: str) -> ToolListFile:
    """Read a JSON tool list. Whatever it holds, this returns; faults are in the result."""
    source = SourceText.of(path, text)
    document = read_json(source, source.body)
    if document.value is None:
        nothing = (_fault(document, "", "the file holds `null`, no tools"),)
        return ToolListFile(path, source.text, faults=document.faults or nothing)
    pointer, entries = _entries(document.value)
    if entries is None:
        return ToolListFile(path, source.text, faults=(*document.faults, _no_tools(document, pointer)))
    is_bundle = isinstance(document.value, dict) and document.value.get("format") == bundle.FORMAT
    module = _server_name(document.value)
    contracts: list[ToolContract] = []
    faults = list(document.faults)
    if is_bundle and isinstance(document.value, dict) and document.value.get("version") != bundle.VERSION:
        message = f"the bundle is not of version {bundle.VERSION}, the only one that is known"
        hint = "write the bundle again with this release, or use the release that wrote it"
        faults.append(Fault(FaultKind.INVALID_TOOL_LIST, message, document.place("/version"), hint))
    if len(entries) > MOST_TOOLS:
        message = f"the list holds {len(entries):,} tools, and only the first {MOST_TOOLS:,} are read"
        place = document.place(f"{pointer}/{MOST_TOOLS}")
        faults.append(Fault(FaultKind.OVERSIZED, message, place, "split it: no model can choose among so many"))
    for index, entry in enumerate(entries[:MOST_TOOLS]):
        here = f"{pointer}/{index}"
        if not isinstance(entry, dict):
            faults.append(_fault(document, here, f"tool {index + 1} is not an object"))
        elif not isinstance(entry.get("name"), str) or not entry["name"]:
            is_there = "name" in entry
            what = "is empty" if entry.get("name") == "" else "is not text"
            message = f"the `name` of tool {index + 1} {what}" if is_there else f"tool {index + 1} has no `name`"
            place = document.place(f"{here}/name" if is_there else here)
            faults.append(
                Fault(FaultKind.INVALID_TOOL_LIST, message, place, "give it a `name`: callers call it by that")
            )
        elif is_bundle:
            faults.extend(_wrong_types(document, here, entry, _BUNDLE_TEXTS, ("input_schema", "output_schema")))
            contracts.append(bundle_contract(document, here, entry))
        else:
            faults.extend(_wrong_types(document, here, entry, _TEXTS, ("inputSchema", "outputSchema")))
            faults.extend(_misspelt(document, here, entry))
            contracts.append(mcp_contract(document, here, entry, module))
    return ToolListFile(path, source.text, module, tuple(contracts), tuple(faults))


def _entries(value: JsonValue) -> tuple[str, list[JsonValue] | None]:
    """Where the tools stand and what they are, or None where no known shape holds any."""
    if isinstance(value, list):
        return "", value
    if isinstance(value, dict):
        for pointer, holder in (("/tools", value), ("/result/tools", value.get("result"))):
            if isinstance(holder, dict):
                tools = holder.get("tools")
                if isinstance(tools, list):
                    return pointer, tools
                if "tools" in holder:
                    return pointer, None
    return "", None


def _no_tools(document: Document, pointer: str) -> Fault:
    value = document.value
    if isinstance(value, dict) and "error" in value and "jsonrpc" in value:
        return _fault(document, "/error", "the file holds a JSON-RPC error, not a list of tools")
    if pointer:
        return _fault(document, pointer, "`tools` is not an array")
    return _fault(document, "", "the file holds no list of tools")


def _fault(document: Document, pointer: str, message: str) -> Fault:
    return Fault(FaultKind.INVALID_TOOL_LIST, message, document.place(pointer), _SHAPES, pointer=pointer)


_TEXTS = ("title", "description")
_BUNDLE_TEXTS = (*_TEXTS, "module", "source_name", "version", "category", "use_when", "security")


def _wrong_types(
    document: Document, here: str, entry: Mapping[str, JsonValue], texts: Sequence[str], schemas: Sequence[str]
) -> Iterator[Fault]:
    """Members of a tool whose type makes them unusable. A null input schema is the schema rules' matter."""
    name = shortened(str(entry["name"]))
    for key in texts:
        if not isinstance(entry.get(key), str | None):
            hint = f"write `{key}` as text, or leave it out"
            place = document.place(f"{here}/{key}")
            yield Fault(FaultKind.INVALID_TOOL_LIST, f"`{key}` of `{name}` is not text", place, hint)
    parts: tuple[Part, Part] = ("input", "output")
    for key, part in zip(schemas, parts, strict=True):
        if not isinstance(entry.get(key), dict | bool | None):
            place = document.place(f"{here}/{key}")
            hint = 'write a JSON Schema object: `{"type": "object", "properties": {…}}`'
            yield Fault(FaultKind.INVALID_TOOL_LIST, f"`{key}` of `{name}` is not a JSON Schema", place, hint, part)


def _misspelt(document: Document, here: str, entry: Mapping[str, JsonValue]) -> Iterator[Fault]:
    """Schemas under the names that other interfaces give them, which MCP does not read."""
    meant: tuple[tuple[Part, str, tuple[str, ...]], ...] = (
        ("input", "inputSchema", ("input_schema", "parameters", "inputschema")),
        ("output", "outputSchema", ("output_schema", "outputschema")),
    )
    for part, name, others in meant:
        other = next((key for key in others if isinstance(entry.get(key), dict)), None)
        if name not in entry and other is not None:
            place = document.place(f"{here}/{other}", on_key=True)
            message = f"`{other}` of `{entry['name']}` is not read: MCP calls it `{name}`"
            yield Fault(FaultKind.INVALID_TOOL_LIST, message, place, f"rename it to `{name}`", part)


def _server_name(value: JsonValue) -> str | None:
    info = value.get("serverInfo") if isinstance(value, dict) else None
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) and name else None
