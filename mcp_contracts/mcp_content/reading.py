"""Read MCP's `CallToolResult` as the result of a call: structured data, content, errors, our own `_meta` field."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus
from mcp_contracts.schema.json_equality import same_json
from mcp_contracts.schema.wording import writable

CONTENT_KEY = "_content"
"""The key for blocks in addition to structured data; schemas do not declare it, so it does not conflict with data."""

RESULT_KEY = "org.mcp-contracts/result"
"""The `_meta` key with the parts of a result that a `CallToolResult` cannot express otherwise.

It is an object: `status`, `error` and `explanation` as in a result, if not null; `data` says where the data is:
`structuredContent`, `result` (in it), `content` (only the blocks) or `none`; `blocks` are the index of the first block
that belongs to the data and the index after the last.
"""

_NOT_THERE = re.compile(r"unknown tool|no such tool|\btool\b.*\b(not found|does not exist)|not found.*\btool\b", re.I)
_REQUEST_TIMEOUT, _INVALID_PARAMS, _METHOD_NOT_FOUND = -32001, -32602, -32601
_LONGEST = 4_000
_LONGEST_ERROR_TYPE = 200


def result_of(answer: Mapping[str, Any]) -> MCPToolResult:
    """Convert a `CallToolResult` (as JSON on the wire) to a result.

    `structuredContent` is the data: an object unchanged, any other value under `result`. Additional blocks are under
    `_content`, in order; plain text is dropped if it only repeats the structured data, and is the `explanation`
    otherwise. Without structured data, the data is `{"content": [block, …]}`, regardless of the blocks: text is never
    parsed as JSON, so the shape does not depend on the text. Blocks keep their MCP form (`type`, `text`, base64 in
    `data` with `mimeType`, `resource`, `annotations`, `_meta`). `isError` makes it a failure: the text is its message,
    the rest its details. The `_meta` of the whole result is for the client and not part of the data, except for our
    field (`RESULT_KEY`), which restores exactly the result that was sent. Never raises.
    """
    marked = _read_mark(answer)
    if marked is not None:
        return marked
    content = answer.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    has_data = "structuredContent" in answer
    structured: JsonValue = answer.get("structuredContent")
    try:
        if answer.get("isError"):
            return _tool_failure(blocks, structured)
        if not has_data:
            return MCPToolResult(data={"content": blocks})
        return _success(blocks, structured)
    except ValueError as error:  # a message cannot represent it: nested too deeply, a lone surrogate, NaN
        return failure(
            "ToolExecutionError", f"the server's response cannot be represented as a result: {_reason(error)}"
        )


def _success(blocks: Sequence[dict[str, Any]], structured: JsonValue) -> MCPToolResult:
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


def _tool_failure(blocks: Sequence[dict[str, Any]], structured: JsonValue) -> MCPToolResult:
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
    return failure("ToolExecutionError", message or "the tool failed, and the server gave no reason", rest or None)


def _stated_failure(structured: JsonValue) -> MCPToolResult | None:
    """Return a failure that the server states in the form of our protocol, with the error type from its contract."""
    if not isinstance(structured, dict) or structured.get("status") != ResultStatus.FAILURE:
        return None
    try:
        return MCPToolResult.model_validate(structured)
    except ValueError:
        return None


def _is_plain_text(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "text" and isinstance(block.get("text"), str) and len(block) == 2


def _repeats(text: str, structured: JsonValue, data: Mapping[str, JsonValue]) -> bool:
    """Whether text only repeats the structured data, which servers send twice for older clients."""
    return any(same_json(value, form) for value in _readings(text) for form in _forms(structured, data))


def _readings(text: str) -> Iterator[JsonValue]:
    yield text
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        return


def _forms(structured: JsonValue, data: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    yield structured
    if data.keys() == {"result"}:  # FastMCP wraps a scalar itself, and writes the text without the wrapper
        yield data["result"]


# Our own `_meta` field


def _read_mark(answer: Mapping[str, Any]) -> MCPToolResult | None:
    """Return the result that our own response states under `RESULT_KEY`, or None without a consistent mark."""
    meta = answer.get("_meta")
    mark = meta.get(RESULT_KEY) if isinstance(meta, dict) else None
    if not isinstance(mark, dict):
        return None
    try:
        parts = {key: mark.get(key) for key in ("status", "error", "explanation")}
        result = MCPToolResult.model_validate({**parts, "data": _mark_data(mark, answer)})
    except (ValueError, LookupError, TypeError):
        return None
    is_failure = result.status is ResultStatus.FAILURE
    # A result without the data that its tool must return is also sent as an error, because clients would reject it.
    is_fitting = result.data is None if answer.get("isError") else not is_failure
    return result if is_fitting else None


def _mark_data(mark: Mapping[str, Any], answer: Mapping[str, Any]) -> JsonValue:
    blocks = _mark_blocks(mark, answer)
    match mark.get("data"):
        case "none":
            return None
        case "content" if blocks is not None:
            return {"content": blocks}
        case "structuredContent":
            structured = answer["structuredContent"]
            data = {**structured} if isinstance(structured, dict) else {"result": structured}
        case "result":
            data = {**answer["structuredContent"]["result"]}
        case _:
            raise ValueError("the field does not say where the data is")
    return data if blocks is None else {**data, CONTENT_KEY: blocks}


def _mark_blocks(mark: Mapping[str, Any], answer: Mapping[str, Any]) -> list[JsonValue] | None:
    if "blocks" not in mark:
        return None
    first, end = mark["blocks"]
    content = answer["content"]
    if type(first) is not int or type(end) is not int or not 0 <= first <= end <= len(content):
        raise ValueError("the blocks are missing")
    found: list[JsonValue] = content[first:end]
    return found


# Failures


def failure(
    error_type: str,
    message: str,
    details: dict[str, Any] | str | None = None,
    *,
    explanation: str | None = None,
) -> MCPToolResult:
    """Create a failed result. The text may come from a server, so it is shortened, and converted to valid UTF-8."""
    kind = writable(error_type)[:_LONGEST_ERROR_TYPE] or "ToolExecutionError"
    text = writable(shorten(message))
    explanation = None if explanation is None else writable(shorten(explanation))
    try:
        error = MCPErrorDetail(error_type=kind, error_message=text, error_details=details)
    except ValueError:  # details that a message cannot represent
        error = MCPErrorDetail(error_type=kind, error_message=text)
    return MCPToolResult(status=ResultStatus.FAILURE, error=error, explanation=explanation)


def protocol_error_type(code: int, message: str) -> str:
    """Return the error type of a result for a JSON-RPC error."""
    if code == _REQUEST_TIMEOUT and "timed out" in message.lower():
        return "TimeoutError"
    if code == _METHOD_NOT_FOUND or _NOT_THERE.search(message[:300]):
        return "ResourceNotFound"
    return "ValidationError" if code == _INVALID_PARAMS else "ToolExecutionError"


def shorten(text: str) -> str:
    """Shorten a server's text, and say so if it is shortened."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}… (truncated: {len(text) - _LONGEST} more characters)"


def _reason(error: ValueError) -> str:
    text = str(error.errors()[0]["msg"]) if isinstance(error, ValidationError) else str(error)
    return first_line(text.removeprefix("Value error, "))


def first_line(text: str) -> str:
    """Return the first line of text, at most 500 characters."""
    line = text.strip().partition("\n")[0].strip()
    return line if len(line) <= 500 else f"{line[:500]}…"
