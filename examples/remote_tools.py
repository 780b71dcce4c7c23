"""Tools of a live MCP server in a registry, next to a local one: `python examples/remote_tools.py`.

Requires the extra `[mcp]`. The server is in this file, started over stdio; any command or URL can replace it.
"""

from __future__ import annotations

import asyncio
import shlex
import sys

from mcp.server.mcpserver import Context, MCPServer

from mcp_contracts import ToolRegistry


def serve() -> None:
    """Run the server: two tools, and a third one that it adds later."""
    desk = MCPServer("desk")

    @desk.tool()
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    def subtract(a: int, b: int) -> int:
        """Subtract one number from another."""
        return a - b

    @desk.tool()
    async def open_drawer(context: Context) -> str:
        """Find one more tool in the drawer."""
        desk.add_tool(subtract)
        await context.notify_tools_changed()
        return "there was a tool inside"

    desk.run("stdio")


def shout(text: str) -> str:
    """Say something in capital letters."""
    return text.upper()


async def main() -> None:
    """Connect, call, and follow the server's list of tools."""
    registry = ToolRegistry()
    registry.tool(shout, name="local.shout")
    server = "stdio:" + shlex.join([sys.executable, __file__, "serve"])

    async with registry.connect(server, server="desk"):  # reconnects if the connection is lost
        print("tools:", ", ".join(registry))

        for name, arguments in (
            ("local.shout", {"text": "hello"}),
            ("desk.add", {"a": 1, "b": 2}),
            ("desk.add", {"a": "one", "b": 2}),  # rejected here: the server never sees it
            ("desk.open_drawer", {}),
        ):
            result = await registry.acall({"tool_name": name, "arguments": arguments})
            print(f"{name}:", result.data or (result.error and result.error.error_message))

        async with asyncio.timeout(10):
            while "desk.subtract" not in registry:  # the server has sent a notification; the registry updates shortly
                await asyncio.sleep(0.01)
        print("tools:", ", ".join(registry))


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        asyncio.run(main())
