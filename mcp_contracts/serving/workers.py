"""Several processes that serve one socket. A process that exits is replaced, until a signal terminates all of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from logging import getLogger
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from mcp_contracts.errors import UsageError

_Plan = TypeVar("_Plan")
_SHORTEST_LIFE = 5.0  # seconds; the replacement of a worker that dies sooner would die as well
_TICK = 0.5
_logger = getLogger("mcp_contracts.serving")

Work = Callable[[_Plan, socket.socket], None]
"""The function of a worker process: serve a plan on a socket until SIGTERM."""


def run_workers(work: Work[_Plan], plan: _Plan, listening: socket.socket, count: int, *, grace: float) -> int:
    """Run `count` processes of `work` until SIGTERM or SIGINT arrives, and return the exit code.

    A worker that exits is replaced. If a worker exits within five seconds, all of them are stopped, because its
    successor would exit too.
    """
    return _Workers(work, plan, listening, count, grace).run()


class _Workers(Generic[_Plan]):
    def __init__(self, work: Work[_Plan], plan: _Plan, listening: socket.socket, count: int, grace: float) -> None:
        if count < 2:
            raise UsageError("`workers` must be at least 2")
        self._work, self._plan, self._listening = work, plan, listening
        self._count, self._grace = count, grace
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[tuple[BaseProcess, float]] = []
        self._stop = threading.Event()
        # Each worker holds the other end, so that all workers exit if this process is killed.
        self._leash, self._held = self._context.Pipe(duplex=False)

    def run(self) -> int:
        stops = (signal.SIGTERM, signal.SIGINT)
        before = {number: signal.signal(number, lambda *_: self._stop.set()) for number in stops}
        code = 0
        try:
            for _ in range(self._count):
                self._start()
            while not self._stop.is_set() and not code:
                wait([worker.sentinel for worker, _ in self._workers], timeout=_TICK)
                code = self._replace_dead()
        finally:
            self._end_all()
            for number, handler in before.items():
                signal.signal(number, handler)
        return code

    def _start(self) -> None:
        arguments = (self._work, self._plan, self._listening, self._leash)
        worker = self._context.Process(target=_serve, args=arguments, name="mcp-contracts worker")
        worker.start()
        self._workers.append((worker, time.monotonic()))

    def _replace_dead(self) -> int:
        if self._stop.is_set():
            return 0
        for entry in tuple(self._workers):
            worker, since = entry
            if worker.is_alive():
                continue
            self._workers.remove(entry)
            if time.monotonic() - since < _SHORTEST_LIFE:
                _logger.error(
                    "worker %d exited immediately (exit code %s); the server stops", worker.pid, worker.exitcode
                )
                return abs(worker.exitcode or 1)
            _logger.warning("worker %d exited (exit code %s) and is replaced", worker.pid, worker.exitcode)
            self._start()
        return 0

    def _end_all(self) -> None:
        for worker, _ in self._workers:
            if worker.is_alive() and worker.pid is not None:
                os.kill(worker.pid, signal.SIGTERM)
        ends_at = time.monotonic() + self._grace + 5
        for worker, _ in self._workers:
            worker.join(max(0.1, ends_at - time.monotonic()))
            if worker.is_alive():
                worker.kill()
                worker.join()
        self._held.close()


def _serve(work: Work[_Plan], plan: _Plan, listening: socket.socket, leash: Connection) -> None:
    threading.Thread(target=_end_with, args=(leash,), name="leash", daemon=True).start()
    work(plan, listening)


def _end_with(leash: Connection) -> None:
    try:
        leash.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)
