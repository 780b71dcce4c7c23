"""A server over stdio that writes its own JSON-RPC, so that it can send what no SDK would, in both eras of MCP.

usage: remote_raw_server.py odd|dying|endless|hostile
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

OBJECT = {"type": "object"}
TOOLS: list[Any] = [
    {"name": "plain", "inputSchema": OBJECT, "outputSchema": OBJECT},
    {"name": "without_type", "inputSchema": {"properties": {"a": {"type": "integer"}}}},
    {"name": "null_schema", "inputSchema": None, "outputSchema": {"type": "array"}},
    {
        "name": "bad_header",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "array", "x-mcp-header": "A"}}},
    },
    {"inputSchema": OBJECT},
    "nothing",
]


LAYERS: dict[str, Any] = {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"} for _ in range(10)]} for i in range(12)}
HOSTILE_TOOLS: list[Any] = [
    {"name": name, "inputSchema": OBJECT, "outputSchema": {"type": "object", "properties": properties, "$defs": LAYERS}}
    for name, properties in (
        ("pattern", {"text": {"pattern": "^(a+)+$"}}),
        ("backtracking", {"text": {"pattern": r"^(a+)+\1$"}}),
        ("references", {"tree": {"$ref": "#/$defs/d0"}}),
        ("unevaluated", {"tree": {"$ref": "#/$defs/d0", "unevaluatedProperties": False}}),
    )
]
LAYERS["d12"] = {"type": "string"}


def result_of(kind: str, method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """Return the result of a request; None for an unsupported method."""
    stamp = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    if method == "server/discover" and "--legacy" not in sys.argv:
        return {**stamp, "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
    if method == "initialize":
        info = {"name": "raw", "version": "1"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list" and kind == "endless":
        return {**stamp, "tools": [], "nextCursor": "the same again"}
    if method == "tools/list" and kind == "hostile":
        return {**stamp, "tools": HOSTILE_TOOLS}
    if method == "tools/call" and kind == "hostile":
        data: dict[str, Any] = {"text": "a" * 64 + "!", "tree": 1}
        return {"resultType": "complete", "content": [], "structuredContent": data}
    if method == "tools/list":
        start = int(params.get("cursor", 0))
        following = {"nextCursor": str(start + 2)} if start + 2 < len(TOOLS) else {}
        return {**stamp, "tools": TOOLS[start : start + 2], **following}
    if method == "tools/call" and kind == "dying":
        os._exit(1)
    if method == "tools/call":
        said = {"content": [], "structuredContent": {"called": params["name"], "with": params.get("arguments")}}
        return {"resultType": "complete", **said}
    return None


def main(kind: str) -> None:
    """Answer each request on stdin."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = result_of(kind, message["method"], message.get("params") or {})
            outcome = (
                {"error": {"code": -32601, "message": "Method not found"}} if result is None else {"result": result}
            )
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
