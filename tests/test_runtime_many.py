"""Thousands of calls at once: each is answered once, in order, and nothing remains."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from mcp_contracts import CallEvent, EventKind, MCPToolCall, MCPToolResult, ToolContext, ToolError, ToolRegistry
from mcp_contracts.runtime.telemetry.events import LOGGER_NAME
from tests.runtime_tools import call_of, closed, contract, details_of, error_type, eventually, require_valid, run

_MANY = 1_500
_THREADS = 8
_KINDS = ("async", "later", "sync", "refused", "raises", "unknown", "late", "fails")
_NUMBER = closed("number", number={"type": "integer", "minimum": 0})


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Event that blocked functions wait for; set at the end, so that no thread remains."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture(autouse=True)
def _without_log() -> Iterator[None]:
    """Log nothing, because pytest keeps every record with the traceback of every error."""
    logger = logging.getLogger(LOGGER_NAME)
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    yield
    logger.setLevel(level)


def _registry() -> tuple[ToolRegistry, Counter[int]]:
    """Return tools with all kinds of behavior, and how often each number reached a function."""
    registry = ToolRegistry(
        [contract(_NUMBER, name=f"many.{kind}") for kind in _KINDS if kind != "unknown"], threads=_THREADS
    )
    ran: Counter[int] = Counter()

    def note(number: int) -> dict[str, Any]:
        ran[number] += 1
        return {"number": number}

    @registry.implement("many.async")
    async def at_once(number: int) -> dict[str, Any]:
        return note(number)

    @registry.implement("many.later")
    async def later(number: int) -> dict[str, Any]:
        await asyncio.sleep(0)
        return note(number)

    registry.implement("many.sync")(note)
    registry.implement("many.refused")(note)

    @registry.implement("many.raises")
    async def raises(number: int) -> None:
        note(number)
        raise ValueError(f"{number}")

    @registry.implement("many.late", deadline=0.001)
    async def late(number: int) -> None:
        note(number)
        await asyncio.sleep(30)

    @registry.implement("many.fails")
    def fails(number: int) -> None:
        note(number)
        raise ToolError("Full", "no room", {"number": number})

    return registry, ran


def _call(number: int) -> dict[str, Any]:
    kind = _KINDS[number % len(_KINDS)]
    return call_of(f"many.{kind}", number=-1 if kind == "refused" else number)


def _require_answer(number: int, result: MCPToolResult) -> None:
    kind = _KINDS[number % len(_KINDS)]
    match kind:
        case "async" | "later" | "sync":
            assert result.data == {"number": number}
        case "fails":
            assert details_of(result) == {"number": number}
        case _:
            expected = {"refused": "ValidationError", "unknown": "ResourceNotFound", "late": "TimeoutError"}
            assert error_type(result) == expected.get(kind, "ToolExecutionError")


def test_thousands_of_calls_are_each_answered_once_and_in_order() -> None:
    registry, ran = _registry()
    ended: Counter[str] = Counter()
    kinds: Counter[EventKind] = Counter()

    def note(event: CallEvent) -> None:
        kinds[event.kind] += 1
        if event.result is not None:
            ended[event.call_id] += 1

    registry.subscribe(note)
    before = threading.active_count()

    async def ask() -> list[MCPToolResult]:
        results = await registry.acall_many((_call(number) for number in range(_MANY)), concurrency=1_000)
        assert threading.active_count() <= before + 2 * _THREADS
        return results

    results = run(ask())

    assert len(results) == _MANY
    for number, result in enumerate(results):
        _require_answer(number, result)
    for result in results[:100]:
        require_valid(result)
    expected = {n for n in range(_MANY) if _KINDS[n % len(_KINDS)] not in ("refused", "unknown")}
    # A deadline may pass before a function has had its turn.
    late = {number for number in expected if _KINDS[number % len(_KINDS)] == "late"}
    assert set(ran) | late == expected
    assert set(ran.values()) == {1}
    assert len(ended) == _MANY
    assert set(ended.values()) == {1}
    assert sum(kinds[kind] for kind in (EventKind.FINISHED, EventKind.FAILED, EventKind.REFUSED)) == _MANY


def test_thousands_of_calls_all_at_once() -> None:
    registry, _ = _registry()

    async def ask() -> list[MCPToolResult]:
        return await asyncio.gather(*(registry.acall(_call(number)) for number in range(_MANY)))

    results = run(ask())

    for number, result in enumerate(results):
        _require_answer(number, result)


def test_calls_that_are_cancelled_among_others_leave_nothing_behind(release: threading.Event) -> None:
    registry, _ = _registry()

    @registry.tool(name="many.blocks")
    async def blocks(number: int) -> None:
        await asyncio.sleep(30)

    async def ask() -> list[MCPToolResult | BaseException]:
        tasks = [
            asyncio.create_task(registry.acall(call_of("many.blocks", number=number) if number % 2 else _call(number)))
            for number in range(2_000)
        ]
        await asyncio.sleep(0.01)
        for task in tasks[1::2]:
            task.cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    results = run(ask())

    assert all(isinstance(result, asyncio.CancelledError) for result in results[1::2])
    for number, result in enumerate(results):
        if not number % 2:
            assert isinstance(result, MCPToolResult)
            _require_answer(number, result)


def test_memory_is_flat() -> None:
    registry, _ = _registry()

    async def ask() -> None:
        for result in await registry.acall_many((_call(number) for number in range(200)), concurrency=100):
            assert result.status

    def left() -> int:
        run(ask())
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        left()
        warm = left()
        later = [left() for _ in range(2)]
    finally:
        tracemalloc.stop()

    assert max(later) - warm < 100_000  # a tenth of the memory for the calls of one round, if they remained


def test_calls_that_block_past_their_deadline_take_no_more_threads_than_allowed(release: threading.Event) -> None:
    registry = ToolRegistry([contract(name="many.blocks"), contract(name="many.sync")], threads=_THREADS)
    seen: list[bool] = []

    @registry.implement("many.blocks", deadline=0.02)
    def blocks(context: ToolContext) -> None:
        release.wait(30)
        seen.append(context.is_cancelled)

    registry.implement("many.sync")(lambda: {"ran": True})
    before = threading.active_count()

    async def ask() -> list[MCPToolResult]:
        results = await registry.acall_many([call_of("many.blocks")] * 100, concurrency=100)
        assert threading.active_count() <= before + 2 * _THREADS
        return results

    results = run(ask())

    assert {error_type(result) for result in results} <= {"TimeoutError", "ToolExecutionError"}
    release.set()
    assert eventually(lambda: len(seen) >= _THREADS // 4)  # on a slow machine some never start
    assert all(seen)
    ends_at = time.monotonic() + 5
    while run(registry.acall(call_of("many.sync"))).data != {"ran": True}:
        assert time.monotonic() < ends_at  # as soon as the threads have come back
    assert len(seen) <= _THREADS * 3 // 4  # the share of one tool


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ('[{"tool_name": "a.number", "arguments": {"number": 1}}, {"tool_name": "a.none", "arguments": {}}, 3]',
         ["success", "failure", "failure"]),
        (b'[{"tool_name": "a.number", "arguments": {"number": 2}}]', ["success"]),
        ({"tool_name": "a.number", "arguments": {"number": 2}}, ["success"]),
        (MCPToolCall(tool_name="a.number", arguments={"number": 2}), ["success"]),
        ('{"tool_name": "a.number", "arguments": {"number": 1}}', ["success"]),
        ("[]", []),
        ("[{", ["failure"]),
        ("7", ["failure"]),
        (b"\xff", ["failure"]),
    ],
)  # fmt: skip
def test_a_batch_is_an_array_of_calls_answered_in_order(text: Any, statuses: list[str]) -> None:
    registry = ToolRegistry("a")

    @registry.tool
    def number(number: int) -> int:
        """Returns the number."""
        return number

    results = registry.call_many(text)

    assert [result.status for result in results] == statuses
    assert {result.error.error_type for result in results if result.error} <= {"ValidationError", "ResourceNotFound"}
