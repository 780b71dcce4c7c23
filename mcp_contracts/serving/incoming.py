"""A client's message before the SDK reads it, which accepts repeated keys and loses the ids of rejected requests."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

from pydantic import ValidationError

from mcp_contracts import lazy_re as re
from mcp_contracts.json_values.text import TOO_DEEP, describe_fault, read_json

NO_BATCHES = "batches of messages are not supported: send each message separately"
"""Only the revision 2025-03-26 has batches, which the SDK does not read."""
PARSE_ERROR, INVALID_REQUEST = -32700, -32600
_MOST_PARTS = 100_000  # strings and brackets of a message that are searched for its id
_PART = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_VALUE = re.compile(rb'\s*:\s*("(?:[^"\\]|\\.){0,500}+"(?=\s*[,}])|-?[0-9]{1,100}+(?=\s*[,}]))?', re.DOTALL)
_KEYS = (b'"id"', b'"result"', b'"error"')


class UnreadableMessageError(ValueError):
    """A message that the server cannot read: an error code of JSON-RPC, and the reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def read_message(text: bytes) -> Any:
    """Return the JSON value of a message.

    Raises UnreadableMessageError if it is a batch or not JSON, or if it repeats a key of an object.
    """
    if text.lstrip().startswith(b"["):
        raise UnreadableMessageError(INVALID_REQUEST, NO_BATCHES)
    try:
        return read_json(text)
    except ValueError as error:
        raise UnreadableMessageError(PARSE_ERROR, f"the message is {describe_fault(error)}") from error


def explain_refusal(error: ValidationError) -> UnreadableMessageError:
    """Return why the SDK cannot read a message that is JSON: it may have more levels than its parser can read."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return UnreadableMessageError(PARSE_ERROR, f"the message is unreadable: {TOO_DEEP}")
    return UnreadableMessageError(INVALID_REQUEST, "the message is not a JSON-RPC message")


def error_response(error: UnreadableMessageError, text: bytes = b"") -> bytes:
    """Return the response to an unreadable message, as JSON; its id is null if that of the message is not certain."""
    fault = {"code": error.code, "message": error.reason}
    return json.dumps({"jsonrpc": "2.0", "id": request_id(text), "error": fault}).encode()


def request_id(text: bytes) -> str | int | None:
    """Return the id of a request that may not be valid JSON; None for a response, whose id is the server's own."""
    found: list[bytes | None] = []
    depth = 0
    for part in islice(_PART.finditer(text), _MOST_PARTS):
        if part[0] in b"{[":
            depth += 1
        elif part[0] in b"]}":
            depth -= 1
        elif depth == 1 and part[0] in _KEYS and (value := _VALUE.match(text, part.end())):
            if part[0] != b'"id"':
                return None
            found.append(value[1])
    if len(found) != 1 or found[0] is None or not text.lstrip().startswith(b"{"):
        return None
    try:
        number: str | int = json.loads(found[0].decode())
    except ValueError:
        return None
    return number
