"""The stages of a call: found, validated, run within its deadline, and answered."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, field_serializer

from mcp_contracts import (
    CallContext,
    CallEvent,
    EventKind,
    MCPCallContext,
    MCPErrorDetail,
    MCPToolCall,
    MCPToolResult,
    NoChangeNeeded,
    PartialSuccess,
    PayloadBounds,
    Progress,
    ResultStatus,
    ToolContext,
    ToolContract,
    ToolError,
    ToolRegistry,
)
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import replace
from mcp_contracts.runtime.remote.tools import RemoteTool
from tests.runtime_tools import (
    NAME,
    both_ways,
    call_of,
    closed,
    contract,
    details_of,
    error_type,
    eventually,
    message_of,
    nothing,
    registry_of,
    require_valid,
    run,
    within,
)
from tests.tables import each

_TEXT: JsonValue = {"type": "string"}
_COUNT: JsonValue = closed("count", count={"type": "integer", "minimum": 0})


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Event that blocked functions wait for; set at the end, so that no thread remains."""
    event = threading.Event()
    yield event
    event.set()


# Finding


@pytest.mark.parametrize(
    "call",
    [
        MCPToolCall(tool_name=NAME, arguments={"text": "milk"}),
        {"tool_name": NAME, "arguments": {"text": "milk"}},
        '{"tool_name": "notes.add", "arguments": {"text": "milk"}}',
        b'{"tool_name": "notes.add", "arguments": {"text": "milk"}}',
        bytearray(b'{"tool_name": "notes.add", "arguments": {"text": "milk"}}'),
    ],
)
def test_a_call_is_a_message_its_dict_or_its_json(call: Any) -> None:
    registry = registry_of(lambda text: {"added": text}, closed("text", text=_TEXT))

    for result in both_ways(registry, call):
        assert require_valid(result) == MCPToolResult(data={"added": "milk"})


def test_an_unknown_tool_is_not_found_and_the_nearest_names_are_reported() -> None:
    registry = ToolRegistry([contract(name="notes.add"), contract(name="notes.find")])

    for result in both_ways(registry, call_of("notes.ad")):
        assert error_type(result) == "ResourceNotFound"
        assert "did you mean `notes.add`" in message_of(result)
        assert details_of(result)["nearest"][0] == "notes.add"


def test_a_contract_without_a_function_is_reported_as_such() -> None:
    registry = ToolRegistry([contract(version="1.0.0")])

    for result in both_ways(registry, call_of()):
        assert error_type(result) == "ToolExecutionError"
        assert message_of(result) == "`notes.add` 1.0.0 has a contract, but no function"


# Arguments


def test_all_faults_of_the_arguments_are_reported_at_once() -> None:
    schema = closed("text", text={"type": "string", "maxLength": 3}, count={"type": "integer", "minimum": 1})
    registry = registry_of(lambda **_: {}, schema)

    for result in both_ways(registry, call_of(text="milk", count=0, other=1)):
        faults = {fault["pointer"]: fault for fault in details_of(result)["faults"]}
        assert error_type(result) == "ValidationError"
        assert set(faults) == {"/text", "/count", "/other"}
        assert (faults["/text"]["keyword"], faults["/text"]["value"], faults["/text"]["constraint"]) == (
            "maxLength",
            "milk",
            3,
        )
        assert faults["/count"]["schema_pointer"] == "/properties/count/minimum"


def test_nothing_is_converted_unless_it_is_asked_for() -> None:
    plain = registry_of(lambda count: {"count": count}, _COUNT)
    lenient = registry_of(lambda count: {"count": count}, _COUNT, coerce=True)

    for result in both_ways(plain, call_of(count="5")):
        assert error_type(result) == "ValidationError"
    for result in both_ways(lenient, call_of(count="5")):
        assert result.data == {"count": 5}
    for result in both_ways(lenient, call_of(count="five")):
        assert error_type(result) == "ValidationError"


def test_defaults_are_filled_in_where_it_is_asked_for() -> None:
    schema = closed(tags={"type": "array", "default": ["a"]}, near={"type": "object", "default": {"x": 1}})
    registry = registry_of(lambda **given: given, schema)
    filling = registry_of(lambda **given: given, schema, fill_defaults=True)

    for result in both_ways(filling, call_of(tags=[])):
        assert result.data == {"tags": [], "near": {"x": 1}}
    for result in both_ways(registry, call_of(tags=[])):
        assert result.data is not None
        assert result.data["tags"] == []


