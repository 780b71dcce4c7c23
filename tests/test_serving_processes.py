"""`mcp-contracts serve` as a process: stdio, signals, and the calls that run during a shutdown."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters

from mcp_contracts.runtime.registry import ToolRegistry
from tests.serving_servers import DEMO, NAMES, SERVE, line_with, program, serve_process

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def call_of(number: int, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def sent(process: subprocess.Popen[bytes], *messages: object) -> None:
    assert process.stdin is not None
    for message in messages:
        process.stdin.write((message if isinstance(message, str) else json.dumps(message)).encode() + b"\n")
    process.stdin.flush()


def test_a_client_over_stdio_sees_only_messages_whatever_the_tools_print() -> None:
    async def call() -> Any:
        parameters = StdioServerParameters(command=program(), args=[*SERVE, "--channel", "sms"])
        async with asyncio.timeout(120), Client(parameters, mode="2026-07-28") as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            sums = await asyncio.gather(*(client.call_tool("demo.add", {"a": n, "b": n}) for n in range(20)))
            channel = await client.call_tool("demo.channel", {})
            return names, [one.structured_content for one in sums], channel.structured_content

    names, sums, channel = asyncio.run(call())

    assert names == NAMES
    assert sums == [{"sum": 2 * n} for n in range(20)]
    assert channel == {"channel": "sms", "caller": "stdio"}


def test_stdio_answers_what_it_cannot_read_and_finishes_calls_when_the_input_ends() -> None:
    with serve_process("--max-body", "1000") as process:
        sent(process, INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"}, "no JSON", "x" * 2000, [])
        sent(process, {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": []})
        sent(process, call_of(2, "demo.wait", {"seconds": 0.2, "tag": "late"}))
        output, log = process.communicate(timeout=60)

    answers = {message["id"]: message for message in map(json.loads, output.splitlines()) if message["id"]}
    refusals = [message["error"] for message in map(json.loads, output.splitlines()) if message["id"] is None]
    assert answers[7]["error"]["code"] == -32600
    assert answers[1]["result"]["serverInfo"] == {"name": "demo", "version": "1.2.0"}
    assert answers[2]["result"]["structuredContent"] == {"waited": 0.2, "tag": "late"}
    assert [(one["code"], one["message"]) for one in refusals] == [
        (-32700, "the message is not valid JSON: expecting value (line 1, column 1)"),
        (-32600, "the message is longer than 1,000 bytes"),
        (-32600, "batches of messages are not supported: send each message separately"),
    ]
    assert process.returncode == 0
    assert b"a module that prints while it is imported" in log


def test_stdio_answers_requests_that_it_cannot_read_with_their_id() -> None:
    call = b'{"method":"tools/call","params":{"name":"demo.add","arguments":{"a":%s}},"jsonrpc":"2.0","id":%d}\n'
    values = [b'1,"a":"2"', b"9" * 5000, b'"\xff"', b"[" * 3000 + b"]" * 3000, b"NaN", b"[" * 300 + b"]" * 300]
    with serve_process() as process:
        assert process.stdin is not None
        for number, value in enumerate(values, 10):
            process.stdin.write(call % (value, number))
        output, _ = process.communicate(timeout=60)

    answers = [json.loads(line) for line in output.splitlines()]
    assert [(one["id"], one["error"]["code"], one["error"]["message"]) for one in answers] == [
        (10, -32700, "the message is unreadable: a key appears twice in one object"),
        (11, -32700, "the message is unreadable: a number is too long to be read"),
        (12, -32700, "the message is not UTF-8"),
        (13, -32700, "the message is unreadable: the JSON is nested more than 100 levels deep"),
        (14, -32700, "the message is unreadable: `NaN` is not valid JSON"),
        (15, -32700, "the message is unreadable: the JSON is nested more than 100 levels deep"),
    ]


_LEAVES = """
import asyncio
from mcp_contracts import ToolRegistry

app = ToolRegistry("demo")

async def leave():
    raise SystemExit(3)

@app.tool
async def act() -> int:
    async with asyncio.TaskGroup() as group:
        group.create_task(leave())
    return 1

@app.tool
async def wait() -> int:
    await asyncio.sleep(0.2)
    return 2

