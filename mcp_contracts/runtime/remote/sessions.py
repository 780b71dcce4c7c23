"""An open session of the MCP SDK for remote tools: list, call and follow them, in both eras of the protocol.

Only this module uses internal names of the SDK (`mcp` 2.3). Each is used only if it exists. Otherwise, the public
interface is used, which rejects a whole list because of one invalid tool.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any

from mcp_contracts.contract import JsonValue, SchemaPart
from mcp_contracts.errors import SourceError, UsageError, require_package
from mcp_contracts.mcp_content.reading import failure, result_of
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.parsing.text import shorten
from mcp_contracts.runtime.telemetry.exceptions import log_exception
from mcp_contracts.schema.simple import as_object

if TYPE_CHECKING:
    from mcp import Client, ClientSession
from collections.abc import Mapping

from mcp_contracts.mcp_content.reading import protocol_error_type
from mcp_contracts.runtime.arguments import result_error
from mcp_contracts.runtime.telemetry.redaction import secret_pointers
from mcp_contracts.schema.validation.validators import compile_shared, instance_errors

CONNECTION_CLOSED = -32000


def protocol_failure(code: int, message: str, data: JsonValue, *, server: str, tool: str) -> MCPToolResult:
    """Return the failure for a JSON-RPC error. `server` and `tool` are the names for messages."""
    details: dict[str, Any] = {"code": code} if data in (None, "") else {"code": code, "data": data}
    said = f": {message}" if message else ""
    if code == CONNECTION_CLOSED and "closed" in message.lower():
        return connection_closed(server)
    error_type = protocol_error_type(code, message)
    match error_type:
        case "TimeoutError":
            words = f"the server `{server}` did not respond in time"
        case "ResourceNotFound":
            words = f"the server `{server}` has no tool `{tool}`{said}"
        case "ValidationError":
            words = f"the server `{server}` rejected the arguments{said}"
        case _:
            words = f"the server `{server}` responded with an error{said}"
    return failure(error_type, words, details)


def connection_closed(server: str) -> MCPToolResult:
    """Return the failure of a call without a connection."""
    return failure("ToolExecutionError", f"the connection to the server `{server}` is closed")


def refused_data(server: str, wire: Mapping[str, JsonValue], output: SchemaPart) -> MCPToolResult | None:
    """Return the failure for data that does not match the server's own output schema, or None if it matches.

    `wire` is a `CallToolResult` as JSON. Data that cannot be validated is also a failure. Messages contain no values of
    the data.
    """
    compiled = compile_shared(output.value)
    if compiled.refusal is not None:
        message = f"the output schema that the server `{server}` declares cannot be used: {compiled.refusal.message}"
        return failure("ToolExecutionError", message)
    if "structuredContent" not in wire:
        return _output_refusal(server, "it returned no structured content")
    outcome = instance_errors(compiled, wire["structuredContent"], subject="the data")
    if outcome.is_valid:
        return None
    data = wire["structuredContent"]
    error = result_error(outcome, output.value, data, secret=secret_pointers(data, output.value))
    details = error.error_details if isinstance(error.error_details, dict) else {}
    if outcome.unknown is not None:
        return failure(error.error_type, error.error_message, details)
    return _output_refusal(server, details["faults"][0]["message"], details)


def _output_refusal(server: str, reason: str, details: dict[str, Any] | None = None) -> MCPToolResult:
    message = f"the server `{server}` returned data that its own output schema rejects: {reason}"
    return failure("ToolExecutionError", message, details)


_MAXIMUM_PAGES = 1_000
_MAXIMUM_TOOLS = 10_000
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.05, 60.0
_FINAL_CODES = (CONNECTION_CLOSED, -32600, -32601, -32602)  # invalid request, method or parameters
_CLOSED = ("ClosedResourceError", "BrokenResourceError", "EndOfStream")
_logger = logging.getLogger("mcp_contracts.runtime")

Entry = dict[str, JsonValue]
"""A tool in the form that `tools/list` returns."""
OnProgress = Callable[[float, float | None, str | None], None]


def require_mcp() -> None:
    """Raise UsageError if the SDK is not installed."""
    require_package("mcp", "live MCP servers require", extra="mcp")


# Listing


async def list_tools(session: Client | ClientSession, server: str) -> tuple[Entry, ...]:
    """Return all tools of a server, from all pages, as received.

    Entries that are not tools are skipped with a warning in the log. Raises SourceError if the tools cannot be listed.
    """
    from mcp import MCPError  # see require_mcp
    from pydantic import ValidationError

    inner = inner_session(session)
    try:
        entries = [entry async for page in list_pages(inner, server) for entry in _tools(page, server)]
    except MCPError as error:
        raise SourceError(f"the server `{server}` does not list its tools: {shorten(error.message)}") from error
    except ValidationError as error:  # only without raw requests
        raise SourceError(f"the SDK rejects the tool list of the server `{server}`") from error
    return tuple(_callable_tools(inner, entries, server))


async def list_pages(session: ClientSession, server: str) -> AsyncIterator[Any]:
    """Yield the responses to `tools/list`, page by page. Raises SourceError for an endless list."""
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(_MAXIMUM_PAGES):
        page = await _page(session, cursor)
        yield page
        following = page.get("nextCursor") if isinstance(page, dict) else None
        if following is None or following == "":
            return
        if not isinstance(following, str):
            raise SourceError(f"the server `{server}` lists more tools under a `nextCursor` that is not a string")
        if following in seen:
            break
        seen.add(following)
        cursor = following
    raise SourceError(f"the tool list of the server `{server}` never ends")


async def _page(session: ClientSession, cursor: str | None) -> Any:
    if not (hasattr(session, "_dispatcher") and hasattr(session, "_stamp")):
        from mcp_types import PaginatedRequestParams  # comes with mcp, see require_mcp

        page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
        return page.model_dump(by_alias=True, mode="json", exclude_none=True)
    return await raw_request(session, "tools/list", {} if cursor is None else {"cursor": cursor})


async def raw_request(session: ClientSession, method: str, params: dict[str, Any]) -> Any:
    """Return the result of a request as received, without the SDK's models. Raises `mcp.MCPError`."""
    request: dict[str, Any] = {"method": method, "params": dict(params)}
    options: Any = {}  # `CallOptions` of the SDK
    timeout = getattr(session, "_session_read_timeout_seconds", None)
    if timeout is not None:
        options["timeout"] = timeout
    session._stamp(request, options)  # the version, headers and capabilities of the protocol's era
    return await session._dispatcher.send_raw_request(method, request["params"], options)


