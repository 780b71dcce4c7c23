"""Convert failures of a live server to results: protocol errors, lost connections, rejected data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_contracts.contract import JsonValue, SchemaPart
from mcp_contracts.mcp_content.reading import failure, protocol_error_type
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.runtime.arguments import result_error
from mcp_contracts.runtime.telemetry.redaction import secret_pointers
from mcp_contracts.schema.validation.validators import compile_shared, instance_errors

CONNECTION_CLOSED = -32000


def protocol_failure(code: int, message: str, data: JsonValue, *, server: str, tool: str) -> MCPToolResult:
    """Return the failure for a JSON-RPC error. `server` and `tool` are the names for messages."""
    details: dict[str, Any] = {"code": code} if data in (None, "") else {"code": code, "data": data}
    said = f": {message}" if message else ""
    if code == CONNECTION_CLOSED and "closed" in message.lower():
        return connection_closed(server)
    error_type = protocol_error_type(code, message)
    match error_type:
        case "TimeoutError":
            words = f"the server `{server}` did not answer in time"
        case "ResourceNotFound":
            words = f"the server `{server}` has no tool `{tool}`{said}"
        case "ValidationError":
            words = f"the server `{server}` rejected the arguments{said}"
        case _:
            words = f"the server `{server}` answered with an error{said}"
    return failure(error_type, words, details)


def connection_closed(server: str) -> MCPToolResult:
    """Return the failure of a call without a connection."""
    return failure("ToolExecutionError", f"the connection to the server `{server}` is closed")


def refused_data(server: str, wire: Mapping[str, JsonValue], output: SchemaPart) -> MCPToolResult | None:
    """Return the failure for data that does not match the server's own output schema, or None if it matches.

    `wire` is a `CallToolResult` as JSON. Data that cannot be validated is also a failure. Messages contain no values of
    the data.
    """
    compiled = compile_shared(output.value)
    if compiled.refusal is not None:
        message = f"the output schema that the server `{server}` declares cannot be used: {compiled.refusal.message}"
        return failure("ToolExecutionError", message)
    if "structuredContent" not in wire:
        return _output_refusal(server, "it returned no structured content")
    outcome = instance_errors(compiled, wire["structuredContent"], subject="the data")
    if outcome.is_valid:
        return None
    data = wire["structuredContent"]
    error = result_error(outcome, output.value, data, secret=secret_pointers(data, output.value))
    details = error.error_details if isinstance(error.error_details, dict) else {}
    if outcome.unknown is not None:
        return failure(error.error_type, error.error_message, details)
    return _output_refusal(server, details["faults"][0]["message"], details)


def _output_refusal(server: str, reason: str, details: dict[str, Any] | None = None) -> MCPToolResult:
    message = f"the server `{server}` returned data that its own output schema rejects: {reason}"
    return failure("ToolExecutionError", message, details)
