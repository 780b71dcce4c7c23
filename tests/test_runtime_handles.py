"""Long calls through a handle: status, reports, result, cancellation."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from mcp_contracts import (
    CallContext,
    CallEvent,
    CallHandle,
    EventKind,
    HandleStatus,
    MCPToolResult,
    Progress,
    ToolContext,
    ToolRegistry,
    UsageError,
)
from tests.runtime_tools import (
    call_of,
    closed,
    details_of,
    error_type,
    eventually,
    nothing,
    registry_of,
    require_valid,
    run,
    within,
)

_NUMBER = closed("number", number={"type": "integer"})


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Event that blocked functions wait for; set at the end, so that no thread remains."""
    event = threading.Event()
    yield event
    event.set()


def _status(handle: CallHandle) -> HandleStatus:
    """Return the current status; mypy assumes that an attribute that it has seen never changes."""
    return handle.status


def _waiting(release: threading.Event) -> ToolRegistry:
    """Return a tool that reports and waits until it is released."""

    async def waits(number: int, context: ToolContext) -> dict[str, int]:
        context.report(0, 2, "begun")
        while not release.is_set():
            await asyncio.sleep(0.001)
        context.report(1, 2, data={"number": number})
        return {"number": number}

    return registry_of(waits, _NUMBER)


def test_a_call_runs_in_the_background_where_no_loop_runs(release: threading.Event) -> None:
    registry = _waiting(release)

    handle = registry.start(call_of(number=1))

    assert eventually(lambda: handle.progress is not None)
    assert handle.status is HandleStatus.RUNNING
    assert registry.handle(handle.id) is handle
    with pytest.raises(TimeoutError):
        handle.result(0.01)
    release.set()
    assert require_valid(handle.result(5)).data == {"number": 1}
    assert _status(handle) is HandleStatus.FINISHED
    assert handle.reports == (Progress(0, 2, "begun"), Progress(1, 2, data={"number": 1}))
    assert handle.progress == Progress(1, 2, data={"number": 1})
    assert registry.handle(handle.id) is handle
    assert not handle.cancel()
    assert handle.id in repr(handle)


def test_a_call_runs_on_the_running_loop_and_is_awaited(release: threading.Event) -> None:
    registry = _waiting(release)

    async def ask() -> tuple[MCPToolResult, MCPToolResult]:
        handle = registry.start(call_of(number=1))
        await asyncio.sleep(0.005)
        assert handle.status is HandleStatus.RUNNING
        with pytest.raises(UsageError, match="cannot wait"):
            handle.result()
        release.set()
        first = await handle
        return first, await handle

    first, second = run(ask())

    assert first is second
    assert first.data == {"number": 1}


def test_a_cancelled_call_has_a_result_that_says_so(release: threading.Event) -> None:
    registry = _waiting(release)
    events: list[CallEvent] = []
    registry.subscribe(events.append)
    handle = registry.start(call_of(number=1))
    assert eventually(lambda: handle.progress is not None)

    assert handle.cancel()

    assert details_of(require_valid(handle.result(5))) == {"reason": "cancelled"}
    assert handle.status is HandleStatus.CANCELLED
    assert not handle.cancel()
    assert eventually(lambda: events[-1].kind is EventKind.FAILED)
    assert [event.kind for event in events if event.result is not None] == [EventKind.FAILED]
    assert {event.call_id for event in events} == {handle.id}


def test_a_sync_function_sees_that_its_call_was_cancelled(release: threading.Event) -> None:
    begun = threading.Event()
    told: list[bool] = []

    def blocks(context: ToolContext) -> None:
        begun.set()
        while not context.is_cancelled and not release.is_set():
            time.sleep(0.001)
        told.append(context.is_cancelled)
        context.report(1)  # nothing listens

    registry = registry_of(blocks)
    handle = registry.start(call_of())
    assert begun.wait(5)

    handle.cancel()

    assert error_type(handle.result(5)) == "ToolExecutionError"
    assert eventually(lambda: told == [True])
    assert handle.reports == ()


