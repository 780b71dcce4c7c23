"""What goes wrong with a live server, as the failure of a call: protocol errors, lost connections, refused data."""

from __future__ import annotations

import re
from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.mcp_content import failure, first_line
from mcp_contracts.messages import MCPToolResult

_NOT_THERE = re.compile(r"unknown tool|no such tool|\btool\b.*\b(not found|does not exist)|not found.*\btool\b", re.I)
_CONNECTION_CLOSED, _REQUEST_TIMEOUT, _INVALID_PARAMS, _METHOD_NOT_FOUND = -32000, -32001, -32602, -32601


def protocol_failure(code: int, message: str, data: JsonValue, *, server: str, tool: str) -> MCPToolResult:
    """The failure that a JSON-RPC error stands for. `server` and `tool` are the names that messages show."""
    details: dict[str, Any] = {"code": code} if data in (None, "") else {"code": code, "data": data}
    said = f": {message}" if message else ""
    if code == _CONNECTION_CLOSED and "closed" in message.lower():
        return connection_closed(server)
    if code == _REQUEST_TIMEOUT and "timed out" in message.lower():
        return failure("TimeoutError", f"the server `{server}` did not answer in time", details)
    if code == _METHOD_NOT_FOUND or _NOT_THERE.search(message[:300]):
        return failure("ResourceNotFound", f"the server `{server}` knows no tool `{tool}`{said}", details)
    if code == _INVALID_PARAMS:
        return failure("ValidationError", f"the server `{server}` refuses the arguments{said}", details)
    return failure("ToolExecutionError", f"the server `{server}` answered with an error{said}", details)


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
