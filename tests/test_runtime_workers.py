"""Where code runs that must not block the caller: bounded daemon threads, and a background event loop."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

import pytest

from mcp_contracts.runtime.calls.background import BackgroundLoops
from mcp_contracts.runtime.calls.workers import NoWorkerError, Workers

LOOPS = BackgroundLoops()


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Event that blocked functions wait for; set at the end, so that no thread remains."""
    event = threading.Event()
    yield event
    event.set()


def eventually(is_so: Callable[[], bool]) -> bool:
    """Whether something becomes true within five seconds."""
    ends_at = time.monotonic() + 5
    while not is_so() and time.monotonic() < ends_at:
        time.sleep(0.001)
    return is_so()


def run_python(code: str) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Run code in a new interpreter; return the seconds that it took after it printed `over`, and its outcome."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with process:
        assert process.stdout is not None
        line = process.stdout.readline()
        begun = time.monotonic()
        out, err = process.communicate(timeout=20)
    return time.monotonic() - begun, subprocess.CompletedProcess(process.args, process.returncode, line + out, err)


def raising(error: BaseException) -> Callable[[], Any]:
    def fail() -> None:
        raise error

    return fail


# ------------------------------------------------------------------------------------------ functions in threads


def test_a_function_runs_in_another_thread_and_its_value_comes_back() -> None:
    workers = Workers()

    async def main() -> int:
        return await workers.run(threading.get_ident)

    assert asyncio.run(main()) != threading.get_ident()
    assert workers.run_blocking(threading.get_ident, 5) != threading.get_ident()
    assert workers.run_blocking(lambda: "done", None) == "done"


def test_one_call_after_the_other_uses_one_thread() -> None:
    workers = Workers()

    async def main() -> set[int]:
        return {await workers.run(threading.get_ident) for _ in range(200)}

    assert len(asyncio.run(main())) == 1
    assert len({workers.run_blocking(threading.get_ident, 5) for _ in range(200)}) == 1


def test_the_threads_are_daemons() -> None:
    assert Workers().run_blocking(lambda: threading.current_thread().daemon, 5) is True


def test_a_function_sees_the_context_of_its_caller_and_keeps_what_it_sets() -> None:
    variable: ContextVar[str] = ContextVar("variable")
    workers = Workers()

    def function() -> str:
        seen = variable.get()
        variable.set("function")
        return seen

    async def main() -> tuple[str, str]:
        return await workers.run(function), variable.get()

    variable.set("caller")
    assert asyncio.run(main()) == ("caller", "caller")
    assert (workers.run_blocking(function, 5), variable.get()) == ("caller", "caller")


@pytest.mark.parametrize(
    "error", [ValueError("no"), TimeoutError("its own"), SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError()]
)
def test_what_a_function_raises_reaches_the_caller_and_the_thread_lives_on(error: BaseException) -> None:
    workers = Workers(threads=1)
    before = workers.run_blocking(threading.get_ident, 5)

    async def main() -> BaseException | None:
        try:
            await workers.run(raising(error))
        except BaseException as caught:
            return caught
        return None

    assert asyncio.run(main()) is error
    with pytest.raises(type(error)) as caught:
        workers.run_blocking(raising(error), 5)
    assert caught.value is error
    assert workers.run_blocking(threading.get_ident, 5) == before


def test_a_stop_iteration_is_treated_as_one_of_a_coroutine() -> None:
    workers = Workers()

    async def main() -> None:
        with pytest.raises(RuntimeError, match="StopIteration") as caught:
            await workers.run(raising(StopIteration(1)))
        assert isinstance(caught.value.__cause__, StopIteration)

    asyncio.run(main())
    with pytest.raises(StopIteration):
        workers.run_blocking(raising(StopIteration(1)), 5)


def test_a_traceback_shows_the_function_and_not_the_thread_that_ran_it() -> None:
    with pytest.raises(ValueError, match="no") as caught:
        Workers().run_blocking(raising(ValueError("no")), 5)

    names = [entry.name for entry in caught.traceback]
    assert (names[-1], "execute" in names, "_work" in names) == ("fail", False, False)


