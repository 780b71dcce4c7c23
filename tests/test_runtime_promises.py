"""For any function, each call has one valid result, event, audit line and log record, in time."""

from __future__ import annotations

import asyncio
import base64
import concurrent.futures
import json
import logging
import math
import os
import pickle
import threading
import time
from collections.abc import Callable
from functools import reduce
from html import escape
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_contracts import (
    AuditLog,
    CallContext,
    CallEvent,
    EventKind,
    MCPToolResult,
    ToolContext,
    ToolError,
    ToolRegistry,
)
from tests.runtime_tools import both_ways, call_of, contract, error_type, require_valid, run
from tests.sweeps import size
from tests.tables import each

SECRET = "hunter2-planted"
_DEADLINE = 0.3
_SLACK = 5.0  # for a busy machine; the functions that hang do so for longer
_ENDS = (EventKind.FINISHED, EventKind.FAILED, EventKind.REFUSED)


class PanicException(BaseException):  # the name that PyO3 gives it
    """Resembles the panics of native modules."""


class RouteClosed(Exception):  # noqa: N818  # a name as specifications declare it
    """A declared error, of the package of the function."""


class _Unprintable(Exception):  # noqa: N818
    def __str__(self) -> str:
        raise SystemExit(SECRET)

    __repr__ = __str__


class _Liar(Exception):  # noqa: N818
    @property  # type: ignore[misc]  # nobody should
    def __class__(self) -> type:
        raise SystemExit(SECRET)


class _Opened(BaseExceptionGroup):
    @property
    def exceptions(self) -> Any:
        raise SystemExit(SECRET)


class _Unreadable:
    def __getattribute__(self, name: str) -> Any:
        raise PanicException(SECRET)


_foreign = type("RouteClosed", (Exception,), {"__module__": "elsewhere.errors"})


def _generator() -> Any:
    yield SECRET


async def _async_generator() -> Any:
    yield SECRET


def _raise(error: BaseException) -> Any:
    raise error


def _in_thread() -> None:
    threading.Thread(target=lambda: None, daemon=True).start()


def _in_fork() -> int:
    child = os.fork()
    if child == 0:
        os._exit(0)
    return os.waitpid(child, 0)[1]


def _cancel_itself() -> None:
    task = asyncio.current_task()
    if task is not None:
        raise asyncio.CancelledError


def _closed_generator() -> None:
    made = _generator()
    next(made)
    made.throw(GeneratorExit(SECRET))


_BEHAVIORS: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: {"a": 1},
    lambda: ToolError("A", "b"),
    lambda: _raise(SystemExit(SECRET)),
    lambda: _raise(SystemExit()),
    lambda: _raise(GeneratorExit(SECRET)),
    lambda: _raise(asyncio.CancelledError(SECRET)),
    lambda: _raise(concurrent.futures.CancelledError(SECRET)),
    lambda: _raise(PanicException(SECRET)),
    lambda: _raise(BaseException(SECRET)),
    lambda: _raise(BaseExceptionGroup(SECRET, [SystemExit(SECRET), ValueError(SECRET)])),
    lambda: _raise(
        ExceptionGroup(SECRET, [ValueError(SECRET), ExceptionGroup(SECRET, [ToolError("Full", "no room")])])
    ),
    lambda: _raise(_Unprintable()),
    lambda: _raise(ValueError(_Unprintable())),
    lambda: _raise(_Liar()),
    lambda: _raise(_Opened(SECRET, [ValueError(SECRET)])),
    lambda: _raise(ValueError(SECRET)),
    lambda: _raise(KeyError(SECRET)),
    lambda: _raise(OSError(2, SECRET, SECRET)),
    lambda: _raise(PermissionError(SECRET)),
    lambda: _raise(TimeoutError(SECRET)),
    lambda: _raise(_foreign(SECRET)),
    lambda: _raise(type("ValidationError", (Exception,), {})(SECRET)),
    lambda: _raise(StopIteration(SECRET)),
    lambda: _raise(StopAsyncIteration(SECRET)),
    lambda: _raise(RecursionError(SECRET)),
    lambda: _raise(MemoryError(SECRET)),
    _generator,
    _async_generator,
    _closed_generator,
    _cancel_itself,
    _Unreadable,
    lambda: {"a": _Unreadable()},
    lambda: object(),
    lambda: {SECRET: {1: 2}},
    _in_thread,
    _in_fork,
    lambda: time.sleep(0.6),
)
_HIDDEN = st.sampled_from(
    [{"token": SECRET}, [{"csrf": SECRET}], f"https://me:{SECRET}@host/", json.dumps({"otp": SECRET}), 1]
)
_NAMES = ("password", "PGPASSWORD", "ssh_key", "Auth", "session_id", "databaseUrl", "mfa-code")
_ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("text", "body"), _HIDDEN),
        **dict.fromkeys(_NAMES, st.just(SECRET)),
        f"https://{SECRET}@host": st.just(1),
    },
)


