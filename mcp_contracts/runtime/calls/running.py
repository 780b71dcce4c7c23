"""How a function runs: on a loop, in a thread or here, and no longer than its call has time for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from inspect import isawaitable
from typing import Any, TypeVar

from mcp_contracts.messages import MCPToolResult
from mcp_contracts.runtime.calls.answers import result_of
from mcp_contracts.runtime.calls.deadlines import DeadlinePassedError, SelfCancelledError, within
from mcp_contracts.runtime.calls.workers import NoWorkerError, Workers, run_on_background_loop
from mcp_contracts.runtime.context import CallContext, ToolContext
from mcp_contracts.runtime.functions.binding import ArgumentsRefusedError
from mcp_contracts.runtime.tools import Handler, Tool

_T = TypeVar("_T")
_QUICK = (MCPToolResult, type(None), bool, int, float, str)
_SLACK = 0.1  # seconds past its deadline in which the background loop answers
_MOST_LEFT_BEHIND = 1_000  # tasks that refuse to end after their deadline


class Attempt:
    """A call on its way: which function gets which arguments, and until when (in seconds of `time.monotonic`)."""

    __slots__ = (
        *("_untold", "arguments", "call_id", "context", "ends_at", "handler", "has_begun", "name", "running"),
        *("is_traced", "shown", "started", "tool"),
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
        self.is_traced = False
        self.shown: Mapping[str, Any] | None = None  # the arguments for those who watch, if they are others' to change
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

    async def answered(self, attempt: Attempt) -> MCPToolResult:
        """The result of the function, within what is left of the call's deadline. Raises `RaisedError` if it raises."""
        _, handler = attempt.found()
        if handler.is_async:
            return await self._answer_async(attempt, await self._within(attempt, _invoke_async(handler, attempt)))
        returned = await self.in_thread(attempt, partial(_answer, attempt))
        return returned if isinstance(returned, MCPToolResult) else await self._answer_later(attempt, returned)

    def answered_here(self, attempt: Attempt) -> MCPToolResult:
        """As `answered`, for a sync function that is waited for in this thread."""
        work = partial(_answer, attempt)
        seconds = attempt.remaining()
        if seconds is None:
            returned = work()
        else:
            try:
                returned = self._workers.run_blocking(work, seconds)
            except TimeoutError as error:  # what the function raises is a `RaisedError`
                raise DeadlinePassedError(seconds) from error
        if isinstance(returned, MCPToolResult):
            return returned
        return result_of_loop(self._answer_later(attempt, returned), attempt)

    async def _answer_later(self, attempt: Attempt, returned: Awaitable[Any]) -> MCPToolResult:
        """The result of a sync function that returned something to be awaited."""
        return await self._answer_async(attempt, await self._within(attempt, _await_value(returned)))

    async def _answer_async(self, attempt: Attempt, returned: object) -> MCPToolResult:
        """What an async function returned, as a result.

        Under a deadline that is done in a thread where it may take long: a model's serializer is its author's code.
        """
        tool, handler = attempt.found()
        if attempt.ends_at is None or type(returned) in _QUICK or tool.gives(returned):  # type: ignore[arg-type]
            return result_of(returned, tool, handler)
        return await self.in_thread(attempt, partial(result_of, returned, tool, handler))

    async def _within(self, attempt: Attempt, work: Coroutine[Any, Any, Any]) -> Any:
        """Await something within what is left of the call's deadline."""
        seconds = attempt.remaining()
        if seconds is None:
            return await work
        if len(self._left_behind) >= _MOST_LEFT_BEHIND:
            work.close()
            raise NoWorkerError(
                f"{len(self._left_behind)} calls are still running past their deadline",
                abandoned=len(self._left_behind),
            )
        return await within(work, seconds, left_behind=self._left_behind)

    async def in_thread(self, attempt: Attempt, work: Callable[[], _T]) -> _T:
        """Run something in a thread within what is left of the call's deadline."""
        seconds = attempt.remaining()
        try:
            return await self._workers.run(work, seconds)
        except TimeoutError as error:  # what the function raises is a `RaisedError`
            raise DeadlinePassedError(seconds or 0) from error


def _answer(attempt: Attempt) -> MCPToolResult | Awaitable[Any]:
    """What a sync function returned, as a result, or to be awaited. Raises `RaisedError` for what it raises."""
    tool, handler = attempt.found()
    returned = _invoke(handler, attempt)
    return returned if isawaitable(returned) else result_of(returned, tool, handler)


def _invoke(handler: Handler, attempt: Attempt) -> object:
    """Call a sync function. Raises `RaisedError` for what it raises."""
    try:
        return handler.invoke(attempt.arguments, attempt.running)
    except ArgumentsRefusedError:
        raise
    except asyncio.CancelledError as error:  # nobody can cancel sync code
        raise RaisedError(SelfCancelledError()) from error
    except Exception as error:
        raise RaisedError(error) from error


async def _invoke_async(handler: Handler, attempt: Attempt) -> Any:
    """What an async function comes to. Raises `RaisedError` for what it raises."""
    return await _await_value(_invoke(handler, attempt))  # type: ignore[arg-type]


async def _await_value(returned: Awaitable[Any]) -> Any:
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