def test_jobs_wait_for_a_free_thread_in_their_order(release: threading.Event) -> None:
    workers = Workers(threads=1)
    order: list[int] = []

    async def main() -> None:
        first = asyncio.create_task(workers.run(release.wait))
        await asyncio.sleep(0)
        others = [asyncio.create_task(workers.run(lambda number=number: order.append(number))) for number in range(20)]  # type: ignore[misc] # mypy does not infer a default of a lambda
        await asyncio.sleep(0.02)
        assert order == []
        release.set()
        await asyncio.gather(first, *others)

    asyncio.run(main())

    assert order == list(range(20))


def test_a_waiting_job_that_is_cancelled_never_starts(release: threading.Event) -> None:
    workers = Workers(threads=1)
    begun: list[str] = []

    async def main() -> None:
        first = asyncio.create_task(workers.run(release.wait))
        await asyncio.sleep(0)
        second = asyncio.create_task(workers.run(lambda: begun.append("second")))
        third = asyncio.create_task(workers.run(lambda: begun.append("third")))
        await asyncio.sleep(0)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        release.set()
        await asyncio.gather(first, third)

    asyncio.run(main())

    assert begun == ["third"]


def test_a_job_whose_time_passes_while_it_waits_never_starts(release: threading.Event) -> None:
    workers = Workers(threads=1)
    begun: list[str] = []
    blocked = threading.Thread(target=workers.run_blocking, args=(release.wait, None))
    blocked.start()
    started = eventually(lambda: "mcp-contracts-worker" in {thread.name for thread in threading.enumerate()})

    with pytest.raises(TimeoutError, match=r"within 0\.01 s"):
        workers.run_blocking(lambda: begun.append("late"), 0.01)
    release.set()
    blocked.join()

    assert (started, workers.run_blocking(lambda: "next", 5), begun) == (True, "next", [])


def test_an_abandoned_function_leaves_its_place_to_the_next(release: threading.Event) -> None:
    workers = Workers(threads=1)

    async def main() -> str:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await workers.run(release.wait)
        return await workers.run(lambda: "next")

    assert asyncio.run(main()) == "next"


def test_a_waiting_job_starts_when_the_one_before_it_is_abandoned(release: threading.Event) -> None:
    workers = Workers(threads=1)

    async def main() -> str:
        first = asyncio.create_task(workers.run(release.wait))
        await asyncio.sleep(0)
        second = asyncio.create_task(workers.run(lambda: "second"))
        await asyncio.sleep(0.01)
        first.cancel()
        return await second

    assert asyncio.run(main()) == "second"


def test_too_many_abandoned_functions_refuse_the_next_job_until_one_ends() -> None:
    workers = Workers(threads=1, abandoned=2)
    releases = [threading.Event(), threading.Event()]
    for event in releases:
        with pytest.raises(TimeoutError):
            workers.run_blocking(event.wait, 0.01)

    with pytest.raises(NoWorkerError, match=r"^2 abandoned calls are still running and occupy all threads$") as caught:
        workers.run_blocking(lambda: "refused", None)
    with pytest.raises(NoWorkerError):
        asyncio.run(workers.run(lambda: "refused"))
    releases[0].set()

    def is_taken() -> bool:
        try:
            return workers.run_blocking(lambda: True, 5)
        except NoWorkerError:
            return False

    assert (caught.value.abandoned, eventually(is_taken)) == (2, True)
    releases[1].set()


def test_never_more_threads_than_both_bounds_together_and_what_waits_then_is_refused(release: threading.Event) -> None:
    workers = Workers(threads=2, abandoned=2)
    running: list[int] = []

    def block() -> None:
        running.append(threading.get_ident())
        release.wait()

    async def main() -> None:
        blocked = [asyncio.create_task(workers.run(block)) for _ in range(4)]
        waiting = [asyncio.create_task(workers.run(lambda: "waiting")) for _ in range(3)]
        await asyncio.sleep(0)
        for task in blocked:
            while len(running) < 2:
                await asyncio.sleep(0.001)
            task.cancel()
            await asyncio.sleep(0.01)
        assert len(running) <= 4
        outcomes = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 5)
        assert {type(outcome) for outcome in outcomes} <= {str, NoWorkerError}

    asyncio.run(main())


