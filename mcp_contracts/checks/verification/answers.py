"""Answers on the wire: a result, a rejection, an error, or nothing."""

from __future__ import annotations

import json
from typing import Any

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.mcp_content.reading import RESULT_KEY, result_of
from mcp_contracts.rules.live.observed import Answer

_INVALID_PARAMS, _CLOSED = -32602, -32000
_REFUSAL = re.compile(
    r"\b(?:input )?validation error|\binvalid (?:arguments?|input|parameters?|params)\b|\bInvalid arguments\b"
    r"|field required|missing required|is a required property|-32602",
    re.IGNORECASE,
)
_VALIDATION = "ValidationError"
_LONGEST = 300


def answer_of(wire: Any) -> Answer:
    """Read a `CallToolResult` on the wire. Never raises, regardless of its content."""
    if not isinstance(wire, dict):
        return Answer("none", "the result is not an object")
    if wire.get("resultType", "complete") != "complete":
        return Answer("other", f"the server answers with `{wire['resultType']}`")
    if wire.get("isError"):
        return _failure(wire)
    if "structuredContent" in wire:
        return Answer("success", data=wire["structuredContent"], has_data=True)
    meta = wire.get("_meta")
    is_marked = isinstance(meta, dict) and RESULT_KEY in meta
    found, data = _data_in_text(wire)
    return Answer("success", data=data, has_data=found, needs_data=not is_marked)


def error_answer(code: int, message: str) -> Answer:
    """Read a JSON-RPC error."""
    words = " ".join(message.split())[:_LONGEST]
    if code == _INVALID_PARAMS:
        return Answer("refused", words)
    if code == _CLOSED and "closed" in message.lower():
        return Answer("none", "the server closed the connection")
    return Answer("protocol-error", f"the JSON-RPC error {code}: {words}")


def _failure(wire: dict[str, Any]) -> Answer:
    result = result_of(wire)
    error = result.error
    message = "" if error is None else " ".join(error.error_message.split())[:_LONGEST]
    structured = wire.get("structuredContent")
    is_stated = isinstance(structured, dict) and isinstance(structured.get("error"), dict)
    meta = wire.get("_meta")
    is_stated = is_stated or (isinstance(meta, dict) and RESULT_KEY in meta)
    error_type = error.error_type if error is not None and is_stated else None
    if error_type == _VALIDATION or (error_type is None and _REFUSAL.search(message)):
        return Answer("refused", message, _VALIDATION)
    return Answer("failure", message, error_type)


def _data_in_text(wire: dict[str, Any]) -> tuple[bool, JsonValue]:
    """Return the data of an older server, which returns an object or an array as the text of its only block."""
    content = wire.get("content")
    if not isinstance(content, list) or len(content) != 1 or not isinstance(content[0], dict):
        return False, None
    text = content[0].get("text")
    if not isinstance(text, str) or text.lstrip()[:1] not in ("{", "["):
        return False, None
    try:
        return True, json.loads(text)
    except (ValueError, RecursionError):
        return False, None
