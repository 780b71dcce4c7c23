"""The published JSON Schemas of the messages, and of the arrays that are batches of them."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from mcp_contracts.messages import MCPCallContext, MCPErrorDetail, MCPToolCall, MCPToolResult

SCHEMA_BASE = "https://mcp-contracts.org/schemas/"

_MESSAGES: tuple[tuple[str, Any], ...] = (
    ("mcp_tool_call.schema.json", MCPToolCall),
    ("mcp_tool_result.schema.json", MCPToolResult),
    ("mcp_error_detail.schema.json", MCPErrorDetail),
    ("mcp_call_context.schema.json", MCPCallContext),
)
_BATCHES: tuple[tuple[str, Any, str], ...] = (
    ("mcp_tool_calls.schema.json", list[MCPToolCall], "A batch: calls whose results are returned in the same order."),
    (
        "mcp_tool_results.schema.json",
        list[MCPToolResult],
        "The response to a batch: the result of each call, in order.",
    ),
)


def message_schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON Schema (draft-07) of each message, and of each batch, by its file name."""
    messages = {name: _schema(name, model) for name, model in _MESSAGES}
    batches = {name: {**_schema(name, kind), "description": description} for name, kind, description in _BATCHES}
    return {**messages, **batches}


def _schema(name: str, kind: Any) -> dict[str, Any]:
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": SCHEMA_BASE + name,
        **_draft_07(TypeAdapter(kind).json_schema(ref_template="#/definitions/{model}")),
    }


def _draft_07(node: Any) -> Any:
    """Convert pydantic's 2020-12 schema to draft-07, which ignores siblings of `$ref`."""
    if isinstance(node, list):
        return [_draft_07(item) for item in node]
    if not isinstance(node, dict):
        return node
    schema = {"definitions" if key == "$defs" else key: _draft_07(value) for key, value in node.items()}
    if "$ref" in schema and len(schema) > 1:
        return {"allOf": [{"$ref": schema.pop("$ref")}], **schema}
    return schema