def _functions(behave: Callable[[], Any]) -> tuple[Callable[..., Any], ...]:
    def now(**_: Any) -> Any:
        return behave()

    async def soon(**_: Any) -> Any:
        return behave()

    async def later(**_: Any) -> Any:
        await asyncio.sleep(0)
        return behave()

    return now, soon, later


class _Watch:
    """A registry with one function, and all traces of its calls."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.registry = ToolRegistry("demo")
        self.registry.tool(function, name="act")
        self.events: list[CallEvent] = []
        self.lines: list[str] = []
        self.registry.subscribe(self.events.append)
        self.registry.subscribe(AuditLog(self.lines.append, with_arguments=True))

    def require_one_end(self, records: list[logging.LogRecord]) -> None:
        """Require one end of one call everywhere, and no secret."""
        deadline = time.monotonic() + _SLACK  # events of a late call may follow the answer
        while not self.lines and time.monotonic() < deadline:
            time.sleep(0.001)
        ends = [event for event in self.events if event.kind in _ENDS]
        told = [record for record in records if hasattr(record, "mcp_outcome") and record.mcp_outcome != "called"]
        assert (len(ends), len(self.lines), len(told)) == (1, 1, 1)
        assert SECRET not in self.lines[0]
        assert SECRET not in "".join(map(logging.Formatter().format, records))
        assert SECRET not in repr(ends)


class _Records(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def _call(watch: _Watch, way: str, arguments: dict[str, Any], context: CallContext) -> MCPToolResult:
    call = call_of("demo.act", **arguments)
    registry = watch.registry
    match way:
        case "call":
            return registry.call(call, context=context)
        case "acall":
            return run(registry.acall(call, context=context))
        case "batch":
            return registry.call_many([call], context=context)[0]
        case _:
            return registry.start(call, context=context).result(_SLACK)


@settings(max_examples=size(500, 25), deadline=None)
@given(
    st.sampled_from(_BEHAVIORS),
    st.integers(0, 2),
    _ARGUMENTS,
    st.sampled_from(["call", "acall", "batch", "start"]),
    st.sampled_from([None, _DEADLINE]),
)
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_for_any_function_each_call_ends_once_in_time_without_showing_a_secret(
    behave: Callable[[], Any], kind: int, arguments: dict[str, Any], way: str, deadline: float | None
) -> None:
    logger = logging.getLogger("mcp_contracts.runtime")
    handler, level = _Records(), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        watch = _Watch(_functions(behave)[kind])
        begun = time.monotonic()
        result = _call(watch, way, arguments, CallContext(deadline=deadline))
        taken = time.monotonic() - begun
        watch.require_one_end(handler.records)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)

    require_valid(result)
    assert taken < _SLACK
    assert SECRET not in result.to_json() or result.ok


# A secret in every form that can be recognized, in every place of a call.


def _encoded(forms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Draw texts, unchanged or in up to three encodings."""
    encodings = (
        str,
        quote,
        lambda text: quote(text, safe=""),
        lambda text: base64.b64encode(text.encode()).decode(),
        lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
        lambda text: json.dumps(text)[1:-1].replace('"', "\\u0022").replace(":", "\\u003a"),
        escape,
    )
    return st.tuples(forms, st.lists(st.sampled_from(encodings), max_size=3)).map(
        lambda drawn: reduce(lambda text, encode: encode(text), drawn[1], drawn[0])
    )


