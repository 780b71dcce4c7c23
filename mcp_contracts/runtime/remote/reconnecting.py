"""Reconnect to a live server, whose tools remain registered while the connection is lost."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import ContractError, SourceError, UsageError
from mcp_contracts.mcp_content.reading import failure
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.records import dataclass
from mcp_contracts.runtime.remote.sessions import CONNECTION_CLOSED, connection_closed
from mcp_contracts.runtime.remote.tools import RemoteServer, RemoteTool, ToolHolder
from mcp_contracts.tool_names import fit_name

if TYPE_CHECKING:
    from mcp import Client

_logger = logging.getLogger("mcp_contracts.runtime")


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before each attempt to connect: `shortest` seconds, doubled each time up to `longest`.

    Each pause is shortened by a random part of up to half, so that many clients do not reconnect at the same moment.
    """

    shortest: float = 0.1
    longest: float = 30.0

    def __post_init__(self) -> None:
        if not 0 < self.shortest <= self.longest < float("inf"):
            raise UsageError(
                f"a back-off from {self.shortest:g} s to {self.longest:g} s is not valid",
                hint="`shortest` must be above 0 and at most `longest`, in seconds",
            )

    def pause(self, attempt: int) -> float:
        """Return the seconds to wait before an attempt; the first is 1."""
        longest = min(self.longest, self.shortest * 2.0 ** min(attempt - 1, 64))
        return longest * random.uniform(0.5, 1.0)  # spreads clients; security does not depend on it


@dataclass(frozen=True, slots=True)
class OpenServer:
    """An open client of a server. `name` is the name that the server states.

    `ended` is set when the transport has closed. It is None if the transport cannot tell, as over HTTP; the server is
    then polled for its tools.
    """

    client: Client
    name: str | None
    ended: asyncio.Event | None


