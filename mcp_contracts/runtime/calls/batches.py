"""Handle many calls at once, with bounded concurrency."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from mcp_contracts.errors import UsageError
from mcp_contracts.json_values.text import read_json
from mcp_contracts.messages import MCPToolCall, MCPToolResult

_PENDING = MCPToolResult()


async def answer_all(
    calls: Iterable[Any] | str | bytes, answer: Callable[[Any], Awaitable[MCPToolResult]], concurrency: int
) -> list[MCPToolResult]:
    """Return the result of each call in the order of the calls, which are read as calls start.

    Text is a batch: a JSON array of calls. Any other text, a mapping and a message are one call.
    """
    if concurrency < 1:
        raise UsageError("`concurrency` must be at least 1", hint="omit it to run 16 calls at once")
    results: list[MCPToolResult] = []
    waiting = iter(_batch_of(calls))

    async def answer_next() -> None:
        for call in waiting:
            index = len(results)
            results.append(_PENDING)
            results[index] = await answer(call)
            await asyncio.sleep(0)  # a function that never waits must not block the loop for all calls

    async with asyncio.TaskGroup() as group:
        for _ in range(concurrency):
            group.create_task(answer_next())
    return results


def _batch_of(calls: Iterable[Any] | str | bytes) -> Iterable[Any]:
    if isinstance(calls, Mapping | MCPToolCall):
        return [calls]
    if not isinstance(calls, str | bytes):
        return calls
    try:
        value = read_json(calls)
    except ValueError:
        return [calls]
    return value if isinstance(value, list) else [calls]