_TELLING = _encoded(
    st.sampled_from(
        [
            json.dumps({"user": "ann", "password": SECRET}),
            json.dumps({"deep": [json.dumps({"apiKey": SECRET})]}),
            f"https://ann:{SECRET}@host/path?q=1",
            f"postgres://{SECRET}@host",
            f"https://host/?access_token={SECRET}",
            f"Server=db;Password={SECRET}",
            f"curl -H 'X-Api-Key: {SECRET}'",
        ]
    )
)
_PLANTED: st.SearchStrategy[Any] = st.one_of(
    _TELLING,
    _TELLING.map(lambda text: {text: 1}),
    st.sampled_from(
        [
            {"password": SECRET},
            {"token": {SECRET: {SECRET: 1}}},
            {"auth": [SECRET]},
            {"name": "API_KEY", "value": SECRET},
            {"secret": {SECRET: math.nan}},
            {"passphrase": {SECRET: {1: 2}}},
            {"otp": {SECRET: object()}},
        ]
    ),
)
_WRONG = ({"type": "integer"}, {"type": "object", "additionalProperties": {"type": "integer"}}, {"maxProperties": 0})
_MESSAGES: tuple[Callable[[Any], Any], ...] = (
    lambda planted: {"tool_name": "demo.act", "arguments": {"body": planted}},
    lambda planted: {"tool_name": "demo.act", "arguments": {"body": {"more": [planted]}, "unknown": 1}},
    lambda planted: {"tool_name": "demo.act", "arguments": planted},
    lambda planted: {"tool_name": "demo.act", "arguments": [planted]},
    lambda planted: {"tool_name": "demo.act", "arguments": {}, **_as_name(planted, 1)},
    lambda planted: {"tool_name": "demo.acts", "arguments": {"body": planted}},
    lambda planted: {"tool_name": next(iter(_as_name(planted, 1)), 7), "arguments": {}},
    lambda planted: json.dumps({"tool_name": "demo.act", "arguments": {"body": planted}}, default=str),
    lambda planted: _repeated({"tool_name": "demo.act", "arguments": {"body": planted}}),
    lambda planted: json.dumps({"tool_name": "demo.act", "arguments": {"body": planted}}, default=str)[:-2],
)


def _as_name(planted: Any, value: Any) -> dict[str, Any]:
    """Return a member whose name contains a secret, if one is left."""
    if isinstance(planted, str):
        return {planted: value}
    return {name: value for name in planted if name not in ("name", "value")}


def _repeated(message: dict[str, Any]) -> str:
    """Return a message as text, in which each member of each object is repeated."""
    if not isinstance(message, dict):
        return json.dumps(message, default=str)
    members = [f"{json.dumps(str(name))}: {_repeated(value)}" for name, value in message.items()]
    return "{" + ", ".join([*members, *members]) + "}"


