"""The same tool called through other libraries: the servers and clients of the official SDK and of FastMCP.

Each is called once with a wrong argument and once with an invalid result, to find out which of them it rejects.
"""

from __future__ import annotations

import importlib
import json
import logging
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib.metadata import version
from typing import Any

from benchmarks.rounds import Row
from benchmarks.runtime_tool import ARGUMENTS, DATA, INPUT, LOST, NAME, OUTPUT, WRONG, search_typed

_CALLS = 10


@asynccontextmanager
async def peers() -> AsyncIterator[tuple[list[Row], list[str]]]:
    """Yield a row for each way to call the tool while its client is connected, and a line for each missing package."""
    rows: list[Row] = []
    missing: list[str] = []
    async with AsyncExitStack() as stack:
        for package, ways in (("mcp", _ways_of_mcp), ("fastmcp", _ways_of_fastmcp)):
            try:
                importlib.import_module(package)
            except ImportError:
                missing.append(f"skipped: the package `{package}` is not installed")
                continue
            for name, call, calls in await ways(stack):
                checks = await _checks(call)
                rows.append(
                    Row(f"{package} {version(package)} {name}, {checks}", partial(call, NAME, ARGUMENTS), calls)
                )
        yield rows, missing


_Call = Callable[[str, dict[str, Any]], Awaitable[Any]]
_Ways = list[tuple[str, _Call, int]]


async def _ways_of_mcp(stack: AsyncExitStack) -> _Ways:
    import mcp_types as types  # an optional package, like all of these
    from mcp import Client
    from mcp.server.lowlevel import Server
    from mcp.server.mcpserver import MCPServer

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        tool = types.Tool(name=NAME, input_schema=INPUT, output_schema=OUTPUT)
        return types.ListToolsResult(tools=[tool], ttl_ms=60_000, cache_scope="public")

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        found = await search_typed(**(params.arguments or {}))
        content = types.TextContent(type="text", text=json.dumps(found))
        return types.CallToolResult(content=[content], structured_content=dict(found))

    server = MCPServer("benchmark", log_level="CRITICAL")
    server.tool(name=NAME)(search_typed)
    plain = Server("benchmark", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    client = await stack.enter_async_context(Client(server))
    plain_client = await stack.enter_async_context(Client(plain))
    return [
        ("MCPServer.call_tool", server.call_tool, 10 * _CALLS),
        ("Client to MCPServer", client.call_tool, _CALLS),
        ("Client to Server", plain_client.call_tool, _CALLS),
    ]


async def _ways_of_fastmcp(stack: AsyncExitStack) -> _Ways:
    fastmcp = importlib.import_module("fastmcp")  # not one of our requirements, so its types are unknown
    logging.getLogger("fastmcp").setLevel(logging.CRITICAL)  # it has its own handler
    server = fastmcp.FastMCP("benchmark")
    server.tool(search_typed, name=NAME)
    client = await stack.enter_async_context(fastmcp.Client(server))
    return [("FastMCP.call_tool", server.call_tool, _CALLS), ("Client", client.call_tool, _CALLS)]


async def _checks(call: _Call) -> str:
    """Describe what a way to call the tool rejects. Raises RuntimeError if it rejects a valid call."""
    if await _is_refused(call, ARGUMENTS):
        raise RuntimeError(f"{call} does not answer a valid call")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydantic's, about the invalid result
        of_arguments = await _is_refused(call, WRONG)
        of_result = await _is_refused(call, {**ARGUMENTS, "query": LOST})
    checked = [name for name, is_checked in (("arguments", of_arguments), ("result", of_result)) if is_checked]
    return f"checks {' and '.join(checked) or 'nothing'}"


async def _is_refused(call: _Call, arguments: dict[str, Any]) -> bool:
    try:
        result = await call(NAME, arguments)
    except Exception:  # each package has its own exceptions
        return True
    found = getattr(result, "structured_content", DATA)
    return bool(getattr(result, "is_error", False)) or (arguments is ARGUMENTS and found != DATA)