def test_a_flood_of_calls_of_one_owner_that_all_hang_leaves_threads_to_the_others(release: threading.Event) -> None:
    workers = Workers(threads=4, abandoned=4)

    async def main() -> tuple[list[object], str]:
        flood = [asyncio.create_task(workers.run(release.wait, owner="hangs")) for _ in range(20)]
        await asyncio.sleep(0)
        for task in flood[:-1]:  # each frees its place, if it had one, before the next is cancelled
            task.cancel()
            await asyncio.sleep(0)
        outcomes = await asyncio.gather(*flood, return_exceptions=True)
        return [*outcomes], await workers.run(lambda: "ran", 5, owner="other")

    outcomes, other = asyncio.run(main())

    assert other == "ran"
    assert isinstance(outcomes[-1], NoWorkerError)
    assert str(outcomes[-1]) == "3 abandoned calls of this tool are still running and occupy its threads"


def test_no_thread_is_left_over_when_abandoned_functions_have_ended() -> None:
    workers = Workers(threads=2, abandoned=4)
    names = {thread.ident for thread in threading.enumerate()}
    event = threading.Event()
    for _ in range(4):
        with pytest.raises(TimeoutError):
            workers.run_blocking(event.wait, 0.005)
    event.set()

    def count() -> int:
        return len({thread.ident for thread in threading.enumerate() if "worker" in thread.name} - names)

    assert eventually(lambda: count() <= 2)
    workers.close()
    assert eventually(lambda: count() == 0)


def test_an_abandoned_function_may_end_after_its_loop_was_closed(release: threading.Event) -> None:
    workers = Workers()
    ended = threading.Event()

    def function() -> None:
        release.wait()
        ended.set()

    async def main() -> None:
        asyncio.get_running_loop().call_later(0.01, asyncio.get_running_loop().stop)
        await workers.run(function)

    loop = asyncio.new_event_loop()
    task = loop.create_task(main())
    loop.run_forever()  # it is stopped while the function runs, without a cancellation
    loop.close()
    release.set()

    assert ended.wait(5)
    assert workers.run_blocking(lambda: "next", 5) == "next"
    task.get_coro().close()
    task._log_destroy_pending = False  # type: ignore[attr-defined] # the way to destroy a task of a closed loop


def test_hundreds_of_concurrent_jobs_with_mixed_outcomes_are_each_answered_once() -> None:
    workers = Workers(threads=8)

    def function(number: int) -> int:
        if number % 3 == 1:
            raise ValueError(number)
        if number % 50 == 0:
            time.sleep(0.002)
        return number

    async def main() -> list[Any]:
        jobs = [workers.run(lambda number=number: function(number)) for number in range(900)]  # type: ignore[misc] # as above
        return await asyncio.gather(*jobs, return_exceptions=True)

    outcomes = asyncio.run(main())

    assert [number if number % 3 != 1 else str(number) for number in range(900)] == [
        str(outcome) if isinstance(outcome, ValueError) else outcome for outcome in outcomes
    ]


def test_hundreds_of_concurrent_jobs_some_of_them_cancelled_leave_the_pool_whole() -> None:
    workers = Workers(threads=4, abandoned=1000)

    async def main() -> list[Any]:
        tasks = [asyncio.create_task(workers.run(lambda: time.sleep(0.002))) for _ in range(400)]
        for number, task in enumerate(tasks):
            if number % 2:
                asyncio.get_running_loop().call_later(number / 10_000, task.cancel)
        return await asyncio.gather(*tasks, return_exceptions=True)

    outcomes = asyncio.run(main())

    assert set(outcomes[::2]) == {None}
    assert workers.run_blocking(lambda: "whole", 5) == "whole"


