"""The command line of `@modelcontextprotocol/inspector`, if installed, lists and calls the tools that we serve."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.serving_servers import DEMO, NAMES, SECONDS, SERVE, program, running_http

MOCK = ("mock", str(DEMO))
ADD = ("--method", "tools/call", "--tool-name", "demo.add", "--tool-arg", "a=2", "--tool-arg", "b=3")


def inspect(*arguments: str) -> Any:
    """Return the inspector's output for a server, which is a command or an address."""
    inspector = shutil.which("mcp-inspector")
    if inspector is None:
        pytest.skip("mcp-inspector is not installed")
    ran = subprocess.run([inspector, "--cli", *arguments], capture_output=True, text=True, timeout=SECONDS)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("command", [SERVE, MOCK], ids=["serve", "mock"])
def test_the_inspector_lists_and_calls_tools_over_stdio(command: tuple[str, ...]) -> None:
    listed = inspect(program(), *command, "--method", "tools/list")
    result = inspect(program(), *command, *ADD)

    assert sorted(tool["name"] for tool in listed["tools"]) == NAMES
    assert result["isError"] is False
    assert isinstance(result["structuredContent"]["sum"], int)


def test_the_inspector_lists_and_calls_tools_over_http() -> None:
    with running_http() as running:
        listed = inspect(running.mcp, "--transport", "http", "--method", "tools/list")
        result = inspect(running.mcp, "--transport", "http", *ADD)

    assert sorted(tool["name"] for tool in listed["tools"]) == NAMES
    assert result["structuredContent"] == {"sum": 5}
