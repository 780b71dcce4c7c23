"""Laws of every call: for any input and any function, it returns a result in time."""

from __future__ import annotations

import asyncio
import concurrent.futures
import dataclasses
import inspect
import logging
import math
import threading
import time
from collections import OrderedDict, UserDict, deque
from collections.abc import Callable, Coroutine, Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from mcp_contracts import (
    CallContext,
    MCPErrorDetail,
    MCPToolCall,
    MCPToolResult,
    NoChangeNeeded,
    PartialSuccess,
    ResultStatus,
    ToolContext,
    ToolError,
    ToolRegistry,
)
from mcp_contracts.contract import JsonValue
from tests.runtime_tools import (
    NAME,
    both_ways,
    call_of,
    closed,
    contract,
    error_type,
    eventually,
    registry_of,
    require_valid,
    run,
    within,
)
from tests.schema_strategies import schemas
from tests.sweeps import IS_WHOLE, share, sweep

_DEADLINE = 0.05
_SLACK = 5.0  # a machine that tests run on side by side may be late; a call that hangs is later
_FEW = settings(suppress_health_check=[HealthCheck.too_slow])

texts = st.text(st.characters(codec=None, exclude_categories=[]), max_size=8)  # lone surrogates as well
numbers = st.one_of(
    st.integers(), st.floats(), st.sampled_from([2**53, -(2**63), 10**400, 1e308, -0.0, math.nan, math.inf])
)
json_like: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)


@pytest.fixture(autouse=True)
def _unlogged(caplog: pytest.LogCaptureFixture) -> None:
    """Log nothing: parallel tests send their logs to each other, and cannot send invalid UTF-8."""
    caplog.set_level(logging.CRITICAL, logger="mcp_contracts.runtime")


