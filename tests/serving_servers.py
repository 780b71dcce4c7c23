"""Servers of the demo tools for tests: in this process on a loopback port, or as a separate process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mcp import Client

from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.serving.calls import ServedCalls
from mcp_contracts.serving.catalog import Catalog
from mcp_contracts.serving.http.application import ServerApplication
from mcp_contracts.serving.http.server import listen, serve_http
from mcp_contracts.serving.http.settings import HttpSettings
from mcp_contracts.serving.implementations import load_tools
from mcp_contracts.serving.protocol import ProtocolServer, ServerName, Session
from mcp_contracts.serving.stopping import Stop
from mcp_contracts.sources.load import load
from tests.commands import programs

DEMO = Path(__file__).parent / "serving_demo"
TOOLS = str(DEMO / "demo_tools.py")
NAMES = ["demo.add", "demo.channel", "demo.lookup", "demo.wait"]
MODES = ("legacy", "2026-07-28")
SERVE = ("serve", str(DEMO), "--implementation", TOOLS)
SECONDS = 60.0


def demo_registry() -> ToolRegistry:
    """Return the demo specification with its functions."""
    return load_tools(load(DEMO), [TOOLS]).registry


@contextlib.asynccontextmanager
async def client_of(registry: ToolRegistry, mode: str, session: Session | None = None) -> AsyncIterator[Client]:
    """Return the SDK's client, connected to a registry without a transport."""
    calls = ServedCalls(Catalog(registry))
    server = ProtocolServer(calls, ServerName("demo", "1.2.0"), lambda request: session or Session())
    async with asyncio.timeout(SECONDS), Client(server.server, mode=mode) as client:
        yield client
    server.close()


@dataclass(frozen=True, slots=True)
class Running:
    """A server in this process: its address without a path, and its catalog."""

    address: str
    catalog: Catalog
    tell: Callable[[str], object]
    """Tell the server to stop, after its calls (`requested`) or at once (`urgent`)."""

    @property
    def mcp(self) -> str:
        """The address for MCP clients."""
        return f"{self.address}/mcp"

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self.address.rpartition(":")[2])


@contextlib.contextmanager
def running_http(
    settings: HttpSettings | None = None, registry: ToolRegistry | None = None, **calls: Any
) -> Iterator[Running]:
    """Serve the tools of a registry, by default the demo tools, over HTTP, in a thread of this process."""
    catalog = Catalog(registry or demo_registry())
    listening = listen("127.0.0.1", 0)
    started = threading.Event()
    loops: list[tuple[asyncio.AbstractEventLoop, Stop]] = []

    async def serve() -> None:
        stop = Stop()
        loops.append((asyncio.get_running_loop(), stop))
        application = ServerApplication(
            ServedCalls(catalog, **calls), ServerName("demo", "1.2.0"), settings or HttpSettings()
        )
        await serve_http(application, listening, stop=stop, grace=5, on_ready=started.set)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert started.wait(SECONDS)
    try:
        loop, stop = loops[0]

        def tell(how: str) -> None:
            loop.call_soon_threadsafe(getattr(stop, how).set)

        yield Running(f"http://127.0.0.1:{listening.getsockname()[1]}", catalog, tell)
    finally:
        with contextlib.suppress(RuntimeError):  # it has already ended
            tell("requested")
        thread.join(SECONDS)
        assert not thread.is_alive()


def program() -> str:
    """Return the program `mcp-contracts` for a client that starts a server; its processes are forked if possible."""
    return str(programs() / "mcp-contracts")


@contextlib.contextmanager
def serve_process(
    *options: str, fresh: bool = False, environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run `mcp-contracts serve` with the demo tools, in a process that ends with the test.

    A fresh process is a direct child of this one, so that it gets all signals, and so do its children.
    """
    command = (sys.executable, "-m", "mcp_contracts") if fresh else (program(),)
    process = subprocess.Popen(
        [*command, *SERVE, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def line_with(stream: IO[bytes] | None, words: str) -> str:
    """Return the first line of a stream that contains some words; fail at its end."""
    assert stream is not None
    for line in stream:
        if words in line.decode():
            return line.decode().strip()
    raise AssertionError(f"no line with {words!r}")