def test_nothing_keeps_a_result_or_an_error_alive() -> None:
    class Large:
        pass

    seen: list[weakref.ref[Large]] = []
    workers = Workers()

    def give() -> Large:
        large = Large()
        seen.append(weakref.ref(large))
        return large

    def fail() -> None:
        large = Large()
        seen.append(weakref.ref(large))
        raise ValueError

    async def main() -> None:
        await workers.run(give)
        with suppress(ValueError):
            await workers.run(fail)

    gc.disable()
    try:
        asyncio.run(main())
        workers.run_blocking(give, 5)
        with suppress(ValueError):
            workers.run_blocking(fail, 5)
        assert eventually(lambda: [reference() for reference in seen] == [None] * 4)
    finally:
        gc.enable()


def test_the_result_of_an_abandoned_function_is_dropped(release: threading.Event) -> None:
    class Large:
        pass

    seen: list[weakref.ref[Large]] = []
    workers = Workers()

    def give() -> Large:
        release.wait()
        large = Large()
        seen.append(weakref.ref(large))
        return large

    with pytest.raises(TimeoutError):
        workers.run_blocking(give, 0.01)
    release.set()

    assert eventually(lambda: len(seen) == 1 and seen[0]() is None)


@pytest.mark.parametrize("timeout", [0, -1.5, float("-inf"), float("nan")])
def test_without_time_nothing_runs(timeout: float) -> None:
    workers = Workers(threads=1)
    begun: list[str] = []

    with pytest.raises(TimeoutError):
        workers.run_blocking(lambda: begun.append("blocking"), timeout)
    with pytest.raises(TimeoutError):
        asyncio.run(workers.run(lambda: begun.append("async"), timeout))

    assert (workers.run_blocking(lambda: "next", float("inf")), begun) == ("next", [])


def test_an_awaited_function_has_its_own_time(release: threading.Event) -> None:
    workers = Workers(threads=1)
    begun: list[str] = []

    async def main() -> None:
        with pytest.raises(TimeoutError, match=r"within 0\.01 s"):
            await workers.run(release.wait, 0.01)
        first = asyncio.create_task(workers.run(release.wait, 5))
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await workers.run(lambda: begun.append("late"), 0.01)
        release.set()

        assert (await first, await workers.run(lambda: "in time", 5), begun) == (True, "in time", [])

    asyncio.run(main())


def test_closed_workers_end_what_they_took_and_take_nothing_more(release: threading.Event) -> None:
    workers = Workers(threads=1)

    async def main() -> list[Any]:
        tasks = [asyncio.create_task(workers.run(function)) for function in (release.wait, lambda: "waiting")]
        await asyncio.sleep(0.01)
        workers.close()
        release.set()
        return await asyncio.gather(*tasks)

    assert asyncio.run(main()) == [True, "waiting"]
    with pytest.raises(RuntimeError, match="closed"):
        workers.run_blocking(lambda: "late", 5)


def test_the_threads_end_with_the_last_reference_to_their_workers() -> None:
    workers = Workers()
    name = workers.run_blocking(threading.current_thread, 5)

    del workers
    gc.collect()
    name.join(5)

    assert not name.is_alive()