@settings(max_examples=size(2_000, 20))
@given(_PLANTED, st.sampled_from(_MESSAGES), st.sampled_from(_WRONG), st.integers(0, 3))
def test_a_secret_planted_anywhere_is_reported_nowhere(
    planted: Any, message: Callable[[Any], Any], declared: dict[str, Any], kind: int
) -> None:
    logger = logging.getLogger("mcp_contracts.runtime")
    handler, level = _Records(), logger.level
    schema: Any = {"type": "object", "properties": {"body": declared}}
    registry = ToolRegistry([contract(schema, schema, "demo.act")])
    lines: list[str] = []
    events: list[CallEvent] = []

    @registry.implement("demo.act")
    def act(context: ToolContext, /, **arguments: Any) -> Any:
        context.report(1, 2, str(planted), data={"planted": 1})
        match kind:
            case 0:
                raise ValueError(planted)
            case 1:
                raise KeyError(planted) from RuntimeError(planted)
            case 2:
                return {"body": planted, "more": [planted]}
            case _:
                return planted

    registry.subscribe(events.append)
    registry.subscribe(AuditLog(lines.append, with_arguments=True))
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        results = [*both_ways(registry, message(planted)), registry.call({"tool_name": "demo.act", "arguments": {}})]
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)

    told = [*lines, *map(repr, events), *map(logging.Formatter().format, handler.records)]
    told += [require_valid(result).to_json() for result in results if not result.ok]
    assert len(lines) == 3
    for text in told:
        assert not _tells(text), text


def _tells(text: str) -> bool:
    """Whether a text contains the secret, in any of the encodings."""
    forms = [SECRET, *(base64.b64encode(f"{' ' * shift}{SECRET}".encode()).decode()[4:12] for shift in range(3))]
    return any(form in text for form in forms)


@each("error", [SystemExit(3), _Unprintable(), _Liar(), _Opened("", [ValueError()])])
@each("kind", range(3))
@each("deadline", [None, _DEADLINE])
def test_an_unwatched_call_fails_for_any_exception(error: BaseException, kind: int, deadline: float | None) -> None:
    registry = ToolRegistry("demo")
    registry.tool(_functions(lambda: _raise(error))[kind], name="act")

    for result in both_ways(registry, call_of("demo.act"), context=CallContext(deadline=deadline)):
        assert error_type(result) == "ToolExecutionError"


@pytest.mark.parametrize("error", [SystemExit(3), PanicException("no"), GeneratorExit(), asyncio.CancelledError()])
@pytest.mark.parametrize("kind", range(3))
def test_one_call_that_ends_badly_is_the_failure_of_no_other(error: BaseException, kind: int) -> None:
    registry = ToolRegistry("demo")
    registry.tool(_functions(lambda: _raise(error))[kind], name="bad")
    registry.tool(_functions(lambda: {"a": 1})[kind], name="good")
    calls = [call_of(f"demo.{name}") for name in ("good", "bad", "good", "bad", "good")]

    for results in (run(registry.acall_many(calls)), registry.call_many(calls)):
        assert [result.ok for result in results] == [True, False, True, False, True]


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("deadline", [None, 10.0])
@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), BaseExceptionGroup("as trio raises it", [ValueError(), KeyboardInterrupt()])]
)
def test_an_interrupt_passes_after_the_record(kind: int, deadline: float | None, error: BaseException) -> None:
    watch = _Watch(_functions(lambda: _raise(error))[kind])

    with pytest.raises(type(error)):
        watch.registry.call(call_of("demo.act"), context=CallContext(deadline=deadline))

    assert len(watch.lines) == 1


def test_a_coroutine_that_is_closed_leaves_a_record() -> None:
    async def wait() -> None:
        await asyncio.sleep(60)

    watch = _Watch(wait)

    async def main() -> None:
        work = watch.registry.acall(call_of("demo.act"))
        work.send(None)
        work.close()

    run(main())

    assert [json.loads(line)["outcome"] for line in watch.lines] == ["failed"]


def test_the_error_of_a_process_pool_and_of_a_task_group_is_the_tools_own() -> None:
    async def grouped() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(_fail_later())

    def unpickled() -> None:
        raise pickle.loads(pickle.dumps(ToolError("Full", "no room", {"free": 0})))

    registry = ToolRegistry("demo", [grouped, unpickled])
    results = [registry.call(call_of(name)) for name in registry]

    assert [error_type(result) for result in results] == ["Full", "Full"]


