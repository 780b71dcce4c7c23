"""Events of calls and of the registry, their subscribers, their delivery, and the log of calls."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import copy_context
from datetime import datetime
from enum import StrEnum
from functools import partial
from queue import SimpleQueue
from typing import Any, Generic, TypeVar
from weakref import finalize

from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.records import dataclass, field
from mcp_contracts.runtime.context import CallContext, Progress
from mcp_contracts.runtime.telemetry.exceptions import log_exception
from mcp_contracts.schema.wording import shown_text

LOGGER_NAME = "mcp_contracts.runtime"
"""The name of the standard logger of the runtime."""

_LOGGER = logging.getLogger(LOGGER_NAME)
_EVENT = TypeVar("_EVENT")
_MOST_WAITING = 10_000
_LEAST = 0.05  # seconds that a delivery may take even if the deadline has passed

_Work = Callable[[], object]
_Inbox = SimpleQueue[tuple[_Work, threading.Event] | None]


class EventKind(StrEnum):
    """The kind of a call event."""

    CALLED = "called"  # the arguments are valid, and the function is about to run
    FINISHED = "finished"  # with any status except failure
    FAILED = "failed"  # the function was reached, and the result is a failure
    REFUSED = "refused"  # the function was not reached: unknown tool or version, invalid arguments, a rate limit
    PROGRESS = "progress"  # the function reported progress


@dataclass(frozen=True, slots=True)
class CallEvent:
    """An event of one call, at `time` (aware, in UTC).

    `tool` is the requested name, redacted if it contains a secret; `contract` is None for an unknown tool. `arguments`
    are the caller's arguments, including secrets: pass them through `redacted` before you store them. `duration` is in
    seconds since the call was accepted, and None for called and progress. `result` is set once the call has finished,
    and `progress` only for progress. The `repr` contains neither arguments nor results, so that an event can be logged.
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
    """The sorted names of tools that were added or removed."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class _Subscription(Generic[_EVENT]):
    """A callback, whether it is still subscribed, and whether its failure has been logged."""

    callback: Callable[[_EVENT], object]
    is_active: bool = True
    is_reported: bool = False


class Subscribers(Generic[_EVENT]):
    """Callbacks for events. All methods are thread-safe and may be called from a callback.

    Read `subscriptions` directly where calling `__bool__` would be too expensive.
    """

    __slots__ = ("_lock", "subscriptions")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.subscriptions: tuple[_Subscription[_EVENT], ...] = ()  # replaced, never modified

    def __len__(self) -> int:
        return len(self.subscriptions)

    def __bool__(self) -> bool:
        return bool(self.subscriptions)

    def add(self, callback: Callable[[_EVENT], object]) -> Callable[[], None]:
        """Subscribe `callback` to all events from now on; the returned function unsubscribes it.

        The callback runs in the thread of the event, and the call waits for it, so it should be fast. Its return value
        is ignored. Raises UsageError if it is not callable or is a coroutine function.
        """
        if not callable(callback):
            raise UsageError(
                f"a `{type(callback).__name__}` cannot be subscribed because it cannot be called",
                hint="pass a function of one parameter, the event",
            )
        if _is_async(callback) or _is_async(getattr(callback, "__call__", None)):  # noqa: B004  # reads its method
            raise UsageError(
                "a coroutine function cannot be subscribed because events do not await subscribers",
                hint="subscribe `put_nowait` of an `asyncio.Queue`, through `loop.call_soon_threadsafe` if calls run "
                "in other threads, and await its items in a task",
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
        """Call every subscriber with an event, in the order of subscription.

        Only KeyboardInterrupt propagates, after the other subscribers are called: an exception of a callback is logged
        the first time, with its traceback. A callback that is added during publication gets the next event; one that is
        removed during it is not called.
        """
        interrupt: KeyboardInterrupt | None = None
        for subscription in self.subscriptions:
            if not subscription.is_active:
                continue
            try:
                answer = subscription.callback(event)
                if answer is not None:
                    _discard(answer, subscription)
            except KeyboardInterrupt as error:
                interrupt = error
            # Nothing is awaited here, so a cancellation is raised by the callback and is not meant for the call.
            except BaseException as error:
                _report(subscription, "raised an error", error)
        if interrupt is not None:
            raise interrupt


def _is_async(function: object) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def _discard(answer: object, subscription: _Subscription[_EVENT]) -> None:
    """Close an awaitable, so that Python does not warn about it elsewhere. A task keeps running."""
    if not inspect.isawaitable(answer) or isinstance(answer, asyncio.Future):
        return
    close = getattr(answer, "close", None)
    if callable(close):
        close()
    _report(subscription, "returned an awaitable, which is never awaited")


def _report(subscription: _Subscription[_EVENT], fault: str, error: BaseException | None = None) -> None:
    if subscription.is_reported:
        return
    subscription.is_reported = True
    callback = subscription.callback
    name = getattr(callback, "__qualname__", None) or type(callback).__qualname__
    words = "the subscriber `%s` %s; this is logged only once"
    if error is not None:
        log_exception(_LOGGER, error, words, name, fault)
        return
    with suppress(Exception):  # filters and handlers belong to the application
        _LOGGER.error(words, name, fault)


LOG_LEVELS = {EventKind.FINISHED: logging.DEBUG, EventKind.REFUSED: logging.INFO, EventKind.FAILED: logging.INFO}
"""The log level for the end of a call; an unexpected failure of a tool is a warning."""
_FAULTS = ("ToolExecutionError", "TimeoutError")


def log_level(kind: EventKind, result: MCPToolResult | None) -> int | None:
    """Return the log level of an event, or None if it is not logged."""
    if kind is EventKind.FAILED and result is not None and result.error is not None:
        return logging.WARNING if result.error.error_type in _FAULTS else logging.INFO
    return LOG_LEVELS.get(kind)


def log_call(event: CallEvent) -> None:
    """Log the end of a call to `mcp_contracts.runtime`: finished as DEBUG, refused and failed as INFO.

    An unexpected failure (`ToolExecutionError`, `TimeoutError`) is a WARNING. The record has the attributes `mcp_tool`,
    `mcp_version`, `mcp_call_id`, `mcp_outcome`, `mcp_status`, `mcp_error_type` and `mcp_duration_ms` (milliseconds). It
    contains neither arguments nor error messages. Never raises.
    """
    level = log_level(event.kind, event.result)
    if level is None or not _LOGGER.isEnabledFor(level):
        return
    result = event.result
    error = result.error if result is not None else None
    # Callers choose the name of an unknown tool, and functions choose the names of errors.
    tool = shown_text(event.tool, limit=_MAXIMUM_SHOWN)
    version = shown_text(event.version, limit=_MAXIMUM_SHOWN) if event.version is not None else None
    error_type = shown_text(error.error_type, limit=_MAXIMUM_SHOWN) if error is not None else None
    status = str(result.status) if result is not None else None
    milliseconds = round(event.duration * 1000, 3) if event.duration is not None else None
    with suppress(Exception):  # filters and handlers belong to the application
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


_MAXIMUM_SHOWN = 128  # the maximum length of a tool name in MCP


class Deliveries:
    """Runs work in order in one daemon thread, so that no subscriber can delay an answer past its deadline.

    The thread starts with the first delivery. Thread-safe.
    """

    __slots__ = ("__weakref__", "_inbox", "_late", "_lock", "_process_id", "_thread")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inbox: _Inbox = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._process_id = 0
        self._late: threading.Event | None = None  # the end of a delivery that outlasted its caller's wait

    def deliver(self, work: _Work, seconds: float) -> None:
        """Run work after all earlier work, and wait until it has finished, for at most `seconds`.

        While earlier work is late, this does not wait. Work that delivers other work runs that at once.
        """
        if threading.current_thread() is self._thread:
            work()
            return
        ended = threading.Event()
        with self._lock:
            if self._process_id != os.getpid():  # a fork has none of its parent's threads
                self._start()
            if self._inbox.qsize() >= _MOST_WAITING:
                _LOGGER.error("an event was dropped, because %d others are waiting for a subscriber", _MOST_WAITING)
                return
            self._inbox.put((partial(copy_context().run, work), ended))
            is_late = self._late is not None and not self._late.is_set()
        if not is_late and not ended.wait(max(seconds, _LEAST)):
            self._late = ended

    def _start(self) -> None:
        self._process_id = os.getpid()
        self._inbox, self._late = SimpleQueue(), None
        self._thread = threading.Thread(target=_run, args=(self._inbox,), name="mcp-contracts-events", daemon=True)
        self._thread.start()
        finalize(self, self._inbox.put, None)


def _run(inbox: _Inbox) -> None:
    while (job := inbox.get()) is not None:
        work, ended = job
        with suppress(BaseException):  # subscribers report their own errors
            work()
        ended.set()
        del job, work
