"""Sends the progress of a call to an async reader: in order, from any thread, and bounded."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from mcp_contracts.runtime.context import Progress

_MOST_WAITING = 100
"""The maximum number of reports that wait for a slow reader. Past it, the oldest are dropped."""


class ProgressReports:
    """Sends reports of progress through `send`, on the event loop where it was created."""

    def __init__(self, send: Callable[[Progress], Awaitable[None]]) -> None:
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Progress] = deque(maxlen=_MOST_WAITING)
        self._task: asyncio.Task[None] | None = None

    def add(self, progress: Progress) -> None:
        """Send a report as soon as possible. May be called from any thread."""
        self._waiting.append(progress)
        self._loop.call_soon_threadsafe(self._start)

    async def wait_until_sent(self) -> None:
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
            await self._send(self._waiting.popleft())
