"""Subscribers receive events, and nothing that they do affects a call."""

from __future__ import annotations

import asyncio
import functools
import logging
import threading
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus
from mcp_contracts.runtime.context import CallContext
from mcp_contracts.runtime.telemetry.events import (
    LOGGER_NAME,
    CallEvent,
    EventKind,
    Subscribers,
    ToolsChanged,
    log_call,
)
from tests.support_schemas import tool

FAILURE = MCPToolResult(
    status=ResultStatus.FAILURE, error=MCPErrorDetail(error_type="CityUnknown", error_message="hunter2 is no city")
)


def event(kind: EventKind = EventKind.FINISHED, **fields: Any) -> CallEvent:
    """Return an event of a call that contains secrets."""
    given: dict[str, Any] = {
        "tool": "weather.get",
        "version": "1.2.0",
        "call_id": "c1",
        "time": datetime(2026, 1, 2, tzinfo=UTC),
        "context": CallContext(caller="ann", metadata={"key": "hunter2"}),
        "contract": tool({"type": "object"}, name="weather.get"),
        "arguments": {"password": "hunter2"},
        "duration": 0.0123456,
        "result": MCPToolResult(data={"secret": "hunter2"}),
    }
    return CallEvent(kind, **{**given, **fields})


def test_event_goes_to_all_in_the_order_in_which_they_came() -> None:
    told: list[str] = []
    subscribers: Subscribers[ToolsChanged] = Subscribers()
    subscribers.add(lambda change: told.append(f"first {change.added}"))
    subscribers.add(lambda change: told.append(f"second {change.removed}"))

    subscribers.publish(ToolsChanged(added=("a.b",), removed=("c.d",)))

    assert told == ["first ('a.b',)", "second ('c.d',)"]
    assert len(subscribers) == 2


def test_unsubscribing_twice_is_the_same_as_once() -> None:
    told: list[int] = []
    subscribers: Subscribers[int] = Subscribers()
    unsubscribe = subscribers.add(told.append)
    subscribers.add(told.append)

    unsubscribe()
    unsubscribe()
    subscribers.publish(1)

    assert told == [1]
    assert subscribers
    assert not Subscribers[int]()


@pytest.mark.parametrize("error", [ValueError("s3cret"), asyncio.CancelledError(), RecursionError(), SystemExit(3)])
def test_error_of_a_callback_is_logged_once_and_stops_no_other(
    caplog: pytest.LogCaptureFixture, error: BaseException
) -> None:
    told: list[int] = []

    def broken(number: int) -> None:
        raise error

    subscribers: Subscribers[int] = Subscribers()
    subscribers.add(broken)
    subscribers.add(told.append)

    with caplog.at_level(logging.DEBUG):
        subscribers.publish(1)
        subscribers.publish(2)

    assert told == [1, 2]
    (record,) = caplog.records
    assert record.name == LOGGER_NAME
    assert "broken` raised an error" in record.getMessage()
    assert record.exc_info is None, "the text of an exception may hold a secret"
    assert f"{type(error).__name__}\n" in record.getMessage()
    assert "s3cret" not in caplog.text


def test_an_interrupt_passes_once_the_others_are_reported() -> None:
    told: list[int] = []

    def ends(number: int) -> None:
        raise KeyboardInterrupt

    subscribers: Subscribers[int] = Subscribers()
    subscribers.add(ends)
    subscribers.add(told.append)

    with pytest.raises(KeyboardInterrupt):
        subscribers.publish(1)

    assert told == [1]


def test_broken_filter_of_the_logger_stops_no_call() -> None:
    def refuse(record: logging.LogRecord) -> bool:
        raise ValueError("filter")

    subscribers: Subscribers[int] = Subscribers()
    subscribers.add(lambda number: 1 / 0)
    logger = logging.getLogger(LOGGER_NAME)
    logger.addFilter(refuse)
    try:
        subscribers.publish(1)
        log_call(event(EventKind.FAILED))
    finally:
        logger.removeFilter(refuse)


class _Awaited:
    async def __call__(self, number: int) -> None:
        """Do nothing."""


async def _coroutine(number: int) -> None:
    """Do nothing."""


async def _generator(number: int) -> AsyncIterator[int]:
    yield number


@pytest.mark.parametrize("callback", [_coroutine, functools.partial(_coroutine), _Awaited(), _generator])
def test_coroutine_function_is_refused_with_a_way_out(callback: Callable[[int], object]) -> None:
    subscribers: Subscribers[int] = Subscribers()

    with pytest.raises(UsageError, match="a coroutine function cannot be subscribed") as raised:
        subscribers.add(callback)

    assert raised.value.hint is not None
    assert "asyncio.Queue" in raised.value.hint
    assert not subscribers


