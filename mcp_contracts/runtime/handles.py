"""Handles for long-running calls: status, reports, result and cancellation."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Generator
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Any

from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.runtime.calls.answers import cancellation_error, failure
from mcp_contracts.runtime.calls.background import BackgroundLoops, running_loop
from mcp_contracts.runtime.context import Progress

_MOST_REPORTS = 100
_MOST_HANDLES = 1_000
_CANCELLED = failure(cancellation_error())


class HandleStatus(StrEnum):
    """The status of a call that `ToolRegistry.start` started."""

    RUNNING = "running"
    FINISHED = "finished"  # with any result
    CANCELLED = "cancelled"


class CallHandle:
    """A call that runs in the background. All methods are thread-safe.

    `id` is the call's identifier for `ToolRegistry.handle`. `reports` contains the last 100 reports of the function,
    the newest last.
    """

    __slots__ = ("_cancel", "_loop", "_reports", "_result", "id")

    def __init__(self, call_id: str) -> None:
        self.id = call_id
        self._reports: deque[Progress] = deque(maxlen=_MOST_REPORTS)
        self._result: concurrent.futures.Future[MCPToolResult] = concurrent.futures.Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._cancel: Callable[[], object] = lambda: None

    def __repr__(self) -> str:
        return f"CallHandle({self.id!r}, {self.status.value})"

    @property
    def status(self) -> HandleStatus:
        """Whether the call is running, has a result, or was cancelled before it had one."""
        if not self._result.done():
            return HandleStatus.RUNNING
        return HandleStatus.CANCELLED if self._result.result() is _CANCELLED else HandleStatus.FINISHED

    @property
    def reports(self) -> tuple[Progress, ...]:
        """The reports of the function so far."""
        return tuple(self._reports)

    @property
    def progress(self) -> Progress | None:
        """The newest report."""
        return self._reports[-1] if self._reports else None

    def result(self, timeout: float | None = None) -> MCPToolResult:
        """Wait for the result, at most `timeout` seconds.

        Raises the builtin `TimeoutError` if the call is still running then, and `UsageError` on the event loop that the
        call itself needs: await the handle there.
        """
        if not self._result.done() and self._loop is not None and running_loop() is self._loop:
            raise UsageError("the call runs on this event loop, which cannot wait for it", hint="await the handle")
        return self._result.result(timeout)

    def __await__(self) -> Generator[Any, None, MCPToolResult]:
        """Wait for the result; cancelling the waiting task does not cancel the call."""
        return asyncio.shield(asyncio.wrap_future(self._result)).__await__()

    def cancel(self) -> bool:
        """Cancel the call, and return whether it was still running. Its result is then a failure that says so.

        A sync function continues to run, and can check `ToolContext.is_cancelled`.
        """
        if self._result.done():
            return False
        self._cancel()
        return True

    def note(self, progress: Progress) -> None:
        """Record a report of the function; called by the registry."""
        self._reports.append(progress)

    def begin(self, work: Coroutine[Any, Any, MCPToolResult], loops: BackgroundLoops) -> None:
        """Run the call on the running loop, or else on a background loop; called by the registry."""
        loop = running_loop()
        if loop is None:
            running = loops.run(work)
            self._cancel = running.cancel
            running.add_done_callback(self._settle)
        else:
            task = loop.create_task(work)
            self._loop = loop
            self._cancel = partial(loop.call_soon_threadsafe, task.cancel)
            task.add_done_callback(self._settle)

    def _settle(self, ended: asyncio.Future[MCPToolResult] | concurrent.futures.Future[MCPToolResult]) -> None:
        if not self._result.done():
            failed = ended.cancelled() or ended.exception() is not None
            self._result.set_result(_CANCELLED if failed else ended.result())


class CallHandles:
    """The handles of running calls and the newest finished ones, 1,000 in total. Thread-safe."""

    def __init__(self) -> None:
        self._handles: OrderedDict[str, CallHandle] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, handle: CallHandle) -> None:
        """Keep a handle, and drop the oldest finished ones beyond the limit."""
        with self._lock:
            self._handles[handle.id] = handle
            ended = (one.id for one in self._handles.values() if one.status is not HandleStatus.RUNNING)
            for call_id in tuple(islice(ended, max(0, len(self._handles) - _MOST_HANDLES))):
                del self._handles[call_id]

    def get(self, call_id: str) -> CallHandle | None:
        """Return a handle by its identifier, or None if it was not kept."""
        return self._handles.get(call_id)
