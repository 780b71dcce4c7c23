"""Remote tools on real servers of both eras of the protocol: in process, over stdio and over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import runpy
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, ClientSession
from mcp.client._memory import InMemoryTransport

from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.mcp_content.reading import result_of
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.runtime.context import CallContext, Progress, ToolContext
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.runtime.remote.sessions import protocol_failure
from mcp_contracts.runtime.remote.tools import RemoteTool, connect, remote_name, remote_tools
from tests.remote_servers import (
    BLOCKS,
    BYTES,
    IMAGE,
    PIXEL,
    Bench,
    answering,
    honest_bench,
    over_http,
    raw_server,
    soon,
)

LEGACY, MODERN = "legacy", "2026-07-28"
both_eras = pytest.mark.parametrize("mode", [LEGACY, MODERN])
IMAGE_BLOCK = {"type": "image", "data": PIXEL, "mimeType": "image/png"}


@dataclass
class Holder:
    """A place for tools that is not a registry."""

    tools: dict[str, RemoteTool] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    refuses: frozenset[str] = frozenset()

    def add(self, tools: Iterable[RemoteTool], /, *, replace: bool = False) -> None:
        for tool in tools:
            if tool.contract.name in self.refuses:
                raise UsageError("it is refused")
            assert replace == (tool.contract.name in self.tools)
            self.tools[tool.contract.name] = tool
        self.changed.set()

    def remove(self, name: str, version: str | None = None, /) -> None:
        assert self.tools.pop(name).contract.version == version
        self.changed.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        async with soon():
            while not holds():
                await self.changed.wait()
                self.changed.clear()


def run(work: Awaitable[None]) -> None:
    async def bounded() -> None:
        async with soon(30):
            await work

    asyncio.run(bounded())


def context_for(tool: RemoteTool, report: Callable[[Progress], None] | None = None) -> ToolContext:
    return ToolContext(tool.contract, CallContext(), "1", report=report)


async def call(tool: RemoteTool, **arguments: Any) -> MCPToolResult:
    return await tool.call(arguments, context_for(tool))


async def tools_of(client: Any) -> dict[str, RemoteTool]:
    return {str(tool.contract.source_name): tool for tool in await remote_tools(client, server="bench")}


def answer_of(tool_name: str, mode: str = MODERN, **arguments: Any) -> MCPToolResult:
    """Return the result of the honest server's tool."""
    found: list[MCPToolResult] = []

    async def work() -> None:
        async with Client(honest_bench().server(), mode=mode) as client:
            found.append(await call((await tools_of(client))[tool_name], **arguments))

    run(work())
    return found[0]


# Names and contracts


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("files", "read", "files.read"),
        ("My Files", "Read-It", "my_files.read_it"),
        ("files", "a.b", "files.a.b"),
        ("files", "files.read", "files.read"),
    ],
)
def test_a_remote_tool_is_called_by_its_server_and_its_own_name(server: str, tool: str, name: str) -> None:
    assert remote_name(server, tool) == name


@both_eras
def test_the_contract_is_what_the_server_lists(mode: str) -> None:
    async def work() -> None:
        async with Client(honest_bench().server(), mode=mode) as client:
            tool = (await tools_of(client))["number"]

        assert tool.contract.name == "bench.number"
        assert tool.contract.module == "bench"
        assert tool.contract.output_schema == {
            "type": "object",
            "properties": {"n": {"type": "integer"}},
            "required": ["n"],
        }

    run(work())


@both_eras
def test_all_pages_of_a_list_are_read(mode: str) -> None:
    bench = honest_bench()
    bench.page_size = 3

    async def work() -> None:
        async with Client(bench.server(), mode=mode) as client:
            assert list(await tools_of(client)) == list(bench.tools)

    run(work())


def test_two_tools_that_get_one_name_are_refused_with_both_names() -> None:
    bench = Bench()
    bench.offer("get-user", answering())
    bench.offer("get_user", answering())

    async def work() -> None:
        async with Client(bench.server()) as client:
            with pytest.raises(UsageError, match="`get-user` and `get_user`"):
                await remote_tools(client, server="bench")

    run(work())


