"""The ASGI application of a server: MCP at `/mcp`, the plain interface next to it, and the gate in front of both."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from mcp_contracts.serving.calls import ServedCalls
from mcp_contracts.serving.http.gate import CALLER, Application, Gate, Message, Receive, Scope, Send, path_of
from mcp_contracts.serving.http.plain import PlainInterface
from mcp_contracts.serving.http.settings import HttpSettings
from mcp_contracts.serving.http.single import SingleAnswers
from mcp_contracts.serving.protocol import ProtocolServer, ServerName, Session

MCP_PATH = "/mcp"
_MCP_METHODS = ("GET", "POST", "DELETE")
_LONGEST_CHANNEL = 100


class ServerApplication:
    """An ASGI application that serves the tools of a registry.

    It starts with ASGI's lifespan, or with the first request where its host has none, such as a mount in another
    application. `drain` is called before a shutdown: it ends the streams that never end by themselves.
    """

    def __init__(self, calls: ServedCalls, name: ServerName, settings: HttpSettings) -> None:
        self._calls = calls
        self._name = name
        self._settings = settings
        self._closing, self._finished = asyncio.Event(), asyncio.Event()
        self._hosting: asyncio.Task[None] | None = None
        self._is_ready: asyncio.Future[Application] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            application = await self._start()
            try:
                await application(scope, self._until_drained(scope, receive), send)
            except asyncio.CancelledError:
                if not self._closing.is_set():  # the host shuts down for another reason
                    raise
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})

    def drain(self) -> None:
        """Accept no new streams and end the open ones; calls continue."""
        self._closing.set()

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self._start()
        except Exception as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.startup.complete"})
        with suppress(asyncio.CancelledError):  # a shutdown that does not wait
            await receive()
        self.drain()
        self._finished.set()
        hosting, self._hosting, self._is_ready = self._hosting, None, None
        if hosting is not None:
            with suppress(asyncio.CancelledError):
                await hosting
        self._closing, self._finished = asyncio.Event(), asyncio.Event()  # a host may start it again
        await send({"type": "lifespan.shutdown.complete"})

    async def _start(self) -> Application:
        if self._is_ready is not None and self._is_ready.done():
            return self._is_ready.result()
        if self._is_ready is None:
            self._is_ready = asyncio.get_running_loop().create_future()
            self._hosting = asyncio.create_task(self._host(self._is_ready), name="mcp-contracts server")
        return await asyncio.shield(self._is_ready)

    async def _host(self, ready: asyncio.Future[Application]) -> None:
        """Keep the objects that live as long as the server: the SDK's sessions belong to one task."""
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # an optional extra
        from starlette.applications import Starlette
        from starlette.routing import Route

        closing, finished = self._closing, self._finished
        try:
            protocol = ProtocolServer(self._calls, self._name, _session_of)
            single = SingleAnswers(self._calls.catalog)
            manager = StreamableHTTPSessionManager(
                protocol.server,
                json_response=single,  # type: ignore[arg-type]  # decided for each request
                stateless=self._settings.is_stateless,
                max_request_body_size=self._settings.maximum_body,
            )
            plain = PlainInterface(self._calls, self._name, _session_of, closing.is_set)
            mcp = Route(MCP_PATH, _Endpoint(manager.handle_request), methods=_MCP_METHODS)
            routes = Starlette(routes=[mcp, *plain.routes()])
            without_limit = manager.asgi_app.app  # the gate has read the body, within its own limit
            gate = Gate(_mcp_first(single.around(without_limit), routes), self._settings)
        except Exception as error:
            ready.set_exception(error)
            return
        async with manager.run():
            ready.set_result(gate)
            await closing.wait()
            protocol.close()
            await finished.wait()

    def _until_drained(self, scope: Scope, receive: Receive) -> Receive:
        """Receive what a client sends; end its open stream of events when the server shuts down."""
        if scope["method"] != "GET" or path_of(scope) != MCP_PATH:
            return receive
        closing = self._closing

        async def receive_or_end() -> Message:
            message, closed = asyncio.ensure_future(receive()), asyncio.ensure_future(closing.wait())
            try:
                await asyncio.wait((message, closed), return_when=asyncio.FIRST_COMPLETED)
                return message.result() if message.done() else {"type": "http.disconnect"}
            finally:
                message.cancel()
                closed.cancel()

        return receive_or_end


def _mcp_first(mcp: Application, others: Application) -> Application:
    """Pass MCP requests on directly, without the layers of Starlette, which check nothing that the gate does not
    check."""

    async def route(scope: Scope, receive: Receive, send: Send) -> None:
        is_mcp = path_of(scope) == MCP_PATH and scope["method"] in _MCP_METHODS
        if is_mcp and scope["method"] == "GET":  # streams are not resumed, and the SDK would not answer the request
            kept = [(name, value) for name, value in scope["headers"] if name != b"last-event-id"]
            scope = {**scope, "headers": kept}
        await (mcp if is_mcp else others)(scope, receive, send)

    return route


class _Endpoint:
    """An ASGI function as a class, since Starlette treats a plain function as a request handler."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._application(scope, receive, send)


def _session_of(request: Any) -> Session:
    """Return the channel of a request (`?channel=` or the header `X-Channel`), and its authenticated caller."""
    if request is None:
        return Session()
    named = request.query_params.get("channel") if request.scope["query_string"] else None
    channel = named or request.headers.get("x-channel")
    return Session(channel[:_LONGEST_CHANNEL] if channel else None, request.scope.get(CALLER))
