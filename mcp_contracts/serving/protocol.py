"""The registry behind the official SDK's server: lists and calls tools over MCP, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from mcp_contracts.adapters.mcp import answer_out, list_result
from mcp_contracts.adapters.mcp_schemas import Era
from mcp_contracts.bundle import bundle_tool
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.parsing.tool_entries import VERSION_KEY
from mcp_contracts.records import dataclass
from mcp_contracts.runtime.context import CallContext, Progress, ProgressReports
from mcp_contracts.runtime.telemetry.exceptions import log_exception
from mcp_contracts.runtime.telemetry.redaction import visible
from mcp_contracts.schema.wording import shown_value
from mcp_contracts.serving.calls import ServedCalls

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp.server.models import InitializationOptions

_MODERN: Era = "2026-07-28"
_HANDSHAKE: Era = "2025-11-25"
_LONGEST_SHOWN = 128
_LONGEST_PART = 1_000
"""The maximum length of a partial result in a notification, in characters."""
_logger = logging.getLogger("mcp_contracts.serving")


@dataclass(frozen=True, slots=True)
class ServerName:
    """A server's description of itself for clients."""

    name: str = "mcp-contracts"
    version: str = ""
    instructions: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """The channel and the caller of a request."""

    channel: str | None = None
    caller: str | None = None


class ProtocolServer:
    """An MCP server for the calls of a registry. `session_of` reads channel and caller from the HTTP request, if any.

    Create it on the event loop that it serves on. `close` ends the streams of clients that listen for changes, so that
    a transport can shut down.
    """

    def __init__(self, calls: ServedCalls, name: ServerName, session_of: Callable[[Any], Session]) -> None:
        from mcp.server.lowlevel import Server  # an optional extra, and a second to import
        from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
        from mcp_types import CallToolRequestParams, NotificationParams, SetLevelRequestParams

        self._calls = calls
        self._session_of = session_of
        self._loop = asyncio.get_running_loop()
        self._connections: WeakSet[Any] = WeakSet()
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        self._tasks: set[asyncio.Task[None]] = set()
        self.server: Server[Any] = Server(
            name.name,
            version=name.version,
            instructions=name.instructions,
            get_tool_input_schema=calls.catalog.input_schema,
            on_list_tools=self._list_tools,  # type: ignore[arg-type]  # a handler may return the result as a dict
            on_call_tool=self._call_tool,  # type: ignore[arg-type]
            on_subscriptions_listen=self._listening,
        )
        self.server.middleware[0] = _trace_if_recorded(self.server.middleware[0])
        self.server.create_initialization_options = self._options(  # type: ignore[method-assign]
            self.server.create_initialization_options
        )
        self.server.add_notification_handler("notifications/initialized", NotificationParams, self._remember)
        # Functions may log to the client through the session; before 2026-07-28 clients ask for a level first.
        self.server.add_request_handler("logging/setLevel", SetLevelRequestParams, self._set_level)
        # Ours, since a tool in `tools/list` has neither versions nor errors nor examples.
        self.server.add_request_handler("tools/describe", CallToolRequestParams, self._describe_tool)
        self._stop_watching = calls.catalog.on_change(partial(self._loop.call_soon_threadsafe, self._start_telling))

    def close(self) -> None:
        """End the streams of clients that listen for changes, and stop watching the registry."""
        self._stop_watching()
        self._listening.close()

    @staticmethod
    def _options(create: Callable[..., InitializationOptions]) -> Callable[..., InitializationOptions]:
        """Declare that the list of tools may change. The SDK's HTTP transport does not do this."""
        from mcp.server.lowlevel import NotificationOptions  # see __init__

        def options(notification_options: Any = None, *rest: Any, **more: Any) -> InitializationOptions:
            return create(notification_options or NotificationOptions(tools_changed=True), *rest, **more)

        return options

    # Requests

    async def _list_tools(self, context: ServerRequestContext[Any], params: Any) -> Mapping[str, Any]:
        session = self._session_of(context.request)
        listing = self._calls.catalog.listing(_era(context.protocol_version), session.channel)
        return list_result(listing.tool_set)

    async def _call_tool(self, context: ServerRequestContext[Any], params: Any) -> Mapping[str, Any]:
        session = self._session_of(context.request)
        contract = self._contract(context, session, params.name)
        meta: Mapping[str, Any] = dict(context.meta or {})
        received: list[Mapping[str, JsonValue]] = []
        reports = ProgressReports(_send_rising_progress(context.session.report_progress))
        called = CallContext(
            channel=session.channel,
            caller=session.caller,
            metadata={
                "transport": "mcp",
                "protocol_version": context.protocol_version,
                "session": context.session,
                **_client(context),
            },
            on_progress=reports.add,
            on_answer=received.append,
        )
        version = meta.get(VERSION_KEY)
        asked = version if isinstance(version, str) else None
        result = await self._calls.answer(contract.name, params.arguments or {}, called, version=asked)
        await reports.wait_until_sent()
        era = _era(context.protocol_version)
        return answer_out(result, era=era, contract=contract, received=received[-1] if received else None)

    async def _describe_tool(self, context: ServerRequestContext[Any], params: Any) -> dict[str, Any]:
        return {"tool": bundle_tool(self._contract(context, self._session_of(context.request), params.name))}

    def _contract(self, context: ServerRequestContext[Any], session: Session, name: str) -> ToolContract:
        """Return the contract of a tool by the name that clients use. Raises `MCPError` for an unknown name."""
        contract = self._calls.catalog.listing(_era(context.protocol_version), session.channel).contracts.get(name)
        if contract is None:
            from mcp import MCPError  # see __init__
            from mcp_types import INVALID_PARAMS

            raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {visible(name)[:_LONGEST_SHOWN]}")
        return contract

    async def _set_level(self, context: ServerRequestContext[Any], params: Any) -> None:
        """Record that a client requests log messages."""

    # Changes of the list

    async def _remember(self, context: ServerRequestContext[Any], params: Any) -> None:
        # The SDK gives no public access from a session to its connection, the only object that lives as long as the
        # session.
        connection = getattr(context.session, "_connection", None)
        if connection is not None:
            self._connections.add(connection)

    def _start_telling(self) -> None:
        task = self._loop.create_task(self._tell_clients(), name="tools/list_changed")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell_clients(self) -> None:
        from mcp.server.subscriptions import ToolsListChanged  # see __init__

        await self._bus.publish(ToolsListChanged())
        for connection in tuple(self._connections):
            try:
                await connection.send_tool_list_changed()
            except Exception as error:  # one client disconnects; the others are still notified
                log_exception(_logger, error, "a client could not be notified of changed tools", level=logging.DEBUG)