class ReconnectingServer:
    """A server whose tools are in a registry, and that the registry reconnects to when the connection is lost.

    Created by `registry.connect`. While the server is not connected, `is_connected` is false, and each call to its
    tools fails at once. When it is back, its tools are listed again, and the registry adds, replaces and removes tools
    accordingly.
    """

    def __init__(
        self,
        registry: ToolHolder,
        servers: dict[str, ReconnectingServer],
        open_server: Callable[[], AbstractAsyncContextManager[OpenServer]],
        *,
        server: str | None,
        address: str,
        backoff: Backoff,
        check_every: float,
        timeout: float,
    ) -> None:
        self.address = address
        self.last_error: str | None = None
        """Why the server was lost, or why the last attempt failed; None while it is connected."""
        self._registry, self._servers, self._open_server = registry, servers, open_server
        self._name = server
        self._prefix: str | None = None
        self._backoff, self._check_every, self._timeout = backoff, check_every, timeout
        self._remote: RemoteServer | None = None
        self._connected = asyncio.Event()
        self._stopping = asyncio.Event()
        self._since: datetime | None = None
        self._attempts = 0
        self._is_opening = False
        self._has_lasted = False
        self._task: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"ReconnectingServer({self.server!r}, {'connected' if self.is_connected else 'not connected'})"

    @property
    def server(self) -> str:
        """The name of the server, the first part of its tools' names."""
        return self._name or self.address

    @property
    def is_connected(self) -> bool:
        """Whether calls reach the server."""
        return self._connected.is_set()

    @property
    def tools(self) -> dict[str, RemoteTool]:
        """The tools in the registry, by name, including those of a server that is not connected."""
        return {} if self._remote is None else self._remote.tools

    @property
    def refused(self) -> dict[str, str]:
        """Why the registry refused the other tools, by name."""
        return {} if self._remote is None else self._remote.refused

    async def refresh(self) -> bool:
        """List the tools again, apply the differences, and return whether any tool changed.

        Raises SourceError if the server is not connected or cannot list its tools, UsageError if two tools get the same
        name.
        """
        if self._remote is None or not self.is_connected:
            raise SourceError(f"the server `{self.server}` is not connected")
        return await self._remote.refresh()

    async def until_connected(self) -> None:
        """Wait until the server is connected."""
        await self._connected.wait()

    async def open(self) -> None:
        """Connect, and add the tools.

        Raises SourceError if the server cannot be reached, UsageError if the name is taken.
        """
        if self._name is not None:
            self._claim(self._name)
        first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._run(first), name=f"connection to {self.server}")
        await first

    async def close(self) -> None:
        """End the connection and remove the tools."""
        self._stopping.set()
        if self._task is not None:
            if self._is_opening:  # it may take as long as the deadline
                self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._remote is not None:
            await self._remote.close()
        if self._prefix is not None:
            self._servers.pop(self._prefix, None)
            self._prefix = None

    def _claim(self, name: str) -> None:
        """Take the name. No other server of the registry may have the same prefix."""
        prefix = fit_name(name)
        other = self._servers.get(prefix)
        if other is not None:
            raise UsageError(
                f"`{self.address}` cannot be added: the tools of `{other.address}` already have the prefix `{prefix}.`",
                hint="give it another name: `registry.connect(…, server=…)`",
            )
        self._name, self._prefix = name, prefix
        self._servers[prefix] = self

    # The connection: one task opens and closes it, as the task groups of the SDK require.

    async def _run(self, first: asyncio.Future[None]) -> None:
        losses = 0
        while True:
            try:
                await self._stay_connected(first)
            except ContractError as error:
                if not first.done():
                    first.set_exception(error)
                    return
                self._note(error)
            except BaseException:
                if not first.done():
                    first.cancel()
                raise
            if self._stopping.is_set():
                return
            self._attempts += 1
            losses = 1 if self._has_lasted else losses + 1
            self._has_lasted = False
            await _first_of(self._stopping, timeout=self._backoff.pause(losses))
            if self._stopping.is_set():
                return

    async def _stay_connected(self, first: asyncio.Future[None]) -> None:
        """Connect, and return or raise ContractError when the connection has ended."""
        misuse: UsageError | None = None
        self._is_opening = True
        try:
            async with self._open_server() as opened:
                try:
                    remote = await self._attach(opened)
                    self._is_opening = False
                    if not first.done():
                        first.set_result(None)
                    began = _now()
                    try:
                        await self._until_lost(opened, remote)
                    finally:  # a server that always exits at once is started less and less often
                        self._has_lasted = _now() - began > self._backoff.longest
                except UsageError as error:  # which would otherwise look like an error of the server
                    misuse = error
                finally:
                    self._is_opening = False
                    self._leave()
        finally:
            self._is_opening = False
        if misuse is not None:
            raise misuse

    async def _attach(self, opened: OpenServer) -> RemoteServer:
        if self._remote is None:
            if self._name is None and not opened.name:
                raise UsageError(
                    f"the server `{self.address}` has no name", hint="pass one: `registry.connect(…, server=…)`"
                )
            if self._prefix is None:
                self._claim(self._name or str(opened.name))
            self._remote = RemoteServer(self._registry, None, self.server)
        try:
            async with asyncio.timeout(self._timeout):
                await self._remote.attach(opened.client)
        except TimeoutError as error:
            raise SourceError(
                f"the server `{self.server}` did not list its tools within {self._timeout:g} s"
            ) from error
        if self._attempts:
            _logger.info("the server `%s` is connected again (attempt %d)", self.server, self._attempts)
        self._since, self._attempts, self.last_error = None, 0, None
        self._connected.set()
        return self._remote

    async def _until_lost(self, opened: OpenServer, remote: RemoteServer) -> None:
        """Return when the connection should end, or raise SourceError when the server is lost."""
        while not self._stopping.is_set():
            if opened.ended is not None:
                await _first_of(self._stopping, opened.ended)
                if opened.ended.is_set() and not self._stopping.is_set():
                    from mcp import MCPError  # see require_mcp

                    # Opening adds the output of the process.
                    raise MCPError(code=CONNECTION_CLOSED, message="Connection closed")
                return
            await _first_of(self._stopping, remote.link.has_failed, timeout=self._check_every)
            if not self._stopping.is_set():
                remote.link.has_failed.clear()
                await self._check(remote)

    async def _check(self, remote: RemoteServer) -> None:
        """Raise SourceError if a server without a lasting connection does not list its tools."""
        try:
            async with asyncio.timeout(self._timeout):
                await remote.refresh()
        except TimeoutError as error:
            if not remote.link.running:  # a server that is busy with a call may be slow
                raise SourceError(f"the server `{self.server}` did not respond within {self._timeout:g} s") from error
        except UsageError as error:
            _logger.warning("the tools of the server `%s` are unchanged: %s", self.server, error.message)

    def _leave(self) -> None:
        self._connected.clear()
        if self._since is None:
            self._since = datetime.now(UTC)
        if self._remote is not None:
            self._remote.detach(self._absence)

    def _note(self, error: ContractError) -> None:
        self.last_error = reason = error.message if error.hint is None else f"{error.message} ({error.hint})"
        if not self._attempts:
            _logger.warning("the connection to the server `%s` is lost: %s", self.server, reason)
        else:
            _logger.info("attempt %d to connect to the server `%s` failed: %s", self._attempts, self.server, reason)

    def _absence(self) -> MCPToolResult:
        """Return the failure of a call while the server is gone. Nothing was sent, so the call can be retried."""
        if self._stopping.is_set():
            return connection_closed(self.server)
        details: dict[str, JsonValue] = {"retryable": True, "attempts": self._attempts}
        if self._since is not None:
            details["since"] = self._since.isoformat(timespec="seconds")
        return failure("ToolExecutionError", f"the server `{self.server}` is not connected; reconnecting", details)


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _first_of(*events: asyncio.Event, timeout: float | None = None) -> None:
    """Wait until one of the events is set, or the timeout has passed."""
    tasks = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(tasks, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