@pytest.mark.parametrize("legacy", [True, False])
def test_an_odd_tool_costs_no_other(legacy: bool, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with Client(raw_server("odd", legacy=legacy)) as client:
            tools = await tools_of(client)
            result = await call(tools["without_type"], a=1)

        headers_matter = {"bad_header"} if legacy else set()
        assert set(tools) == {"plain", "without_type", "null_schema"} | headers_matter
        assert tools["null_schema"].contract.input is None
        assert result.data == {"called": "without_type", "with": {"a": 1}}

    run(work())

    assert sum("without a `name`" in message for message in caplog.messages) == 2


def test_a_list_without_end_is_refused() -> None:
    async def work() -> None:
        async with Client(raw_server("endless")) as client:
            with pytest.raises(SourceError, match="never ends"):
                await remote_tools(client, server="raw")

    run(work())


def test_without_the_inner_names_of_the_sdk_its_public_interface_serves() -> None:
    @dataclass
    class Facade:
        session: ClientSession

        async def list_tools(self, **options: Any) -> Any:
            return await self.session.list_tools(**options)

        async def call_tool(self, *arguments: Any, **options: Any) -> Any:
            return await self.session.call_tool(*arguments, **options)

    async def work() -> None:
        async with Client(honest_bench().server()) as client:
            result = await call((await tools_of(Facade(client.session)))["number"])

        assert result.data == {"n": 1}

    run(work())


def test_a_bare_session_serves_as_well() -> None:
    async def work() -> None:
        async with (
            InMemoryTransport(honest_bench().server()) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            result = await call((await tools_of(session))["number"])

        assert result.data == {"n": 1}

    run(work())


def test_a_session_that_is_not_open_is_refused() -> None:
    with pytest.raises(UsageError, match="the MCP session is not open"):
        asyncio.run(_listing(Client(Bench().server())))


async def _listing(client: Client) -> None:
    await remote_tools(client, server="bench")


def test_a_server_needs_a_name() -> None:
    async def work() -> None:
        async with Client(Bench().server()) as client:
            with pytest.raises(UsageError, match="the server has no name"):
                await remote_tools(client, server="")

    run(work())


def test_without_the_package_the_way_to_install_it_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(Bench().server())
    monkeypatch.setitem(sys.modules, "mcp", None)

    with pytest.raises(UsageError, match="require the package `mcp`") as caught:
        asyncio.run(_listing(client))

    assert caught.value.hint == "pip install 'mcp-contracts[mcp]'"


# Results


@both_eras
@pytest.mark.parametrize("kind", list(BLOCKS))
def test_each_kind_of_block_comes_back_whole(kind: str, mode: str) -> None:
    block = BLOCKS[kind].model_dump(by_alias=True, exclude_none=True)

    result = answer_of(kind, mode)

    assert result.data is not None
    [found] = result.data["content"]
    assert found == block or (found | {"_meta": {"k": None}} == block)  # the SDK drops a null in 2026-07-28


def test_a_blob_keeps_its_base64_and_its_type() -> None:
    result = answer_of("blob")

    resource = {"uri": "blob://1", "mimeType": "application/x", "blob": BYTES}
    assert result.data == {"content": [{"type": "resource", "resource": resource}]}


def test_several_blocks_keep_their_order() -> None:
    result = answer_of("all")

    assert result.data is not None
    types = [block["type"] for block in result.data["content"]]
    assert types == ["text", "image", "audio", "resource_link", "resource", "resource", "text"]


def test_a_text_that_looks_like_json_stays_text() -> None:
    assert answer_of("text").data == {"content": [{"type": "text", "text": '{"a": 1}'}]}


def test_an_answer_without_content_is_empty_content() -> None:
    assert answer_of("nothing").data == {"content": []}


@both_eras
def test_structured_content_is_the_data_and_its_repetition_is_dropped(mode: str) -> None:
    result = answer_of("number", mode)

    assert (result.status, result.data, result.explanation) == ("success", {"n": 1}, None)


def test_what_comes_next_to_structured_content_is_kept() -> None:
    result = answer_of("rich")

    assert result.data is not None
    assert result.data["n"] == 1
    assert [block["type"] for block in result.data["_content"]] == ["image", "text"]
    assert result.explanation == "one"


def test_a_name_of_the_servers_own_is_never_overwritten() -> None:
    result = result_of({"content": [IMAGE_BLOCK], "structuredContent": {"_content": 1}})

    assert result.data == {"_content": 1, "_content_": [IMAGE_BLOCK]}


@pytest.mark.parametrize("value", [[1, 2], "a", 5, True])
def test_structured_content_that_is_not_an_object_is_under_result(value: Any) -> None:
    bench = Bench()
    kinds = {"type": ["array", "string", "integer", "boolean"]}
    bench.offer("bare", answering(structured=value), output_schema=kinds)
    found: list[MCPToolResult] = []

    async def work() -> None:
        async with Client(bench.server(), mode=MODERN) as client:
            found.append(await call((await tools_of(client))["bare"]))

    run(work())

    assert found[0].data == {"result": value}


def test_structured_content_of_null_is_a_result() -> None:
    assert result_of({"content": [], "structuredContent": None}).data == {"result": None}


def test_a_text_that_repeats_a_wrapped_value_is_dropped() -> None:
    answer = {"content": [{"type": "text", "text": "5"}], "structuredContent": {"result": 5}}

    assert result_of(answer) == MCPToolResult(data={"result": 5})


def test_an_answer_that_no_message_can_hold_is_a_failure() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]

    result = result_of({"content": [], "structuredContent": deep})

    assert result.error is not None
    assert "nested more than 100 levels" in result.error.error_message


# Failures


@both_eras
@pytest.mark.parametrize(
    ("tool", "error_type", "message"),
    [
        ("failing", "ToolExecutionError", "no such city\n\ntry another"),
        ("failing_mutely", "ToolExecutionError", "the tool failed, and the server gave no reason"),
        ("failing_in_form", "CityUnknown", "no"),
        ("refusing", "ValidationError", "the server `bench` rejected the arguments: `a` is missing"),
    ],
)
def test_an_error_of_the_server_is_a_failure(tool: str, error_type: str, message: str, mode: str) -> None:
    result = answer_of(tool, mode)

    assert result.status == "failure"
    assert result.error is not None
    assert (result.error.error_type, result.error.error_message) == (error_type, message)


def test_what_comes_next_to_an_errors_text_is_its_details() -> None:
    result = answer_of("failing_richly")

    assert result.error is not None
    assert result.error.error_details == {"content": [IMAGE_BLOCK], "structuredContent": {"at": 3}}


def test_a_long_error_is_cut_and_says_so() -> None:
    result = answer_of("failing_at_length")

    assert result.error is not None
    assert result.error.error_message == "x" * 4_000 + "… (truncated: 6000 more characters)"


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("liar", 'its own output schema rejects: `/n` does not match the schema (`type` "integer")'),
        ("silent", "its own output schema rejects: it returned no structured content"),
        ("broken", "the output schema that the server `bench` declares cannot be used: it is not valid"),
    ],
)
@both_eras
def test_data_that_the_servers_own_schema_refuses_is_its_fault(tool: str, words: str, mode: str) -> None:
    result = answer_of(tool, mode)

    assert result.error is not None
    assert result.error.error_type == "ToolExecutionError"
    assert words in result.error.error_message
    assert "\n" not in result.error.error_message


