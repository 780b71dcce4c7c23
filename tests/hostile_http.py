"""HTTP servers that each do one thing wrong, each at its own path, on a free loopback port."""

from __future__ import annotations

import contextlib
import gzip
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOOL = {"name": "plain", "description": "Returns nothing.", "inputSchema": {"type": "object"}}


@dataclass
class HostileServer:
    """The server's address, and the headers of all requests."""

    address: str
    headers: list[dict[str, str]] = field(default_factory=list)


@contextlib.contextmanager
def hostile_http() -> Iterator[HostileServer]:
    """Serve until the block ends."""
    seen: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            seen.append({name.lower(): value for name, value in self.headers.items()})
            with contextlib.suppress(OSError):  # the client has seen enough
                self.respond(self.path.strip("/"), body)

        def do_DELETE(self) -> None:
            self.send(200, b"")

        do_GET = do_DELETE  # noqa: N815  # the name is http.server's

        def respond(self, kind: str, body: dict[str, Any]) -> None:
            match kind:
                case "honest":
                    self.answer(body)
                case "guarded":
                    if self.headers["authorization"] == "Bearer right-token" or self.headers["x-key"] == "right-key":
                        self.answer(body)
                    else:
                        self.send(401, b"who are you?")
                case "echo":
                    said = f"no access with {self.headers['authorization']}"
                    self.send_json({"jsonrpc": "2.0", "id": body.get("id"), "error": {"code": -32000, "message": said}})
                case "initialize" | "list" | "call":  # the answer to this method has an unknown id
                    if body["method"].endswith(kind):
                        body["id"] = 99
                    self.answer(body)
                case "down":
                    self.send(500, b"<html>out of order</html>", "text/html")
                case "page":
                    self.send(200, b"<html>welcome</html>", "text/html")
                case "words":
                    self.send(200, b"oops", "application/json")
                case "busy":
                    self.send(429, b"<html>slow down</html>", "text/html")
                case "events":
                    self.send(200, b"data: oops\n\n", "text/event-stream")
                case "broken-off":
                    self.send(200, b"{", "application/json", **{"content-length": "99"})
                case "elsewhere":
                    self.send(308, b"", location="http://127.0.0.2:1/mcp")
                case "big":
                    self.send(200, b'{"jsonrpc": "2.0", "id": 1, "result": "' + b"x" * 40_000_000, "application/json")
                case "bomb":
                    self.send(200, gzip.compress(b"x" * 10_000_000), "application/json", **{"content-encoding": "gzip"})
                case "slow":
                    time.sleep(5)
                case _:
                    self.send(404, b"")

        def answer(self, body: dict[str, Any]) -> None:
            method = body["method"]
            if "id" not in body:
                self.send(202, b"")
                return
            outcome: dict[str, Any] = {"error": {"code": -32601, "message": "Method not found"}}
            if method == "initialize":
                info = {"name": "stand", "version": "2"}
                capabilities: dict[str, Any] = {"tools": {}}
                outcome = {
                    "result": {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": info}
                }
            if method == "tools/list":
                outcome = {"result": {"tools": [TOOL]}}
            if method == "tools/call":
                outcome = {"result": {"content": []}}
            self.send_json({"jsonrpc": "2.0", "id": body["id"], **outcome})

        def send_json(self, value: Any) -> None:
            self.send(200, json.dumps(value).encode(), "application/json")

        def send(self, status: int, body: bytes, content_type: str = "text/plain", **headers: str) -> None:
            self.send_response(status)
            for name, value in {"content-type": content_type, "content-length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield HostileServer(f"http://127.0.0.1:{server.server_port}", seen)
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)
