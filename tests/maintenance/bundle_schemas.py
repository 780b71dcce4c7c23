"""The published JSON Schemas of the bundle, of the lock file, and of the calls that `verify` repeats."""

from __future__ import annotations

from mcp_contracts.bundle import FORMAT, VERSION
from mcp_contracts.checks.verification import cases
from mcp_contracts.contract import JsonValue


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
            "task_support": {
                "description": "Whether the tool may or must be called as a task (MCP 2025-11-25).",
                "enum": ["optional", "required"],
            },
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
        "Contracts as one document, which programs load without parsing Markdown.",
        {"format": {"const": FORMAT}, "version": {"const": VERSION}, "tools": _array(tool)},
        ("format", "version", "tools"),
    )


def lock_schema() -> dict[str, JsonValue]:
    """Return the JSON Schema (draft-07) of a lock: a bundle with servers and digests."""
    schema = bundle_schema()
    digest: dict[str, JsonValue] = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
    server: dict[str, JsonValue] = {
        "type": "object",
        "properties": {
            "name": {"description": "The name of the server, which is the module of its tools.", "type": "string"},
            "source": {"description": "How it was reached, without secrets.", "type": "string"},
            "version": {"description": "The version that the server reports.", "type": "string"},
            "tools": {
                "description": "The number of tools of this server; the tools are in the order of the servers.",
                "type": "integer",
                "minimum": 0,
            },
            "digest": digest,
        },
        "required": ["name", "source", "tools", "digest"],
    }
    properties = schema["properties"]
    assert isinstance(properties, dict)
    return {
        **schema,
        "description": "What servers listed when the lock was written: a bundle with digests.",
        "properties": {**properties, "servers": {"type": "array", "items": server}},
        "required": ["format", "version", "servers", "tools"],
    }


def cases_schema() -> dict[str, JsonValue]:
    """Return the JSON Schema (draft-07) of a file of cases."""
    case: dict[str, JsonValue] = {
        "type": "object",
        "properties": {
            "tool": {"description": "The name of the contract.", "type": "string"},
            "arguments": {"type": "object"},
            "found": {"description": "The rule that the call broke when it was found.", "type": "string"},
        },
        "required": ["tool", "arguments"],
    }
    return {
        "description": "Calls that failed before, and that `mcp-contracts verify` repeats.",
        "type": "object",
        "properties": {
            "format": {"const": cases.FORMAT},
            "version": {"const": cases.VERSION},
            "cases": {"type": "array", "items": case},
        },
        "required": ["format", "version", "cases"],
    }


def _object(description: str, properties: dict[str, JsonValue], required: tuple[str, ...] = ()) -> dict[str, JsonValue]:
    schema: dict[str, JsonValue] = {"description": description, "type": "object", "properties": properties}
    return {**schema, "required": list(required)} if required else schema


def _array(items: JsonValue) -> dict[str, JsonValue]:
    return {"type": "array", "items": items}
