"""A server whose tools are listed in a file, over stdio or HTTP: `python reconnecting_server.py FOLDER [PORT]`.

Each line of `FOLDER/tools` is a tool, `name` or `name=description`. Without that file, the server does not start. It
writes its own JSON-RPC, because the SDK takes ten times as long to start.
"""

from __future__ import annotations

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

NAME = {"name": "reconnecting", "version": "1"}


def tools_of(folder: Path) -> list[dict[str, Any]]:
    """Return the tools in the file."""
    file = folder / "tools"
    if not file.exists():
        sys.exit("error: there are no tools")
    with (folder / "starts").open("a", encoding="utf-8") as starts:
        starts.write("started\n")
    lines = [line.partition("=") for line in file.read_text(encoding="utf-8").splitlines()]
    return [{"name": name, "description": text, "inputSchema": {"type": "object"}} for name, _, text in lines]


def answer(tool: str) -> dict[str, Any]:
    """Return the result of a call, which identifies the answering process."""
    return {"content": [], "structuredContent": {"pid": os.getpid()}, "isError": tool == "fail"}


def reply(request: dict[str, Any], tools: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the response to a request; None for a notification or a call of `wait`. `die` terminates the process."""
    result: dict[str, Any]
    match request["method"]:
        case "initialize":
            result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": NAME}
        case "tools/call" if request["params"]["name"] == "die":
            sys.exit("error: the disk is full")
        case "tools/list":
            result = {"tools": tools}
        case "tools/call" if request["params"]["name"] != "wait":
            result = answer(request["params"]["name"])
        case "server/discover":
            error = {"code": -32601, "message": "it is a server of 2025"}
            return {"jsonrpc": "2.0", "id": request["id"], "error": error}
        case _:
            return None
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}


def serve_stdio(tools: list[dict[str, Any]]) -> None:
    """Serve until standard input ends.

    A server with the tool `brief` ends after listing its tools, and one with the tool `mute` never answers.
    """
    for line in sys.stdin:
        request = json.loads(line)
        if any(tool["name"] == "mute" for tool in tools):
            continue
        message = reply(request, tools)
        if message is not None:
            print(json.dumps(message), flush=True)
        if request["method"] == "tools/list" and any(tool["name"] == "brief" for tool in tools):
            return


def serve_http(tools: list[dict[str, Any]], port: int) -> None:
    """Serve until the process is ended. Only the session of this process is found."""
    session = str(os.getpid())

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.headers.get("Mcp-Session-Id", session) != session:
                self.respond(404, b"no such session")
                return
            message = reply(request, tools)
            self.respond(202 if message is None else 200, b"" if message is None else json.dumps(message).encode())

        def do_GET(self) -> None:
            self.respond(405, b"")

        def do_DELETE(self) -> None:
            self.respond(200, b"")

        def respond(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json" if status == 200 else "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Mcp-Session-Id", session)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    offered = tools_of(Path(sys.argv[1]))
    if len(sys.argv) > 2:
        serve_http(offered, int(sys.argv[2]))
    else:
        serve_stdio(offered)
