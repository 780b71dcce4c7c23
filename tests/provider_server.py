"""A loopback server with scripted responses to the providers' own clients, whole or as server-sent events."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Whole:
    """A reply as one JSON document, with its status and headers."""

    body: Any
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Events:
    """A reply as server-sent events: data, or a name and data; `ending`, such as `[DONE]`, closes them."""

    events: tuple[Any, ...]
    ending: str = ""


@dataclass
class ProviderServer:
    """A running server: its address, and the path and body of each request."""

    url: str = ""
    paths: list[str] = field(default_factory=list)
    requests: list[Any] = field(default_factory=list)


@contextmanager
def provider_server(answers: Iterable[Whole | Events]) -> Iterator[ProviderServer]:
    """Run a server that gives these answers, one for each request, then 500."""
    served = ProviderServer()
    script = iter(answers)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            with lock:
                served.paths.append(self.path)
                served.requests.append(json.loads(body))
                answer = next(script, Whole({"error": {"message": "the script has no more answers"}}, 500))
            if isinstance(answer, Whole):
                self.write(answer.status, "application/json", json.dumps(answer.body), answer.headers)
            else:
                self.write(200, "text/event-stream", "".join(map(event_text, answer.events)) + answer.ending)

        def write(self, status: int, kind: str, text: str, headers: Iterable[tuple[str, str]] = ()) -> None:
            written = text.encode()
            self.send_response(status)
            for name, value in (("Content-Type", kind), ("Content-Length", str(len(written))), *headers):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(written)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
            """Stay silent."""

    with serving(Handler) as url:
        served.url = url
        yield served


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve a handler on loopback, and yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def event_text(event: Any) -> str:
    """Write one event; Anthropic's and Responses' have a name, which is the type of their data."""
    name = event.get("type") if isinstance(event, dict) else None
    data = event if isinstance(event, str) else json.dumps(event)
    return f"event: {name}\ndata: {data}\n\n" if name else f"data: {data}\n\n"
