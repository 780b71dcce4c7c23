"""Generators as tools: partial results, the result, bounds, and how they are closed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from typing import Any

import pytest

from mcp_contracts import CallContext, MCPToolCall, MCPToolResult, NoChangeNeeded, Progress, ToolRegistry
from mcp_contracts.agents import Agent, AgentEvent, AgentEventKind
from mcp_contracts.contract import JsonValue
from mcp_contracts.runtime.calls import running
from tests.runtime_tools import call_of, details_of, error_type, registry_of, require_valid, run

_closed: list[str] = []
_open: list[str] = []


async def rows(count: int) -> AsyncIterator[list[int] | Progress]:
    """Yields all rows so far."""
    found: list[int] = []
    for number in range(count):
        yield Progress(number, count, "reading")
        found.append(number)
        yield found


def counted(count: int) -> Generator[int, None, dict[str, int]]:
    """Yields numbers, and returns how many they are."""
    yield from range(count)
    return {"count": count}


async def unchanged(count: int) -> AsyncIterator[int | NoChangeNeeded]:
    """Yields a number, and then that there was nothing to do."""
    yield count
    yield NoChangeNeeded("all is there")


async def never(count: int) -> AsyncIterator[int]:
    """Yields nothing."""
    for number in range(0, count, -1):
        yield number


def _called(function: Callable[..., Any], way: str, **settings: Any) -> tuple[MCPToolResult, list[Progress]]:
    registry, told = ToolRegistry("demo", [function]), list[Progress]()
    call, context = call_of(f"demo.{function.__name__}", count=2), CallContext(on_progress=told.append, **settings)
    result = registry.call(call, context=context) if way == "call" else run(registry.acall(call, context=context))
    require_valid(result)
    return result, told


@pytest.mark.parametrize("way", ["call", "acall"])
@pytest.mark.parametrize(
    ("function", "data", "told"),
    [
        (rows, {"result": [0, 1]}, [(0, None), (None, [0]), (1, None), (None, [0, 1])]),
        (counted, {"count": 2}, [(None, 0), (None, 1)]),
        (unchanged, None, [(None, 2), (None, None)]),
    ],
)
def test_the_last_value_is_the_result_and_each_value_is_reported(function: Any, data: Any, told: Any, way: str) -> None:
    result, reports = _called(function, way)

    assert (result.ok, result.data) == (True, data)
    assert [(report.completed, report.data) for report in reports] == told


def test_the_output_schema_judges_the_result_only() -> None:
    def texts() -> Iterator[object]:
        yield "partial"
        yield {"count": 2}

    schema: JsonValue = {"type": "object", "required": ["count"]}

    assert registry_of(texts, output_schema=schema).call(call_of()).data == {"count": 2}
    assert error_type(_called(never, "call")[0]) == "ToolExecutionError"
    assert ToolRegistry("demo", [rows])["demo.rows"].contract.output_schema == {
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"type": "integer"}}},
        "required": ["result"],
        "additionalProperties": False,
    }


def test_values_are_bounded_in_number_and_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_PARTS", 3)

    async def endless(count: int) -> AsyncIterator[int]:
        try:
            while True:
                yield count
        finally:
            _closed.append("endless")

    async def long(count: int) -> AsyncIterator[str]:
        yield "x" * 200_000

    result, told = _called(endless, "call")
    whole, shown = _called(long, "acall")

    assert (len(told), _closed.pop()) == (3, "endless")
    assert result.error is not None
    assert result.error.error_message == "the tool yielded more than 3 values"
    assert (len(str(whole.data)) > 200_000, shown[0].data) == (True, None)


@pytest.mark.parametrize("value", [object(), float("nan"), {(1, 2): 3}])
def test_a_value_that_is_not_json_ends_the_call(value: object) -> None:
    def yields() -> Iterator[object]:
        yield value
        yield {}

    result = registry_of(yields).call(call_of())

    assert result.error is not None
    assert result.error.error_message.startswith("the tool yielded a value that JSON cannot represent")


async def suppressing(count: int) -> AsyncIterator[int]:
    """Suppresses its cancellation."""
    _open.append("suppressing")
    try:
        while True:
            try:
                await asyncio.sleep(0.001)
            except asyncio.CancelledError:
                count += 1
            yield count
    finally:
        _open.remove("suppressing")


async def busy(count: int) -> AsyncIterator[int]:
    """Awaits nothing."""
    _open.append("busy")
    try:
        while True:
            yield count
    finally:
        _open.remove("busy")


def blocking(count: int) -> Iterator[int]:
    """Sleeps."""
    _open.append("blocking")
    try:
        while True:
            time.sleep(0.001)
            yield count
    finally:
        _open.remove("blocking")


@pytest.mark.parametrize("way", ["call", "acall"])
@pytest.mark.parametrize("function", [suppressing, busy, blocking])
def test_a_generator_is_closed_at_the_deadline(function: Any, way: str) -> None:
    result, _ = _called(function, way, deadline=0.03)

    assert (error_type(result), details_of(result)) == ("TimeoutError", {"deadline_seconds": 0.03})
    _require_closed(function)


@pytest.mark.parametrize("function", [suppressing, busy, blocking])
def test_a_generator_is_closed_with_the_task_that_awaits_it(function: Any) -> None:
    async def cancelled() -> None:
        call = call_of(f"demo.{function.__name__}", count=1)
        task = asyncio.create_task(ToolRegistry("demo", [function]).acall(call))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())

    _require_closed(function)


def _require_closed(function: Any) -> None:
    ends_at = time.monotonic() + 5
    while function.__name__ in _open and time.monotonic() < ends_at:
        time.sleep(0.001)
    assert function.__name__ not in _open


def test_called_plainly_it_is_the_generator() -> None:
    tool: Any = ToolRegistry("demo").tool(rows)

    async def values() -> list[Any]:
        return [value async for value in tool(1)]

    assert asyncio.run(values())[-1] == [0]


def test_an_agent_reports_the_progress_of_calls_before_their_results() -> None:
    replies = iter([MCPToolCall(**call_of("demo.rows", count=1)), "done"])
    told: list[AgentEvent] = []
    agent = Agent([ToolRegistry("demo").tool(rows)], lambda messages: next(replies), on_event=told.append)

    asyncio.run(agent.run("Read."))

    reports = [event.progress and event.progress.data for event in told if event.kind is AgentEventKind.PROGRESS]
    kinds = [event.kind for event in told]
    assert reports == [None, [0]]
    assert kinds[1:5] == ["called", "progress", "progress", "result"]
