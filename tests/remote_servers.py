"""Real MCP servers for tests, built on the SDK's low-level server: honest, broken, and changing."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mcp_types as types
import uvicorn
from mcp import MCPError
from mcp.client.stdio import StdioServerParameters
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

OBJECT: dict[str, Any] = {"type": "object"}
PIXEL, TONE, BYTES = "iVBORw0KGgo=", "UklGRg==", "AAEC"
Answer = Callable[[Any, dict[str, Any]], Awaitable[types.CallToolResult]]


def text(value: str) -> types.TextContent:
    """Return a plain text block."""
    return types.TextContent(type="text", text=value)


IMAGE = types.ImageContent(type="image", data=PIXEL, mime_type="image/png")
AUDIO = types.AudioContent(type="audio", data=TONE, mime_type="audio/wav")
LINK = types.ResourceLink(type="resource_link", uri="file:///a.txt", name="a", mime_type="text/plain")
NOTE = types.EmbeddedResource(
    type="resource", resource=types.TextResourceContents(uri="note://1", mime_type="text/plain", text="words")
)
BLOB = types.EmbeddedResource(
    type="resource", resource=types.BlobResourceContents(uri="blob://1", mime_type="application/x", blob=BYTES)
)
MARKED = types.TextContent(
    type="text", text="marked", annotations=types.Annotations(audience=["user"], priority=0.5), _meta={"k": None}
)
BLOCKS: dict[str, types.ContentBlock] = {
    "text": text('{"a": 1}'),
    "image": IMAGE,
    "audio": AUDIO,
    "link": LINK,
    "note": NOTE,
    "blob": BLOB,
    "marked": MARKED,
}


def answering(
    *content: types.ContentBlock, structured: Any = None, is_error: bool = False, meta: dict[str, Any] | None = None
) -> Answer:
    """Return a function that answers every call with the same result."""
    members = {} if structured is None else {"structured_content": structured}

    async def answer(context: Any, arguments: dict[str, Any]) -> types.CallToolResult:
        return types.CallToolResult(content=list(content), is_error=is_error, _meta=meta, **members)

    return answer


@dataclass
class Bench:
    """A server, its tools, and the requests that it got. A restless one announces a change with every list."""

    tools: dict[str, types.Tool] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    arguments: list[dict[str, Any]] = field(default_factory=list)
    started: threading.Event = field(default_factory=threading.Event)
    cancelled: threading.Event = field(default_factory=threading.Event)
    bus: InMemorySubscriptionBus = field(default_factory=InMemorySubscriptionBus)
    listen: ListenHandler | None = None
    sessions: list[Any] = field(default_factory=list)
    page_size: int = 100
    lists: int = 0
    is_restless: bool = False

    def offer(self, name: str, answer: Answer, **members: Any) -> None:
        """Offer a tool."""
        self.tools[name] = types.Tool(name=name, **{"input_schema": OBJECT, **members})
        self.answers[name] = answer

    def server(self, *, tells: bool = True) -> Server[Any]:
        """Return the server; with `tells`, it serves `subscriptions/listen`."""
        self.listen = ListenHandler(self.bus) if tells else None
        return Server(
            "bench",
            version="1",
            on_list_tools=self._list,
            on_call_tool=self._call,
            on_subscriptions_listen=self.listen,
        )

    async def change(self) -> None:
        """Notify all clients that the list has changed."""
        await self.bus.publish(ToolsListChanged())
        for session in self.sessions:
            await session.send_tool_list_changed()

    async def _list(self, context: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if context.session.protocol_version < "2026":
            self.sessions = [context.session]
        self.lists += 1
        if self.is_restless:
            await self.change()
        start = int(params.cursor) if params is not None and params.cursor else 0
        end = start + self.page_size
        following = str(end) if end < len(self.tools) else None
        return types.ListToolsResult(tools=list(self.tools.values())[start:end], next_cursor=following)

    async def _call(
        self, context: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        if params.name == "asking" and params.request_state is None:
            return types.InputRequiredResult(request_state="asked")
        answer = self.answers.get(params.name)
        if answer is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool: {params.name}")
        self.arguments.append(params.arguments or {})
        return await answer(context, params.arguments or {})


def honest_bench() -> Bench:
    """Return a server with a tool for each kind of answer."""
    bench = Bench()
    for name, block in BLOCKS.items():
        bench.offer(name, answering(block))
    bench.offer("nothing", answering())
    bench.offer("all", answering(*BLOCKS.values()))
    closed = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    number = {"n": 1}
    bench.offer("number", answering(text('{"n": 1}'), meta={"secret": 1}, structured=number), output_schema=closed)
    bench.offer("rich", answering(text("one"), IMAGE, text('{"n":1}'), MARKED, structured=number), output_schema=closed)
    bench.offer("liar", answering(structured={"n": "one"}), output_schema=closed)
    bench.offer("silent", answering(text("{}")), output_schema=closed)
    bench.offer("broken", answering(structured=number), output_schema={"type": "object", "minProperties": "1"})
    bench.offer("Get-User", answering())
    bench.offer("failing", answering(text("no such city"), text("try another"), is_error=True))
    bench.offer("failing_richly", answering(text("look"), IMAGE, is_error=True, structured={"at": 3}))
    bench.offer("failing_mutely", answering(is_error=True))
    bench.offer("failing_at_length", answering(text("x" * 10_000), is_error=True))
    stated = {
        "status": "failure",
        "error": {"error_type": "CityUnknown", "error_message": "no", "error_details": {"k": 1}},
    }
    bench.offer("failing_in_form", answering(text("no"), is_error=True, structured=stated))
    bench.offer("refusing", _raising(MCPError(types.INVALID_PARAMS, "`a` is missing", {"at": "/a"})))
    bench.offer("crashing", _raising(ZeroDivisionError("a secret")))
    bench.offer("asking", answering(text("thanks")))
    bench.offer("echo", _echo)
    bench.offer("slow", _slow(bench))
    bench.offer("stepwise", _stepwise)
    return bench


def _raising(error: Exception) -> Answer:
    async def answer(context: Any, arguments: dict[str, Any]) -> types.CallToolResult:
        raise error

    return answer


async def _echo(context: Any, arguments: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(content=[], structured_content=arguments)


def _slow(bench: Bench) -> Answer:
    async def answer(context: Any, arguments: dict[str, Any]) -> types.CallToolResult:
        bench.started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            bench.cancelled.set()
            raise
        raise AssertionError("nobody sets it")

    return answer


async def _stepwise(context: Any, arguments: dict[str, Any]) -> types.CallToolResult:
    await context.session.report_progress(1, 2, "half")
    await context.session.report_progress(2, 2, "all")
    return types.CallToolResult(content=[])


def raw_server(kind: str, *, legacy: bool = False) -> StdioServerParameters:
    """Start a server as a separate process that writes its own JSON; see `remote_raw_server`."""
    script = Path(__file__).with_name("remote_raw_server.py")
    return StdioServerParameters(command=sys.executable, args=[str(script), kind, *(["--legacy"] if legacy else [])])


@contextlib.contextmanager
def over_http(server: Server[Any]) -> Iterator[str]:
    """Serve on a free loopback port in another thread; yield the address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()  # clients that come before the thread is ready wait
        app = server.streamable_http_app(host="127.0.0.1")
        runner = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=runner.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            runner.should_exit = True
            thread.join(timeout=10)


@contextlib.asynccontextmanager
async def soon(seconds: float = 10) -> AsyncIterator[None]:
    """Bound a wait, so that a test fails instead of hanging."""
    async with asyncio.timeout(seconds):
        yield