def page_entries(page: Any, server: str) -> list[Any]:
    """Return the entries of a page as received. Raises SourceError if it contains no array of them."""
    entries = page.get("tools") if isinstance(page, dict) else None
    if not isinstance(entries, list):
        raise SourceError(f"the server `{server}` responded to `tools/list` without an array `tools`")
    return entries


def _tools(page: Any, server: str) -> Iterator[Entry]:
    for entry in page_entries(page, server):
        if isinstance(entry, dict) and isinstance(entry.get("name"), str) and entry["name"]:
            yield entry
        else:
            _logger.warning("the server `%s` lists a tool without a `name`, which is skipped", server)


def _callable_tools(session: ClientSession, entries: list[Entry], server: str) -> Iterator[Entry]:
    """Yield the tools that can be called, after registering all of them with the session.

    A session must know a tool before a call; otherwise it lists the tools itself and fails on an invalid one. Since
    2026-07-28 it also learns here which arguments are sent as headers, and rejects tools with invalid headers. It gets
    no output schemas, because its validator is unbounded, so a server could stall the event loop with a pattern.
    """
    if len(entries) > _MAXIMUM_TOOLS:
        raise SourceError(f"the server `{server}` lists more than {_MAXIMUM_TOOLS:,} tools")
    absorb = getattr(session, "_absorb_tool_listing", None)
    if absorb is None:
        yield from entries
        return
    from mcp_types import ListToolsResult, Tool  # comes with mcp, see require_mcp

    tools = [
        Tool(name=str(entry["name"]), input_schema=as_object(entry.get("inputSchema")) or {"type": "object"})
        for entry in entries
    ]
    kept = {tool.name for tool in absorb(ListToolsResult(tools=tools), complete=True).tools}
    for entry in entries:
        if entry["name"] in kept:
            yield entry
        else:
            name = shorten(str(entry["name"]))
            _logger.warning("`%s` of the server `%s` is skipped: its `x-mcp-header` is invalid", name, server)


# Calling


