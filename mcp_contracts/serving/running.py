"""Run a server until its client disconnects or a signal arrives."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, nullcontext, suppress

from mcp_contracts.errors import require_package
from mcp_contracts.records import dataclass
from mcp_contracts.serving.calls import ServedCalls
from mcp_contracts.serving.http.settings import HttpSettings
from mcp_contracts.serving.protocol import ProtocolServer, ServerName, Session
from mcp_contracts.serving.stopping import stop_on_signals

Beside = Callable[[], AbstractAsyncContextManager[object]]


@dataclass(frozen=True, slots=True)
class Served:
    """The content of a server: the calls that it answers, and its name. `beside` are objects on its event loop."""

    calls: ServedCalls
    name: ServerName
    beside: Beside = nullcontext


GRACE = 30.0
"""The number of seconds that running calls have to finish when a server stops."""


def require_server() -> None:
    """Raise `UsageError` if the SDK is not installed."""
    require_package("mcp", "serving requires", extra="mcp")


def run_stdio(served: Served, wire: tuple[int, int], *, channel: str | None, maximum_line: int, grace: float) -> None:
    """Serve one client over two file descriptors until it closes the input, or SIGTERM or SIGINT arrives.

    A second SIGINT ends running calls at once.
    """
    from mcp_contracts.serving.stdio import serve_stdio

    async def serve() -> None:
        session = Session(channel, "stdio")
        server = ProtocolServer(served.calls, served.name, lambda request: session)
        async with served.beside():
            with stop_on_signals() as stop:
                await serve_stdio(server, wire, stop=stop, maximum_line=maximum_line, grace=grace)

    _run(serve())


def run_http(
    served: Served,
    settings: HttpSettings,
    listening: socket.socket,
    *,
    grace: float,
    on_ready: Callable[[], object] = lambda: None,
) -> None:
    """Serve on a socket until SIGTERM or SIGINT arrives; a second SIGINT ends running calls at once."""
    from mcp_contracts.serving.http.application import ServerApplication
    from mcp_contracts.serving.http.server import serve_http

    async def serve() -> None:
        application = ServerApplication(served.calls, served.name, settings)
        async with served.beside():
            with stop_on_signals() as stop:
                await serve_http(application, listening, stop=stop, grace=grace, on_ready=on_ready)

    _run(serve())


def _run(server: Coroutine[object, object, None]) -> None:
    """Run a server on a separate event loop.

    A task that ends with `SystemExit` ends its event loop, even if a function started it; the server continues.
    """
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        serving = loop.create_task(server)
        while not serving.done():
            with suppress(SystemExit):
                loop.run_until_complete(serving)
        serving.result()
