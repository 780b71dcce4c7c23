"""What happens to calls and to the registry, told to those who subscribed: events, subscribers, the log of calls."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.runtime.context import CallContext, Progress
from mcp_contracts.schema.wording import shown_text

LOGGER_NAME = "mcp_contracts.runtime"
"""The name of the standard logger that the runtime writes to."""

_LOGGER = logging.getLogger(LOGGER_NAME)
_EVENT = TypeVar("_EVENT")


class EventKind(StrEnum):
    """What happened to a call."""

    CALLED = "called"  # its arguments are valid, and its function is about to run
    FINISHED = "finished"  # with any status but a failure
    FAILED = "failed"  # the function was reached, and the result is a failure
    REFUSED = "refused"  # the function was never reached: unknown tool or version, invalid arguments, a limit
    PROGRESS = "progress"  # the function reported how far it is


@dataclass(frozen=True, slots=True)
class CallEvent:
    """One thing that happened to one call, at `time` (aware, in UTC).

    `tool` is the name that was asked for, and `contract` is None where nobody knows it. `arguments` are those of the
    caller, secrets included: pass them through `redacted` before they are kept. `duration` is in seconds since the
    call was taken, None for called and progress. `result` is there once the call has ended, `progress` for progress
    alone. The `repr` shows neither arguments nor results, so that an event can be logged.
    """

    kind: EventKind
    tool: str
    version: str | None
    call_id: str
    time: datetime
    context: CallContext = field(repr=False)
    contract: ToolContract | None = field(repr=False)
    arguments: Mapping[str, Any] = field(repr=False)
    duration: float | None = None
    result: MCPToolResult | None = field(default=None, repr=False)
    progress: Progress | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ToolsChanged:
    """Tools came or went; their names, sorted."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class _Subscription(Generic[_EVENT]):
    """A callback, whether it is still wanted, and whether its fault was logged already."""

    callback: Callable[[_EVENT], object]
    is_active: bool = True
    is_reported: bool = False


class Subscribers(Generic[_EVENT]):
    """Callbacks that are told of events. All methods may be called from any thread, and from within a callback.

    `subscriptions` is empty where nobody is told, to be looked at where a call of `__bool__` would cost too much.
    """

    __slots__ = ("_lock", "subscriptions")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.subscriptions: tuple[_Subscription[_EVENT], ...] = ()  # replaced, never changed

    def __len__(self) -> int:
        return len(self.subscriptions)

    def __bool__(self) -> bool:
        return bool(self.subscriptions)

    def add(self, callback: Callable[[_EVENT], object]) -> Callable[[], None]:
        """Call `callback` with every event from now on, until the function that is returned is called.

        It is called in the thread in which the event happens, and the call waits for it: it should be quick. What it
        returns is ignored. Raises UsageError where it cannot be called, or is a coroutine function.
        """
        if not callable(callback):
            raise UsageError(
                f"a `{type(callback).__name__}` cannot be subscribed, since it cannot be called",
                hint="pass a function of one parameter, the event",
            )
        if _is_async(callback) or _is_async(getattr(callback, "__call__", None)):  # noqa: B004  its method is wanted
            raise UsageError(
                "a coroutine function cannot be subscribed, since no event waits for it",
                hint="subscribe `queue.put_nowait` of an `asyncio.Queue`, by `loop.call_soon_threadsafe` where calls "
                "run in other threads, and await its items in a task",
            )
        subscription = _Subscription(callback)
        with self._lock:
            self.subscriptions = (*self.subscriptions, subscription)

        def unsubscribe() -> None:
            subscription.is_active = False
            with self._lock:
                self.subscriptions = tuple(kept for kept in self.subscriptions if kept is not subscription)

        return unsubscribe

    def publish(self, event: _EVENT) -> None:
        """Tell every subscriber of an event, in the order in which they came.

        Never raises but KeyboardInterrupt and SystemExit: what a callback raises is logged, the first time with its
        traceback and then no more, and the others are told all the same. A callback that comes while an event is
        published is told of the next one; one that is unsubscribed meanwhile is told no more.
        """
        for subscription in self.subscriptions:
            if not subscription.is_active:
                continue
            try:
                answer = subscription.callback(event)
                if answer is not None:
                    _discard(answer, subscription)
            # Nothing is awaited here, so that a cancellation comes out of the callback and is not meant for the call.
            except (Exception, asyncio.CancelledError):
                _report(subscription, "raised an error", with_traceback=True)


