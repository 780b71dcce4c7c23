"""From functions to an agent and a server, in the lines that a user would write."""

from __future__ import annotations

import ast
import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the SDK is needed: pip install 'mcp-contracts[mcp]'")

from tests.remote_servers import honest_bench, over_http

ROOT = Path(__file__).resolve().parents[1]

LINES = '''
app = ToolRegistry("demo", deadline=10)

@app.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b

async with app.connect("https://example.org/mcp"):          # remote tools beside our own
    agent = Agent(app, model=OpenAIChat("gpt-…", client))     # or Anthropic, Gemini, any callable
    answer = await agent.run("What is 2 + 3?")               # ReAct or native tool calls
app.serve("stdio")
'''


class Client:
    """A fake of OpenAI's client, whose model adds 2 and 3 with a tool and repeats the result."""

    def __init__(self) -> None:
        self.offered: list[str] = []
        self.chat = self.completions = self

    def create(self, *, messages: list[dict[str, Any]], tools: list[dict[str, Any]], **request: Any) -> Any:
        self.offered = [tool["function"]["name"] for tool in tools]
        message: dict[str, Any] = {"role": "assistant", "content": None}
        if messages[-1]["role"] == "tool":
            message["content"] = f"It is {json.loads(messages[-1]['content'])['data']['result']}."
        else:
            function = {"name": "demo__add", "arguments": '{"a": 2, "b": 3}'}
            message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
        return {"choices": [{"message": message, "finish_reason": "stop"}]}


def run_lines(address: str) -> None:
    """Run the lines like an interactive session: those with `await` in a loop, and the last one after it."""
    from mcp_contracts import ToolRegistry
    from mcp_contracts.agents import Agent, OpenAIChat

    client = Client()
    names: dict[str, Any] = {"ToolRegistry": ToolRegistry, "Agent": Agent, "OpenAIChat": OpenAIChat, "client": client}
    whole = ast.parse(LINES.replace("https://example.org/mcp", address))
    awaiting, rest = (ast.Module(part, []) for part in (whole.body[:-1], whole.body[-1:]))

    async def run() -> None:
        await eval(compile(awaiting, "lines", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)

    asyncio.run(run())
    print(names["answer"], *client.offered, names["add"](2, 3), file=sys.stderr)
    exec(compile(rest, "lines", "exec"), names)


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def test_the_lines_run_unchanged() -> None:
    code = "import sys; from tests.test_twelve_lines import run_lines; run_lines(sys.argv[1])"
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    sent = "".join(
        json.dumps(one) + "\n"
        for one in (INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"}, listed)
    )

    with over_http(honest_bench().server()) as address:
        done = subprocess.run(
            [sys.executable, "-c", code, address], input=sent, capture_output=True, text=True, timeout=120, cwd=ROOT
        )

    assert done.returncode == 0, done.stderr
    answer = next(line for line in done.stderr.splitlines() if line.startswith("It is 5. "))
    assert answer.endswith(" 5")
    assert "demo__add" in answer.split()
    assert len(answer.split()) > 10  # the tools of the server next to our own
    [tools] = [message["result"] for message in map(json.loads, done.stdout.splitlines()) if message.get("id") == 2]
    assert "add" in str([tool["name"] for tool in tools["tools"]])
