"""What goes wrong with a live server, as the failure of a call: protocol errors, lost connections, refused data."""

from __future__ import annotations

from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.mcp_content import failure, first_line, protocol_error_type
from mcp_contracts.messages import MCPToolResult

_CONNECTION_CLOSED = -32000


def protocol_failure(code: int, message: str, data: JsonValue, *, server: str, tool: str) -> MCPToolResult:
    """The failure that a JSON-RPC error stands for. `server` and `tool` are the names that messages show."""
    details: dict[str, Any] = {"code": code} if data in (None, "") else {"code": code, "data": data}
    said = f": {message}" if message else ""
    if code == _CONNECTION_CLOSED and "closed" in message.lower():
        return connection_closed(server)
    error_type = protocol_error_type(code, message)
    match error_type:
        case "TimeoutError":
            words = f"the server `{server}` did not answer in time"
        case "ResourceNotFound":
            words = f"the server `{server}` knows no tool `{tool}`{said}"
        case "ValidationError":
            words = f"the server `{server}` refuses the arguments{said}"
        case _:
            words = f"the server `{server}` answered with an error{said}"
    return failure(error_type, words, details)


def connection_closed(server: str) -> MCPToolResult:
    """The failure of a call for which there is no connection any more."""
    return failure("ToolExecutionError", f"the connection to the server `{server}` is closed")


def refused_output(server: str, reason: str) -> MCPToolResult:
    """The failure of a call whose result does not fit what the server itself declares."""
    message = f"the server `{server}` returned data that its own output schema refuses: {first_line(reason)}"
    return failure("ToolExecutionError", message)


def unusable_output_schema(server: str, reason: str) -> MCPToolResult:
    """The failure of a call whose result nobody can judge, since the server's output schema is wrong itself."""
    message = f"the output schema that the server `{server}` declares cannot be used: {first_line(reason)}"
    return failure("ToolExecutionError", message)
