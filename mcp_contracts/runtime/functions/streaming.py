"""Generators as tools: what they yield is reported as partial results, and the last value is the result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Generator
from contextlib import suppress
from types import AsyncGeneratorType, GeneratorType
from typing import Any

from mcp_contracts.messages import ToolError
from mcp_contracts.runtime.context import Progress, ToolContext
from mcp_contracts.runtime.outcomes import NotJsonError, answer_of, as_json

MOST_PARTS = 10_000
"""The maximum number of values that a function may yield in a call."""
LONGEST_PART = 100_000
"""The maximum length of a partial result that is reported, in characters of JSON."""


def finish(returned: object, context: ToolContext | None) -> object:
    """Return what a function returned; of a generator its last value, or for an async one an awaitable of it.

    A `Progress` that it yields is reported unchanged, and any other value as a partial result. A value that a generator
    returns, as only a sync one can, is the last. The generator is closed when its caller stops waiting, and raises
    `ToolError` if it yields more than `MOST_PARTS` values, or one that JSON cannot represent.
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
