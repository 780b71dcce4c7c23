"""The registry behind the SDK's server, called by the SDK's client in both eras of the protocol."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import CallToolRequestParams, Request
from pydantic import TypeAdapter

from mcp_contracts.bundle import bundle_tool
from mcp_contracts.runtime.context import ToolContext
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.serving.protocol import Session
from mcp_contracts.sources.load import load
from tests.serving_servers import DEMO, MODES, NAMES, client_of, demo_registry

both_eras = pytest.mark.parametrize("mode", MODES)


def called(mode: str, name: str, arguments: dict[str, Any], session: Session | None = None) -> Any:
    async def call() -> Any:
        async with client_of(demo_registry(), mode, session) as client:
            return await client.call_tool(name, arguments)

    return asyncio.run(call())


@both_eras
def test_tools_are_listed_with_schemas_annotations_and_versions(mode: str) -> None:
    async def listed() -> Any:
        async with client_of(demo_registry(), mode) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in asyncio.run(listed())}

    assert sorted(tools) == NAMES
    add = tools["demo.add"]
    assert add.input_schema["required"] == ["a", "b"]
    assert add.output_schema is not None
    assert add.annotations is not None
    assert add.annotations.read_only_hint is True
    assert add.meta == {"org.mcp-contracts/version": "1.0.0"}


@both_eras
def test_a_result_is_structured_and_text(mode: str) -> None:
    result = called(mode, "demo.add", {"a": 1, "b": 2})

    assert result.structured_content == {"sum": 3}
    assert [block.text for block in result.content] == ['{"sum":3}']
    assert not result.is_error


@both_eras
@pytest.mark.parametrize(
    ("name", "arguments", "error_type", "words"),
    [
        ("demo.add", {"a": 1}, "ValidationError", "lacks the required property `b`"),
        ("demo.add", {"a": 999_999, "b": 1}, "ToolExecutionError", "data that its contract rejects"),
        ("demo.lookup", {"word": "unknown"}, "ResourceNotFound", "nobody knows unknown"),
        ("demo.lookup", {"word": "crash"}, "ToolExecutionError", "with `RuntimeError`"),
    ],
)
def test_a_failure_is_an_error_result_with_its_detail(
    mode: str, name: str, arguments: dict[str, Any], error_type: str, words: str
) -> None:
    logging.disable(logging.CRITICAL)
    try:
        result = called(mode, name, arguments)
    finally:
        logging.disable(logging.NOTSET)

    assert result.is_error
    assert result.structured_content is None
    assert result.content[0].text.startswith(f"{error_type}: ")
    assert words in result.content[0].text
    assert result.meta["org.mcp-contracts/result"]["error"]["error_type"] == error_type
    assert "s3cret" not in str(result)


@both_eras
def test_an_unknown_tool_is_a_protocol_error(mode: str) -> None:
    async def call() -> MCPError:
        async with client_of(demo_registry(), mode) as client:
            with pytest.raises(MCPError) as raised:
                await client.call_tool("demo.nope", {})
        return raised.value

    error = asyncio.run(call())

    assert (error.code, error.message) == (-32602, "Unknown tool: demo.nope")


@both_eras
def test_progress_comes_in_order_before_the_result(mode: str) -> None:
    seen: list[Any] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async def call() -> None:
        async with client_of(demo_registry(), mode) as client:
            await client.call_tool("demo.wait", {"seconds": 0}, progress_callback=note)

    asyncio.run(call())

    assert seen == [(1, 2, "half"), (2, 2, None)]


@both_eras
def test_progress_from_a_thread_without_values_counts_up(mode: str) -> None:
    registry = ToolRegistry(contract for contract in load(DEMO) if contract.name == "demo.lookup")

    @registry.implement("demo.lookup")
    def lookup(context: ToolContext, word: str) -> dict[str, object]:
        context.report(message="first")
        context.report(message="second")
        context.report(1, message="too low to be sent")
        return {"found": "no"}

    seen: list[Any] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, message))

    async def call() -> None:
        async with client_of(registry, mode) as client:
            await client.call_tool("demo.lookup", {"word": "x"}, progress_callback=note)

    asyncio.run(call())

    assert seen == [(1, "first"), (2, "second")]


@both_eras
def test_a_client_that_gives_up_cancels_the_function(mode: str) -> None:
    registry = ToolRegistry(contract for contract in load(DEMO) if contract.name == "demo.wait")
    started, cancelled = asyncio.Event(), asyncio.Event()

    @registry.implement("demo.wait")
    async def wait(seconds: float, tag: str = "") -> dict[str, object]:
        started.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return {}

    async def call() -> None:
        async with client_of(registry, mode) as client:
            task = asyncio.create_task(client.call_tool("demo.wait", {"seconds": 60}))
            await started.wait()
            task.cancel()
            await cancelled.wait()

    asyncio.run(call())

    assert cancelled.is_set()


@both_eras
def test_channel_and_caller_of_the_session_reach_the_function(mode: str) -> None:
    result = called(mode, "demo.channel", {}, Session("sms", "somebody"))

    assert result.structured_content == {"channel": "sms", "caller": "somebody"}


@both_eras
def test_a_channel_lists_the_tools_that_serve_it(mode: str) -> None:
    async def listed(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    async def names() -> list[str]:
        async with client_of(demo_registry(), mode, Session("fax")) as client:
            return await listed(client)

    assert asyncio.run(names()) == [name for name in NAMES if name != "demo.channel"]


@both_eras
def test_a_version_may_be_asked_for(mode: str) -> None:
    async def call() -> Any:
        async with client_of(demo_registry(), mode) as client:
            meta: Any = {"org.mcp-contracts/version": "^2"}
            return await client.call_tool("demo.add", {"a": 1, "b": 2}, meta=meta)

    result = asyncio.run(call())

    assert result.is_error
    assert "no version" in result.content[0].text


def test_clients_are_reported_when_tools_change() -> None:
    messages: list[Any] = []

    async def change() -> list[str]:
        registry = demo_registry()
        told = asyncio.Event()

        async def note(message: Any) -> None:
            messages.append(getattr(message, "method", None))
            told.set()

        from mcp_contracts.serving.calls import ServedCalls
        from mcp_contracts.serving.catalog import Catalog
        from mcp_contracts.serving.protocol import ProtocolServer, ServerName

        server = ProtocolServer(ServedCalls(Catalog(registry)), ServerName(), lambda request: Session())
        async with asyncio.timeout(30), Client(server.server, mode="legacy", message_handler=note) as client:
            await client.list_tools()
            registry.remove("demo.add")
            await told.wait()
            return [tool.name for tool in (await client.list_tools()).tools]

    names = asyncio.run(change())

    assert names == NAMES[1:]
    assert messages == ["notifications/tools/list_changed"]


def test_a_client_of_2026_listens_for_changes() -> None:
    from mcp.client.subscriptions import listen

    async def change() -> list[str]:
        registry = demo_registry()
        async with client_of(registry, "2026-07-28") as client, listen(client.session, tools_list_changed=True) as news:
            registry.remove("demo.add")
            async for _ in news:
                break
            return [tool.name for tool in (await client.list_tools()).tools]

    assert asyncio.run(change()) == NAMES[1:]


@both_eras
def test_a_tool_is_described_in_full(mode: str) -> None:
    def described(name: str) -> Request[Any, Any]:
        return Request(method="tools/describe", params=CallToolRequestParams(name=name))

    found: TypeAdapter[Any] = TypeAdapter(dict[str, Any])

    async def call() -> tuple[Any, MCPError]:
        async with client_of(demo_registry(), mode) as client:
            answer = await client.session.send_request(described("demo.wait"), found)
            with pytest.raises(MCPError) as raised:
                await client.session.send_request(described("demo.nope"), found)
        return answer["tool"], raised.value

    tool, error = asyncio.run(call())

    assert tool == bundle_tool(demo_registry()["demo.wait"].contract)
    assert error.message == "Unknown tool: demo.nope"


@both_eras
def test_partial_results_are_progress(mode: str) -> None:
    def rows() -> Iterator[object]:
        yield "first"
        yield [1, {"a": None}]

    seen: list[Any] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, message))

    async def call() -> None:
        async with client_of(ToolRegistry("demo", [rows]), mode) as client:
            await client.call_tool("demo.rows", {}, progress_callback=note)

    asyncio.run(call())

    assert seen == [(1, "first"), (2, '[1, {"a": null}]')]