class _Failing:
    """An object that raises an error for everything."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    def __hash__(self) -> int:
        raise RuntimeError("no hash")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")

    def __len__(self) -> int:
        raise RuntimeError("no length")

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("no members")

    @property  # type: ignore[misc]  # the point of it
    def __class__(self) -> type:
        raise RuntimeError("no class")

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("no attribute")


class _FailingMapping(UserDict[str, Any]):
    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("no members")


class _EndlessMapping(UserDict[str, Any]):
    def items(self) -> Any:
        return ((f"{self}", self) for self in iter(int, 1))


class _FailingList(list[Any]):
    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("no members")


class _FailingText(str):
    def __str__(self) -> str:
        raise RuntimeError("no text")

    def encode(self, *_: Any, **__: Any) -> bytes:
        raise RuntimeError("no bytes")


@dataclasses.dataclass
class _Point:
    x: Any
    y: Any = 0


@dataclasses.dataclass
class _FailingFields:
    x: int

    def __getattribute__(self, name: str) -> Any:
        if name == "x":
            raise RuntimeError("no attribute")
        return super().__getattribute__(name)


class _Model(BaseModel):
    x: Any


class _Color(Enum):
    RED = "red"
    SELF = object()


class _Level(IntEnum):
    LOW = 1


class _Awaitable:
    def __init__(self, yielded: Any) -> None:
        self.yielded = yielded

    def __await__(self) -> Iterator[Any]:
        yield self.yielded


def _list_in_itself() -> Any:
    holds_itself: list[Any] = []
    holds_itself += [holds_itself, holds_itself]
    return holds_itself


def _dict_in_itself() -> Any:
    holds_itself: dict[str, Any] = {}
    holds_itself.update(a=holds_itself, b=[holds_itself])
    return holds_itself


def _model_in_itself() -> Any:
    model = _Model(x=1)
    model.x = [model]
    return model


def _point_in_itself() -> Any:
    point = _Point(1)
    point.x = point
    return point


def _deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


def _numbers() -> Iterator[int]:
    while True:
        yield 1


def _constructed(**fields: Any) -> MCPToolResult:
    return MCPToolResult.model_construct(**fields)


def _changed_detail() -> MCPErrorDetail:
    detail = MCPErrorDetail(error_type="Full", error_message="it is full", error_details={"day": date(2026, 1, 1)})
    assert isinstance(detail.error_details, dict)
    detail.error_details["at"] = math.nan  # frozen, except for its content
    return detail


def _closed_coroutine() -> Any:
    coroutine = asyncio.sleep(0)
    coroutine.close()
    return coroutine


_RETURNED: tuple[Callable[[], Any], ...] = (
    _list_in_itself,
    _dict_in_itself,
    _model_in_itself,
    _point_in_itself,
    _Failing,
    lambda: {"a": _Failing()},
    lambda: [_Failing()],
    lambda: _FailingMapping(a=1),
    lambda: _FailingList([1]),
    lambda: {"a": _FailingText("a")},
    lambda: _FailingText("a"),
    lambda: {_FailingText("a"): 1},
    lambda: _FailingFields(1),
    lambda: _Point(_Failing()),
    lambda: _Point({1, 2}),
    lambda: _Model(x=_Failing()),
    lambda: _Model(x=b"\xff"),
    lambda: _Model(x="\ud800"),
    lambda: _Color.RED,
    lambda: _Color.SELF,
    lambda: _Level.LOW,
    lambda: {_Color.RED: _Level.LOW},
    lambda: _Point,
    lambda: _Model,
    _numbers,
    lambda: range(10**12),
    lambda: range(3),
    lambda: iter([1]),
    lambda: {1, 2},
    lambda: {"a": frozenset("b")},
    lambda: b"\xff\x00",
    lambda: bytearray(b"a"),
    lambda: memoryview(b"a"),
    lambda: {1: 2},
    lambda: {None: 1, True: 2},
    lambda: {"\ud800": "\udfff"},
    lambda: _deep(99),
    lambda: _deep(101),
    lambda: _deep(5_000),
    lambda: {"a": math.nan, "b": -math.inf},
    lambda: 10**5000,
    lambda: {"a": 10**400},
    lambda: 1j,
    lambda: Decimal("NaN"),
    lambda: Decimal("1.50"),
    lambda: Fraction(1, 3),
    lambda: timedelta(days=10**8),
    lambda: datetime(2026, 1, 1),
    lambda: {"a": (date(2026, 1, 1), Path("a"), UUID(int=0))},
    lambda: deque([OrderedDict(a=1)]),
    lambda: lambda: 1,
    lambda: Exception("returned"),
    lambda: Ellipsis,
    lambda: NotImplemented,
    lambda: asyncio,
    lambda: concurrent.futures.Future(),
    lambda: _Awaitable(1),
    lambda: _Awaitable(None),
    _closed_coroutine,
    lambda: NoChangeNeeded(),
    lambda: NoChangeNeeded(explanation=5),  # type: ignore[arg-type]
    lambda: NoChangeNeeded("\ud800", data=1),
    lambda: NoChangeNeeded(_Color.RED),  # type: ignore[arg-type]
    lambda: NoChangeNeeded,
    lambda: PartialSuccess(_Failing()),
    lambda: PartialSuccess([1], "half", _changed_detail()),
    lambda: PartialSuccess({}, error="none"),  # type: ignore[arg-type]
    lambda: MCPToolResult(data={"day": date(2026, 1, 1)}),
    lambda: MCPToolResult(status=ResultStatus.FAILURE, error=_changed_detail()),
    lambda: MCPToolResult(status=ResultStatus.FAILURE, error=MCPErrorDetail(error_type="A", error_message="b")),
    lambda: _constructed(),
    lambda: _constructed(status="failure", error=None),
    lambda: _constructed(status=ResultStatus.FAILURE, error=None, data={"a": 1}),
    lambda: _constructed(status="anything", data=5),
    lambda: _constructed(status=5, data=_Failing(), error=5, explanation=5),
    lambda: _constructed(error=MCPErrorDetail.model_construct(error_type=5)),
    lambda: MCPToolCall(tool_name="a.b", arguments={}),
)


_LARGE: tuple[Callable[[], Any], ...] = (
    lambda: "x" * 10_000_000,
    lambda: {"a": "é" * 5_000_000},
    lambda: {"a": [1] * 200_000},
    lambda: [{"id": number, "name": "é"} for number in range(10_000)],
)


class _SilentError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class _PathError(OSError):
    @property
    def strerror(self) -> str:  # type: ignore[override]
        raise RuntimeError("no words")


class ValidationError(Exception):  # named like a standard error type, as any module may name it
    def __str__(self) -> str:
        return "\ud800" * 10_000


_LONG_NAME = type("é" * 10_000, (Exception,), {})


def _own_cause() -> Exception:
    error = ValueError("a")
    error.__cause__ = error
    error.__context__ = error
    return error


_RAISED: tuple[Callable[[], BaseException], ...] = (
    _SilentError,
    lambda: ValueError("\ud800"),
    lambda: ValueError("x" * 10_000_000),
    lambda: ValueError(_Failing()),
    lambda: PermissionError(13, _Failing(), "/secret"),
    lambda: PermissionError(_Failing()),
    lambda: _PathError(2, "gone", "/secret"),
    lambda: FileNotFoundError(2, "gone", "/secret"),
    lambda: KeyError(_Failing()),
    ValidationError,
    _LONG_NAME,
    _own_cause,
    StopIteration,
    StopAsyncIteration,
    lambda: ExceptionGroup("some", [ValueError("a"), ExceptionGroup("more", [OSError("b")])]),
    lambda: RecursionError("deep"),
    MemoryError,
    asyncio.CancelledError,
    concurrent.futures.CancelledError,
    TimeoutError,
    asyncio.QueueEmpty,
    lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
    lambda: ToolError("", ""),
    lambda: ToolError("x" * 10_000, "x" * 10_000_000, "x" * 10_000_000),
    lambda: ToolError("\ud800", "\ud800", {"\ud800": 1}),
    lambda: ToolError(_Failing(), "a"),  # type: ignore[call-overload]
    lambda: ToolError("a", _Failing()),  # type: ignore[call-overload]
    lambda: ToolError("a", "b", _Failing()),  # type: ignore[call-overload]
    lambda: ToolError(5, None, {"a": _list_in_itself()}),  # type: ignore[call-overload]
    lambda: ToolError("a", "b", {"a": math.nan}),
    lambda: ToolError("a", "b", {"a": date(2026, 1, 1)}),
)


def _functions(behave: Callable[[], Any]) -> tuple[Callable[..., Any], ...]:
    """Return a sync and an async function that behave alike, at once and after a pause."""

    def now(**_: Any) -> Any:
        return behave()

    async def soon(**_: Any) -> Any:
        return behave()

    async def later(**_: Any) -> Any:
        await asyncio.sleep(0)
        return behave()

    return now, soon, later


def _raising(make: Callable[[], BaseException]) -> Callable[[], Any]:
    def fail() -> Any:
        raise make()

    return fail


def _require_answers(function: Callable[..., Any], output: JsonValue = None, **settings_: Any) -> None:
    registry = registry_of(function, None, output, **settings_)
    for deadline in (None, _DEADLINE):
        begun = time.monotonic()
        for result in both_ways(registry, call_of(), context=CallContext(deadline=deadline)):
            require_valid(result)
        assert time.monotonic() - begun < 2 * _SLACK


@sweep
@pytest.mark.parametrize("index", range(len(_RETURNED)))
@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
def test_for_any_return_value_the_result_is_valid(index: int) -> None:
    functions = _functions(_RETURNED[index])
    for function in functions if IS_WHOLE else [functions[index % len(functions)]]:
        _require_answers(function)
    for function in share(functions, 3):
        _require_answers(function, closed("a", a={"type": "integer"}))


@pytest.mark.parametrize("index", range(len(_LARGE)))
def test_a_large_result_is_a_valid_one(index: int) -> None:
    registry = registry_of(_functions(_LARGE[index])[1])

    result = registry.call(call_of(), context=within(_SLACK))

    require_valid(result)
    assert result.status is ResultStatus.SUCCESS


def test_a_tuple_is_an_array_for_whoever_reads_the_result() -> None:
    schema = closed("a", a={"type": "array", "items": {"type": "integer"}})
    registry = registry_of(_functions(lambda: {"a": (1, 2)})[1], None, schema)

    for result in both_ways(registry, call_of()):
        assert require_valid(result).data == {"a": [1, 2]}


def test_a_result_without_end_is_refused() -> None:
    registry = registry_of(_functions(_EndlessMapping)[1])

    result = registry.call(call_of(), context=within(12 * _SLACK))  # it ends by the number of values

    assert error_type(require_valid(result)) == "ToolExecutionError"


@pytest.mark.parametrize("index", range(len(_RAISED)))
def test_for_any_exception_of_a_function_the_result_is_a_failure(index: int) -> None:
    for function in _functions(_raising(_RAISED[index])):
        registry = registry_of(function, errors=("QueueEmpty",))
        for deadline in (None, _DEADLINE):
            for result in both_ways(registry, call_of(), context=CallContext(deadline=deadline)):
                require_valid(result)
                assert result.status is ResultStatus.FAILURE


@_FEW
@given(json_like, schemas())
def test_any_value_that_is_returned_is_a_valid_result_or_the_fault_of_the_tool(value: Any, output: Any) -> None:
    async def returning(**_: Any) -> Any:
        return value

    try:
        registry = registry_of(returning, None, output)
    except Exception:  # a schema that cannot be used
        return

    for result in both_ways(registry, call_of()):
        require_valid(result)
        assert result.status is ResultStatus.SUCCESS or error_type(result) == "ToolExecutionError"


@_FEW
@given(json_like, schemas())
def test_any_value_may_be_the_arguments(value: Any, schema: Any) -> None:
    seen: list[Any] = []

    async def taking(**arguments: Any) -> Any:
        seen.append(arguments)
        return arguments

    try:
        registries = [
            registry_of(taking, schema),
            registry_of(taking, schema, coerce=True, fill_defaults=True),
        ]
    except Exception:  # a schema that cannot be used
        return

    for registry in registries:
        for result in both_ways(registry, {"tool_name": NAME, "arguments": value}):
            require_valid(result)


@_FEW
@given(
    st.one_of(
        json_like,
        texts,
        st.binary(max_size=20),
        st.dictionaries(st.one_of(texts, st.integers(), st.none(), st.binary()), json_like, max_size=3),
        st.fixed_dictionaries({"tool_name": st.one_of(texts, json_like), "arguments": json_like}),
        st.sampled_from([f'{{"tool_name": "{NAME}", "arguments": {{}}}}']).flatmap(
            lambda text: st.integers(0, len(text)).map(lambda end: text[:end])
        ),
    )
)
def test_anything_may_come_as_a_call(call: Any) -> None:
    registry = registry_of(lambda **_: {})

    for result in both_ways(registry, call):
        require_valid(result)


_CALLS: tuple[Callable[[], Any], ...] = (
    lambda: _Failing(),
    lambda: _FailingMapping(a=1),
    lambda: _EndlessMapping(),
    lambda: {_FailingText("tool_name"): NAME},
    lambda: {"tool_name": NAME, "arguments": _FailingMapping(a=1)},
    lambda: {"tool_name": NAME, "arguments": {"a": _Failing()}},
    lambda: {"tool_name": NAME, "arguments": {_FailingText("a"): 1}},
    lambda: {"tool_name": NAME, "arguments": {("x" * 100_000,): 1}},
    lambda: {"tool_name": NAME, "arguments": _dict_in_itself()},
    lambda: {"tool_name": NAME, "arguments": {"a": _list_in_itself()}},
    lambda: {"tool_name": NAME, "arguments": {"a": _numbers()}},
    lambda: {"tool_name": NAME, "arguments": _deep(5_000)},
    lambda: {"tool_name": "a" * 1_000_000, "arguments": {}},
    lambda: {"tool_name": "\ud800.a", "arguments": {}},
    lambda: MCPToolCall.model_construct(),
    lambda: MCPToolCall.model_construct(tool_name=[], arguments=None),
    lambda: MCPToolCall.model_construct(tool_name=NAME, arguments=None),
    lambda: MCPToolCall,
    lambda: "[" * 100_000,
    lambda: '{"a":' * 100_000,
    lambda: b"\xff\xfe",
    lambda: bytearray(b"{}"),
    lambda: memoryview(b"{}"),
    lambda: "\ud800",
    lambda: f'{{"tool_name": "{NAME}", "arguments": {{"a": {"9" * 5_000}}}}}',
    lambda: f'{{"tool_name": "{NAME}", "arguments": {{"a": 1e999}}}}',
    lambda: f'{{"tool_name": "{NAME}", "arguments": {{"a": NaN}}}}',
    lambda: f'{{"tool_name": "{NAME}", "tool_name": "{NAME}", "arguments": {{}}}}',
)


@pytest.mark.parametrize("index", range(len(_CALLS)))
def test_what_no_agent_would_send_is_answered_as_well(index: int) -> None:
    for function in _functions(dict)[:2]:
        for result in both_ways(registry_of(function), _CALLS[index]()):
            require_valid(result)
            assert result.status is ResultStatus.FAILURE
            assert len(result.to_json()) < 5_000


_BESIDE: tuple[Callable[[], dict[str, Any]], ...] = (
    lambda: {"version": 5},
    lambda: {"version": "\ud800"},
    lambda: {"version": "1" * 100_000},
    lambda: {"version": _Failing()},
    lambda: {"context": "text"},
    lambda: {"context": CallContext(channel=[])},  # type: ignore[arg-type]
    lambda: {"context": CallContext(channel="\ud800")},
    lambda: {"context": CallContext(deadline=-math.inf)},
    lambda: {"context": CallContext(deadline=10**400)},
    lambda: {"context": CallContext(deadline=1e300)},
    lambda: {"context": CallContext(caller=_Failing())},  # type: ignore[arg-type]
)


@pytest.mark.parametrize("index", range(len(_BESIDE)))
def test_the_context_of_a_call_may_be_anything(index: int) -> None:
    for function in _functions(dict)[:2]:
        for result in both_ways(registry_of(function), call_of(), **_BESIDE[index]()):
            require_valid(result)


def test_a_function_that_never_ends_is_answered_within_the_deadline() -> None:
    release = threading.Event()

    async def awaits() -> None:
        await asyncio.Event().wait()

    async def swallows() -> None:
        for _ in range(2):
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                continue

    def blocks() -> None:
        release.wait(30)

    def returns_awaitable() -> Any:
        return awaits()

    try:
        for function in (awaits, swallows, blocks, returns_awaitable):
            registry = registry_of(function)
            begun = time.monotonic()

            async def ask(registry: ToolRegistry = registry) -> MCPToolResult:
                return await registry.acall(call_of(), context=within(_DEADLINE))

            results = [registry.call(call_of(), context=within(_DEADLINE)), asyncio.run(ask())]

            assert time.monotonic() - begun < _SLACK
            assert [error_type(require_valid(result)) for result in results] == ["TimeoutError"] * 2
    finally:
        release.set()


@pytest.mark.parametrize("way", ["call", "acall"])
def test_an_awaitable_that_comes_after_the_deadline_is_closed(way: str) -> None:
    release = threading.Event()
    returned: list[Coroutine[Any, Any, None]] = []

    def late() -> Any:
        release.wait(30)
        returned.append(asyncio.sleep(0))
        return returned[0]

    registry = registry_of(late)
    result = (
        registry.call(call_of(), context=within(_DEADLINE))
        if way == "call"
        else run(registry.acall(call_of(), context=within(_DEADLINE)))
    )
    release.set()

    assert error_type(result) == "TimeoutError"
    assert eventually(lambda: bool(returned) and inspect.getcoroutinestate(returned[0]) == inspect.CORO_CLOSED)


def test_progress_may_be_anything() -> None:
    async def telling(context: ToolContext) -> dict[str, bool]:
        context.report(_Failing(), math.nan, 5, data=_list_in_itself())  # type: ignore[arg-type]
        return {"told": True}

    def fail(_: object) -> None:
        raise RuntimeError("no progress")

    registry = ToolRegistry([contract()])
    registry.implement(NAME)(telling)

    for result in both_ways(registry, call_of(), context=CallContext(on_progress=fail)):
        assert require_valid(result).data == {"told": True}


_REFUSING: tuple[dict[str, JsonValue], ...] = (
    {"type": "string", "maxLength": 3},
    {"type": "integer"},
    {"const": "x"},
    {"enum": ["x", "y"]},
    {"type": "string", "pattern": "^[!]+$"},
    {"type": "string", "pattern": "^(?=!)[!]+$"},
    {"type": "object", "properties": {"value": {"type": "string"}}, "additionalProperties": False},
    {"type": "array", "items": {"type": "integer"}},
    {"not": {"minLength": 1}, "type": "string"},
    {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
    {"oneOf": [{"type": "integer"}, {"$ref": "#/properties/other"}]},
)
_SECRETS: tuple[tuple[str, dict[str, JsonValue]], ...] = (
    ("password", {}),
    ("apiKey", {}),
    ("code", {"writeOnly": True}),
    ("user_token", {}),
)


@given(
    # A digit at both ends, because every message may contain text such as "ValidationEr".
    st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=12, max_size=20).map("7{}7".format),
    st.data(),
)
def test_a_secret_is_in_no_message_whatever_is_wrong_with_it(secret: str, data: st.DataObject) -> None:
    wrong = data.draw(
        st.sampled_from(
            [secret, [secret], {"x": secret}, {secret: 1}, {"value": [secret, {"a": secret}]}, f"{secret}\u0000"]
        )
    )
    declared = data.draw(st.sampled_from(_REFUSING))
    name, marked = data.draw(st.sampled_from(_SECRETS))
    properties: dict[str, JsonValue] = {name: {**declared, **marked}, "other": {"type": "integer"}}
    schema = closed(**properties)
    registry = registry_of(lambda **_: {}, schema)

    for result in both_ways(registry, call_of(**{name: wrong, "other": "five"})):
        assert error_type(result) == "ValidationError"
        assert secret not in result.to_json()


def test_a_hundred_calls_in_one_loop_all_end(recwarn: pytest.WarningsRecorder) -> None:
    registry = ToolRegistry([contract(name=f"notes.number_{index}") for index in range(len(_RAISED))])
    for index, make in enumerate(_RAISED):
        registry.implement(f"notes.number_{index}")(_functions(_raising(make))[index % 3])

    async def ask() -> list[MCPToolResult]:
        calls = [call_of(f"notes.number_{index % len(_RAISED)}") for index in range(100)]
        return await registry.acall_many(calls, context=within(10))

    results = run(ask())

    assert [result.status for result in results] == [ResultStatus.FAILURE] * 100
