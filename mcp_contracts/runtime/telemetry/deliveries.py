"""Deliver events in a separate thread, so that no subscriber can delay an answer past its deadline."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from weakref import finalize

from mcp_contracts.runtime.telemetry.events import LOGGER_NAME

_LOGGER = logging.getLogger(LOGGER_NAME)
_MOST_WAITING = 10_000
_LEAST = 0.05  # seconds that a delivery may take even if the deadline has passed

_Work = Callable[[], object]
_Inbox = SimpleQueue[tuple[_Work, threading.Event] | None]


class Deliveries:
    """Runs work in order in one daemon thread, which starts with the first delivery. Thread-safe."""

    __slots__ = ("__weakref__", "_inbox", "_late", "_lock", "_process_id", "_thread")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inbox: _Inbox = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._process_id = 0
        self._late: threading.Event | None = None  # the end of a delivery that outlasted its caller's wait

    def deliver(self, work: _Work, seconds: float) -> None:
        """Run work after all earlier work, and wait until it has finished, for at most `seconds`.

        While earlier work is late, this does not wait at all. Work that delivers itself runs at once.
        """
        if threading.current_thread() is self._thread:
            work()
            return
        ended = threading.Event()
        with self._lock:
            if self._process_id != os.getpid():  # a fork has no threads of its parent
                self._start()
            if self._inbox.qsize() >= _MOST_WAITING:
                _LOGGER.error("an event was dropped, because %d others are waiting for a subscriber", _MOST_WAITING)
                return
            self._inbox.put((partial(copy_context().run, work), ended))
            is_late = self._late is not None and not self._late.is_set()
        if not is_late and not ended.wait(max(seconds, _LEAST)):
            self._late = ended

    def _start(self) -> None:
        self._process_id = os.getpid()
        self._inbox, self._late = SimpleQueue(), None
        self._thread = threading.Thread(target=_run, args=(self._inbox,), name="mcp-contracts-events", daemon=True)
        self._thread.start()
        finalize(self, self._inbox.put, None)


def _run(inbox: _Inbox) -> None:
    while (job := inbox.get()) is not None:
        work, ended = job
        with suppress(BaseException):  # subscribers report their own errors
            work()
        ended.set()
        del job, work
