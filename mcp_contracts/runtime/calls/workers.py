"""Run sync functions in bounded daemon threads."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar, cast

from mcp_contracts.runtime.calls.deadlines import resolve

# Maximum nesting of calls that each need a loop or thread not occupied by the calls above them (see below).
MAXIMUM_LEVELS = 32

T = TypeVar("T")


class NoWorkerError(Exception):
    """No thread is available; `abandoned` is the number of abandoned calls that are still running."""

    def __init__(self, message: str, *, abandoned: int) -> None:
        super().__init__(message)
        self.abandoned = abandoned


class _Job:
    """A function to run for an owner, and its outcome; the lock of its pool guards `is_abandoned` and `is_ended`."""

    __slots__ = ("context", "deliver", "error", "function", "is_abandoned", "is_ended", "owner", "value")

    def __init__(self, function: Callable[[], Any], deliver: Callable[[], object], owner: str) -> None:
        self.owner = owner
        self.function: Callable[[], Any] | None = function
        self.context: Context | None = copy_context()
        self.context.run(_DEPTH.set, _DEPTH.get() + 1)  # so that its own calls do not wait for threads that wait for it
        self.deliver: Callable[[], object] | None = deliver
        self.value: Any = None
        self.error: BaseException | None = None
        self.is_abandoned = False
        self.is_ended = False

    def execute(self) -> None:
        function, context = self.function, self.context
        if function is None or context is None:
            return  # abandoned before it started
        try:
            self.value = context.run(function)
        except BaseException as error:  # raised where the result is awaited; the thread survives
            self.error = error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)  # without this frame
        self.function = self.context = None

    def abandon(self) -> None:
        self.is_abandoned = True
        self.function = self.context = self.deliver = None

    def outcome(self) -> Any:
        """Return the value or raise the error, only once: a traceback that refers to its error is a reference cycle."""
        value, error, self.value, self.error = self.value, self.error, None, None
        if error is None:
            return value
        try:
            raise error
        finally:
            del error


class _ThreadPool:
    """The threads of one pool in one process, and the jobs that wait for them.

    Every thread waits at its own inbox, so that a single `put` hands over a job and the idle threads are known exactly.
    At most `threads + abandoned` threads are alive: `threads`, plus one for each running abandoned job. An owner starts
    no job while it has three quarters of `threads` or, counting its abandoned jobs, of `abandoned`. Each of its jobs
    may be abandoned, and a function that hangs must leave threads to the others.
    """

    def __init__(self, threads: int, abandoned: int) -> None:
        self.process_id = os.getpid()
        self.threads = threads
        self.abandoned = abandoned
        self.is_closed = False
        self._lock = threading.Lock()
        self._alive = 0
        self._abandoned_now = 0
        self._running_of: Counter[str] = Counter()  # without abandoned jobs
        self._abandoned_of: Counter[str] = Counter()
        self._idle: list[SimpleQueue[_Job | None]] = []
        self._waiting: OrderedDict[_Job, None] = OrderedDict()

    def take(self, job: _Job) -> None:
        """Run a job in an idle thread, in a new one, or once one is free."""
        with self._lock:
            if self.is_closed:
                raise RuntimeError("the workers are closed")
            if self._abandoned_now >= self.abandoned:
                raise self._refusal()
            if self._has_only_abandoned(job.owner):
                raise self._refusal(self._abandoned_of[job.owner])
            if not self._has_share(job):
                self._waiting[job] = None
                return
            if not self._start(job):
                return
        self._start_thread(job)

    def _has_share(self, job: _Job) -> bool:
        running, abandoned = self._running_of[job.owner], self._abandoned_of[job.owner]
        return not job.owner or (running < _share(self.threads) and running + abandoned < _share(self.abandoned))

    def _has_only_abandoned(self, owner: str) -> bool:
        """Whether all jobs that an owner may have are abandoned."""
        return bool(owner) and self._abandoned_of[owner] >= _share(self.abandoned)

    def _start(self, job: _Job) -> bool:
        """Start a job in an idle thread, or let it wait; return whether it needs a new thread. Requires the lock."""
        try:  # without checking first, because `close` takes no lock
            self._idle.pop().put(job)
        except IndexError:
            if self._alive >= self._most_alive():
                self._waiting[job] = None
                return False
            self._alive += 1
            self._running_of[job.owner] += 1
            return True
        self._running_of[job.owner] += 1
        return False

    def _next_waiting(self) -> _Job | None:
        """Take the first waiting job whose owner has a thread left. Requires the lock."""
        job = next((one for one in self._waiting if self._has_share(one)), None)
        if job is not None:
            del self._waiting[job]
        return job

    def give_up(self, job: _Job) -> bool:
        """Abandon a job; return whether it was still unfinished. A waiting job never starts."""
        refused: list[_Job] = []
        following = None
        with self._lock:
            if job.is_ended:
                return False
            job.abandon()
            if job in self._waiting:
                del self._waiting[job]
                job.is_ended = True
                return True
            self._abandoned_now += 1
            self._running_of[job.owner] -= 1
            self._abandoned_of[job.owner] += 1
            is_full = self._abandoned_now >= self.threads + self.abandoned  # no thread is left that could return
            if is_full or self._has_only_abandoned(job.owner):
                refused = [one for one in self._waiting if is_full or one.owner == job.owner]
            for other in refused:
                del self._waiting[other]
                other.error = self._refusal(0 if is_full else self._abandoned_of[job.owner])
                other.is_ended = True
            has_thread = bool(self._idle) or self._alive < self._most_alive()
            if has_thread and (waiting := self._next_waiting()) is not None:
                following = waiting if self._start(waiting) else None
        for other in refused:
            _deliver(other)
        if following is not None:
            self._start_thread(following)
        return True

    def close(self) -> None:
        """Let the threads exit once no jobs wait. Takes no lock, because the garbage collector may call it."""
        self.is_closed = True
        with suppress(IndexError):
            while True:
                self._idle.pop().put(None)

    def _most_alive(self) -> int:
        return self.threads + min(self._abandoned_now, self.abandoned)

    def _refusal(self, own: int = 0) -> NoWorkerError:
        count = own or self._abandoned_now
        whose = "of this tool " if own else ""
        occupied = "its threads" if own else "all threads"
        message = f"{count} abandoned calls {whose}are still running and occupy {occupied}"
        return NoWorkerError(message, abandoned=count)

    def _release(self, job: _Job) -> None:
        """Stop counting a job that has ended. Requires the lock."""
        counter = self._abandoned_of if job.is_abandoned else self._running_of
        counter[job.owner] -= 1
        if not counter[job.owner]:
            del counter[job.owner]

    def _start_thread(self, job: _Job) -> None:
        """Start a thread for a job, or refuse the job if the system provides none."""
        thread = threading.Thread(target=self._work, args=([job],), name="mcp-contracts-worker", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # no more threads, or the interpreter is shutting down
            with self._lock:
                self._alive -= 1
                job.is_ended = True
                self._abandoned_now -= job.is_abandoned
                self._release(job)
                job.error = NoWorkerError(f"no thread could be started: {error}", abandoned=self._abandoned_now)
            _deliver(job)

    def _work(self, first: list[_Job]) -> None:
        """Run jobs in a thread until the pool drops it. Empties `first` at once to drop the reference."""
        inbox: SimpleQueue[_Job | None] = SimpleQueue()
        job: _Job | None = first.pop()
        while job is not None:
            job.execute()
            # Release the thread before delivering the answer, so that the receiver can use the thread at once.
            is_going_on, following = self._end(job, inbox)
            _deliver(job)
            job = following
            if job is None and is_going_on:
                job = inbox.get()

    def _end(self, job: _Job, inbox: SimpleQueue[_Job | None]) -> tuple[bool, _Job | None]:
        """Mark a job as finished; return whether its thread continues, and the next waiting job."""
        with self._lock:
            job.is_ended = True
            self._release(job)
            if job.is_abandoned:
                self._abandoned_now -= 1
                job.value = job.error = None
            if self._alive > self._most_alive():
                self._alive -= 1
                return False, None
            if (following := self._next_waiting()) is not None:
                self._running_of[following.owner] += 1
                return True, following
            self._idle.append(inbox)
            # checked last: `close` takes no lock, so either it has seen the inbox or this sees the flag
            if self.is_closed:
                with suppress(ValueError):
                    self._idle.remove(inbox)
                    self._alive -= 1
                    return False, None
            return True, None


class Workers:
    """A bounded pool of daemon threads for sync functions, which never delays interpreter shutdown.

    At most `threads` functions with a waiting caller run at once; others wait for a free thread. A function whose
    caller was cancelled or timed out cannot be stopped: it continues in its thread and counts as one of `abandoned`
    until it returns. While `abandoned` of them run, new jobs are refused with `NoWorkerError`. Threads start on demand,
    are reused, and exit on `close` or with the last reference. After a fork, the child starts its own threads. The
    functions of one `owner` (a tool) get at most three quarters of the threads; without an owner, all of them.
    """

    def __init__(self, threads: int = 32, abandoned: int = 32) -> None:
        if threads < 1 or abandoned < 1:
            raise ValueError("`threads` and `abandoned` must be at least 1")
        self._threads, self._abandoned = threads, abandoned
        self._pools: dict[tuple[int, int], _ThreadPool] = {}
        self._is_closed = False

    def __del__(self) -> None:
        if hasattr(self, "_pools"):
            self.close()

    async def run(self, function: Callable[[], T], timeout: float | None = None, *, owner: str = "") -> T:
        """Run a function in a thread, with a copy of the caller's context variables, and return its result.

        Its exceptions propagate (a `StopIteration` as the cause of a `RuntimeError`, as in any coroutine). Raises the
        builtin `TimeoutError` after `timeout` seconds, which costs less than a timeout around this call, and
        `NoWorkerError` if too many abandoned functions are running. In these cases, and if the awaiting task is
        cancelled, the job is abandoned at once: a waiting job never starts.
        """
        _check_time(timeout)
        loop = asyncio.get_running_loop()
        ended = loop.create_future()
        timer = None if timeout is None else loop.call_later(timeout, resolve, ended)
        job = _Job(function, partial(loop.call_soon_threadsafe, resolve, ended), owner)
        pool = self._current_pool()
        try:
            pool.take(job)
            try:
                await ended
            except asyncio.CancelledError:
                pool.give_up(job)
                raise
            if not job.is_ended and pool.give_up(job):
                raise _too_late(timeout)
            return cast(T, job.outcome())
        finally:
            if timer is not None:
                timer.cancel()
            del job, ended, function

    def run_blocking(self, function: Callable[[], T], timeout: float | None, *, owner: str = "") -> T:
        """Run a function in a thread, and wait at most `timeout` seconds for its result (None: without limit).

        Its exceptions propagate. Raises the builtin `TimeoutError` after `timeout` seconds, which abandons the job, and
        `NoWorkerError` if too many abandoned functions are running.
        """
        _check_time(timeout)
        longest = -1 if timeout is None else min(timeout, threading.TIMEOUT_MAX)
        ended = threading.Lock()
        ended.acquire()
        job = _Job(function, ended.release, owner)
        pool = self._current_pool()
        try:
            pool.take(job)
            try:
                in_time = ended.acquire(timeout=longest)
            except BaseException:  # Ctrl-C while waiting
                pool.give_up(job)
                raise
            if not in_time and pool.give_up(job):
                raise _too_late(timeout)
            return cast(T, job.outcome())
        finally:
            del job, function

    def close(self) -> None:
        """Refuse new jobs (`RuntimeError`); accepted jobs still run, then the threads exit. Does not wait."""
        self._is_closed = True
        for pool in tuple(self._pools.values()):
            pool.close()

    def _current_pool(self) -> _ThreadPool:
        """Return the threads for the current nesting level.

        A function in a thread that calls another one waits for it, so each level has its own threads: in a single pool,
        one such call for each thread would deadlock. After a fork, the threads of the parent do not exist and their
        lock may be held, so the key includes the process.
        """
        depth = _DEPTH.get()
        if depth >= MAXIMUM_LEVELS:
            raise NoWorkerError(f"functions in threads call each other {depth} levels deep", abandoned=0)
        key = (os.getpid(), depth)
        pool = self._pools.get(key) or self._pools.setdefault(key, _ThreadPool(self._threads, self._abandoned))
        if self._is_closed:
            pool.close()
        return pool


_DEPTH: ContextVar[int] = ContextVar("mcp_contracts_worker_depth", default=0)


def _share(threads: int) -> int:
    """Return the number of threads that one owner may have."""
    return -(-threads * 3 // 4)


def _check_time(timeout: float | None) -> None:
    if timeout is not None and not timeout > 0:
        raise _too_late(timeout)


def _too_late(timeout: float | None) -> TimeoutError:
    return TimeoutError(f"the function did not finish within {timeout} s")


def _deliver(job: _Job) -> None:
    deliver, job.deliver = job.deliver, None
    if deliver is not None:
        with suppress(RuntimeError):  # the event loop was closed in the meantime
            deliver()
