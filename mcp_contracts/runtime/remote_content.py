"""What a server answers to `tools/call`, as the result of a call: structured data, content blocks and errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus
from mcp_contracts.schema.json_equality import same_json

CONTENT_KEY = "_content"
"""Where blocks stand that come beside structured data; a schema does not name it, so the data's own names are free."""

_LONGEST = 4_000
_LONGEST_ERROR_TYPE = 200
_NOT_THERE = re.compile(r"unknown tool|no such tool|\btool\b.*\b(not found|does not exist)|not found.*\btool\b", re.I)
_CONNECTION_CLOSED, _REQUEST_TIMEOUT, _INVALID_PARAMS, _METHOD_NOT_FOUND = -32000, -32001, -32602, -32601


def result_of(answer: Mapping[str, Any]) -> MCPToolResult:
    """The result that a `CallToolResult` (as JSON on the wire) stands for.

    `structuredContent` is the data: an object as it is, any other value under `result`. Blocks that came beside it
    stand in order under `_content`; plain text there is dropped where it only repeats the structured data, and is the
    `explanation` otherwise. Without structured data, the data is `{"content": [block, …]}`, whatever the blocks hold:
    text is never read as JSON, so the shape does not depend on what a text looks like. Blocks keep the form that MCP
    gives them (`type`, `text`, base64 in `data` with `mimeType`, `resource`, `annotations`, `_meta`). `isError` makes
    a failure: the texts are its message, the rest its details. The `_meta` of the result as a whole is meant for the
    client and no part of the data.
    """
    blocks = [block for block in answer.get("content") or () if isinstance(block, dict)]
    has_data = "structuredContent" in answer
    structured: JsonValue = answer.get("structuredContent")
    try:
        if answer.get("isError"):
            return _failed(blocks, structured)
        if not has_data:
            return MCPToolResult(data={"content": blocks})
        return _succeeded(blocks, structured)
    except ValueError as error:  # what no message can hold: nested too deep, a lone surrogate, NaN
        return failure("ToolExecutionError", f"the server's answer has no form in a result: {_reason(error)}")


def _succeeded(blocks: Sequence[dict[str, Any]], structured: JsonValue) -> MCPToolResult:
    data: dict[str, Any] = {**structured} if isinstance(structured, dict) else {"result": structured}
    plain = [block["text"] for block in blocks if _is_plain_text(block)]
    texts = [text for text in plain if not _repeats(text, structured, data)]
    others = [block for block in blocks if not _is_plain_text(block)]
    if others:
        key = CONTENT_KEY
        while key in data:
            key += "_"
        data[key] = others
    return MCPToolResult(data=data, explanation="\n\n".join(texts) or None)


def _failed(blocks: Sequence[dict[str, Any]], structured: JsonValue) -> MCPToolResult:
    others = [block for block in blocks if not _is_plain_text(block)]
    rest: dict[str, Any] = {"content": others} if others else {}
    stated = _stated_failure(structured)
    if stated is not None and stated.error is not None:
        error = stated.error
        own = error.error_details
        details = {**rest, **own} if isinstance(own, dict) else {**rest, "details": own} if own and rest else own
        return failure(error.error_type, error.error_message, details, explanation=stated.explanation)
    if structured is not None:
        rest["structuredContent"] = structured
    message = "\n\n".join(str(block["text"]) for block in blocks if isinstance(block.get("text"), str))
    return failure("ToolExecutionError", message or "the tool failed, and the server does not say why", rest or None)


def _stated_failure(structured: JsonValue) -> MCPToolResult | None:
    """A failure that the server states in this protocol's own form, with the error type that its contract names."""
    if not isinstance(structured, dict) or structured.get("status") != ResultStatus.FAILURE:
        return None
    try:
        return MCPToolResult.model_validate(structured)
    except ValueError:
        return None


def _is_plain_text(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "text" and isinstance(block.get("text"), str) and len(block) == 2


def _repeats(text: str, structured: JsonValue, data: Mapping[str, JsonValue]) -> bool:
    """Whether a text says nothing but the structured data, which servers send twice for older clients."""
    return any(same_json(value, form) for value in _readings(text) for form in _forms(structured, data))


def _readings(text: str) -> Iterator[JsonValue]:
    yield text
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        return


def _forms(structured: JsonValue, data: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    yield structured
    if data.keys() == {"result"}:  # FastMCP wraps a bare value itself, and writes the text without the wrapping
        yield data["result"]


# Failures


def failure(
    error_type: str,
    message: str,
    details: dict[str, Any] | str | None = None,
    *,
    explanation: str | None = None,
) -> MCPToolResult:
    """A failed result. The texts may come from a server: they are bounded, and made what UTF-8 can write."""
    kind = _writable(error_type)[:_LONGEST_ERROR_TYPE] or "ToolExecutionError"
    text = _writable(bounded(message))
    explanation = None if explanation is None else _writable(bounded(explanation))
    try:
        error = MCPErrorDetail(error_type=kind, error_message=text, error_details=details)
    except ValueError:  # details that no message can hold
        error = MCPErrorDetail(error_type=kind, error_message=text)
    return MCPToolResult(status=ResultStatus.FAILURE, error=error, explanation=explanation)


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
    message = f"the server `{server}` returned data that its own output schema refuses: {_first_line(reason)}"
    return failure("ToolExecutionError", message)


def unusable_output_schema(server: str, reason: str) -> MCPToolResult:
    """The failure of a call whose result nobody can judge, since the server's output schema is wrong itself."""
    message = f"the output schema that the server `{server}` declares cannot be used: {_first_line(reason)}"
    return failure("ToolExecutionError", message)


def bounded(text: str) -> str:
    """A server's text within bounds; where it is cut, it says so."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}… (cut: {len(text) - _LONGEST} characters more)"


def _reason(error: ValueError) -> str:
    text = str(error.errors()[0]["msg"]) if isinstance(error, ValidationError) else str(error)
    return _first_line(text.removeprefix("Value error, "))


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0].strip()
    return line if len(line) <= 500 else f"{line[:500]}…"


def _writable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