@both_eras
def test_a_tool_that_is_gone_is_not_found(mode: str) -> None:
    bench = honest_bench()
    found: list[MCPToolResult] = []

    async def work() -> None:
        async with Client(bench.server(), mode=mode) as client:
            tool = (await tools_of(client))["number"]
            bench.answers.clear()
            found.append(await call(tool))

    run(work())

    assert found[0].error is not None
    assert found[0].error.error_type == "ResourceNotFound"


def test_a_server_that_dies_in_the_middle_of_a_call_is_a_failure() -> None:
    found: list[MCPToolResult] = []

    async def work() -> None:
        async with Client(raw_server("dying")) as client:
            tool = (await tools_of(client))["plain"]
            found.append(await call(tool))
            found.append(await call(tool))

    run(work())

    messages = [result.error.error_message for result in found if result.error is not None]
    assert messages == ["the connection to the server `bench` is closed"] * 2


@both_eras
def test_a_call_after_the_session_is_a_failure(mode: str) -> None:
    found: list[MCPToolResult] = []

    async def work() -> None:
        async with Client(honest_bench().server(), mode=mode) as client:
            tool = (await tools_of(client))["number"]
        found.append(await call(tool))

    run(work())

    assert found[0].error is not None
    assert found[0].error.error_message == "the connection to the server `bench` is closed"