def _trace_if_recorded(trace: Any) -> Any:
    """Omit the SDK's span of a request if no tracer is configured, because it would be dropped anyway."""
    from opentelemetry.trace import ProxyTracerProvider, get_tracer_provider  # comes with the SDK

    def traced(context: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Awaitable[Any]:
        is_dropped = isinstance(get_tracer_provider(), ProxyTracerProvider)
        return call_next(context) if is_dropped else trace(context, call_next)

    return traced


def _send_rising_progress(
    send: Callable[[float, float | None, str | None], Awaitable[None]],
) -> Callable[[Progress], Awaitable[None]]:
    """Send reports with increasing values, as MCP requires. A report without a value continues from the last one, and a
    report that does not increase is dropped. A partial result without a message becomes the message, text unchanged and
    other values as JSON.
    """
    last: float | None = None

    async def send_progress(report: Progress) -> None:
        nonlocal last
        value = report.completed if report.completed is not None else (last or 0.0) + 1
        if last is None or value > last:
            last = value
            message, data = report.message, report.data
            if message is None and data is not None:
                message = data[:_LONGEST_PART] if isinstance(data, str) else shown_value(data, limit=_LONGEST_PART)
            await send(value, report.total, message)

    return send_progress


def _era(protocol_version: str) -> Era:
    return _MODERN if protocol_version >= _MODERN else _HANDSHAKE


def _client(context: ServerRequestContext[Any]) -> dict[str, str]:
    params = context.session.client_params
    return {} if params is None else {"client": f"{params.client_info.name} {params.client_info.version}"}
