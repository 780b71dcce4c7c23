"""The bundle: contracts as one JSON document, so that nothing has to parse Markdown to use them."""

from __future__ import annotations

from typing import Literal, NotRequired

from mcp_contracts.contract import Contracts, JsonValue, ToolContract
from mcp_contracts.records import TypedDict

FORMAT = "mcp-contracts/bundle"
VERSION: Literal[1] = 1


class BundleStatus(TypedDict):
    """A tool's life cycle."""

    state: str
    since: str | None
    removed_in: str | None
    replacement: str | None


class BundleEffects(TypedDict):
    """What a call changes; null if not stated."""

    change: Literal["read-only", "additive", "destructive"] | None
    world: Literal["open-world", "closed-world"] | None


class BundleError(TypedDict):
    """A documented error."""

    type: str
    when: str


class BundleMigration(TypedDict):
    """What a caller must change when it comes from an older version."""

    since: str
    text: str


class BundleExample(TypedDict):
    """An example message."""

    kind: Literal["call", "result", "arguments", "data"]
    value: JsonValue


class BundleTool(TypedDict):
    """One contract. Absent keys are not stated."""

    name: str
    input_schema: NotRequired[JsonValue]
    output_schema: NotRequired[JsonValue]
    module: NotRequired[str]
    source_name: NotRequired[str]
    title: NotRequired[str]
    version: NotRequired[str]
    description: NotRequired[str]
    status: NotRequired[BundleStatus]
    effects: NotRequired[BundleEffects]
    category: NotRequired[str]
    tags: NotRequired[list[str]]
    optional: NotRequired[bool]
    use_when: NotRequired[str]
    channels: NotRequired[list[str]]
    errors: NotRequired[list[BundleError]]
    idempotent: NotRequired[Literal["yes", "no", "conditional"]]
    security: NotRequired[str]
    examples: NotRequired[list[BundleExample]]
    migrations: NotRequired[list[BundleMigration]]


class Bundle(TypedDict):
    """A set of contracts."""

    format: Literal["mcp-contracts/bundle"]
    version: Literal[1]
    tools: list[BundleTool]


def to_bundle(contracts: Contracts) -> Bundle:
    """Convert contracts to a bundle, in order; fields that are not stated are omitted."""
    tools = [bundle_tool(contract) for contract in contracts]
    return {"format": "mcp-contracts/bundle", "version": VERSION, "tools": tools}


def bundle_tool(contract: ToolContract) -> BundleTool:
    """Convert a contract to an entry of a bundle."""
    tool: BundleTool = {"name": contract.name}
    for key in ("module", "source_name", "title", "version", "category", "use_when", "security"):
        value = getattr(contract, key)
        if value is not None:
            tool[key] = value
    if contract.description:
        tool["description"] = contract.description
    if contract.optional is not None:
        tool["optional"] = contract.optional
    if contract.idempotent is not None:
        tool["idempotent"] = contract.idempotent
    if contract.tags:
        tool["tags"] = list(contract.tags)
    if contract.channels:
        tool["channels"] = list(contract.channels)
    if contract.status is not None:
        status = contract.status
        tool["status"] = {
            "state": status.state,
            "since": status.since,
            "removed_in": status.removed_in,
            "replacement": status.replacement,
        }
    if contract.effects is not None:
        tool["effects"] = {"change": contract.effects.change, "world": contract.effects.world}
    if contract.input is not None:
        tool["input_schema"] = contract.input.value
    if contract.output is not None:
        tool["output_schema"] = contract.output.value
    if contract.errors:
        tool["errors"] = [{"type": error.name, "when": error.when} for error in contract.errors]
    # An example that could not be read has no value; of all kinds, only data can be null.
    examples = [example for example in contract.examples if example.value is not None or example.kind == "data"]
    if examples:
        tool["examples"] = [{"kind": example.kind, "value": example.value} for example in examples]
    if contract.migrations:
        tool["migrations"] = [{"since": note.since, "text": note.text} for note in contract.migrations]
    return tool


def bundle_schema() -> dict[str, JsonValue]:
    """Return the JSON Schema (draft-07) of a bundle. Objects are open: a version may gain keys but never loses any."""
    text: dict[str, JsonValue] = {"type": "string"}
    nullable: dict[str, JsonValue] = {"type": ["string", "null"]}
    schema: dict[str, JsonValue] = {"description": "A JSON Schema.", "type": ["object", "boolean"]}
    tool = _object(
        "One contract. An absent key means that the contract does not state it.",
        {
            "name": {"description": "The name by which the tool is called.", "type": "string", "minLength": 1},
            "module": {"description": "The module, folder or server that it belongs to.", **text},
            "source_name": {"description": "Its name at the source, if different.", **text},
            "title": {"description": "A name for people.", **text},
            "version": {"description": "Its semantic version.", **text},
            "description": {"description": "What the tool does, and when to choose it.", **text},
            "status": _object(
                "Its life cycle.",
                {"state": text, "since": nullable, "removed_in": nullable, "replacement": nullable},
                ("state",),
            ),
            "effects": _object(
                "What a call changes; null if not stated.",
                {
                    "change": {"enum": ["read-only", "additive", "destructive", None]},
                    "world": {"enum": ["open-world", "closed-world", None]},
                },
            ),
            "category": text,
            "tags": _array(text),
            "optional": {"description": "Whether the tool is optional for an agent.", "type": "boolean"},
            "use_when": {"description": "When an agent should choose it.", **text},
            "channels": _array(text),
            "input_schema": schema,
            "output_schema": schema,
            "errors": _array(_object("A documented error.", {"type": text, "when": text}, ("type", "when"))),
            "idempotent": {"enum": ["yes", "no", "conditional"]},
            "security": text,
            "examples": _array(
                _object(
                    "An example message, or a part of one.",
                    {"kind": {"enum": ["call", "result", "arguments", "data"]}, "value": True},
                    ("kind", "value"),
                )
            ),
            "migrations": _array(
                _object("What a caller must change.", {"since": text, "text": text}, ("since", "text"))
            ),
        },
        ("name",),
    )
    return _object(
        "Contracts as one document, which production loads instead of parsing Markdown.",
        {"format": {"const": FORMAT}, "version": {"const": VERSION}, "tools": _array(tool)},
        ("format", "version", "tools"),
    )


def _object(description: str, properties: dict[str, JsonValue], required: tuple[str, ...] = ()) -> dict[str, JsonValue]:
    schema: dict[str, JsonValue] = {"description": description, "type": "object", "properties": properties}
    return {**schema, "required": list(required)} if required else schema


def _array(items: JsonValue) -> dict[str, JsonValue]:
    return {"type": "array", "items": items}
