"""Tools of a live MCP server: listed, called by their contract, and updated when the server changes its list."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from mcp_contracts.contract import JsonValue, SchemaPart, ToolContract
from mcp_contracts.errors import ContractError, SourceError, UsageError
from mcp_contracts.fixed_places import origin
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.parsing.text import shorten
from mcp_contracts.parsing.tool_entries import mcp_contract
from mcp_contracts.records import dataclass, field
from mcp_contracts.records import replace as with_changes
from mcp_contracts.runtime.context import ToolContext
from mcp_contracts.runtime.remote import sessions as remote_sessions
from mcp_contracts.runtime.remote.sessions import connection_closed
from mcp_contracts.runtime.telemetry.exceptions import log_exception
from mcp_contracts.tool_names import fit_name

if TYPE_CHECKING:
    from mcp import Client, ClientSession

_T = TypeVar("_T")
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.025, 5.0  # seconds between two requests for the list
_logger = logging.getLogger("mcp_contracts.runtime")


@dataclass(frozen=True, slots=True)
class RemoteTool:
    """A tool of a server with an open MCP session.

    `contract.name` is `server.tool`, `contract.source_name` the server's own name for it. `call` sends validated
    arguments and converts the response like `mcp_content.result_of`; it raises only CancelledError, which is also sent
    to the server. The structured data of a success matches the output schema: it is validated here, because the SDK's
    validator is unbounded. `home` is the event loop of the session. `call` may be awaited on any loop, but blocking the
    thread of the home loop for it is a deadlock.
    """

    contract: ToolContract
    call: Callable[[dict[str, JsonValue], ToolContext], Awaitable[MCPToolResult]]
    home: asyncio.AbstractEventLoop


class ToolHolder(Protocol):
    """The interface to which remote tools are added: a `ToolRegistry`."""

    def add(self, tools: Iterable[RemoteTool], /, *, replace: bool = ...) -> object:
        """Add tools; with `replace`, replace those with the same name and version. Raises UsageError otherwise."""

    def remove(self, name: str, version: str | None = ..., /) -> object:
        """Remove the tool with that name and version."""


async def remote_tools(session: Client | ClientSession, *, server: str) -> tuple[RemoteTool, ...]:
    """Return the tools that a server lists now, from all pages, in order.

    `session` is an open `mcp.Client`, or an initialized `ClientSession`. `server` is the prefix of the tools' names.
    Raises UsageError without the package `mcp`, for a session that is not open, and if two tools get the same name;
    SourceError if the tools cannot be listed. Entries without a name are skipped.
    """
    return tuple(listed.tool for listed in await _list_tools(session, server, Link(server, session)))


async def connect(registry: ToolHolder, session: Client | ClientSession, *, server: str) -> RemoteServer:
    """Add a server's tools to a registry, and keep them up to date until the connection is closed.

    Raises the errors of `remote_tools`. A tool that the registry refuses is skipped; see `RemoteServer.refused`.
    """
    connection = RemoteServer(registry, session, server)
    await connection.attach(session)
    return connection


class RemoteServer:
    """A server whose tools are in a registry. Created by `connect`, on the event loop of the session.

    Follows the list changes that the server announces, in both eras of the protocol. If the tools cannot be listed, or
    two get the same name, the registry remains unchanged and a warning is logged. `tools` are the tools in the
    registry, by name; `refused` says, by name, why the registry refused the others; `link` carries the calls. Works
    with `async with`, which closes it.
    """

    def __init__(self, registry: ToolHolder, session: Client | ClientSession | None, server: str) -> None:
        self.tools: dict[str, RemoteTool] = {}
        self.refused: dict[str, str] = {}
        self.server = server
        self._registry = registry
        self._session = session
        self.link = Link(server)
        self._home = _running_loop()
        self._entries: dict[str, str] = {}
        self._turn = asyncio.Lock()
        self._changed = asyncio.Event()
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._end_messages: Callable[[], None] | None = None
        self._is_closed = False

    async def __aenter__(self) -> RemoteServer:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def refresh(self) -> bool:
        """List the server's tools again, apply the differences, and return whether any tool changed.

        May be awaited on any event loop. If it raises an error of `remote_tools`, nothing has changed.
        """
        try:
            return await _at_home(self._home, self._refresh)
        except _HomeLostError as error:
            raise SourceError(f"the connection to the server `{self.server}` is closed") from error

    async def close(self) -> None:
        """Remove the tools and stop following. Running calls still get their response."""
        self._is_closed = True
        try:
            await _at_home(self._home, self._close)
        except _HomeLostError:  # and all followers with it
            self._remove_all()

    async def on_message(self, message: object) -> None:
        """Handle a message of the server; for a message handler of your own that replaces the session's."""
        if getattr(message, "method", None) == "notifications/tools/list_changed":
            self._home.call_soon_threadsafe(self._changed.set)

    async def attach(self, session: Client | ClientSession) -> None:
        """List the tools over an open session, apply the differences, and use it for calls and list changes.

        End a previous session with `detach` first. If it raises an error of `remote_tools`, the tools are unchanged.
        """
        remote_sessions.require_mcp()
        inner = remote_sessions.inner_session(session)
        self._session = session
        self._end_messages = remote_sessions.on_messages(inner, self.on_message)
        try:
            await self._refresh()
        except BaseException:
            self._end_messages()
            raise
        self.link.session = session
        self._tasks = (asyncio.create_task(self._follow(), name=f"tools of {self.server}"),)
        if remote_sessions.needs_subscription(inner):
            self._tasks += (asyncio.create_task(self._listen(inner), name=f"list changes of {self.server}"),)

    def detach(self, absence: Callable[[], MCPToolResult]) -> None:
        """Keep the tools without a session: until the next `attach`, each call returns `absence()` at once."""
        self.link.absence = absence
        self.link.session = None
        self._session = None
        if self._end_messages is not None:
            self._end_messages()
        for task in self._tasks:
            task.cancel()

    async def _follow(self) -> None:
        pause = _SHORTEST_PAUSE
        while True:
            await self._changed.wait()
            self._changed.clear()
            is_news = False
            try:
                is_news = await self._refresh()
            except ContractError as error:
                _logger.warning("the tools of the server `%s` are unchanged: %s", self.server, error.message)
            except Exception as error:  # an error of the transport or a subscriber; following continues
                words = "the server `%s` could not be watched for changed tools"
                log_exception(_logger, error, words, self.server, level=logging.WARNING)
            # A server that announces a change on every request must not cause an endless exchange.
            pause = _SHORTEST_PAUSE if is_news else min(2 * pause, _LONGEST_PAUSE)
            await asyncio.sleep(pause)

    async def _listen(self, session: ClientSession) -> None:
        try:
            async for _ in remote_sessions.list_changes(session):
                self._changed.set()
        except Exception as error:  # a background task has no caller to raise to
            log_exception(
                _logger,
                error,
                "stopped watching the server `%s` for changed tools",
                self.server,
                level=logging.WARNING,
            )

    async def _refresh(self) -> bool:
        async with self._turn:
            session = self._session
            if session is None:
                raise SourceError(f"the server `{self.server}` is not connected")
            found = {listed.name: listed for listed in await _list_tools(session, self.server, self.link)}
            if self._is_closed or session is not self._session:
                return False
            gone = [name for name in self._entries if name not in found]
            new = [listed for name, listed in found.items() if self._entries.get(name) != listed.entry]
            for name in gone:
                self._remove(name)
            for listed in new:
                self._add(listed)
            return bool(gone or new)

    def _add(self, listed: _ListedTool) -> None:
        name, version = listed.name, listed.tool.contract.version
        old = self.tools.get(name)
        replace = old is not None and old.contract.version == version
        if not replace:
            self._remove(name)
        try:
            self._registry.add((listed.tool,), replace=replace)
        except ContractError as error:
            self._remove(name)
            self.refused[name] = error.message
            _logger.warning("`%s` is skipped: %s", name, error.message)
        else:
            self.refused.pop(name, None)
            self.tools[name] = listed.tool
        self._entries[name] = listed.entry

    def _remove(self, name: str) -> None:
        self._entries.pop(name, None)
        self.refused.pop(name, None)
        tool = self.tools.pop(name, None)
        if tool is not None:
            try:
                self._registry.remove(name, tool.contract.version)
            except (ContractError, LookupError):  # already removed by someone else
                _logger.debug("`%s` was already removed", name)

    async def _close(self) -> None:
        if self._end_messages is not None:
            self._end_messages()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._remove_all()

    def _remove_all(self) -> None:
        for name in tuple(self._entries):
            self._remove(name)