def test_a_default_is_new_for_each_call() -> None:
    def adding(tags: list[str]) -> dict[str, Any]:
        tags.append("b")
        return {"tags": list(tags)}

    registry = registry_of(adding, closed(tags={"type": "array", "default": ["a"]}), fill_defaults=True)

    results = [*both_ways(registry, call_of()), *both_ways(registry, call_of())]

    assert [result.data for result in results] == [{"tags": ["a", "b"]}] * 4


@pytest.mark.parametrize(
    ("arguments", "bound"),
    [
        ({"a": "x" * 101}, "characters"),
        ({"x" * 101: 1}, "characters"),
        ({"a": [1] * 50}, "values"),
        ({"a": {"a": {"a": {"a": 1}}}}, "depth"),
    ],
)
def test_arguments_past_their_bounds_are_refused_before_the_schema_sees_them(arguments: Any, bound: str) -> None:
    bounds = PayloadBounds(characters=100, values=20, depth=3)
    registry = registry_of(lambda **_: {}, bounds=bounds)

    for result in both_ways(registry, {"tool_name": NAME, "arguments": arguments}):
        assert error_type(result) == "ValidationError"
        assert details_of(result)["bound"] == bound


def test_json_past_the_bounds_is_not_even_read() -> None:
    registry = registry_of(lambda **_: {}, bounds=PayloadBounds(characters=1_000))

    for result in both_ways(registry, '{"tool_name": "notes.add", "arguments": {' + " " * 1_000 + "}}"):
        assert details_of(result)["bound"] == "characters"


@each("pattern", [r"^(a+)+$", r"^(?=a)(a|a)*$", r"^(?!b)(a*)*c$", r"^(a+)\1+$", r"^(?:a?){40}a{40}$"])
@each("length", [30, 2_000, 900_000])
def test_no_pattern_stalls_a_call(pattern: str, length: int) -> None:
    registry = registry_of(lambda **_: {}, closed(a={"type": "string", "pattern": pattern}))
    begun = time.monotonic()

    for result in both_ways(registry, call_of(a="a" * length + "!")):
        assert error_type(result) in ("ValidationError", "ToolExecutionError")
        if error_type(result) == "ToolExecutionError":
            assert details_of(result) == {"reason": "validation-bound"}

    assert time.monotonic() - begun < 10


def test_a_pattern_past_its_bound_is_its_own_error() -> None:
    registry = registry_of(lambda **_: {}, closed(a={"type": "string", "pattern": r"^(?=a)(a|a)*$"}))

    for result in both_ways(registry, call_of(a="a" * 3_000 + "!")):
        assert error_type(result) == "ToolExecutionError"
        assert details_of(result) == {"reason": "validation-bound"}
        assert "pattern" in message_of(result)


def test_a_function_never_changes_the_arguments_of_its_caller(release: threading.Event) -> None:
    """Defaults and coercion change a copy of the arguments."""
    registry = registry_of(lambda **given: given, closed(a={"type": "integer"}), coerce=True)
    arguments = {"a": "5"}

    both_ways(registry, {"tool_name": NAME, "arguments": arguments})

    assert arguments == {"a": "5"}


# Results


class _Note(BaseModel):
    text: str


@pytest.mark.parametrize(
    ("returned", "data"),
    [
        ({"text": "milk"}, {"text": "milk"}),
        (_Note(text="milk"), {"text": "milk"}),
        ("milk", {"result": "milk"}),
        (None, None),
        (5, {"result": 5}),
        ([_Note(text="milk")], {"result": [{"text": "milk"}]}),
        (MCPToolResult(data={"text": "milk"}), {"text": "milk"}),
    ],
)
def test_a_function_returns_data_a_model_or_a_bare_value(returned: Any, data: Any) -> None:
    registry = registry_of(lambda: returned)

    for result in both_ways(registry, call_of()):
        assert require_valid(result) == MCPToolResult(data=data)


def test_a_bare_value_is_checked_against_its_own_or_the_enclosing_schema() -> None:
    bare = registry_of(lambda: 5, None, {"type": "integer"})
    wrapped = registry_of(lambda: 5, None, closed("result", result={"type": "integer"}))
    neither = registry_of(lambda: 5, None, {"type": "string"})

    for registry in (bare, wrapped):
        for result in both_ways(registry, call_of()):
            assert result.data == {"result": 5}
    for result in both_ways(neither, call_of()):
        assert error_type(result) == "ToolExecutionError"