def test_a_server_that_does_not_answer_in_time_is_a_timeout() -> None:
    found: list[MCPToolResult] = []

    async def work() -> None:
        async with Client(honest_bench().server(), mode=MODERN, read_timeout_seconds=0.5) as client:
            found.append(await call((await tools_of(client))["slow"]))

    run(work())

    assert found[0].error is not None
    assert found[0].error.error_type == "TimeoutError"


@pytest.mark.parametrize(
    ("code", "message", "error_type"),
    [
        (-32001, "Request 'tools/call' timed out", "TimeoutError"),
        (-32001, "Session not found", "ToolExecutionError"),
        (-32000, "Connection closed", "ToolExecutionError"),
        (-32601, "Method not found", "ResourceNotFound"),
        (-32602, "Tool weather not found", "ResourceNotFound"),
        (-32602, "Invalid request parameters", "ValidationError"),
        (-32603, "Internal error", "ToolExecutionError"),
        (-32603, "", "ToolExecutionError"),
    ],
)
def test_a_protocol_error_is_a_failure_of_its_kind(code: int, message: str, error_type: str) -> None:
    result = protocol_failure(code, message, {"a": 1}, server="s", tool="t")

    assert result.error is not None
    assert result.error.error_type == error_type


@both_eras
def test_a_crash_of_the_server_is_a_failure(mode: str) -> None:
    result = answer_of("crashing", mode)

    assert result.error is not None
    assert result.error.error_type == "ToolExecutionError"


def test_a_server_that_asks_for_more_gets_it_from_a_client_and_a_failure_from_a_bare_session() -> None:
    found: list[MCPToolResult] = []

    async def work() -> None:
        async with Client(honest_bench().server(), mode=MODERN) as client:
            found.append(await call((await tools_of(client))["asking"]))
            found.append(await call((await tools_of(client.session))["asking"]))

    run(work())

    assert found[0].data == {"content": [{"type": "text", "text": "thanks"}]}
    assert found[1].error is not None
    assert "asks for more input" in found[1].error.error_message


# Calls


@both_eras
def test_arguments_arrive_as_they_were(mode: str) -> None:
    arguments: dict[str, Any] = {"a": None, "b": [1, 1.5, {"c": None}], "d": "ü"}

    assert answer_of("echo", mode, **arguments).data == arguments


@both_eras
def test_progress_of_the_server_is_reported(mode: str) -> None:
    reports: list[Progress] = []

    async def work() -> None:
        async with Client(honest_bench().server(), mode=mode) as client:
            tool = (await tools_of(client))["stepwise"]
            await tool.call({}, context_for(tool, reports.append))

    run(work())

    assert reports == [Progress(1, 2, "half"), Progress(2, 2, "all")]


@both_eras
def test_a_cancelled_call_is_cancelled_at_the_server(mode: str) -> None:
    bench = honest_bench()

    async def work() -> None:
        async with Client(bench.server(), mode=mode) as client:
            tool = (await tools_of(client))["slow"]
            task = asyncio.create_task(call(tool))
            await asyncio.to_thread(bench.started.wait, 10)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(bench.cancelled.wait, 10)

    run(work())


@both_eras
def test_a_call_from_another_thread_runs_on_the_sessions_own_loop(mode: str) -> None:
    found: list[MCPToolResult] = []

    async def work() -> None:
        async with Client(honest_bench().server(), mode=mode) as client:
            tool = (await tools_of(client))["number"]
            assert tool.home is asyncio.get_running_loop()
            found.append(await asyncio.to_thread(lambda: asyncio.run(call(tool))))

    run(work())

    assert found[0].data == {"n": 1}


def test_a_cancelled_call_from_another_thread_is_cancelled_at_the_server() -> None:
    bench = honest_bench()

    async def elsewhere(tool: RemoteTool) -> None:
        task = asyncio.create_task(call(tool))
        await asyncio.to_thread(bench.started.wait, 10)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()

    async def work() -> None:
        async with Client(bench.server(), mode=LEGACY) as client:
            tool = (await tools_of(client))["slow"]
            await asyncio.to_thread(lambda: asyncio.run(elsewhere(tool)))
            assert await asyncio.to_thread(bench.cancelled.wait, 10)

    run(work())


