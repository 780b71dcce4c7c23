"""The tool of `benchmarks.serving` behind the official SDK's low-level server, and behind FastMCP."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

OBJECT = {"type": "object", "properties": {"word": {"type": "string", "minLength": 1}}, "required": ["word"]}
FOUND = {"type": "object", "properties": {"found": {"type": "string", "enum": ["yes", "no"]}}, "required": ["found"]}


def lookup(word: str) -> dict[str, Any]:
    """Find a word."""
    return {"found": "yes"}


def sdk() -> Any:
    """Return the low-level server, which validates nothing."""
    import mcp_types as types
    from mcp.server.lowlevel import Server

    tool = types.Tool(name="demo.lookup", description="Finds a word.", input_schema=OBJECT, output_schema=FOUND)

    async def list_tools(context: Any, params: Any) -> Any:
        return types.ListToolsResult(tools=[tool])

    async def call_tool(context: Any, params: Any) -> Any:
        data = await asyncio.to_thread(lookup, **params.arguments)
        content: list[Any] = [types.TextContent(type="text", text=json.dumps(data))]
        return types.CallToolResult(content=content, structured_content=data)

    return Server("peer", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


def serve_sdk(transport: str) -> None:
    """Run the SDK's server over a transport."""
    import anyio

    server = sdk()
    if transport == "stdio":
        from mcp.server.stdio import stdio_server

        async def serve() -> None:
            async with stdio_server() as (read, write):
                await server.run(read, write, server.create_initialization_options())

        anyio.run(serve)
    else:
        serve_http(server.streamable_http_app())


def serve_fastmcp(transport: str) -> None:
    """Run FastMCP over a transport."""
    import fastmcp

    server = fastmcp.FastMCP("peer")
    server.tool(name="demo.lookup", output_schema=FOUND)(lookup)
    if transport == "stdio":
        server.run(show_banner=False)
    else:
        serve_http(server.http_app())


def serve_http(application: Any) -> None:
    """Run an ASGI application on a free port, and print the port."""
    import socket

    import uvicorn

    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        print(f"serving http://127.0.0.1:{listening.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
        # The same as ours: on a slow machine, a peer waits longer than uvicorn's 5 s for its next turn.
        config = uvicorn.Config(application, log_level="critical", access_log=False, timeout_keep_alive=75)
        asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


if __name__ == "__main__":
    {"sdk": serve_sdk, "fastmcp": serve_fastmcp}[sys.argv[1]](sys.argv[2])