def test_data_that_the_contract_refuses_is_the_fault_of_the_tool_and_shows_no_value() -> None:
    output = closed("text", text={"type": "string", "maxLength": 3})

    for registry in (
        registry_of(lambda: {"text": "hunter22"}, None, output),
        registry_of(lambda: PartialSuccess({"text": "hunter22"}), None, output),
        registry_of(lambda: MCPToolResult(data={"text": "hunter22"}), None, output),
        registry_of(lambda: NoChangeNeeded(data={"text": "hunter22"}), None, output),
    ):
        for result in both_ways(registry, call_of()):
            assert error_type(result) == "ToolExecutionError"
            assert "the tool returned data that its contract rejects" in message_of(result)
            assert details_of(result)["faults"][0]["pointer"] == "/text"
            assert "hunter22" not in result.to_json()


def test_work_that_was_done_already_needs_no_data() -> None:
    registry = registry_of(lambda: NoChangeNeeded("it is there"), None, closed("text", text=_TEXT))

    for result in both_ways(registry, call_of()):
        assert require_valid(result) == MCPToolResult(status=ResultStatus.NO_CHANGE_NEEDED, explanation="it is there")


def test_a_part_of_the_work_says_what_is_missing() -> None:
    detail = MCPErrorDetail(error_type="Full", error_message="the disk is full")
    registry = registry_of(lambda: PartialSuccess({"text": "mi"}, "half of it", detail))

    for result in both_ways(registry, call_of()):
        assert require_valid(result) == MCPToolResult(
            status=ResultStatus.PARTIAL_SUCCESS, data={"text": "mi"}, error=detail, explanation="half of it"
        )


# Errors


class _FullError(Exception):
    pass


class _FullerError(_FullError):
    pass


class Full(Exception):  # noqa: N818  # as a contract may name an error
    pass


def _raising(error: BaseException) -> Callable[..., Any]:
    async def fail() -> None:
        raise error

    return fail


def test_an_exception_represents_an_error_type_by_a_mapping() -> None:
    of_registry = registry_of(_raising(_FullerError("no room")), errors_of={_FullError: "Full"})
    of_tool = ToolRegistry([contract()], errors={_FullError: "Full"})
    of_tool.implement(NAME, errors={_FullerError: "Fuller"})(_raising(_FullerError("no room")))

    for registry, name in ((of_registry, "Full"), (of_tool, "Fuller")):
        for result in both_ways(registry, call_of()):
            assert (error_type(result), message_of(result)) == (name, "no room")


def test_an_error_that_the_contract_declares_is_known_by_its_name() -> None:
    declared = registry_of(_raising(Full("no room")), errors=("Full",))
    undeclared = registry_of(_raising(Full("no room")))

    for result in both_ways(declared, call_of()):
        assert (error_type(result), message_of(result)) == ("Full", "no room")
    for result in both_ways(undeclared, call_of()):
        assert error_type(result) == "ToolExecutionError"
        assert "no room" not in result.to_json()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (FileNotFoundError(2, "No such file", "/home/ada/secret.txt"), "FileNotFoundError"),
        (PermissionError(13, "Permission denied", "/home/ada/secret.txt"), "PermissionError"),
        (TimeoutError(110, "Timed out", "/home/ada/secret.txt"), "TimeoutError"),
        (IsADirectoryError(21, "Is a directory", "/home/ada/secret.txt"), "ToolExecutionError"),
        (OSError(2, "No such file", "/home/ada/secret.txt", None, "/home/ada/secret.bak"), "FileNotFoundError"),
    ],
)
def test_no_path_of_the_machine_reaches_the_caller(error: OSError, kind: str) -> None:
    registry = registry_of(_raising(error))

    for result in both_ways(registry, call_of()):
        assert error_type(result) == kind
        assert "secret" not in result.to_json()
        assert "/home" not in result.to_json()