# Listing


@dataclass(frozen=True, slots=True)
class _ListedTool:
    """A tool, and the text of its entry, which shows changes."""

    tool: RemoteTool
    entry: str

    @property
    def name(self) -> str:
        return self.tool.contract.name


async def _list_tools(session: Client | ClientSession, server: str, link: Link) -> list[_ListedTool]:
    remote_sessions.require_mcp()
    home = _running_loop()
    if not server:
        raise UsageError("the server has no name", hint="set `server`; each tool is then named `<server>.<tool>`")
    found: dict[str, _ListedTool] = {}
    for entry in await remote_sessions.list_tools(session, server):
        listed = mcp_contract(origin(server), "", entry, server)
        contract = with_changes(listed, name=remote_name(server, listed.name), source_name=listed.name)
        other = found.get(contract.name)
        if other is not None:
            raise _collision(server, contract, other.tool.contract)
        tool = RemoteTool(contract, partial(_call, home, link, str(entry["name"]), contract.output), home)
        found[contract.name] = _ListedTool(tool, json.dumps(entry, sort_keys=True))
    return list(found.values())


def remote_name(server: str, tool: str) -> str:
    """Return the dotted name of a server's tool: `server.tool`, fitted; a tool with that prefix keeps its name."""
    prefix, name = f"{fit_name(server)}.", fit_name(tool)
    return name if name.startswith(prefix) and len(name) > len(prefix) else prefix + name


