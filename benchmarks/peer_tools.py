"""The same three tools, written with each library as documented; the lines of each function are counted."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

SECRET = "hunter2-planted"
TIMEOUT = 0.2
"""Seconds that a call may take, if the library has a setting for it."""


def search(query: str, limit: int = 3) -> list[str]:
    """Search the notes."""
    if query == "slow":
        time.sleep(1.0)
    return [f"{query} {number}" for number in range(limit)]


def connect(host: str) -> str:
    """Connect to a host."""
    if host == "exit":
        raise SystemExit(3)
    raise RuntimeError(f"cannot log in to {host} with the password {SECRET}")


def count(text: str) -> int:
    """Count the words of a text."""
    return len(text.split()) if text else "none"  # type: ignore[return-value]  # the mistake that a library may notice


def ours() -> Any:
    """Define the tools with this library."""
    from mcp_contracts import ToolRegistry

    return ToolRegistry("demo", [search, connect, count], deadline=TIMEOUT)


def fastmcp() -> Any:
    """Define the tools with FastMCP."""
    from fastmcp import FastMCP

    app = FastMCP("demo")
    for function in (search, connect, count):
        app.tool(function, timeout=TIMEOUT)
    return app


def sdk() -> Any:
    """Define the tools with the official SDK, which has no timeout for a tool."""
    from mcp.server.mcpserver import MCPServer

    app = MCPServer("demo")
    for function in (search, connect, count):
        app.tool()(function)
    return app


def dspy() -> Any:
    """Define the tools with DSPy, which has no timeout for a tool."""
    from dspy import Tool

    return {function.__name__: Tool(function) for function in (search, connect, count)}


def pydantic_ai() -> Any:
    """Define the tools with Pydantic-AI."""
    from pydantic_ai import Agent

    return Agent(tools=[search, connect, count], tool_timeout=TIMEOUT)


# Calls through each library; these lines are not counted


async def _call_ours(app: Any, name: str, arguments: dict[str, Any]) -> Any:
    return await app.acall({"tool_name": f"demo.{name}", "arguments": arguments})


async def _call_fastmcp(app: Any, name: str, arguments: dict[str, Any]) -> Any:
    from fastmcp import Client

    async with Client(app) as client:
        return await client.call_tool(name, arguments, raise_on_error=False)


async def _call_sdk(app: Any, name: str, arguments: dict[str, Any]) -> Any:
    from mcp import Client

    async with Client(app) as client:
        return await client.call_tool(name, arguments)


async def _call_dspy(app: Any, name: str, arguments: dict[str, Any]) -> Any:
    return app[name](**arguments)


async def _call_pydantic_ai(app: Any, name: str, arguments: dict[str, Any]) -> Any:
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    def reply(history: list[Any], info: Any) -> Any:
        """Ask for one call, and end with its answer."""
        return ModelResponse(parts=[ToolCallPart(name, arguments) if len(history) == 1 else TextPart("done")])

    run = await app.run("go", model=FunctionModel(reply))
    return run.all_messages()[2].parts[0]


Call = Callable[[Any, str, dict[str, Any]], Awaitable[Any]]
LIBRARIES: tuple[tuple[str, Callable[[], Any], Call], ...] = (
    ("mcp-contracts", ours, _call_ours),
    ("fastmcp", fastmcp, _call_fastmcp),
    ("mcp", sdk, _call_sdk),
    ("dspy", dspy, _call_dspy),
    ("pydantic-ai-slim", pydantic_ai, _call_pydantic_ai),
)