def test_an_undeclared_error_shows_only_its_class(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise KeyError("hunter22")
    except KeyError as cause:
        error = RuntimeError("postgres://admin:hunter22@host")
        error.__cause__ = cause
        error.add_note("hunter22")
    registry = registry_of(_raising(error))

    for result in both_ways(registry, call_of()):
        assert error_type(result) == "ToolExecutionError"
        assert message_of(result) == "the tool failed unexpectedly, with `RuntimeError`"
        assert not any(word in result.to_json() for word in ("hunter22", "Traceback", "File ", ".py"))
        assert details_of(result)["call_id"] in caplog.text
    assert "test_runtime_calls.py:" in caplog.text  # for those who run it
    assert "Traceback" not in caplog.text


def test_errors_of_pydantic_inside_a_function_are_not_shown() -> None:
    def fail() -> Any:
        return TypeAdapter(int).validate_python("hunter22")

    for result in both_ways(registry_of(fail), call_of()):
        assert error_type(result) == "ToolExecutionError"
        assert "hunter22" not in result.to_json()


def test_an_error_with_nothing_but_a_message_says_what_went_wrong() -> None:
    registry = registry_of(_raising(ToolError("no room")))

    for result in both_ways(registry, call_of()):
        assert result.error == MCPErrorDetail(error_type="ToolExecutionError", error_message="no room")


def test_a_function_fails_in_its_own_words() -> None:
    registry = registry_of(_raising(ToolError("Full", "no room", {"free": 0})))

    for result in both_ways(registry, call_of()):
        assert result.error == MCPErrorDetail(error_type="Full", error_message="no room", error_details={"free": 0})


def test_an_interruption_is_not_held_back() -> None:
    registry = registry_of(_raising(KeyboardInterrupt()))
    events = _events_of(registry)

    with pytest.raises(KeyboardInterrupt):
        registry.call(call_of())

    assert [event.kind for event in events] == [EventKind.CALLED, EventKind.FAILED]


def test_a_sync_function_that_cancels_itself_has_failed() -> None:
    def cancels_itself() -> None:
        raise asyncio.CancelledError

    for function in (cancels_itself, _raising(asyncio.CancelledError())):
        for deadline in (None, 1.0):
            for result in both_ways(registry_of(function), call_of(), context=CallContext(deadline=deadline)):
                assert error_type(result) == "ToolExecutionError"


def test_a_log_that_fails_breaks_no_call() -> None:
    def fail(_: logging.LogRecord) -> bool:
        raise RuntimeError("no log")

    logger = logging.getLogger("mcp_contracts.runtime")
    logger.addFilter(fail)
    try:
        functions: list[Callable[..., Any]] = [_raising(ValueError("a")), _raising(ToolError("a", "b")), nothing]
        for function in functions:
            for result in both_ways(registry_of(function), call_of()):
                require_valid(result)
    finally:
        logger.removeFilter(fail)


# Deadlines


def test_the_shortest_deadline_counts(release: threading.Event) -> None:
    async def waits(context: ToolContext) -> dict[str, Any]:
        assert context.remaining is not None
        return {"left": context.remaining}

    registry = ToolRegistry([contract()], deadline=50)
    registry.implement(NAME, deadline=30)(waits)

    lefts = [result.data for result in both_ways(registry, call_of())]
    shorter = [result.data for result in both_ways(registry, call_of(), context=within(20))]
    longer = [result.data for result in both_ways(registry, call_of(), context=within(100))]

    assert all(data is not None and 20 < data["left"] <= 30 for data in (*lefts, *longer))
    assert all(data is not None and 10 < data["left"] <= 20 for data in shorter)


def test_a_late_call_is_answered_and_its_function_notified(release: threading.Event) -> None:
    told: list[str] = []

    def blocks(context: ToolContext) -> None:
        while not context.is_cancelled and not release.is_set():
            time.sleep(0.001)
        told.append("sync")
        release.wait(1)  # it knows the deadline of its caller

    async def awaits(context: ToolContext) -> None:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            assert context.is_cancelled
            told.append("async")
            raise

    for function, name in ((blocks, "sync"), (awaits, "async")):
        told.clear()
        release.clear()

        results = both_ways(registry_of(function), call_of(), context=within(0.1))

        for result in results:
            assert error_type(require_valid(result)) == "TimeoutError"
            assert details_of(result) == {"deadline_seconds": 0.1}
        release.set()
        assert eventually(lambda name=name: told == [name, name])  # type: ignore[misc]


def test_a_timeout_of_the_function_is_its_own() -> None:
    registry = registry_of(_raising(TimeoutError("the server is slow")))

    for result in both_ways(registry, call_of(), context=within(5)):
        assert error_type(result) == "TimeoutError"
        assert message_of(result) == "the tool failed unexpectedly, with `TimeoutError`"


# Cancellation


def _events_of(registry: ToolRegistry) -> list[CallEvent]:
    events: list[CallEvent] = []
    registry.subscribe(events.append)
    return events


@pytest.mark.parametrize("deadline", [None, 30.0])
@pytest.mark.parametrize("is_watched", [False, True])
def test_cancelling_who_awaits_cancels_an_async_function(deadline: float | None, is_watched: bool) -> None:
    told: list[str] = []

    async def awaits() -> None:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            told.append("cancelled")
            raise

    registry = registry_of(awaits)
    events = _events_of(registry) if is_watched else None

    async def cancel() -> None:
        task = asyncio.create_task(registry.acall(call_of(), context=CallContext(deadline=deadline)))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(cancel())

    assert told == ["cancelled"]
    if events is not None:
        assert [event.kind for event in events] == [EventKind.CALLED, EventKind.FAILED]
        assert events[-1].result is not None
        assert details_of(events[-1].result) == {"reason": "cancelled"}


@pytest.mark.parametrize("deadline", [None, 30.0])
def test_cancelling_who_awaits_is_seen_by_a_sync_function(deadline: float | None, release: threading.Event) -> None:
    begun = threading.Event()
    told: list[str] = []

    def blocks(context: ToolContext) -> None:
        begun.set()
        while not context.is_cancelled and not release.is_set():
            time.sleep(0.001)
        told.append(f"cancelled: {context.is_cancelled}")

    registry = registry_of(blocks)
    events = _events_of(registry)

    async def cancel() -> None:
        task = asyncio.create_task(registry.acall(call_of(), context=CallContext(deadline=deadline)))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(cancel())

    assert eventually(lambda: told == ["cancelled: True"])
    assert [event.kind for event in events] == [EventKind.CALLED, EventKind.FAILED]


def test_cancelling_many_calls_cancels_each() -> None:
    begun: list[int] = []
    ended: list[int] = []

    async def awaits(number: int) -> None:
        begun.append(number)
        try:
            await asyncio.sleep(30)
        finally:
            ended.append(number)

    registry = registry_of(awaits, closed("number", number={"type": "integer"}))

    async def cancel() -> None:
        calls = (call_of(number=number) for number in range(20))
        task = asyncio.create_task(registry.acall_many(calls, concurrency=5))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(cancel())

    assert begun == [0, 1, 2, 3, 4]
    assert sorted(ended) == begun


def test_a_cancellation_before_the_call_begins_leaves_nothing_behind() -> None:
    registry = registry_of(nothing)

    async def cancel() -> None:
        task = asyncio.create_task(registry.acall(call_of()))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(cancel())


def test_call_that_a_blocked_loop_kept_waiting_ends_once(release: threading.Event) -> None:
    blocked = threading.Event()

    async def block() -> None:
        blocked.set()
        release.wait(30)

    async def answer() -> None:
        return None

    registry = ToolRegistry()
    registry.tool(block, name="loop.block")
    registry.tool(answer, name="loop.answer")
    events: list[tuple[str, EventKind]] = []
    registry.subscribe(lambda event: events.append((event.tool, event.kind)))

    with ThreadPoolExecutor(1) as pool:
        blocking = pool.submit(registry.call, call_of("loop.block"))
        assert blocked.wait(30)
        late = registry.call(call_of("loop.answer"), context=CallContext(deadline=0.1))
        release.set()
        assert blocking.result().status is ResultStatus.SUCCESS
    last = registry.call(call_of("loop.answer"))  # the loop has caught up

    assert error_type(late) == "TimeoutError"
    assert last.status is ResultStatus.SUCCESS
    assert events == [
        ("loop.block", EventKind.CALLED),
        ("loop.answer", EventKind.REFUSED),
        ("loop.block", EventKind.FINISHED),
        ("loop.answer", EventKind.CALLED),
        ("loop.answer", EventKind.FINISHED),
    ]


# Many at once


def test_results_are_in_the_order_of_the_calls_and_a_limited_number_runs_at_once() -> None:
    running = most = 0

    async def echo(number: int) -> dict[str, int]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001 * (number % 3))
        running -= 1
        return {"number": number}

    registry = registry_of(echo, closed("number", number={"type": "integer"}))
    calls = [call_of(number=number) for number in range(50)]

    results = run(registry.acall_many(iter(calls), concurrency=7))

    assert [result.data for result in results] == [{"number": number} for number in range(50)]
    assert most == 7
    assert run(registry.acall_many([])) == []