@pytest.mark.parametrize("bounds", [{"threads": 0}, {"abandoned": 0}])
def test_bounds_below_one_are_refused(bounds: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Workers(**bounds)


def test_a_function_that_sleeps_past_its_deadline_does_not_delay_the_end_of_the_process() -> None:
    took, process = run_python("""
        import asyncio, time
        from mcp_contracts.runtime.calls.workers import Workers
        workers = Workers()

        async def main():
            try:
                async with asyncio.timeout(0.05):
                    await workers.run(lambda: time.sleep(60))
            except TimeoutError:
                pass
            try:
                workers.run_blocking(lambda: time.sleep(60), 0.05)
            except TimeoutError:
                print("over", flush=True)

        asyncio.run(main())
    """)

    assert (process.stdout, process.stderr, process.returncode) == ("over\n", "", 0)
    assert took < 10


def test_a_child_process_starts_threads_and_its_own_loop() -> None:
    _, process = run_python("""
        import asyncio, os, threading, time, warnings
        from mcp_contracts.runtime.calls.background import BackgroundLoops
        from mcp_contracts.runtime.calls.workers import Workers

        LOOPS = BackgroundLoops()
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of every fork beside threads

        async def answer():
            await asyncio.sleep(0)
            return os.getpid()

        workers = Workers(threads=1)
        workers.run_blocking(os.getpid, 5), LOOPS.run(answer()).result(5)
        pid = os.fork()
        seen = {workers.run_blocking(os.getpid, 5), LOOPS.run(answer()).result(5)}
        assert seen == {os.getpid()}
        if pid:
            assert os.waitpid(pid, 0)[1] == 0
            assert LOOPS.run(answer()).result(5) == os.getpid()
            print("over")
    """)

    assert (process.stdout, process.stderr, process.returncode) == ("over\n", "", 0)


# ------------------------------------------------------------------------------------------ the background loop


async def double(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


def test_a_coroutine_runs_on_one_loop_in_a_daemon_thread() -> None:
    async def where() -> tuple[asyncio.AbstractEventLoop, threading.Thread]:
        return asyncio.get_running_loop(), threading.current_thread()

    first, second = (LOOPS.run(where()).result(5) for _ in range(2))

    assert first == second
    assert (first[1].daemon, first[1] is threading.main_thread()) == (True, False)


def test_it_is_used_from_any_thread_also_from_one_with_a_running_loop() -> None:
    async def main() -> int:
        return LOOPS.run(double(4)).result(5)

    assert LOOPS.run(double(3)).result(5) == 6
    assert asyncio.run(main()) == 8
    assert Workers().run_blocking(lambda: LOOPS.run(double(5)).result(5), 5) == 10


def test_hundreds_of_threads_use_it_at_once() -> None:
    futures: list[Future[int]] = []
    threads = [
        threading.Thread(target=lambda number=number: futures.append(LOOPS.run(double(number))))
        for number in range(200)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(future.result(5) for future in futures) == list(range(0, 400, 2))


def test_sync_and_async_code_that_call_each_other_do_not_wait_for_themselves() -> None:
    workers = Workers()

    async def nested(depth: int) -> int:
        if depth == 0:
            return 0
        if depth % 2:
            return 1 + LOOPS.run(nested(depth - 1)).result(5)
        return 1 + await workers.run(lambda: LOOPS.run(nested(depth - 1)).result(5))

    assert LOOPS.run(nested(6)).result(5) == 6


def test_nesting_has_an_end() -> None:
    async def nested() -> None:
        LOOPS.run(nested()).result(5)

    with pytest.raises(NoWorkerError, match="nested 32 levels deep"):
        LOOPS.run(nested()).result(5)


def test_a_coroutine_sees_the_context_of_its_caller() -> None:
    variable: ContextVar[str] = ContextVar("variable")

    async def read() -> str:
        return variable.get()

    variable.set("caller")

    assert LOOPS.run(read()).result(5) == "caller"


def test_cancelling_the_future_cancels_the_coroutine() -> None:
    begun, cancelled = threading.Event(), threading.Event()

    async def wait() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()

    future = LOOPS.run(wait())
    begun.wait(5)
    future.cancel()

    assert cancelled.wait(5)
    with pytest.raises(CancelledError):
        future.result(5)


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(3)])
def test_whatever_a_coroutine_raises_the_loop_continues(error: BaseException) -> None:
    async def fail() -> None:
        raise error

    async def stop() -> None:
        asyncio.get_running_loop().stop()

    with pytest.raises(type(error)):
        LOOPS.run(fail()).result(5)
    LOOPS.run(stop()).result(5)

    assert LOOPS.run(double(3)).result(5) == 6


def test_a_coroutine_that_awaits_forever_does_not_delay_the_end_of_the_process() -> None:
    took, process = run_python("""
        import asyncio, time
        from mcp_contracts.runtime.calls.background import BackgroundLoops

        LOOPS = BackgroundLoops()

        async def block():
            time.sleep(60)

        future = LOOPS.run(asyncio.sleep(60))
        try:
            future.result(0.05)
        except TimeoutError:
            LOOPS.run(block())
            print("over", flush=True)
    """)

    assert (process.stdout, process.stderr, process.returncode) == ("over\n", "", 0)
    assert took < 10
