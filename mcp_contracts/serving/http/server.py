"""An HTTP server that stops cleanly: uvicorn, with its shutdown controlled here, so that running calls finish first."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from mcp_contracts.errors import UsageError
from mcp_contracts.serving.http.application import MCP_PATH, ServerApplication
from mcp_contracts.serving.stopping import Stop

_BACKLOG = 2048
_TICK = 0.05
_IDLE_SECONDS = 75  # longer than load balancers and clients keep idle connections, so that they close them first


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a host and a port (0 for any free one). Raises `UsageError` if it cannot."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise UsageError(
            f"cannot listen on `{host}:{port}`: {reason}", hint="choose another address with `--host` and `--port`"
        ) from error
    # Connections inherit it. Otherwise a body that follows its head waits 40 ms for the client to acknowledge the head.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def url_of(listening: socket.socket, host: str) -> str:
    """Return the address under which MCP clients reach a server."""
    name = f"[{host.strip('[]')}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}{MCP_PATH}"


async def serve_http(
    application: ServerApplication,
    listening: socket.socket,
    *,
    stop: Stop,
    grace: float,
    on_ready: Callable[[], object],
) -> None:
    """Serve until `stop` is requested; running calls then get `grace` seconds to finish."""
    import uvicorn  # comes with the SDK, an optional extra

    from mcp_contracts.serving.http.connections import TimedProtocol

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            # Ours are set already. The SDK's event streams find uvicorn's, and would end in the middle of a call.
            yield

    config = uvicorn.Config(
        application,
        http=TimedProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=max(1, round(grace)),
    )
    server = Server(config)

    async def watch() -> None:
        while not server.started:
            await asyncio.sleep(_TICK)
        on_ready()
        await stop.requested.wait()
        application.drain()
        server.should_exit = True
        await stop.urgent.wait()
        server.force_exit = True

    watching = asyncio.create_task(watch())
    try:
        await server.serve(sockets=[listening])
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