# Sync and async, in and out of loops

_WHO: ContextVar[str] = ContextVar("who", default="nobody")


def _nested() -> ToolRegistry:
    """Return tools that call each other: sync in async in sync."""
    registry = ToolRegistry(
        [contract(closed("depth", depth={"type": "integer"}), name=f"nest.{kind}") for kind in "sa"]
    )

    def data_of(result: MCPToolResult) -> dict[str, Any]:
        assert result.data is not None, result
        return {"path": [*result.data["path"], _WHO.get()]}

    @registry.implement("nest.s")
    def in_sync(depth: int) -> dict[str, Any]:
        if depth == 0:
            return {"path": ["sync"]}
        return data_of(registry.call(call_of("nest.a", depth=depth - 1)))

    @registry.implement("nest.a")
    async def in_async(depth: int) -> dict[str, Any]:
        if depth == 0:
            return {"path": ["async"]}
        if depth % 2:
            return data_of(await registry.acall(call_of("nest.s", depth=depth - 1)))
        return data_of(registry.call(call_of("nest.s", depth=depth - 1)))  # blocks its loop, and still works

    return registry


@pytest.mark.parametrize("kind", ["s", "a"])
@pytest.mark.parametrize("depth", [0, 1, 2, 3, 8])
def test_calls_nest_whatever_waits_for_what(kind: str, depth: int) -> None:
    registry = _nested()
    token = _WHO.set("ada")
    try:
        results = both_ways(registry, call_of(f"nest.{kind}", depth=depth))
    finally:
        _WHO.reset(token)

    for result in results:
        assert result.data is not None, result
        assert result.data["path"][1:] == ["ada"] * depth


