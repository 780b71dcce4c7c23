"""An awaitable with a deadline, whatever it does."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

import pytest

from mcp_contracts.runtime.calls.deadlines import DeadlinePassedError, SelfCancelledError, end_by_force, within

Tasks = set[asyncio.Task[Any]]


def run(test: Callable[[Tasks], Coroutine[Any, Any, None]]) -> None:
    """Run a test with a set for abandoned tasks; at the end, no task remains, and no loop has reported an error."""

    async def main() -> None:
        complaints: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, complaint: complaints.append(complaint))
        await test(set())
        gc.collect()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert complaints == []

    asyncio.run(main())


async def answer_after(seconds: float, value: Any = "done") -> Any:
    await asyncio.sleep(seconds)
    return value


class Stubborn:
    """Suppresses every cancellation until it is released."""

    def __init__(self) -> None:
        self.released = asyncio.Event()
        self.cancellations = 0
        self.is_over = False

    async def __call__(self, ending: Callable[[], Any] = lambda: "late") -> Any:
        try:
            while not self.released.is_set():
                try:
                    await self.released.wait()
                except asyncio.CancelledError:
                    self.cancellations += 1
            return ending()
        finally:
            self.is_over = True


@pytest.mark.parametrize("seconds", [0.0, 0.001])
def test_a_result_in_time_is_given(seconds: float) -> None:
    async def test(left_behind: Tasks) -> None:
        assert await within(answer_after(seconds, 7), 5, left_behind=left_behind) == 7
        assert left_behind == set()

    run(test)


def test_any_awaitable_will_do() -> None:
    class Given:
        def __await__(self) -> Generator[Any, None, str]:
            yield from asyncio.sleep(0).__await__()
            return "given"

    async def test(left_behind: Tasks) -> None:
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(future.set_result, 3)

        assert await within(Given(), 5, left_behind=left_behind) == "given"
        assert await within(future, 5, left_behind=left_behind) == 3
        assert await within(asyncio.create_task(answer_after(0, 4)), 5, left_behind=left_behind) == 4

    run(test)


def test_a_cooperative_function_past_its_deadline_is_cancelled_and_gone() -> None:
    ended: list[str] = []

    async def clean_up() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            ended.append("cleaned up")

    async def test(left_behind: Tasks) -> None:
        begun = time.monotonic()
        with pytest.raises(DeadlinePassedError, match=r"^the deadline of 0\.01 s has passed$") as caught:
            await within(clean_up(), 0.01, left_behind=left_behind, grace=5)

        assert caught.value.seconds == 0.01
        assert time.monotonic() - begun < 2  # it did not use up its grace
        assert ended == ["cleaned up"]
        assert left_behind == set()

    run(test)


def test_a_function_that_swallows_cancellation_is_left_behind_until_it_ends() -> None:
    async def test(left_behind: Tasks) -> None:
        stubborn = Stubborn()
        begun = time.monotonic()
        with pytest.raises(DeadlinePassedError):
            await within(stubborn(), 0.01, left_behind=left_behind, grace=0.01)
        took = time.monotonic() - begun
        (task,) = left_behind
        assert (took < 1, stubborn.cancellations, task.done()) == (True, 1, False)

        stubborn.released.set()
        await asyncio.wait(left_behind)
        await asyncio.sleep(0)

        assert left_behind == set()

    run(test)


@pytest.mark.parametrize("error", [ValueError("late"), asyncio.CancelledError(), KeyboardInterrupt()])
def test_what_becomes_of_a_task_left_behind_is_never_logged(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise error

    async def test(left_behind: Tasks) -> None:
        stubborn = Stubborn()
        with pytest.raises(DeadlinePassedError):
            await within(stubborn(fail), 0.01, left_behind=left_behind, grace=0)
        stubborn.released.set()
        while left_behind:
            await asyncio.sleep(0)

    with caplog.at_level(logging.DEBUG, "asyncio"):
        run(test)

    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []


def test_a_shielded_part_continues_while_its_function_ends() -> None:
    async def test(left_behind: Tasks) -> None:
        part = asyncio.create_task(answer_after(0.03))

        async def shielding() -> None:
            await asyncio.shield(part)

        with pytest.raises(DeadlinePassedError):
            await within(shielding(), 0.005, left_behind=left_behind)

        assert left_behind == set()
        assert await part == "done"

    run(test)


def test_an_answer_that_comes_only_after_the_cancellation_is_too_late() -> None:
    async def answer_when_cancelled() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return "too late"
        return "never"

    async def fail_when_cancelled() -> str:
        try:
            return await answer_after(60)  # type: ignore[no-any-return] # it never returns
        finally:
            raise ValueError("too late")

    async def test(left_behind: Tasks) -> None:
        for function in (answer_when_cancelled, fail_when_cancelled):
            with pytest.raises(DeadlinePassedError):
                await within(function(), 0.005, left_behind=left_behind)
        assert left_behind == set()

    run(test)


def test_cancelling_the_caller_cancels_the_function_and_comes_through() -> None:
    seen: list[str] = []

    async def function() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def test(left_behind: Tasks) -> None:
        caller = asyncio.create_task(within(function(), 60, left_behind=left_behind))
        await asyncio.sleep(0.001)
        caller.cancel("enough")
        with pytest.raises(asyncio.CancelledError, match="enough"):
            await caller

        assert (seen, left_behind, caller.cancelled()) == (["cancelled"], set(), True)

    run(test)


def test_cancelling_the_caller_before_the_function_begins_leaves_nothing_unawaited() -> None:
    async def test(left_behind: Tasks) -> None:
        for rounds in range(3):
            caller = asyncio.create_task(within(answer_after(60), 60, left_behind=left_behind, grace=0))
            asyncio.get_running_loop().call_soon(caller.cancel)
            for _ in range(rounds):
                await asyncio.sleep(0)
            with pytest.raises(asyncio.CancelledError):
                await caller
        assert left_behind == set()

    run(test)


def test_a_caller_cancelled_while_a_stubborn_function_has_its_grace_is_let_go() -> None:
    async def test(left_behind: Tasks) -> None:
        stubborn = Stubborn()
        caller = asyncio.create_task(within(stubborn(), 0.005, left_behind=left_behind, grace=60))
        while not stubborn.cancellations:
            await asyncio.sleep(0.001)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        assert len(left_behind) == 1

        stubborn.released.set()
        await asyncio.wait(left_behind)

    run(test)


def test_a_timeout_around_it_is_honored() -> None:
    async def test(left_behind: Tasks) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await within(answer_after(60), 60, left_behind=left_behind)
        with pytest.raises(DeadlinePassedError):
            async with asyncio.timeout(60):
                await within(answer_after(60), 0.01, left_behind=left_behind)

    run(test)


@pytest.mark.parametrize("error", [ValueError("no"), TimeoutError("its own"), KeyboardInterrupt(), SystemExit(3)])
@pytest.mark.parametrize("suspends", [False, True])
def test_what_the_function_raises_comes_through(error: BaseException, suspends: bool) -> None:
    async def fail() -> None:
        if suspends:
            await asyncio.sleep(0)
        raise error

    async def test(left_behind: Tasks) -> None:
        with pytest.raises(type(error)) as caught:
            await within(fail(), 5, left_behind=left_behind)
        assert caught.value is error

    run(test)


def test_a_stop_iteration_is_the_cause_of_a_runtime_error_as_from_any_coroutine() -> None:
    async def stop() -> None:
        next(iter(()))

    async def test(left_behind: Tasks) -> None:
        with pytest.raises(RuntimeError, match="StopIteration") as caught:
            await within(stop(), 5, left_behind=left_behind)
        assert isinstance(caught.value.__cause__, StopIteration)

    run(test)


def test_a_function_that_cancels_itself_does_not_look_like_a_cancelled_caller() -> None:
    async def raise_it() -> None:
        raise asyncio.CancelledError("mine")

    async def cancel_its_task() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)

    async def await_something_cancelled() -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    async def test(left_behind: Tasks) -> None:
        for function in (raise_it, cancel_its_task, await_something_cancelled):
            with pytest.raises(SelfCancelledError) as caught:
                await within(function(), 5, left_behind=left_behind)
            assert isinstance(caught.value.__cause__, asyncio.CancelledError)
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0

    run(test)


@pytest.mark.parametrize("seconds", [0, -1.5, float("-inf"), float("nan")])
def test_without_time_nothing_runs(seconds: float) -> None:
    begun: list[int] = []

    async def function() -> None:
        begun.append(1)

    async def test(left_behind: Tasks) -> None:
        with pytest.raises(DeadlinePassedError):
            await within(function(), seconds, left_behind=left_behind)
        assert begun == []

    run(test)


def test_the_function_sees_the_context_of_its_caller_and_keeps_what_it_sets() -> None:
    variable: ContextVar[str] = ContextVar("variable")

    async def function() -> str:
        seen = variable.get()
        variable.set("function")
        return seen

    async def test(left_behind: Tasks) -> None:
        variable.set("caller")

        assert await within(function(), 5, left_behind=left_behind) == "caller"
        assert variable.get() == "caller"

    run(test)


def test_a_timeout_inside_the_function_is_its_own() -> None:
    async def function() -> str:
        try:
            async with asyncio.timeout(0.005):
                await asyncio.sleep(60)
        except TimeoutError:
            return "its own"
        return "never"

    async def test(left_behind: Tasks) -> None:
        assert await within(function(), 5, left_behind=left_behind) == "its own"

    run(test)


def test_deadlines_nest() -> None:
    async def test(left_behind: Tasks) -> None:
        inner = within(answer_after(60), 50, left_behind=left_behind)
        with pytest.raises(DeadlinePassedError, match=r"0\.005"):
            await within(inner, 0.005, left_behind=left_behind)
        assert left_behind == set()

    run(test)


def test_nothing_keeps_a_result_or_an_error_alive() -> None:
    class Large:
        pass

    async def give() -> Large:
        return Large()

    async def fail() -> None:
        large = Large()
        seen.append(weakref.ref(large))
        await asyncio.sleep(0)
        raise ValueError

    seen: list[weakref.ref[Large]] = []

    async def test(left_behind: Tasks) -> None:
        gc.disable()
        try:
            seen.append(weakref.ref(await within(give(), 5, left_behind=left_behind)))
            with suppress(ValueError):
                await within(fail(), 5, left_behind=left_behind)
            await asyncio.sleep(0)
            assert [reference() for reference in seen] == [None, None]
        finally:
            gc.enable()

    run(test)


def test_a_task_left_behind_can_be_ended_by_force() -> None:
    async def test(left_behind: Tasks) -> None:
        stubborn = Stubborn()
        with pytest.raises(DeadlinePassedError):
            await within(stubborn(), 0.005, left_behind=left_behind, grace=0)
        (task,) = left_behind

        end_by_force(task)
        await asyncio.wait([task], timeout=1)

        assert (task.done(), stubborn.is_over) == (True, True)

    run(test)


def test_hundreds_at_once_each_get_their_own() -> None:
    async def fail(number: int) -> None:
        await asyncio.sleep(0)
        raise ValueError(number)

    def one(number: int) -> Awaitable[Any]:
        return fail(number) if number % 3 == 1 else answer_after(60 if number % 3 else 0, number)

    async def test(left_behind: Tasks) -> None:
        calls = [within(one(number), 0.05, left_behind=left_behind) for number in range(600)]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)

        assert outcomes[::3] == list(range(0, 600, 3))
        assert [str(outcome) for outcome in outcomes[1::3]] == [str(number) for number in range(1, 600, 3)]
        assert {type(outcome) for outcome in outcomes[2::3]} == {DeadlinePassedError}
        assert left_behind == set()

    run(test)