def test_another_thread_cancels_a_call_of_a_loop_by_its_id(release: threading.Event) -> None:
    registry = _waiting(release)
    answers: list[bool] = []

    def cancel(call_id: str) -> None:
        found = registry.handle(call_id)
        assert isinstance(found, CallHandle)
        answers.append(found.cancel())

    async def ask() -> MCPToolResult:
        handle = registry.start(call_of(number=1))
        await asyncio.sleep(0.005)
        thread = threading.Thread(target=cancel, args=(handle.id,))
        thread.start()
        result = await asyncio.wait_for(handle, 5)
        thread.join()
        return result

    result = run(ask())

    assert answers == [True]
    assert details_of(result) == {"reason": "cancelled"}


def test_another_thread_waits_for_a_call_of_a_loop(release: threading.Event) -> None:
    registry = _waiting(release)
    results: list[MCPToolResult] = []

    async def ask() -> None:
        handle = registry.start(call_of(number=1))
        thread = threading.Thread(target=lambda: results.append(handle.result(5)))
        thread.start()
        await asyncio.sleep(0.005)
        release.set()
        await handle
        await asyncio.to_thread(thread.join)

    run(ask())

    assert [result.data for result in results] == [{"number": 1}]


def test_who_waits_may_be_cancelled_without_the_call(release: threading.Event) -> None:
    registry = _waiting(release)

    async def ask() -> MCPToolResult:
        handle = registry.start(call_of(number=1))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(_awaited(handle), 0.01)
        assert handle.status is HandleStatus.RUNNING
        release.set()
        return await handle

    assert run(ask()).data == {"number": 1}


async def _awaited(handle: CallHandle) -> MCPToolResult:
    return await handle


def test_a_call_that_is_cancelled_at_once_is_cancelled(release: threading.Event) -> None:
    registry = registry_of(lambda: release.wait(5))

    async def ask() -> CallHandle:
        handle = registry.start(call_of())
        handle.cancel()
        await handle
        return handle

    handle = run(ask())

    assert handle.status is HandleStatus.CANCELLED


def test_calls_that_end_with_their_loop_are_cancelled(release: threading.Event) -> None:
    registry = _waiting(release)

    async def leave() -> CallHandle:
        handle = registry.start(call_of(number=1))
        await asyncio.sleep(0.005)
        return handle

    handle = asyncio.run(leave())

    assert handle.status is HandleStatus.CANCELLED
    assert details_of(handle.result(0)) == {"reason": "cancelled"}


@pytest.mark.parametrize("call", [None, "text", call_of("notes.nothing"), call_of(number="x")])
def test_a_call_that_is_refused_has_a_result_like_any_other(call: Any, release: threading.Event) -> None:
    registry = _waiting(release)

    handle = registry.start(call)

    assert require_valid(handle.result(5)).error is not None
    assert handle.status is HandleStatus.FINISHED


def test_a_deadline_ends_a_started_call(release: threading.Event) -> None:
    registry = _waiting(release)
    told: list[Progress] = []

    handle = registry.start(call_of(number=1), context=CallContext(deadline=0.02, on_progress=told.append))

    assert error_type(handle.result(5)) == "TimeoutError"
    assert handle.status is HandleStatus.FINISHED
    assert told == [Progress(0, 2, "begun")]


def test_handles_that_ended_are_forgotten_past_the_last_thousand(release: threading.Event) -> None:
    registry = registry_of(nothing)
    waiting = registry.start(call_of())
    waiting.result(5)

    handles = [registry.start(call_of()) for _ in range(1_100)]
    for handle in handles:
        handle.result(5)
    registry.start(call_of()).result(5)

    assert registry.handle(waiting.id) is None
    assert registry.handle(handles[-1].id) is handles[-1]
    assert registry.handle("nothing") is None
    assert sum(registry.handle(handle.id) is not None for handle in handles) <= 1_001


def test_only_the_last_hundred_reports_are_kept() -> None:
    def reports(context: ToolContext) -> None:
        for number in range(500):
            context.report(number)

    handle = registry_of(reports).start(call_of(), context=within(30))

    handle.result(5)
    assert [report.completed for report in handle.reports] == list(range(400, 500))
