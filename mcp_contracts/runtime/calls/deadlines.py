"""Await any awaitable within a deadline."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any, Generic, TypeVar, cast

from mcp_contracts.errors import UsageError
from mcp_contracts.runtime.failures import is_a

T = TypeVar("T")


class DeadlinePassedError(Exception):
    """The deadline of `seconds` passed before the awaitable finished."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the deadline of {seconds:g} s has passed")
        self.seconds = seconds


class SelfCancelledError(RuntimeError):
    """The awaitable raised `asyncio.CancelledError` without being cancelled; that error is the cause."""

    def __init__(self) -> None:
        super().__init__("it raised `CancelledError` without having been cancelled")


class _Answer(Generic[T]):
    """The outcome of an awaitable, and the future that signals it."""

    __slots__ = ("error", "is_given", "value", "waiter")

    def __init__(self) -> None:
        self.is_given = False
        self.value: T | None = None
        self.error: BaseException | None = None
        self.waiter: asyncio.Future[None] | None = None

    def outcome(self) -> T:
        """Return the value or raise the error, only once, because an error with its traceback is a reference cycle."""
        value, error, self.value, self.error = self.value, self.error, None, None
        if error is None:
            return cast(T, value)
        try:
            if is_a(error, asyncio.CancelledError):
                raise SelfCancelledError from error
            raise error
        finally:
            del error


async def within(
    awaitable: Awaitable[T],
    seconds: float,
    *,
    left_behind: set[asyncio.Task[Any]],
    grace: float = 0.02,
    patience: float = 5.0,
) -> T:
    """Await something for at most `seconds` and return its result.

    It runs as its own task with a copy of the context variables, so that variables it sets are not visible here. At the
    deadline the task is cancelled and has `grace` seconds to finish; `DeadlinePassedError` is raised in either case. If
    the awaiting task is cancelled, the same happens and `asyncio.CancelledError` propagates. A task that does not
    finish within its grace period remains in `left_behind` until it does (the caller limits their number), and its
    outcome is never logged. After another `patience` seconds, it is ended by force (see `end_by_force`).

    Exceptions of the awaitable propagate, except that a `CancelledError` that it raises itself becomes
    `SelfCancelledError`. If `seconds` is not positive, a coroutine is closed without running. Code that blocks the loop
    cannot be interrupted: a result that exists when the loop continues is returned even if it is late.
    """
    if not seconds > 0:
        _close(awaitable)
        raise DeadlinePassedError(seconds)
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + seconds
    answer: _Answer[T] = _Answer()
    task = _start(awaitable, answer, loop)
    try:
        if not answer.is_given:
            waiter = answer.waiter = loop.create_future()
            timer = loop.call_at(ends_at, resolve, waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                await _give_up(task, awaitable, left_behind, grace, patience)
                raise
            finally:
                timer.cancel()
            if not answer.is_given:
                await _give_up(task, awaitable, left_behind, grace, patience)
                raise DeadlinePassedError(seconds)
        return answer.outcome()
    finally:
        del answer, task, awaitable  # this frame is in the traceback of the error, which may live long


def end_by_force(task: asyncio.Task[Any]) -> None:
    """End a task that `within` left behind and that suppresses cancellation, without letting it await again.

    Closes its coroutine, which runs `finally` blocks, and cancels the task, so that it ends in the next iteration of
    the loop. Only a coroutine that awaits even then continues. Must be called on the task's loop before that is closed:
    `asyncio.run` waits forever for a task that suppresses cancellation.
    """
    running = getattr(task.get_coro(), "cr_await", None)
    with suppress(BaseException):  # errors while it is closed, or another await, concern no caller
        _close(running)
    task.cancel()


def _start(awaitable: Awaitable[T], answer: _Answer[T], loop: asyncio.AbstractEventLoop) -> asyncio.Task[None]:
    """Run the awaitable as a task; since Python 3.12 it starts at once, up to its first suspension."""
    coroutine = _record_answer(awaitable, answer)
    if sys.version_info >= (3, 12):
        return asyncio.Task(coroutine, loop=loop, eager_start=True)
    return loop.create_task(coroutine)


async def _record_answer(awaitable: Awaitable[T], answer: _Answer[T]) -> None:
    """Record the outcome of an awaitable. The task itself never fails, so asyncio logs nothing."""
    try:
        answer.value = await awaitable
    except GeneratorExit:  # closed with its loop, so nothing waits
        raise
    except BaseException as error:  # raised where the answer is awaited
        answer.error = error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)  # without this frame
    answer.is_given = True
    if answer.waiter is not None:
        resolve(answer.waiter)


async def _give_up(
    task: asyncio.Task[None],
    awaitable: Awaitable[Any],
    left_behind: set[asyncio.Task[Any]],
    grace: float,
    patience: float,
) -> None:
    """Cancel a task, give it `grace` seconds to finish, and leave it behind otherwise."""
    task.cancel()
    loop = asyncio.get_running_loop()
    waiter = loop.create_future()
    timer = loop.call_later(grace, resolve, waiter)

    def wake(_: asyncio.Task[None]) -> None:
        resolve(waiter)

    task.add_done_callback(wake)
    try:
        await waiter
    finally:  # also if the awaiting task is cancelled again
        timer.cancel()
        task.remove_done_callback(wake)
        if not task.done():
            left_behind.add(task)
            task.add_done_callback(left_behind.discard)
            force = loop.call_later(patience, end_by_force, task)
            task.add_done_callback(lambda _: force.cancel())
        elif task.cancelled():  # before its first step, so the coroutine was never awaited
            _close(awaitable)


def _close(awaitable: object) -> None:
    if inspect.iscoroutine(awaitable):
        awaitable.close()


def resolve(waiter: asyncio.Future[None]) -> None:
    """End the wait for a future, unless it has ended."""
    if not waiter.done():
        waiter.set_result(None)


def check_deadline(seconds: float | None) -> float | None:
    """Validate the deadline of a registry or a tool. Raises `UsageError` if it is not a positive number."""
    if seconds is not None and not isinstance(seconds, int | float):
        raise UsageError(f"a deadline must be a number of seconds, not {seconds!r}", hint="omit it for no deadline")
    if seconds is not None and not seconds > 0:
        raise UsageError(
            f"a deadline of {seconds:g} s leaves no time", hint="pass a number above 0, or None for no deadline"
        )
    return seconds