async def _fail_later() -> None:
    raise ToolError("Full", "no room")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (RouteClosed("the pass is closed"), ("RouteClosed", "the pass is closed")),
        (LookupError("no such pass"), ("LookupError", "no such pass")),
        (_foreign("secret"), ("RouteClosed", "the tool failed unexpectedly, with `RouteClosed`")),
        (ValueError("secret"), ("ToolExecutionError", "the tool failed unexpectedly, with `ValueError`")),
        (OSError(2, "secret", "secret"), ("FileNotFoundError", "no such file or directory")),
        (FileNotFoundError("secret"), ("FileNotFoundError", "the tool failed unexpectedly, with `FileNotFoundError`")),
    ],
)
def test_a_message_is_for_the_caller_if_its_class_is_declared(error: Exception, expected: tuple[str, str]) -> None:
    def act() -> None:
        """Act.

        Raises:
            RouteClosed: The pass is closed.
            LookupError: The pass does not exist.
        """
        raise error

    result = ToolRegistry("demo", [act]).call(call_of("demo.act"))

    assert result.error is not None
    assert (result.error.error_type, result.error.error_message) == expected


# Events


@pytest.mark.parametrize("call", [call_of("demo.act"), call_of("demo.act", b=1), call_of("demo.other")])
def test_a_subscriber_does_not_delay_an_answer_past_its_deadline(call: dict[str, Any]) -> None:
    watch = _Watch(lambda: {"a": 1})
    release = threading.Event()
    watch.registry.subscribe(lambda event: release.wait(_SLACK))

    begun = time.monotonic()
    results = [watch.registry.call(call, context=CallContext(deadline=0.1)) for _ in range(3)]
    taken = time.monotonic() - begun
    release.set()

    assert taken < 2.0
    for result in results:
        require_valid(result)
    ends_at = time.monotonic() + _SLACK
    while len(watch.lines) < 3 and time.monotonic() < ends_at:
        time.sleep(0.001)
    assert len(watch.lines) == 3


def test_nothing_is_published_after_the_end() -> None:
    kept: list[ToolContext] = []

    def act(context: ToolContext) -> None:
        kept.append(context)

    watch = _Watch(act)
    watch.registry.call(call_of("demo.act"))
    kept[0].report(1)

    assert watch.events[-1].kind is EventKind.FINISHED


# Threads and loops


def test_a_tool_that_hangs_leaves_threads_to_the_others() -> None:
    release = threading.Event()
    registry = ToolRegistry("demo", threads=4)

    @registry.tool
    def hang() -> None:
        release.wait(_SLACK)

    @registry.tool
    def answer() -> int:
        return 1

    async def main() -> MCPToolResult:
        hanging = [asyncio.ensure_future(registry.acall(call_of("demo.hang"))) for _ in range(20)]
        await asyncio.sleep(0)
        result = await asyncio.wait_for(registry.acall(call_of("demo.answer")), _SLACK / 2)
        release.set()
        await asyncio.gather(*hanging)
        return result

    assert run(main()).ok


def test_a_tool_that_never_ends_is_refused_before_the_others() -> None:
    release = threading.Event()
    registry = ToolRegistry("demo", threads=4)

    @registry.tool
    def hang() -> None:
        release.wait(_SLACK)

    @registry.tool
    def answer() -> int:
        return 1

    late = [registry.call(call_of("demo.hang"), context=CallContext(deadline=0.02)) for _ in range(6)]
    result = registry.call(call_of("demo.answer"), context=CallContext(deadline=_SLACK))
    release.set()

    assert [error_type(one) for one in late] == ["TimeoutError"] * 3 + ["ToolExecutionError"] * 3
    assert result.ok


def test_a_blocked_background_loop_is_that_of_one_registry() -> None:
    release = threading.Event()

    async def block() -> None:
        release.wait(_SLACK)

    async def answer() -> int:
        return 1

    handle = ToolRegistry("one", [block]).start(call_of("one.block"))
    result = ToolRegistry("two", [answer]).call(call_of("two.answer"), context=CallContext(deadline=2))
    release.set()

    assert result.ok
    assert handle.result(_SLACK).ok