def test_nesting_without_end_is_answered() -> None:
    registry = ToolRegistry([contract(name="nest.a")])

    @registry.implement("nest.a")
    async def again() -> dict[str, Any]:
        return {"inner": registry.call(call_of("nest.a")).to_dict()}

    result = registry.call(call_of("nest.a"))

    require_valid(result)
    assert "the call cannot be run now: sync and async calls are nested 32 levels deep" in result.to_json()


def test_an_async_function_answers_a_blocking_call_within_a_running_loop() -> None:
    async def soon() -> dict[str, str]:
        await asyncio.sleep(0)
        return {"thread": threading.current_thread().name}

    registry = registry_of(soon)

    async def block() -> MCPToolResult:
        return registry.call(call_of())

    assert run(block()).data == {"thread": "mcp-contracts-loop"}


def test_an_async_function_awaits_in_the_loop_that_called_and_a_sync_one_next_to_it() -> None:
    async def soon() -> dict[str, bool]:
        return {"here": threading.current_thread() is threading.main_thread()}

    def now() -> dict[str, bool]:
        return {"here": threading.current_thread() is threading.main_thread()}

    assert run(registry_of(soon).acall(call_of())).data == {"here": True}
    assert run(registry_of(now).acall(call_of())).data == {"here": False}
    assert registry_of(now).call(call_of()).data == {"here": True}


def test_several_threads_call_at_once() -> None:
    async def soon(number: int) -> dict[str, int]:
        await asyncio.sleep(0)
        return {"number": number}

    registry = ToolRegistry([contract(closed("number", number={"type": "integer"}), name=f"notes.{k}") for k in "sa"])
    registry.implement("notes.a")(soon)
    registry.implement("notes.s")(lambda number: {"number": number})

    def ask(number: int) -> MCPToolResult:
        return registry.call(call_of(f"notes.{'sa'[number % 2]}", number=number), context=within(30))

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(ask, range(200)))

    assert [result.data for result in results] == [{"number": number} for number in range(200)]


# Events and progress


