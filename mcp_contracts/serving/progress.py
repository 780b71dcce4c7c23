"""The progress of a call on its way to the client: in order, from any thread, never more than the client can take."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from mcp_contracts.runtime.context import Progress

_MOST_WAITING = 100
"""Reports that wait for a slow client; of more, the oldest are dropped."""


class ProgressReports:
    """Sends reports of progress through `send`, on the event loop where it was created.

    MCP wants values that increase: a report without a value counts on from the last one, and one that does not increase
    is dropped.
    """

    def __init__(self, send: Callable[[float, float | None, str | None], Awaitable[None]]) -> None:
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Progress] = deque(maxlen=_MOST_WAITING)
        self._task: asyncio.Task[None] | None = None
        self._last: float | None = None

    def add(self, progress: Progress) -> None:
        """Send a report as soon as possible. May be called from any thread."""
        self._waiting.append(progress)
        self._loop.call_soon_threadsafe(self._start)

    async def sent(self) -> None:
        """Wait until all reports are sent."""
        if self._waiting:
            self._start()
        if self._task is not None:
            await self._task

    def _start(self) -> None:
        if self._task is None or self._task.done():
            self._task = self._loop.create_task(self._send_all())

    async def _send_all(self) -> None:
        while self._waiting:
            report = self._waiting.popleft()
            value = report.completed if report.completed is not None else (self._last or 0.0) + 1
            if self._last is None or value > self._last:
                self._last = value
                await self._send(value, report.total, report.message)
