"""How a function runs: on a loop, in a thread or here, and no longer than its call has time for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from inspect import isawaitable
from typing import Any, TypeVar

from mcp_contracts.runtime.binding import ArgumentsRefusedError
from mcp_contracts.runtime.context import CallContext, ToolContext
from mcp_contracts.runtime.deadlines import DeadlinePassedError, SelfCancelledError, within
from mcp_contracts.runtime.tools import Handler, Tool
from mcp_contracts.runtime.workers import NoWorkerError, Workers, run_on_background_loop

_T = TypeVar("_T")
_SLACK = 0.1  # seconds past its deadline in which the background loop answers
_MOST_LEFT_BEHIND = 1_000  # tasks that refuse to end after their deadline


class Attempt:
    """A call on its way: which function gets which arguments, and until when (in seconds of `time.monotonic`)."""

    __slots__ = (
        *("_untold", "arguments", "call_id", "context", "ends_at", "handler", "has_begun", "name", "running"),
        *("started", "tool"),
    )

    def __init__(self, context: CallContext, call_id: str, started: float) -> None:
        self.context = context
        self.call_id = call_id
        self.started = started
        self.name = ""
        self.arguments: dict[str, Any] = {}
        self.tool: Tool | None = None
        self.handler: Handler | None = None
        self.ends_at: float | None = None
        self.running: ToolContext | None = None
        self.has_begun = False
        self._untold = [True]

    @property
    def has_ended(self) -> bool:
        """Whether somebody has told already how the call ended."""
        return not self._untold

    def end(self) -> bool:
        """Note that the call has ended, and answer whether nobody had noted it before.

        Where a function blocks the background loop, the caller's thread ends the call, and later the loop's would.
        """
        try:
            return self._untold.pop()  # in one step, whichever thread comes first
        except IndexError:
            return False

    def found(self) -> tuple[Tool, Handler]:
        """The tool and the handler, once they are found."""
        assert self.tool is not None
        assert self.handler is not None
        return self.tool, self.handler

    def remaining(self) -> float | None:
        """How many seconds are left; None for no end."""
        return None if self.ends_at is None else self.ends_at - time.monotonic()


class RaisedError(Exception):
    """What a function raised, kept apart from what the machinery around it raises."""

    def __init__(self, error: Exception) -> None:
        self.error = error


class Functions:
    """Runs the functions of calls; what one raises comes out as a `RaisedError`."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._left_behind: set[asyncio.Task[Any]] = set()

    async def returned(self, attempt: Attempt) -> Any:
        """What the function returns, awaited to the end. Raises `RaisedError` for what it raises."""
        _, handler = attempt.found()
        if handler.is_async:
            return await self._within(attempt, _awaited_from(handler, attempt))
        returned = await self.in_thread(attempt, partial(_invoked, handler, attempt))
        return await self._within(attempt, _awaited(returned)) if isawaitable(returned) else returned

    def returned_here(self, attempt: Attempt) -> Any:
        """As `returned`, for a sync function that is waited for in this thread."""
        work = partial(_invoked, attempt.found()[1], attempt)
        seconds = attempt.remaining()
        if seconds is None:
            returned = work()
        else:
            try:
                returned = self._workers.run_blocking(work, seconds)
            except TimeoutError as error:  # what the function raises is a `RaisedError`
                raise DeadlinePassedError(seconds) from error
        if isawaitable(returned):
            return result_of_loop(self._within(attempt, _awaited(returned)), attempt)
        return returned

    async def _within(self, attempt: Attempt, work: Coroutine[Any, Any, Any]) -> Any:
        """Await something within what is left of the call's deadline."""
        seconds = attempt.remaining()
        if seconds is None:
            return await work
        if len(self._left_behind) >= _MOST_LEFT_BEHIND:
            work.close()
            raise NoWorkerError("calls past their deadline refuse to end", abandoned=len(self._left_behind))
        return await within(work, seconds, left_behind=self._left_behind)

    async def in_thread(self, attempt: Attempt, work: Callable[[], _T]) -> _T:
        """Run something in a thread within what is left of the call's deadline."""
        seconds = attempt.remaining()
        try:
            return await self._workers.run(work, seconds)
        except TimeoutError as error:  # what the function raises is a `RaisedError`
            raise DeadlinePassedError(seconds or 0) from error


def _invoked(handler: Handler, attempt: Attempt) -> object:
    """Call a sync function. Raises `RaisedError` for what it raises."""
    try:
        return handler.invoke(attempt.arguments, attempt.running)
    except ArgumentsRefusedError:
        raise
    except asyncio.CancelledError as error:  # nobody can cancel sync code
        raise RaisedError(SelfCancelledError()) from error
    except Exception as error:
        raise RaisedError(error) from error


async def _awaited_from(handler: Handler, attempt: Attempt) -> Any:
    """What an async function comes to. Raises `RaisedError` for what it raises."""
    return await _awaited(_invoked(handler, attempt))  # type: ignore[arg-type]


async def _awaited(returned: Awaitable[Any]) -> Any:
    """What an awaitable comes to. Raises `RaisedError` for what it raises."""
    try:
        return await returned
    except (ArgumentsRefusedError, RaisedError):
        raise
    except Exception as error:
        raise RaisedError(error) from error


def result_of_loop(work: Coroutine[Any, Any, _T], attempt: Attempt) -> _T:
    """What a coroutine comes to on the background loop, waited for in this thread.

    Raises `DeadlinePassedError` where that loop does not even answer in time, since a function blocks it.
    """
    future = run_on_background_loop(work)
    seconds = attempt.remaining()
    try:
        return future.result(None if seconds is None else max(0, seconds) + _SLACK)
    except TimeoutError as error:
        future.cancel()
        raise DeadlinePassedError(seconds or 0) from error
    except BaseException:
        future.cancel()
        raise
