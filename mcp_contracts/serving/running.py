"""A server that runs until its client goes or a signal comes."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress

from mcp_contracts.errors import UsageError
from mcp_contracts.serving.calls import ServedCalls
from mcp_contracts.serving.http.settings import MAXIMUM_BODY, HttpSettings
from mcp_contracts.serving.protocol import ProtocolServer, ServerName, Session

Beside = Callable[[], Coroutine[object, object, None]]

GRACE = 30.0
"""How many seconds running calls have to finish when a server is told to stop."""


def require_server() -> None:
    """Raise `UsageError` where the SDK is not installed."""
    try:
        import mcp  # noqa: F401  # an optional extra, and a second to import
    except ImportError as error:
        raise UsageError("serving requires the package `mcp`", hint="pip install 'mcp-contracts[mcp]'") from error


def run_stdio(
    calls: ServedCalls,
    name: ServerName,
    wire: tuple[int, int],
    *,
    channel: str | None = None,
    maximum_line: int = MAXIMUM_BODY,
    grace: float = GRACE,
    beside: Beside | None = None,
) -> None:
    """Serve one client over two file descriptors until it closes the input, or SIGTERM or SIGINT comes.

    `beside` runs on the server's loop as long as it serves.
    """
    from mcp_contracts.serving.stdio import serve_stdio

    async def serve() -> None:
        session = Session(channel, "stdio")
        server = ProtocolServer(calls, name, lambda request: session)
        async with _stopped_by_signals(beside) as stop:
            await serve_stdio(server, wire, stop=stop, maximum_line=maximum_line, grace=grace)

    asyncio.run(serve())


def run_http(
    calls: ServedCalls,
    name: ServerName,
    settings: HttpSettings,
    listening: socket.socket,
    *,
    grace: float = GRACE,
    on_ready: Callable[[], object] = lambda: None,
    beside: Beside | None = None,
) -> None:
    """Serve on a socket until SIGTERM or SIGINT comes; a second SIGINT ends running calls at once."""
    from mcp_contracts.serving.http.application import ServerApplication
    from mcp_contracts.serving.http.server import serve_http

    async def serve() -> None:
        async with _stopped_by_signals(beside) as stop:
            application = ServerApplication(calls, name, settings)
            await serve_http(application, listening, stop=stop, grace=grace, on_ready=on_ready)

    asyncio.run(serve())


@asynccontextmanager
async def _stopped_by_signals(beside: Beside | None) -> AsyncIterator[asyncio.Event]:
    """An event that signals set, while `beside` runs; in another thread than the main one nobody sets it."""
    stop = asyncio.Event()
    task = None if beside is None else asyncio.create_task(beside())
    loop = asyncio.get_running_loop()
    is_main = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT) if is_main}
    is_told = False

    def tell(number: int, frame: object) -> None:
        nonlocal is_told
        # A terminal interrupts all workers, and then their parent ends them: only a person's second Ctrl-C is urgent.
        if number == signal.SIGINT or not is_told:
            is_told = True
            loop.call_soon_threadsafe(stop.set)

    for number in before:
        signal.signal(number, tell)  # Windows has no `loop.add_signal_handler`
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
