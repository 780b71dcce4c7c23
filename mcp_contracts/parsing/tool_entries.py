"""A tool of MCP's `tools/list`, converted to a contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, Protocol

from mcp_contracts.contract import (
    Effects,
    ErrorType,
    Example,
    JsonValue,
    Locator,
    Migration,
    SchemaOrigin,
    SchemaPart,
    Status,
    ToolContract,
)
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.json_values.pointers import escape

_Member = tuple[str, dict[str, JsonValue]]


def bundle_contract(document: EntryText, here: str, entry: dict[str, JsonValue]) -> ToolContract:
    """Return the contract of an entry with a `name`; `here` is its pointer in `document`."""
    optional = entry.get("optional")
    return ToolContract(
        name=str(entry["name"]),
        place=document.place(f"{here}/name"),
        module=text_member(entry, "module"),
        source_name=text_member(entry, "source_name"),
        title=text_member(entry, "title"),
        version=text_member(entry, "version"),
        description=text_member(entry, "description") or "",
        status=_bundle_status(entry.get("status")),
        effects=_bundle_effects(entry.get("effects")),
        category=text_member(entry, "category"),
        tags=_texts(entry, "tags"),
        optional=optional if isinstance(optional, bool) else None,
        use_when=text_member(entry, "use_when"),
        channels=_texts(entry, "channels"),
        input=schema_part(document, here, entry, "input_schema", "input"),
        output=schema_part(document, here, entry, "output_schema", "output"),
        errors=tuple(
            ErrorType(str(member.get("type")), str(member.get("when", "")), document.place(f"{here}/errors/{index}"))
            for index, member in _objects(entry, "errors")
        ),
        idempotent=next((word for word in ("yes", "no", "conditional") if word == entry.get("idempotent")), None),
        task_support=_task_support(entry.get("task_support")),
        security=text_member(entry, "security"),
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
        places=member_places(document, here, entry),
    )


def _objects(entry: Mapping[str, JsonValue], key: str) -> Iterator[_Member]:
    members = entry.get(key)
    if isinstance(members, list):
        for index, member in enumerate(members):
            if isinstance(member, dict):
                yield str(index), member


def _texts(entry: Mapping[str, JsonValue], key: str) -> tuple[str, ...]:
    members = entry.get(key)
    return tuple(member for member in members if isinstance(member, str)) if isinstance(members, list) else ()


def _bundle_status(value: JsonValue) -> Status | None:
    if not isinstance(value, dict) or not isinstance(value.get("state"), str):
        return None
    since, removed, use = (text_member(value, key) for key in ("since", "removed_in", "replacement"))
    return Status(str(value["state"]), since, removed, use)


def _bundle_effects(value: JsonValue) -> Effects | None:
    if not isinstance(value, dict):
        return None
    change = next((word for word in ("read-only", "additive", "destructive") if word == value.get("change")), None)
    world = next((word for word in ("open-world", "closed-world") if word == value.get("world")), None)
    return Effects(change, world)


VERSION_KEY = "org.mcp-contracts/version"
"""The `_meta` key under which we carry a tool's version; the second label must not be `mcp` (MCP 2026-07-28)."""


class EntryText(Protocol):
    """The text that contains an entry, with its places: a file, or the answer of a server."""

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """Return the place of the value at a pointer."""

    def at(self, base: str) -> Locator:
        """Return a locator for the value at `base`, to which its pointers are relative."""


def mcp_contract(document: EntryText, here: str, entry: dict[str, JsonValue], module: str | None) -> ToolContract:
    """Return the contract of an entry with a `name`; `here` is its pointer in `document`."""
    annotations = entry.get("annotations")
    hints = annotations if isinstance(annotations, dict) else {}
    execution = entry.get("execution")
    return ToolContract(
        name=str(entry["name"]),
        place=document.place(f"{here}/name"),
        module=module,
        title=text_member(entry, "title") or text_member(hints, "title"),
        version=_meta_version(entry.get("_meta")),
        description=text_member(entry, "description") or "",
        effects=effects_of(hints),
        idempotent=idempotent_of(hints.get("idempotentHint")),
        task_support=_task_support(execution.get("taskSupport")) if isinstance(execution, dict) else None,
        input=schema_part(document, here, entry, "inputSchema", "input"),
        output=schema_part(document, here, entry, "outputSchema", "output"),
        places=member_places(document, here, entry),
    )


def _meta_version(meta: JsonValue) -> str | None:
    """Return the version in `_meta`: ours, or that of FastMCP (`_meta.fastmcp.version`)."""
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


def effects_of(hints: Mapping[str, JsonValue]) -> Effects | None:
    """Return the effects that MCP's annotations state (`destructiveHint` defaults to true there)."""
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
    # A hint that is stated and contradicts the one that counts; `destructiveHint` is only for tools that do not read.
    unknown = ("destructive",) if change == "read-only" and hints.get("destructiveHint") is True else ()
    return Effects(change, world, unknown) if change or world else None


def idempotent_of(hint: JsonValue) -> Literal["yes", "no"] | None:
    """Return whether a call may be repeated, according to MCP's annotation."""
    return None if not isinstance(hint, bool) else "yes" if hint else "no"


def _task_support(value: JsonValue) -> Literal["optional", "required"] | None:
    """Return whether a tool may or must be called as a task of MCP 2025-11-25; the default is `forbidden`."""
    return "optional" if value == "optional" else "required" if value == "required" else None


def text_member(entry: Mapping[str, JsonValue], key: str) -> str | None:
    """Return a member that is text, or None if it is missing or something else."""
    value = entry.get(key)
    return value if isinstance(value, str) else None


def schema_part(
    document: EntryText, here: str, entry: Mapping[str, JsonValue], key: str, part: Part
) -> SchemaPart | None:
    """Return a member that is a JSON Schema, or None if it is missing or something else."""
    value = entry.get(key)
    if not isinstance(value, dict | bool):
        return None
    return SchemaPart(part, value, SchemaOrigin.SCHEMA, document.at(f"{here}/{key}"))


_FIELDS = {
    "inputSchema": "input",
    "outputSchema": "output",
    "input_schema": "input",
    "output_schema": "output",
    "parameters": "input",
    "annotations": "effects",
    "idempotent": "idempotency",
    "execution": "task_support",
}
"""The fields (`ToolContract.places`) whose names differ from the keys."""


class _Places(Mapping[str, Place]):
    """The places of a tool's members, determined on demand, because a server can have hundreds of tools."""

    def __init__(self, document: EntryText, here: str, keys: Mapping[str, str]) -> None:
        self._document, self._here, self._keys = document, here, keys

    def __getitem__(self, name: str) -> Place:
        return self._document.place(self._here + self._keys[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def member_places(document: EntryText, here: str, entry: Mapping[str, JsonValue]) -> Mapping[str, Place]:
    """Return the places of an entry's members, by the names of the contract's fields."""
    return _Places(document, here, {**{_FIELDS.get(key, key): f"/{escape(key)}" for key in entry}, "extent": ""})