def test_what_cannot_be_called_is_refused() -> None:
    with pytest.raises(UsageError, match="`int` cannot be subscribed"):
        Subscribers[int]().add(7)  # type: ignore[arg-type]  # the fault that is tested


def test_awaitable_that_comes_back_anyway_is_closed_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    subscribers: Subscribers[int] = Subscribers()
    subscribers.add(lambda number: _coroutine(number))

    subscribers.publish(1)  # a coroutine that is never awaited would be a warning, and so an error
    subscribers.publish(2)

    assert ["returned an awaitable" in record.getMessage() for record in caplog.records] == [True]


def test_task_that_comes_back_runs_on(caplog: pytest.LogCaptureFixture) -> None:
    told: list[int] = []

    async def tell(number: int) -> None:
        told.append(number)

    async def main() -> None:
        subscribers: Subscribers[int] = Subscribers()
        tasks: list[asyncio.Task[None]] = []

        def started(number: int) -> asyncio.Task[None]:
            tasks.append(asyncio.get_running_loop().create_task(tell(number)))
            return tasks[-1]

        subscribers.add(started)
        subscribers.publish(1)
        await asyncio.gather(*tasks)

    asyncio.run(main())

    assert told == [1]
    assert not caplog.records


def test_callbacks_may_come_and_go_while_an_event_is_published() -> None:
    told: list[str] = []
    subscribers: Subscribers[int] = Subscribers()

    def first(number: int) -> None:
        told.append(f"first {number}")
        leave_first()
        leave_third()
        subscribers.add(lambda later: told.append(f"fourth {later}"))

    leave_first = subscribers.add(first)
    subscribers.add(lambda number: told.append(f"second {number}"))
    leave_third = subscribers.add(lambda number: told.append(f"third {number}"))

    subscribers.publish(1)
    subscribers.publish(2)

    assert told == ["first 1", "second 1", "second 2", "fourth 2"]


def test_threads_may_subscribe_and_publish_at_once() -> None:
    subscribers: Subscribers[int] = Subscribers()
    told: list[int] = []
    subscribers.add(told.append)
    start = threading.Barrier(8)

    def work() -> None:
        start.wait()
        for number in range(100):
            leave = subscribers.add(lambda event: None)
            subscribers.publish(number)
            leave()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(told) == 800
    assert len(subscribers) == 1


def test_text_of_an_event_shows_no_arguments_and_no_results() -> None:
    assert "hunter2" not in repr(event())
    assert "weather.get" in repr(event())


@pytest.mark.parametrize(
    ("kind", "level"), [(EventKind.FINISHED, "DEBUG"), (EventKind.REFUSED, "INFO"), (EventKind.FAILED, "INFO")]
)
def test_end_of_a_call_is_logged_by_its_kind(caplog: pytest.LogCaptureFixture, kind: EventKind, level: str) -> None:
    with caplog.at_level(logging.DEBUG):
        log_call(event(kind, result=FAILURE))

    (record,) = caplog.records
    assert (record.name, record.levelname) == (LOGGER_NAME, level)
    assert record.getMessage() == (f"`weather.get` 1.2.0 {kind}: failure, `CityUnknown`, 12.346 ms, call `c1`")
    assert {name: value for name, value in vars(record).items() if name.startswith("mcp_")} == {
        "mcp_tool": "weather.get",
        "mcp_version": "1.2.0",
        "mcp_call_id": "c1",
        "mcp_outcome": kind.value,
        "mcp_status": "failure",
        "mcp_error_type": "CityUnknown",
        "mcp_duration_ms": 12.346,
    }
    assert "hunter2" not in str(vars(record))


def test_a_failure_that_no_tool_means_is_logged_as_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    error = MCPErrorDetail(error_type="TimeoutError", error_message="late")

    with caplog.at_level(logging.DEBUG):
        log_call(event(EventKind.FAILED, result=MCPToolResult(status=ResultStatus.FAILURE, error=error)))

    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_beginning_and_progress_of_a_call_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        log_call(event(EventKind.CALLED))
        log_call(event(EventKind.PROGRESS))

    assert not caplog.records


def test_name_of_an_unknown_tool_stays_on_one_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        log_call(event(EventKind.REFUSED, tool="a\nERROR forged" + "x" * 500, version=None, contract=None))

    message = caplog.records[0].getMessage()
    assert "\n" not in message
    assert len(message) < 300
