"""Run functions on a loop, in a thread or in this thread, within the deadline of their call."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import suppress
from functools import partial
from inspect import isawaitable
from types import AsyncGeneratorType, GeneratorType
from typing import Any, TypeVar

from mcp_contracts.messages import MCPToolResult, ToolError
from mcp_contracts.runtime.calls.answers import result_of
from mcp_contracts.runtime.calls.background import BackgroundLoops
from mcp_contracts.runtime.calls.deadlines import DeadlinePassedError, SelfCancelledError, within
from mcp_contracts.runtime.calls.workers import NoWorkerError, Workers
from mcp_contracts.runtime.context import CallContext, Progress, ToolContext
from mcp_contracts.runtime.failures import is_a, is_interrupt
from mcp_contracts.runtime.functions.binding import ArgumentsRefusedError
from mcp_contracts.runtime.outcomes import NotJsonError, answer_of, as_json
from mcp_contracts.runtime.tools import Handler, Tool

MOST_PARTS = 10_000
"""The maximum number of values that a function may yield in a call."""
LONGEST_PART = 100_000
"""The maximum length of a partial result that is reported, in characters of JSON."""


def finish(returned: object, context: ToolContext | None) -> object:
    """Return what a function returned: for a generator its last value, for an async one an awaitable of it.

    A `Progress` that it yields is reported unchanged, and any other value as a partial result. A value that a sync
    generator returns is the last. The generator is closed when its caller stops waiting, and raises `ToolError` if it
    yields more than `MOST_PARTS` values, or one that JSON cannot represent.
    """
    if type(returned) is GeneratorType:
        return _run(returned, _Parts(context), context)
    if type(returned) is AsyncGeneratorType:
        return _run_async(returned, _Parts(context))
    return returned


class _Parts:
    """The values that a generator has yielded; the last one is kept."""

    __slots__ = ("_context", "_left", "last")

    def __init__(self, context: ToolContext | None) -> None:
        self._context = context
        self._left = MOST_PARTS
        self.last: object = None

    def take(self, value: object) -> None:
        """Report a value. Raises `ToolError` if it cannot be reported."""
        context = self._context
        self._left -= 1
        if self._left < 0:
            raise ToolError("ToolExecutionError", f"the tool yielded more than {MOST_PARTS:,} values")
        if isinstance(value, Progress):
            shown = value
        else:
            self.last = value
            answer = answer_of(value)
            shown = Progress(message=answer.explanation, data=answer.value)
        if context is not None:
            context.report(shown.completed, shown.total, shown.message, data=_part(shown.data))


def _part(value: object) -> Any:
    """Return a partial result as JSON, or None if it is too long to be reported."""
    try:
        part = as_json(value)
    except NotJsonError as error:
        fault = f"the tool yielded a value that JSON cannot represent: {error.fault}"
        raise ToolError("ToolExecutionError", fault) from error
    return part if len(json.dumps(part, ensure_ascii=False)) <= LONGEST_PART else None


def _run(values: Generator[Any, None, Any], parts: _Parts, context: ToolContext | None) -> Any:
    try:
        while True:
            parts.take(next(values))
            if context is not None and context.is_cancelled:
                raise asyncio.CancelledError
    except StopIteration as end:
        return parts.last if end.value is None else end.value
    finally:
        values.close()


async def _run_async(values: AsyncGenerator[Any], parts: _Parts) -> Any:
    task = asyncio.current_task()
    cancellations = task.cancelling() if task is not None else 0
    try:
        async for value in values:
            if task is not None and task.cancelling() > cancellations:
                raise asyncio.CancelledError  # the generator suppressed it
            parts.take(value)
            await asyncio.sleep(0)  # a generator that awaits nothing would block the event loop
    except GeneratorExit:
        raise  # nothing can be awaited: the event loop closes the generator
    except BaseException:
        with suppress(Exception, SystemExit):  # an exception from closing it must not hide the reason
            await values.aclose()
        raise
    return parts.last


_T = TypeVar("_T")
_QUICK = (MCPToolResult, type(None), bool, int, float, str)
_SLACK = 0.1  # seconds after its deadline within which the background loop answers
_MOST_LEFT_BEHIND = 1_000  # tasks that do not end after their deadline


class Attempt:
    """A call in progress: its function, its arguments and its deadline (in seconds of `time.monotonic`)."""

    __slots__ = (
        *("_end_token", "arguments", "call_id", "context", "ends_at", "handler", "has_begun", "name", "running"),
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
        self.shown: Mapping[str, Any] | None = None  # the arguments for subscribers, if others may modify the original
        self._end_token = [True]

    @property
    def has_ended(self) -> bool:
        """Whether the end of the call has already been reported."""
        return not self._end_token

    def end(self) -> bool:
        """Mark the call as finished; return whether this was the first time.

        If a function blocks the background loop, the caller's thread ends the call, and later the loop tries to end it
        too.
        """
        try:
            return self._end_token.pop()  # atomic: the first thread succeeds
        except IndexError:
            return False

    def found(self) -> tuple[Tool, Handler]:
        """Return the tool and the handler, which must already have been found."""
        assert self.tool is not None
        assert self.handler is not None
        return self.tool, self.handler

    def remaining(self) -> float | None:
        """Return the number of seconds left, or None without a deadline."""
        return None if self.ends_at is None else self.ends_at - time.monotonic()


class RaisedError(Exception):
    """An exception of a function, distinguished from exceptions of the runtime."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def is_closing(error: BaseException) -> bool:
    """Whether a `GeneratorExit` closes the coroutine that caught it, instead of coming from what it awaits."""
    return is_a(error, GeneratorExit) and (error.__traceback__ is None or error.__traceback__.tb_next is None)