app.serve("stdio")
"""


def test_a_task_that_exits_ends_neither_the_server_nor_other_calls() -> None:
    calls = [call_of(2, "demo.wait", {}), call_of(3, "demo.act", {}), call_of(4, "demo.wait", {})]
    lines = [INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"}, *calls]

    done = subprocess.run(
        [sys.executable, "-c", _LEAVES],
        input="\n".join(map(json.dumps, lines)).encode(),
        capture_output=True,
        timeout=60,
    )

    answers = {message["id"]: message["result"] for message in map(json.loads, done.stdout.splitlines())}
    assert [answers[number]["isError"] for number in (2, 3, 4)] == [False, True, False]
    assert done.returncode == 0


def test_sigterm_over_stdio_finishes_the_running_call() -> None:
    with serve_process() as process:
        sent(process, INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        line_with(process.stdout, "serverInfo")
        sent(process, call_of(2, "demo.wait", {"seconds": 0.3}), call_of(3, "demo.add", {"a": 1, "b": 1}))
        line_with(process.stdout, '"sum":2')
        process.send_signal(signal.SIGTERM)
        answer = json.loads(line_with(process.stdout, '"waited"'))

        assert answer["id"] == 2
        assert process.wait(60) == 0


def test_a_second_interrupt_ends_running_calls_at_once_and_what_was_sent_before_the_first_is_answered() -> None:
    with serve_process(fresh=True) as process:
        sent(process, INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        line_with(process.stdout, "serverInfo")
        process.send_signal(signal.SIGSTOP)
        sent(process, call_of(2, "demo.wait", {"seconds": 50}), call_of(3, "demo.add", {"a": 1, "b": 1}))
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        assert json.loads(line_with(process.stdout, '"sum":2'))["id"] == 3
        process.send_signal(signal.SIGINT)

        assert process.wait(20) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


def test_sigterm_over_http_finishes_running_calls_and_ends_standing_streams() -> None:
    answers: list[int] = []
    with serve_process("--transport", "http", "--port", "0") as process:
        address = line_with(process.stderr, "serving 4 tools at ").rpartition(" ")[2].removesuffix("/mcp")

        def call(tag: str) -> None:
            body = {"tool_name": "demo.wait", "arguments": {"seconds": 0.5, "tag": tag}}
            answer = httpx2.post(f"{address}/tools/call", json=body, timeout=60)
            assert answer.json()["data"]["tag"] == tag
            answers.append(answer.status_code)

        async def talk() -> Any:
            async with asyncio.timeout(60), Client(f"{address}/mcp", mode="legacy") as client:
                await client.list_tools()  # and its stream for notifications is open
                running = asyncio.create_task(client.call_tool("demo.wait", {"seconds": 0.5, "tag": "mcp"}))
                await asyncio.sleep(0.2)
                process.send_signal(signal.SIGTERM)
                return (await running).structured_content

        threads = [threading.Thread(target=call, args=(str(number),)) for number in range(10)]
        for thread in threads:
            thread.start()
        data = asyncio.run(talk())
        for thread in threads:
            thread.join()

        assert data == {"waited": 0.5, "tag": "mcp"}
        assert answers == [200] * 10
        assert process.wait(20) == 0


def test_a_registry_serves_itself_and_is_an_application() -> None:
    registry = ToolRegistry()

    @registry.tool(name="demo.double")
    def double(number: int) -> int:
        """Double a number."""
        return 2 * number

    async def call() -> tuple[int, Any]:
        transport = httpx2.ASGITransport(registry.asgi(name="doubles"))
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            body = {"tool_name": "demo.double", "arguments": {"number": 4}}
            health = (await client.get("/health")).json()
            return health["tools"], (await client.post("/tools/call", json=body)).json()["data"]

    assert asyncio.run(call()) == (1, {"result": 8})


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"transport": "http", "host": "0.0.0.0"}, "requires authentication"),
        ({"transport": "http", "tokens": {"ci": "short"}}, "the token `ci` cannot be used"),
        ({"prot": 1}, "unknown setting `prot`"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], words: str) -> None:
    from mcp_contracts.errors import UsageError

    with pytest.raises(UsageError, match=words):
        ToolRegistry().serve(**settings)


def test_an_application_can_be_mounted_in_another() -> None:
    from starlette.applications import Starlette
    from starlette.routing import Mount

    registry = ToolRegistry()

    @registry.tool(name="demo.double")
    def double(number: int) -> int:
        """Double a number."""
        return 2 * number

    async def call() -> list[int]:
        host = Starlette(routes=[Mount("/agents", registry.asgi(tokens={"ci": "a-token-for-the-test"}))])
        transport = httpx2.ASGITransport(host)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            token = {"authorization": "Bearer a-token-for-the-test"}
            paths: tuple[tuple[str, dict[str, str]], ...] = (
                ("/agents/health", {}),
                ("/agents/tools", token),
                ("/agents/tools", {}),
                ("/tools", token),
            )
            return [(await client.get(path, headers=headers)).status_code for path, headers in paths]

    assert asyncio.run(call()) == [200, 200, 401, 404]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the workers in /proc")
def test_workers_end_with_their_parent_however_it_ends() -> None:
    options = ("--transport", "http", "--port", "0", "--workers", "2")
    with serve_process(*options, fresh=True) as process:
        address = line_with(process.stderr, "serving 4 tools at ").split()[4].removesuffix("/mcp")
        workers = workers_of(process.pid, 2)
        assert httpx2.get(f"{address}/health", timeout=60).status_code == 200

        process.kill()
        process.wait(60)

        ends_at = time.monotonic() + 60
        while any(Path(f"/proc/{worker}").exists() for worker in workers):
            assert time.monotonic() < ends_at
            time.sleep(0.05)


def workers_of(parent: int, count: int) -> list[int]:
    """Return the serving processes below another one, once they have this number."""
    ends_at = time.monotonic() + 60
    while True:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="utf-8").split()
        found = [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
        if len(found) == count:
            return found
        assert time.monotonic() < ends_at
        time.sleep(0.05)


def test_without_the_sdk_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mcp_contracts.cli.app import run

    monkeypatch.setitem(sys.modules, "mcp", None)

    code = run(["mock", str(DEMO)])

    assert code == 2
    assert capsys.readouterr().err == (
        "error: serving requires the package `mcp`\n  help: pip install 'mcp-contracts[mcp]'\n"
    )