async def call_tool(
    session: Client | ClientSession,
    server: str,
    tool: str,
    arguments: dict[str, JsonValue],
    on_progress: OnProgress,
    *,
    output: SchemaPart | None,
    on_answer: Callable[[Entry], None] | None = None,
) -> MCPToolResult:
    """Call a tool of a server, and validate the response against the output schema that the server declares.

    `on_answer` is called with the response as received. Raises only CancelledError.
    """
    from mcp import MCPError  # see require_mcp
    from pydantic import ValidationError

    async def report(progress: float, total: float | None, message: str | None) -> None:
        on_progress(progress, total, message)

    name = shorten(tool)
    try:
        known = getattr(inner_session(session), "_tool_output_schemas", None)
        if isinstance(known, dict):
            known[tool] = None  # the application may have listed the tools itself, see _callable_tools
        # The SDK's own call handles requests of the server in between, such as elicitation.
        answer = await session.call_tool(tool, arguments, progress_callback=report)
        wire = answer.model_dump(by_alias=True, mode="json", exclude_none=True)
        if answer.structured_content is None and "structured_content" in answer.model_fields_set:
            wire["structuredContent"] = None
        if on_answer is not None:
            on_answer(wire)
        refusal = None if output is None or wire.get("isError") else refused_data(server, wire, output)
        return refusal or result_of(wire)
    except MCPError as error:
        return protocol_failure(error.code, error.message, error.data, server=server, tool=name)
    except UsageError:  # from `inner_session`, if it is closed
        return connection_closed(server)
    except ValidationError:
        message = f"the server `{server}` responded with something that is not a tool result in its version of MCP"
        return failure("ToolExecutionError", message)
    except TimeoutError:
        return failure("TimeoutError", f"the server `{server}` did not respond in time")
    except RuntimeError as error:
        return _session_failure(error, server)
    except Exception as error:  # a call never raises; exceptions of transports are not for the caller
        if type(error).__name__ in _CLOSED:
            return connection_closed(server)
        log_exception(_logger, error, "a call to `%s` of the server `%s` failed", name, server, level=logging.WARNING)
        message = f"the call to the server `{server}` failed with `{type(error).__name__}`"
        return failure("ToolExecutionError", message)


def _session_failure(error: RuntimeError, server: str) -> MCPToolResult:
    """Return the failure for a plain RuntimeError of the SDK, which only differ in their text."""
    text = str(error)
    if "InputRequiredResult" in text:
        message = f"the server `{server}` asks for more input, which this session cannot give: open it as `mcp.Client`"
        return failure("ToolExecutionError", message)
    if "must be used within an async context manager" in text or "task group is not active" in text:
        return connection_closed(server)
    log_exception(_logger, error, "a call to the server `%s` failed", server, level=logging.WARNING)
    return failure("ToolExecutionError", f"the call to the server `{server}` failed in the SDK")


# Following


def inner_session(session: Client | ClientSession) -> ClientSession:
    """Return the session inside a client. Raises UsageError if it is not open."""
    from mcp import Client  # see require_mcp

    try:
        return session.session if isinstance(session, Client) else session
    except RuntimeError as error:
        hint = "connect inside `async with mcp.Client(…) as client:`"
        raise UsageError("the MCP session is not open", hint=hint) from error


def on_messages(session: ClientSession, handler: Callable[[object], Awaitable[None]]) -> Callable[[], None]:
    """Call `handler` for each message before the session's own message handler; the returned function undoes that."""
    before = getattr(session, "_message_handler", None)
    if before is None:
        _logger.warning(
            "the session does not expose its messages: pass the messages that it receives to `RemoteServer.on_message`"
        )
        return lambda: None

    async def both(message: object) -> None:
        await handler(message)
        await before(message)

    def end() -> None:
        if getattr(session, "_message_handler", None) is both:
            session._message_handler = before

    session._message_handler = both
    return end


def needs_subscription(session: ClientSession) -> bool:
    """Whether list changes are only sent to subscribers, as in 2026-07-28 and later."""
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS  # comes with mcp, see require_mcp

    return session.protocol_version in MODERN_PROTOCOL_VERSIONS


async def list_changes(session: ClientSession) -> AsyncIterator[None]:
    """Yield each time that the list may have changed (2026-07-28), and end once no more notifications are possible.

    Subscriptions have no replay, so each new stream counts as a change. A stream that ends is opened again, after a
    pause that doubles up to a minute.
    """
    from mcp import MCPError  # see require_mcp
    from mcp.client.subscriptions import SubscriptionLost, listen

    clock = asyncio.get_running_loop().time
    pause = _SHORTEST_PAUSE
    while True:
        began = clock()
        try:
            async with listen(session, tools_list_changed=True) as changes:
                yield
                async for _ in changes:
                    yield
        except (MCPError, SubscriptionLost, TimeoutError) as error:
            # A retry fails on a closed connection, and with a server that does not support it.
            cause = error if isinstance(error, MCPError) else error.__cause__
            if isinstance(cause, MCPError) and cause.code in _FINAL_CODES:
                return
        except RuntimeError:  # the session was closed in the meantime
            return
        pause = _SHORTEST_PAUSE if clock() - began > _LONGEST_PAUSE else min(2 * pause, _LONGEST_PAUSE)
        await asyncio.sleep(pause)