def test_a_call_whose_session_ends_under_it_is_a_failure() -> None:
    bench = honest_bench()
    found: list[MCPToolResult] = []
    threads: list[threading.Thread] = []

    async def work() -> None:
        async with Client(bench.server(), mode=LEGACY) as client:
            tool = (await tools_of(client))["slow"]
            threads.append(threading.Thread(target=lambda: found.append(asyncio.run(call(tool)))))
            threads[0].start()
            await asyncio.to_thread(bench.started.wait, 10)

    run(work())
    threads[0].join(timeout=10)

    assert found[0].error is not None
    assert found[0].error.error_message == "the connection to the server `bench` is closed"


def test_a_call_after_the_sessions_loop_is_a_failure() -> None:
    tools: list[RemoteTool] = []

    async def work() -> None:
        async with Client(honest_bench().server()) as client:
            tools.append((await tools_of(client))["number"])

    run(work())
    result = asyncio.run(call(tools[0]))

    assert result.error is not None
    assert result.error.error_message == "the connection to the server `bench` is closed"


@both_eras
def test_a_server_over_http_answers_as_any_other(mode: str) -> None:
    bench = honest_bench()

    async def work(url: str) -> None:
        async with Client(url, mode=mode) as client:
            tools = await tools_of(client)
            assert (await call(tools["number"])).data == {"n": 1}
            assert (await call(tools["failing"])).status == "failure"

    with over_http(bench.server()) as url:
        run(work(url))


# Following


@both_eras
def test_a_connection_follows_the_servers_list(mode: str) -> None:
    bench = Bench()
    bench.offer("kept", answering())
    bench.offer("changed", answering(), description="old")
    bench.offer("removed", answering())

    async def work() -> None:
        holder = Holder()
        async with Client(bench.server(), mode=mode) as client, await connect(holder, client, server="b") as connection:
            kept = holder.tools["b.kept"]
            bench.offer("added", answering())
            bench.offer("changed", answering(), description="new")
            del bench.tools["removed"]
            await bench.change()
            await holder.until(lambda: set(holder.tools) == {"b.kept", "b.changed", "b.added"})

            assert holder.tools["b.kept"] is kept
            assert holder.tools["b.changed"].contract.description == "new"
            assert connection.tools == holder.tools

    run(work())


@both_eras
def test_a_connection_over_http_follows_the_servers_list(mode: str) -> None:
    bench = Bench()
    bench.offer("one", answering())

    async def grow(context: Any, arguments: dict[str, Any]) -> Any:
        bench.offer("two", answering())
        await bench.change()
        return await answering()(context, arguments)

    bench.offer("grow", grow)

    async def work(url: str) -> None:
        holder = Holder()
        async with Client(url, mode=mode) as client, await connect(holder, client, server="b"):
            await call(holder.tools["b.grow"])
            await holder.until(lambda: "b.two" in holder.tools)

    with over_http(bench.server()) as url:
        run(work(url))


def test_a_stream_of_changes_that_ends_is_opened_again() -> None:
    bench = Bench()
    bench.offer("one", answering())

    async def work() -> None:
        holder = Holder()
        async with Client(bench.server(), mode=MODERN) as client, await connect(holder, client, server="b"):
            for name in ("two", "three"):
                bench.offer(name, answering())
                await bench.change()
                await holder.until(lambda name=name: f"b.{name}" in holder.tools)  # type: ignore[misc]
                assert bench.listen is not None
                bench.listen.close()

    run(work())


@both_eras
def test_a_server_without_notifications_is_refreshed_by_hand(mode: str) -> None:
    bench = Bench()

    async def work() -> None:
        holder = Holder()
        async with (
            Client(bench.server(tells=False), mode=mode) as client,
            await connect(holder, client, server="b") as connection,
        ):
            bench.offer("one", answering())
            assert await connection.refresh()
            assert not await connection.refresh()

            assert set(holder.tools) == {"b.one"}

    run(work())


@both_eras
def test_a_server_that_always_announces_changes_is_polled_less_and_less(mode: str) -> None:
    bench = Bench(is_restless=True)

    async def work() -> None:
        async with Client(bench.server(), mode=mode) as client, await connect(Holder(), client, server="b"):
            await asyncio.sleep(0.1)

    run(work())

    assert bench.lists <= 4


