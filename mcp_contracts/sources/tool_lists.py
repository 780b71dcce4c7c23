"""Contracts from JSON: `{"tools": […]}`, a bare array, a JSON-RPC `tools/list` answer, or our own bundle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from mcp_contracts import bundle
from mcp_contracts.contract import (
    Effects,
    ErrorType,
    Example,
    Fault,
    FaultKind,
    JsonValue,
    Migration,
    SchemaOrigin,
    SchemaPart,
    Status,
    ToolContract,
    ToolListFile,
)
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.parsing.documents import Document, read_json
from mcp_contracts.parsing.text import SourceText, shortened
from mcp_contracts.schema.walk import escape

VERSION_KEY = "org.mcp-contracts/version"
"""The `_meta` key under which we carry a tool's version; the second label must not be `mcp` (MCP 2026-07-28)."""

_SHAPES = (
    'write `{"tools": […]}`, a bare array of tools, a `tools/list` answer, or a bundle '
    "(each tool with `name` and `inputSchema`)"
)
_Member = tuple[str, dict[str, JsonValue]]


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
    for index, entry in enumerate(entries):
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
            contracts.append(_from_bundle(document, here, entry))
        else:
            faults.extend(_wrong_types(document, here, entry, _TEXTS, ("inputSchema", "outputSchema")))
            faults.extend(_misspelt(document, here, entry))
            contracts.append(_from_mcp(document, here, entry, module))
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
            yield Fault(FaultKind.INVALID_TOOL_LIST, f"`{key}` of `{name}` is no JSON Schema", place, hint, part)


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


def _text(entry: Mapping[str, JsonValue], key: str) -> str | None:
    value = entry.get(key)
    return value if isinstance(value, str) else None


def _schema(document: Document, here: str, entry: Mapping[str, JsonValue], key: str, part: Part) -> SchemaPart | None:
    value = entry.get(key)
    if not isinstance(value, dict | bool):
        return None
    return SchemaPart(part, value, SchemaOrigin.SCHEMA, document.at(f"{here}/{key}"))


_FIELDS = {
    "inputSchema": "input",
    "outputSchema": "output",
    "input_schema": "input",
    "output_schema": "output",
    "annotations": "effects",
    "idempotent": "idempotency",
}
"""The names of fields (`ToolContract.places`) that are other than the keys."""


