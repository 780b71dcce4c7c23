"""A server over stdio that follows a script: its tools, and its responses.

usage: scripted_server.py SCRIPT.json

`tools` are listed, or `again` on the second request. `answers` contains a `CallToolResult` for each tool, `{"error":
{…}}` for a JSON-RPC error, or null if the call ends the server. Arguments are validated unless `validates` is false; an
unknown tool is rejected unless `accepts_unknown_tools` is true. `prints` is written to standard output first.
"""

from __future__ import annotations

import json
import sys

TYPE_CHECKING = (
    False  # a test starts one server or more, and `typing` and `pathlib` take longer to import than the rest
)
if TYPE_CHECKING:
    from typing import Any


def main(script: dict[str, Any]) -> None:
    """Answer until the client disconnects."""
    if "prints" in script:
        print(script["prints"], flush=True)
    asked = 0
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        method, params = request["method"], request.get("params", {})
        if method == "tools/call":
            outcome = answer(script, params["name"], params.get("arguments", {}))
        elif method == "tools/list":
            asked += 1
            outcome = {"result": {"tools": script["tools"] if asked == 1 else script.get("again", script["tools"])}}
        elif method == "initialize":
            info = {"name": "scripted", "version": "1.0.0"}
            outcome = {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}}
        else:
            outcome = {"error": {"code": -32601, "message": "Method not found"}}
        if outcome is None:
            sys.exit(1)
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}), flush=True)


def answer(script: dict[str, Any], name: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
    """Return the outcome of a call; None if it ends the server."""
    tool = next((tool for tool in script["tools"] if tool["name"] == name), None)
    if tool is None and not script.get("accepts_unknown_tools"):
        return {"error": {"code": -32602, "message": f"Unknown tool: {name}"}}
    if tool is not None and script.get("validates", True):
        import jsonschema_rs  # only some scripts need it

        validator = jsonschema_rs.Draft202012Validator(tool["inputSchema"])
        if (error := next(validator.iter_errors(arguments), None)) is not None:
            text = f"Input validation error: {error.message}"
            return {"result": {"content": [{"type": "text", "text": text}], "isError": True}}
    given = script.get("answers", {}).get(name, {"content": [{"type": "text", "text": "done"}]})
    if given is None or "error" in given:
        return given
    return {"result": {"content": [], **given}}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        written = json.load(file)
    main(written)
