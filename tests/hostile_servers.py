"""A server over stdio that does one thing wrong, by mistake or as an attack.

usage: hostile_servers.py KIND [FILE]
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOOL = {"name": "plain", "description": "Returns nothing.", "inputSchema": {"type": "object"}}

CAPABILITIES: list[str] = []
"""The capabilities that the client declares."""


def requests() -> Iterator[dict[str, Any]]:
    """Yield the requests of the client."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            yield message


def say(value: Any) -> None:
    """Write a message."""
    print(json.dumps(value), flush=True)


def answer(request: dict[str, Any], *, is_batch: bool = False, **outcome: Any) -> None:
    """Write the response to a request."""
    message = {"jsonrpc": "2.0", "id": request["id"], **outcome}
    log = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}}
    say([log, message] if is_batch else message)


def serve(listed: Any, *, version: str = "1", is_batch: bool = False) -> None:
    """Answer the handshake honestly, and `tools/list` with what `listed` yields for each request."""
    for request in requests():
        method = request["method"]
        if method == "initialize":
            CAPABILITIES.extend(request["params"]["capabilities"])
            answer(request, result=handshake(version))
        elif method == "tools/list":
            answer(request, is_batch=is_batch, **listed(request))
        else:
            answer(request, error={"code": -32601, "message": "Method not found"})


def handshake(version: str) -> dict[str, Any]:
    """The result of `initialize`."""
    info = {"name": "hostile", "version": version}
    return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}


def tools(count: int) -> list[dict[str, Any]]:
    """Tools with different names."""
    return [{**TOOL, "name": f"tool_{number}"} for number in range(count)]


def flood(text: str) -> None:
    """Write text forever."""
    while True:
        os.write(1, text.encode() * 1_000)


def pages(request: dict[str, Any]) -> dict[str, Any]:
    """A page that is never the last."""
    at = int(request.get("params", {}).get("cursor", 0))
    return {"result": {"tools": tools(1), "nextCursor": str(at + 1)}}


def main(kind: str, file: str) -> None:  # one case for each fault
    """Behave as the kind requires."""
    match kind:
        case "honest":
            serve(lambda request: {"result": {"tools": [TOOL]}}, version=file or "1")
        case "capable":
            serve(lambda request: {"result": {"tools": [{**TOOL, "name": name} for name in sorted(CAPABILITIES)]}})
        case "limited":
            limited = {"type": "object", "properties": {"limit": {"type": "integer", "maximum": int(file)}}}
            serve(lambda request: {"result": {"tools": [{**TOOL, "inputSchema": limited}]}})
        case "named":
            secret = os.environ.get("SECRET_KEY", "")
            assert "UNRELATED" not in os.environ
            serve(lambda request: {"result": {"tools": [{**TOOL, "description": f"Knows {len(secret)} characters."}]}})
        case "silent":
            time.sleep(600)
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            Path(file).write_text(f"{os.getpid()}\n")
            time.sleep(600)
        case "dying":
            print("Traceback\nModuleNotFoundError: No module named 'nothing'\n", file=sys.stderr)
            sys.exit(3)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "half":
            for request in requests():
                os.write(1, b'{"jsonrpc": "2.0", "id": %d, "result": {"tools' % request["id"])
                sys.exit(4)
        case "banner":
            print("Listening on stdio", flush=True)
            serve(lambda request: {"result": {"tools": [TOOL]}}, is_batch=True)
        case "chatter":
            flood("not JSON\n")
        case "notifications":
            flood('{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}}\n')
        case "long-line":
            os.write(1, b'{"jsonrpc": "2.0", "id": 1, "result": "')
            for _ in range(500):
                os.write(1, b"x" * 1_000_000)
        case "many":
            serve(lambda request: {"result": {"tools": tools(100_000)}})
        case "pages":
            serve(pages)
        case "not-finite":
            limited = {"type": "object", "properties": {"limit": {"maximum": float("inf")}}}
            serve(lambda request: {"result": {"tools": [{**TOOL, "inputSchema": limited}]}})
        case "odd-entries":
            serve(lambda request: {"result": {"tools": [TOOL, {**TOOL, "name": None}, {**TOOL, "title": "Another"}]}})
        case "odd-progress":
            say({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": []}})
            serve(lambda request: {"result": {"tools": [TOOL]}})
        case "number":
            serve(lambda request: {"result": {"tools": [TOOL], "nextCursor": 2}})
        case "digits":
            serve(lambda request: os.write(1, b'{"jsonrpc": "2.0", "id": 3, "result": %s}\n' % (b"9" * 5_000)) and {})
        case "says":
            next(requests())
            print(file, flush=True)
        case "nested":
            schema: dict[str, Any] = {"type": "object"}
            for _ in range(150):
                schema = {"type": "object", "properties": {"a": schema}}
            serve(lambda request: {"result": {"tools": [{**TOOL, "inputSchema": schema}]}})
        case "cursor":
            serve(lambda request: {"result": {"tools": [], "nextCursor": "again"}})
        case "nonsense":
            for request in requests():
                answer(request, result=["nonsense"])
        case "no-array":
            serve(lambda request: {"result": {"tools": {}}})
        case "refusing":
            serve(lambda request: {"error": {"code": -32603, "message": "the database is down"}})
        case "no-tools":
            serve(lambda request: {"error": {"code": -32601, "message": "Method not found"}})
        case "deep":
            for request in requests():
                deep = "[" * 10**5 + "]" * 10**5
                print(f'{{"jsonrpc": "2.0", "id": {request["id"]}, "result": {{"a": {deep}}}}}', flush=True)
        case "not-text":
            serve(lambda request: os.write(1, b'{"jsonrpc": "2.0", "id": 3, "result": {"tools": ["\xff"]}}\n') and {})
        case "parent":
            code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
            child = subprocess.Popen([sys.executable, "-c", code])
            Path(file).write_text(f"{child.pid}\n")
            serve(lambda request: {"result": {"tools": [TOOL]}})
        case "secretive":
            print(f"cannot use {os.environ['SECRET_KEY']}", file=sys.stderr)
            sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
