"""Run coroutines on background event loops, for sync code in any thread."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, TypeVar

from mcp_contracts.runtime.calls.workers import MAXIMUM_LEVELS, NoWorkerError

T = TypeVar("T")

_LEVEL: ContextVar[int] = ContextVar("mcp_contracts_background_level", default=0)


def running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that runs in this thread, or None."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class BackgroundLoops:
    """The event loops of one registry, each in a daemon thread, started on first use; a fork starts its own.

    Each registry has its own loops, so that a function that blocks one does not block other registries. They end with
    the last reference to them, once their tasks have ended.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # By process. The loops of a parent are kept after a fork: closing them in the child would remove the parent's
        # descriptors from the selector that both share.
        self._loops: dict[int, list[_Loop]] = {}

    def __del__(self) -> None:
        for loop in getattr(self, "_loops", {}).get(os.getpid(), ()):
            loop.end()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine, and return the future of its result at once.

        `.result(timeout)` waits, `.cancel()` cancels the coroutine. The coroutine gets a copy of the caller's context
        variables. A coroutine started from such a coroutine runs on another loop, because the first may be blocked
        until it ends; past 32 such levels, it is closed and `NoWorkerError` is raised.
        """
        level = _LEVEL.get()
        if level >= MAXIMUM_LEVELS:
            coroutine.close()
            raise NoWorkerError(f"sync and async calls are nested {level} levels deep", abandoned=0)
        return asyncio.run_coroutine_threadsafe(_one_level_deeper(coroutine, level + 1), self._loop(level))

    def wait_for(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and wait for its result; an interrupt cancels it."""
        future = self.run(coroutine)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _loop(self, level: int) -> asyncio.AbstractEventLoop:
        with self._lock:
            loops = self._loops.setdefault(os.getpid(), [])
            while len(loops) <= level:
                loops.append(_Loop())
            return loops[level].loop


class _Loop:
    """An event loop that runs in a daemon thread until `end`."""

    __slots__ = ("is_ending", "loop")

    def __init__(self) -> None:
        self.is_ending = False
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self._run, name="mcp-contracts-loop", daemon=True).start()

    def end(self) -> None:
        """End the loop once its tasks have ended. Does not wait."""
        self.is_ending = True
        with suppress(RuntimeError):  # it is closed
            self.loop.call_soon_threadsafe(self.loop.stop)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        while not self.is_ending:  # a task that exits or stops the loop is finished; the others still need the loop
            with suppress(KeyboardInterrupt, SystemExit):
                self.loop.run_forever()
        while tasks := asyncio.all_tasks(self.loop):
            with suppress(BaseException):
                self.loop.run_until_complete(asyncio.wait(tasks))
        self.loop.close()


async def _one_level_deeper(coroutine: Coroutine[Any, Any, T], level: int) -> T:
    _LEVEL.set(level)
    return await coroutine
