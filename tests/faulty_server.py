"""A server with five planted faults, one in each of its tools, or without faults (`honest`).

usage: faulty_server.py honest|faulty
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

IS_HONEST = sys.argv[1] == "honest"
INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 8},
        "number": {"type": "integer", "minimum": 1, "maximum": 14},
        "flags": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "maxItems": 3},
    },
    "required": ["number"],
    "additionalProperties": False,
}
OUTPUT = {"type": "object", "properties": {"size": {"type": "integer", "maximum": 10}}, "required": ["size"]}
NAMES = ("accepts", "refuses", "returns", "fails", "crashes")


def is_valid(arguments: dict[str, Any]) -> bool:
    """Whether the input schema accepts the arguments, checked by hand."""
    text, number, flags = arguments.get("text", ""), arguments.get("number"), arguments.get("flags", [])
    return (
        arguments.keys() <= {"text", "number", "flags"}
        and isinstance(text, str)
        and len(text) <= 8
        and isinstance(number, int | float)
        and not isinstance(number, bool)
        and number == int(number)
        and 1 <= number <= 14
        and isinstance(flags, list)
        and len(flags) <= 3
        and all(flag in ("a", "b", "c") for flag in flags)
    )


def result(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a call."""
    number, text, flags = arguments.get("number", 0), arguments.get("text", ""), arguments.get("flags", [])
    if not is_valid(arguments) and (IS_HONEST or name != "accepts" or not isinstance(number, int)):
        return failure("Input validation error")
    if not IS_HONEST:
        if name == "refuses" and number > 12:
            return failure("Input validation error: `number` is too large")
        if name == "returns" and len(flags) >= 2:
            return {"content": [], "structuredContent": {"size": 11}}
        if name == "fails" and len(text) > 4:
            return failure("KeyError: text")
        if name == "crashes" and number == 14:
            os._exit(1)
    return {"content": [], "structuredContent": {"size": 1}}


def failure(text: str) -> dict[str, Any]:
    """Return a result with `isError`."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


def main() -> None:
    """Answer until the client disconnects."""
    tools = [{"name": name, "inputSchema": INPUT, "outputSchema": OUTPUT} for name in NAMES]
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        method, params = request["method"], request.get("params", {})
        outcome: dict[str, Any] = {"error": {"code": -32602, "message": "Unknown tool"}}
        if method == "initialize":
            info = {"name": "faulty", "version": "1"}
            outcome = {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}}
        elif method == "tools/list":
            outcome = {"result": {"tools": tools}}
        elif method == "tools/call" and params["name"] in NAMES:
            outcome = {"result": result(params["name"], params.get("arguments", {}))}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}), flush=True)


if __name__ == "__main__":
    main()