def _collision(server: str, contract: ToolContract, other: ToolContract) -> UsageError:
    names = " and ".join(f"`{shorten(str(one.source_name))}`" for one in (other, contract))
    if other.source_name == contract.source_name:
        message = f"the server `{server}` lists the tool {names.partition(' and ')[0]} twice"
        return UsageError(message, hint="report this to its maintainers: the names of a server's tools are unique")
    message = f"two tools of the server `{server}` get the name `{shorten(contract.name)}`: {names}"
    return UsageError(
        message,
        hint="report this to its maintainers: names that differ only in case or punctuation are easily confused",
    )


# Calling


@dataclass(slots=True)
class Link:
    """The session that the tools of a server are called over, and the result of a call without a session.

    `running` counts the calls, and `has_failed` is set after a call that did not succeed.
    """

    server: str
    session: Client | ClientSession | None = None
    absence: Callable[[], MCPToolResult] | None = None
    running: int = 0
    has_failed: asyncio.Event = field(default_factory=asyncio.Event)


async def _call(
    home: asyncio.AbstractEventLoop,
    link: Link,
    tool: str,
    output: SchemaPart | None,
    arguments: dict[str, JsonValue],
    context: ToolContext,
) -> MCPToolResult:
    session = link.session
    if session is None:
        return connection_closed(link.server) if link.absence is None else link.absence()
    work = partial(
        remote_sessions.call_tool,
        session,
        link.server,
        tool,
        arguments,
        context.report,
        output=output,
        on_answer=context.call.on_answer,
    )
    try:
        return await _at_home(home, partial(_watch_call, link, work))
    except _HomeLostError:
        return connection_closed(link.server)


async def _watch_call(link: Link, work: Callable[[], Coroutine[Any, Any, MCPToolResult]]) -> MCPToolResult:
    result: MCPToolResult | None = None
    link.running += 1
    try:
        result = await work()
        return result
    finally:
        link.running -= 1
        if result is None or result.error is not None:
            link.has_failed.set()


class _HomeLostError(RuntimeError):
    """The event loop of a session has ended, and with it everything that waits on it."""


async def _at_home(home: asyncio.AbstractEventLoop, work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
    """Await something on the event loop of a session, from any loop."""
    if asyncio.get_running_loop() is home:
        return await work()
    if not home.is_running():
        raise _HomeLostError("the event loop of the MCP session has stopped")
    coroutine = work()
    try:
        future = asyncio.run_coroutine_threadsafe(coroutine, home)
    except RuntimeError as error:  # closed at this moment
        coroutine.close()
        raise _HomeLostError("the event loop of the MCP session is closed") from error
    try:
        return await asyncio.wrap_future(future)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise _HomeLostError("the event loop of the MCP session is closed") from None


def _running_loop() -> asyncio.AbstractEventLoop:
    try:
        return asyncio.get_running_loop()
    except RuntimeError as error:
        hint = "run it with `asyncio.run` or `anyio.run(…, backend='asyncio')`"
        raise UsageError("remote tools need a session on a running asyncio event loop", hint=hint) from error