class _Places(Mapping[str, Place]):
    """The places of a tool's members, looked up when somebody asks: a server can have hundreds of tools."""

    def __init__(self, document: Document, here: str, keys: Mapping[str, str]) -> None:
        self._document, self._here, self._keys = document, here, keys

    def __getitem__(self, name: str) -> Place:
        return self._document.place(self._here + self._keys[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def _places(document: Document, here: str, entry: Mapping[str, JsonValue]) -> Mapping[str, Place]:
    return _Places(document, here, {**{_FIELDS.get(key, key): f"/{escape(key)}" for key in entry}, "extent": ""})


def _from_mcp(document: Document, here: str, entry: dict[str, JsonValue], module: str | None) -> ToolContract:
    annotations = entry.get("annotations")
    hints = annotations if isinstance(annotations, dict) else {}
    return ToolContract(
        name=str(entry["name"]),
        place=document.place(f"{here}/name"),
        module=module,
        title=_text(entry, "title") or _text(hints, "title"),
        version=_meta_version(entry.get("_meta")),
        description=_text(entry, "description") or "",
        effects=_effects(hints),
        idempotent=_idempotent(hints.get("idempotentHint")),
        input=_schema(document, here, entry, "inputSchema", "input"),
        output=_schema(document, here, entry, "outputSchema", "output"),
        places=_places(document, here, entry),
    )


def _meta_version(meta: JsonValue) -> str | None:
    """The version in `_meta`: ours, or FastMCP's (`_meta.fastmcp.version`)."""
    if not isinstance(meta, dict):
        return None
    own = meta.get(VERSION_KEY)
    if isinstance(own, str):
        return own
    for key in ("fastmcp", "_fastmcp"):
        theirs = meta.get(key)
        if isinstance(theirs, dict) and isinstance(theirs.get("version"), str):
            return str(theirs["version"])
    return None


def _effects(hints: Mapping[str, JsonValue]) -> Effects | None:
    """Effects from MCP's annotations, as far as they are stated (`destructiveHint` defaults to true there)."""
    change: Literal["read-only", "additive", "destructive"] | None = None
    if hints.get("readOnlyHint") is True:
        change = "read-only"
    elif hints.get("destructiveHint") is False:
        change = "additive"
    elif hints.get("destructiveHint") is True:
        change = "destructive"
    opened = hints.get("openWorldHint")
    world: Literal["open-world", "closed-world"] | None = None
    if isinstance(opened, bool):
        world = "open-world" if opened else "closed-world"
    return Effects(change, world) if change or world else None


def _idempotent(hint: JsonValue) -> Literal["yes", "no"] | None:
    return None if not isinstance(hint, bool) else "yes" if hint else "no"


def _server_name(value: JsonValue) -> str | None:
    info = value.get("serverInfo") if isinstance(value, dict) else None
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) and name else None


def _objects(entry: Mapping[str, JsonValue], key: str) -> Iterator[_Member]:
    members = entry.get(key)
    if isinstance(members, list):
        for index, member in enumerate(members):
            if isinstance(member, dict):
                yield str(index), member


def _texts(entry: Mapping[str, JsonValue], key: str) -> tuple[str, ...]:
    members = entry.get(key)
    return tuple(member for member in members if isinstance(member, str)) if isinstance(members, list) else ()


def _from_bundle(document: Document, here: str, entry: dict[str, JsonValue]) -> ToolContract:
    optional = entry.get("optional")
    return ToolContract(
        name=str(entry["name"]),
        place=document.place(f"{here}/name"),
        module=_text(entry, "module"),
        source_name=_text(entry, "source_name"),
        title=_text(entry, "title"),
        version=_text(entry, "version"),
        description=_text(entry, "description") or "",
        status=_bundle_status(entry.get("status")),
        effects=_bundle_effects(entry.get("effects")),
        category=_text(entry, "category"),
        tags=_texts(entry, "tags"),
        optional=optional if isinstance(optional, bool) else None,
        use_when=_text(entry, "use_when"),
        channels=_texts(entry, "channels"),
        input=_schema(document, here, entry, "input_schema", "input"),
        output=_schema(document, here, entry, "output_schema", "output"),
        errors=tuple(
            ErrorType(str(member.get("type")), str(member.get("when", "")), document.place(f"{here}/errors/{index}"))
            for index, member in _objects(entry, "errors")
        ),
        idempotent=next((word for word in ("yes", "no", "conditional") if word == entry.get("idempotent")), None),
        security=_text(entry, "security"),
        examples=tuple(
            Example(kind, member.get("value"), document.at(f"{here}/examples/{index}/value"))
            for index, member in _objects(entry, "examples")
            for kind in ("call", "result", "arguments", "data")
            if kind == member.get("kind")
        ),
        migrations=tuple(
            Migration(str(member.get("since", "")), str(member.get("text", "")))
            for _, member in _objects(entry, "migrations")
        ),
        places=_places(document, here, entry),
    )


def _bundle_status(value: JsonValue) -> Status | None:
    if not isinstance(value, dict) or not isinstance(value.get("state"), str):
        return None
    since, removed, use = (_text(value, key) for key in ("since", "removed_in", "replacement"))
    return Status(str(value["state"]), since, removed, use)


def _bundle_effects(value: JsonValue) -> Effects | None:
    if not isinstance(value, dict):
        return None
    change = next((word for word in ("read-only", "additive", "destructive") if word == value.get("change")), None)
    world = next((word for word in ("open-world", "closed-world") if word == value.get("world")), None)
    return Effects(change, world)