def test_a_call_reports_its_progress_and_its_end() -> None:
    async def answers(count: int, context: ToolContext) -> dict[str, int]:
        context.report(1, 2, "half", data=[count])
        if count == 0:
            raise ValueError("zero")
        return {"count": count}

    registry = registry_of(answers, _COUNT)
    events = _events_of(registry)
    reports: list[Progress] = []
    context = CallContext(caller="ada", on_progress=reports.append)

    run(registry.acall(call_of(count=1), context=context))
    registry.call(call_of(count=0), context=context)
    registry.call(call_of(count=-1), context=context)
    registry.call(call_of("notes.nothing"), context=context)

    kinds = [event.kind for event in events]
    assert kinds == [
        *(EventKind.CALLED, EventKind.PROGRESS, EventKind.FINISHED),
        *(EventKind.CALLED, EventKind.PROGRESS, EventKind.FAILED),
        *(EventKind.REFUSED, EventKind.REFUSED),
    ]
    assert reports == [Progress(1, 2, "half", [1]), Progress(1, 2, "half", [0])]
    assert len({event.call_id for event in events}) == 4
    assert all(event.context is context for event in events)
    assert all(event.duration is not None for event in events if event.result is not None)


@pytest.mark.parametrize("key", ["https://ann:hunter22@host", '{"password": "hunter22"}', "password=hunter22"])
@pytest.mark.parametrize("output", [{"additionalProperties": {"type": "integer"}}, {"additionalProperties": False}])
def test_a_secret_in_a_key_of_the_data_is_in_no_message(key: str, output: dict[str, Any]) -> None:
    registry = registry_of(lambda: {"inner": {key: "x"}}, None, {"type": "object", "properties": {"inner": output}})

    result = registry.call(call_of())

    assert error_type(result) == "ToolExecutionError"
    assert "`/inner` does not match the schema" in result.to_json()
    assert "hunter22" not in result.to_json()


def test_a_subscriber_that_fails_breaks_no_call() -> None:
    def fail(_: object) -> None:
        raise RuntimeError("no ears")

    registry = registry_of(lambda: {"a": 1})
    registry.subscribe(fail)

    for result in both_ways(registry, call_of(), context=CallContext(on_progress=fail)):
        assert result.data == {"a": 1}


class _SlowToWrite(BaseModel):
    """A model that takes half a second to convert to JSON."""

    text: str = "a"

    @field_serializer("text")
    def _slowly(self, value: str) -> str:
        threading.Event().wait(0.5)
        return value


@pytest.mark.parametrize("is_async", [False, True])
def test_what_a_function_returned_is_written_within_the_deadline(is_async: bool) -> None:
    async def later() -> _SlowToWrite:
        return _SlowToWrite()

    registry = registry_of(later if is_async else lambda: _SlowToWrite())

    result = run(registry.acall(call_of(), context=CallContext(deadline=0.03)))

    assert error_type(result) == "TimeoutError"


def test_watchers_see_the_arguments_that_were_sent() -> None:
    def change(row: list[int]) -> None:
        row.clear()

    registry = registry_of(change)
    seen: list[Any] = []
    registry.subscribe(lambda event: seen.append(event.arguments))

    registry.call(call_of(row=[3, 1]))

    assert seen == [{"row": [3, 1]}, {"row": [3, 1]}]


@pytest.mark.parametrize("context", ["text", {"channel": "a"}, 5])
def test_an_invalid_context_is_named(context: Any) -> None:
    result = registry_of(lambda: None).call(call_of(), context=context)

    assert error_type(result) == "ValidationError"
    assert "CallContext" in result.to_json()


def test_a_blocking_call_on_the_event_loop_that_its_tool_needs_is_refused() -> None:
    async def answer(arguments: dict[str, JsonValue], context: ToolContext) -> MCPToolResult:
        raise AssertionError("the call would wait for itself")

    async def block() -> MCPToolResult:
        contract = ToolContract.from_schema("demo.wait", "Waits.", input_schema={"type": "object"})
        registry = ToolRegistry([RemoteTool(contract, answer, asyncio.get_running_loop())])
        return registry.call({"tool_name": "demo.wait", "arguments": {}})

    result = asyncio.run(block())

    assert result.error is not None
    assert result.error.error_message == "a blocking call would stop the event loop that answers it: use `acall`"


def test_a_context_comes_back_from_its_message_without_its_functions() -> None:
    context = CallContext(channel="sms", caller="ann", deadline=2.5, metadata={"a": [1]}, on_progress=print)

    text = context.to_message().to_json()

    assert CallContext.from_message(MCPCallContext.from_json(text)) == replace(context, on_progress=None)