def _is_async(function: object) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def _discard(answer: object, subscription: _Subscription[_EVENT]) -> None:
    """Close what should have been awaited, so that Python does not warn of it elsewhere; a task runs on its own."""
    if not inspect.isawaitable(answer) or isinstance(answer, asyncio.Future):
        return
    close = getattr(answer, "close", None)
    if callable(close):
        close()
    _report(subscription, "returned an awaitable, which is never awaited")


def _report(subscription: _Subscription[_EVENT], fault: str, *, with_traceback: bool = False) -> None:
    if subscription.is_reported:
        return
    subscription.is_reported = True
    callback = subscription.callback
    name = getattr(callback, "__qualname__", None) or type(callback).__qualname__
    with suppress(Exception):  # a filter or a handler of the application's own
        _LOGGER.error("the subscriber `%s` %s; it is logged once", name, fault, exc_info=with_traceback)


LOG_LEVELS = {EventKind.FINISHED: logging.DEBUG, EventKind.REFUSED: logging.INFO, EventKind.FAILED: logging.INFO}
"""How the end of a call is logged; a failure that the tool did not mean is a warning."""
_FAULTS = ("ToolExecutionError", "TimeoutError")


def log_level(kind: EventKind, result: MCPToolResult | None) -> int | None:
    """How an event is logged, None for one that is not."""
    if kind is EventKind.FAILED and result is not None and result.error is not None:
        return logging.WARNING if result.error.error_type in _FAULTS else logging.INFO
    return LOG_LEVELS.get(kind)


def log_call(event: CallEvent) -> None:
    """Log the end of a call to `mcp_contracts.runtime`: finished as DEBUG, refused and failed as INFO.

    A failure that no tool means to have (`ToolExecutionError`, `TimeoutError`) is a WARNING.

    The record carries the same values as `mcp_tool`, `mcp_version`, `mcp_call_id`, `mcp_outcome`, `mcp_status`,
    `mcp_error_type` and `mcp_duration_ms` (milliseconds). Neither arguments nor the text of an error are in it.
    Never raises.
    """
    level = log_level(event.kind, event.result)
    if level is None or not _LOGGER.isEnabledFor(level):
        return
    result = event.result
    error = result.error if result is not None else None
    # An unknown tool may be called anything, and a function may name its error as it likes.
    tool = shown_text(event.tool, limit=_MAXIMUM_SHOWN)
    version = shown_text(event.version, limit=_MAXIMUM_SHOWN) if event.version is not None else None
    error_type = shown_text(error.error_type, limit=_MAXIMUM_SHOWN) if error is not None else None
    status = str(result.status) if result is not None else None
    milliseconds = round(event.duration * 1000, 3) if event.duration is not None else None
    with suppress(Exception):  # a filter or a handler of the application's own
        _LOGGER.log(
            level,
            "`%s`%s %s: %s%s%s, call `%s`",
            tool,
            f" {version}" if version is not None else "",
            event.kind.value,
            status,
            f", `{error_type}`" if error_type is not None else "",
            f", {milliseconds:.3f} ms" if milliseconds is not None else "",
            event.call_id,
            extra={
                "mcp_tool": tool,
                "mcp_version": version,
                "mcp_call_id": event.call_id,
                "mcp_outcome": event.kind.value,
                "mcp_status": status,
                "mcp_error_type": error_type,
                "mcp_duration_ms": milliseconds,
            },
        )


_MAXIMUM_SHOWN = 128  # as long as MCP lets the name of a tool be