class Functions:
    """Runs the functions of calls and wraps their exceptions in `RaisedError`."""

    def __init__(self, workers: Workers, loops: BackgroundLoops) -> None:
        self._workers = workers
        self._loops = loops
        self._left_behind: set[asyncio.Task[Any]] = set()

    async def run(self, attempt: Attempt) -> MCPToolResult:
        """Run the function within the rest of the call's deadline. Raises `RaisedError` if it raises."""
        _, handler = attempt.found()
        if handler.is_async:
            return await self._answer_async(attempt, await self._within(attempt, _invoke_async(handler, attempt)))
        returned = await self.run_in_thread(attempt, partial(_answer, attempt))
        return returned if isinstance(returned, MCPToolResult) else await self._answer_later(attempt, returned)

    def run_here(self, attempt: Attempt) -> MCPToolResult:
        """Do the same as `run` for a sync function that this thread waits for."""
        work = partial(_answer, attempt)
        seconds = attempt.remaining()
        if seconds is None:
            returned = work()
        else:
            try:
                returned = self._workers.run_blocking(work, seconds, owner=attempt.name)
            except TimeoutError as error:  # exceptions of the function are `RaisedError`
                raise DeadlinePassedError(seconds) from error
        if isinstance(returned, MCPToolResult):
            return returned
        return self.wait_for(self._answer_later(attempt, returned), attempt)

    async def _answer_later(self, attempt: Attempt, returned: Awaitable[Any]) -> MCPToolResult:
        """Return the result of a sync function that returned an awaitable."""
        return await self._answer_async(attempt, await self._within(attempt, _await_value(returned)))

    async def _answer_async(self, attempt: Attempt, returned: object) -> MCPToolResult:
        """Convert what an async function returned into a result.

        With a deadline, this happens in a thread if it may take long: the serializer of a model is user code.
        """
        tool, handler = attempt.found()
        if attempt.ends_at is None or type(returned) in _QUICK or tool.is_valid_output(returned):  # type: ignore[arg-type]
            return result_of(returned, tool, handler)
        return await self.run_in_thread(attempt, partial(result_of, returned, tool, handler))

    async def _within(self, attempt: Attempt, work: Coroutine[Any, Any, Any]) -> Any:
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

    async def run_in_thread(self, attempt: Attempt, work: Callable[[], _T]) -> _T:
        """Run something in a thread within the rest of the call's deadline."""
        seconds = attempt.remaining()
        try:
            return await self._workers.run(work, seconds, owner=attempt.name)
        except TimeoutError as error:  # exceptions of the function are `RaisedError`
            raise DeadlinePassedError(seconds or 0) from error

    def wait_for(self, work: Coroutine[Any, Any, _T], attempt: Attempt) -> _T:
        """Run a coroutine on the background loop, and wait for it in this thread.

        Raises `DeadlinePassedError` if the loop itself does not answer in time, because a function blocks it.
        """
        future = self._loops.run(work)
        seconds = attempt.remaining()
        try:
            return future.result(None if seconds is None else max(0, seconds) + _SLACK)
        except TimeoutError as error:
            future.cancel()
            raise DeadlinePassedError(seconds or 0) from error
        except BaseException:
            future.cancel()
            raise


def _answer(attempt: Attempt) -> MCPToolResult | Awaitable[Any]:
    """Return the result of a sync function, or the awaitable that it returned. Raises `RaisedError` if it raises."""
    tool, handler = attempt.found()
    returned = _invoke(handler, attempt)
    return _ReturnedAwaitable(returned) if isawaitable(returned) else result_of(returned, tool, handler)


class _ReturnedAwaitable:
    """An awaitable that a sync function returned. It is closed if the call has ended, so that nothing awaits it."""

    __slots__ = ("_awaitable",)

    def __init__(self, awaitable: Awaitable[Any]) -> None:
        self._awaitable: Awaitable[Any] | None = awaitable

    def __await__(self) -> Generator[Any, Any, Any]:
        awaitable, self._awaitable = self._awaitable, None
        assert awaitable is not None
        return awaitable.__await__()

    def __del__(self) -> None:
        close = getattr(self._awaitable, "close", None)
        if callable(close):
            with suppress(Exception):  # its errors are the function's
                close()


def _invoke(handler: Handler, attempt: Attempt) -> object:
    """Call a sync function. Raises `RaisedError` if it raises."""
    try:
        return finish(handler.invoke(attempt.arguments, attempt.running), attempt.running)
    except ArgumentsRefusedError:
        raise
    except asyncio.CancelledError as error:  # sync code cannot be cancelled, but it can see that it should end
        if attempt.running is not None and attempt.running.is_cancelled:
            raise DeadlinePassedError(0) from error
        raise RaisedError(SelfCancelledError()) from error
    except BaseException as error:  # such as `SystemExit`, or the panic of a native module
        if is_interrupt(error):
            raise
        raise RaisedError(error) from error


async def _invoke_async(handler: Handler, attempt: Attempt) -> Any:
    """Await an async function. Raises `RaisedError` if it raises."""
    return await _await_value(_invoke(handler, attempt))  # type: ignore[arg-type]


async def _await_value(returned: Awaitable[Any]) -> Any:
    """Await a value. Raises `RaisedError` if it raises."""
    try:
        return await returned
    except (ArgumentsRefusedError, RaisedError, asyncio.CancelledError):
        raise
    except BaseException as error:  # see _invoke
        if is_closing(error) or is_interrupt(error):
            raise
        raise RaisedError(error) from error