@both_eras
def test_a_collision_in_a_changed_list_leaves_the_tools_as_they_were(
    mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench()
    bench.offer("get_user", answering())

    async def work() -> None:
        holder = Holder()
        async with Client(bench.server(), mode=mode) as client, await connect(holder, client, server="b") as connection:
            bench.offer("get-user", answering())
            bench.offer("more", answering())
            with pytest.raises(UsageError, match=r"get the name `b\.get_user`"):
                await connection.refresh()
            await bench.change()
            async with soon():
                while "are unchanged" not in caplog.text:
                    await asyncio.sleep(0.01)

            assert set(holder.tools) == {"b.get_user"}

    run(work())


def test_a_tool_that_the_registry_refuses_costs_no_other(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    bench.offer("one", answering())
    bench.offer("two", answering())

    async def work() -> None:
        holder = Holder(refuses=frozenset({"b.one"}))
        async with Client(bench.server()) as client, await connect(holder, client, server="b") as connection:
            assert set(holder.tools) == {"b.two"}
            assert connection.refused == {"b.one": "it is refused"}

    run(work())

    assert "`b.one` is skipped: it is refused" in caplog.messages


@both_eras
def test_a_closed_connection_leaves_nothing_behind(mode: str) -> None:
    bench = Bench()
    bench.offer("one", answering())

    async def work() -> None:
        holder = Holder()
        async with Client(bench.server(), mode=mode) as client:
            connection = await connect(holder, client, server="b")
            await connection.close()
            await bench.change()
            await connection.refresh()
            await connection.close()

            assert holder.tools == {}
            assert not [task for task in asyncio.all_tasks() if task.get_name().endswith(" of b")]

    run(work())


@both_eras
def test_a_connection_may_be_closed_after_its_session(mode: str) -> None:
    bench = Bench()
    bench.offer("one", answering())

    async def work() -> None:
        holder = Holder()
        async with Client(bench.server(), mode=mode) as client:
            connection = await connect(holder, client, server="b")
        await connection.close()

        assert holder.tools == {}

    run(work())


def test_a_handler_of_the_users_own_still_hears_everything() -> None:
    bench = Bench()
    heard: list[object] = []

    async def hear(message: object) -> None:
        heard.append(message)

    async def work() -> None:
        holder = Holder()
        async with (
            Client(bench.server(), mode=LEGACY, message_handler=hear) as client,
            await connect(holder, client, server="b"),
        ):
            bench.offer("one", answering())
            await bench.change()
            await holder.until(lambda: "b.one" in holder.tools)

    run(work())

    assert [getattr(message, "method", None) for message in heard] == ["notifications/tools/list_changed"]


def test_two_servers_are_shown_side_by_side() -> None:
    async def work() -> None:
        holder, bench = Holder(), Bench()
        bench.offer("one", answering(structured={"from": "a"}))
        other = Bench()
        other.offer("one", answering(structured={"from": "b"}))
        async with (
            Client(bench.server()) as first,
            Client(other.server()) as second,
            await connect(holder, first, server="a"),
            await connect(holder, second, server="b"),
        ):
            results = [await call(holder.tools[name]) for name in ("a.one", "b.one")]

        assert [result.data for result in results] == [{"from": "a"}, {"from": "b"}]

    run(work())


# In a registry


@both_eras
def test_local_and_remote_tools_are_in_one_registry_and_are_called_alike(mode: str) -> None:
    def double(n: int) -> int:
        """Double a number."""
        return 2 * n

    async def work() -> None:
        registry = ToolRegistry()
        registry.tool(double, name="local.double")
        async with Client(honest_bench().server(), mode=mode) as client, await connect(registry, client, server="far"):
            calls = [
                {"tool_name": "local.double", "arguments": {"n": 2}},
                {"tool_name": "far.number", "arguments": {}},
                {"tool_name": "far.get_user", "arguments": {}},
                {"tool_name": "far.rich", "arguments": {}},
                {"tool_name": "far.failing_in_form", "arguments": {}},
            ]
            results = await registry.acall_many(calls)
            slow = {"tool_name": "far.slow", "arguments": {}}
            results.append(await registry.acall(slow, context=CallContext(deadline=0.1)))

        assert [result.status for result in results] == ["success"] * 4 + ["failure"] * 2
        assert [result.data for result in results[:3]] == [{"result": 4}, {"n": 1}, {"content": []}]
        assert [result.error.error_type for result in results if result.error] == ["CityUnknown", "TimeoutError"]
        assert "local.double" in registry
        assert "far.number" not in registry

    run(work())


def test_a_call_is_checked_against_the_servers_schema_before_it_goes_out() -> None:
    bench = Bench()
    bench.offer("add", answering(), input_schema={"type": "object", "properties": {"a": {"type": "integer"}}})

    async def work() -> None:
        registry = ToolRegistry()
        async with Client(bench.server()) as client, await connect(registry, client, server="far"):
            result = await registry.acall({"tool_name": "far.add", "arguments": {"a": "one"}})

        assert result.error is not None
        assert result.error.error_type == "ValidationError"
        assert bench.arguments == []

    run(work())


def test_a_blocking_call_from_another_thread_is_answered_on_the_sessions_loop() -> None:
    async def work() -> None:
        registry = ToolRegistry()
        message = {"tool_name": "far.number", "arguments": {}}
        async with Client(honest_bench().server()) as client, await connect(registry, client, server="far"):
            result = await asyncio.to_thread(registry.call, message)

        assert result.data == {"n": 1}

    run(work())


def test_the_example_runs_unchanged(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["remote_tools.py"])

    runpy.run_path(str(Path(__file__).parents[1] / "examples" / "remote_tools.py"), run_name="__main__")

    assert capsys.readouterr().out.splitlines() == [
        "tools: desk.add, desk.open_drawer, local.shout",
        "local.shout: {'result': 'HELLO'}",
        "desk.add: {'result': 3}",
        'desk.add: `a` is "one", not of type integer',
        "desk.open_drawer: {'result': 'there was a tool inside'}",
        "tools: desk.add, desk.open_drawer, desk.subtract, local.shout",
    ]


def test_a_registry_follows_a_changed_schema() -> None:
    bench = Bench()
    bench.offer("one", answering(), description="old")

    async def work() -> None:
        registry = ToolRegistry()
        async with Client(bench.server()) as client, await connect(registry, client, server="b") as connection:
            bench.offer("one", answering(), input_schema={"type": "object", "required": ["a"]})
            await connection.refresh()
            result = await registry.acall({"tool_name": "b.one", "arguments": {}})
            bench.offer("one", answering(), _meta={"org.mcp-contracts/version": "2.0.0"})
            await connection.refresh()

            assert result.status == "failure"
            assert [contract.version for contract in registry.versions("b.one")] == ["2.0.0"]

    run(work())


@pytest.fixture(autouse=True)
def _quiet_sdk(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="mcp_contracts")


@pytest.mark.parametrize(
    ("schema", "structured", "blocks", "data"),
    [
        ({"type": "array", "items": {"type": "integer"}}, [1, 2], (), {"result": [1, 2]}),
        (
            {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False},
            {"n": 1},
            (IMAGE,),
            {"n": 1, "_content": [IMAGE_BLOCK]},
        ),
    ],
    ids=["no object", "more than the schema knows"],
)
def test_a_result_that_the_session_has_validated_is_not_refused_in_its_other_form(
    schema: dict[str, Any], structured: Any, blocks: tuple[Any, ...], data: dict[str, Any]
) -> None:
    async def work() -> None:
        bench = Bench()
        bench.offer("get", answering(*blocks, structured=structured), output_schema=schema)
        async with Client(bench.server(), mode=MODERN) as client:
            registry = ToolRegistry(await remote_tools(client, server="bench"))

            result = await registry.acall({"tool_name": "bench.get", "arguments": {}})

        assert result.data == data

    run(work())


@pytest.mark.parametrize("legacy", [False, True])
def test_an_output_schema_made_to_stall_is_judged_by_our_bounded_validator(legacy: bool) -> None:
    async def work() -> dict[str, str]:
        async with Client(raw_server("hostile", legacy=legacy)) as client:
            await client.list_tools()  # by which the SDK learns the schemas
            said = {}
            for tool in await remote_tools(client, server="bench"):
                result = await call(tool)
                said[tool.contract.source_name or ""] = result.error.error_message if result.error else ""
            return said

    said = asyncio.run(asyncio.wait_for(work(), 30))

    refused = "the server `bench` returned data that its own output schema rejects"
    unjudged = "the data that the tool returned could not be validated"
    assert said["pattern"].startswith(refused)
    assert said["backtracking"].startswith((refused, unjudged))
    assert said["references"] == f"{unjudged}: validation takes too many steps"
    assert "`unevaluatedItems` have too many branches" in said["unevaluated"]
