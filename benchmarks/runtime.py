"""`python -m benchmarks.runtime [ROUNDS]`: the cost of a call through a registry, compared to the bare function.

Times are processor microseconds of this process, so that a busy machine has little effect; with threads they are
wall-clock microseconds, and labeled as such. Each figure is the time of a round of some hundred calls divided by their
number, and rounds alternate. `beyond` is the best round minus that of the first row of its table, and `times` their
ratio.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import jsonschema
from pydantic import BaseModel, ConfigDict, TypeAdapter

from benchmarks.rounds import Row, Spent, measure, show
from benchmarks.runtime_peers import peers
from benchmarks.runtime_tool import (
    ARGUMENTS,
    INPUT,
    NAME,
    OUTPUT,
    WRONG,
    Arguments,
    Found,
    Issue,
    Limit,
    Query,
    Sort,
    State,
    contracts,
    search,
    search_now,
    search_typed,
)
from mcp_contracts import AuditLog, CallContext, CallSpans, MCPToolCall, RateLimits, ToolRegistry, UsageError

_GOAL = 10.0  # microseconds
_ROUNDS = 60
_CALLS = 10_000
_CALL = MCPToolCall(tool_name=NAME, arguments=ARGUMENTS)
_WRONG_CALL = MCPToolCall(tool_name=NAME, arguments=WRONG)
_MINUTE = CallContext(deadline=60)


def main(rounds: int = _ROUNDS, calls: int = _CALLS) -> int:
    """Measure, print tables, and return the number of missed goals."""
    logger = logging.getLogger("mcp_contracts.runtime")
    logger.addHandler(logging.NullHandler())  # failures create log records that are not written
    logger.propagate = False
    gc.collect()
    gc.freeze()  # so that each round only collects its own garbage
    return asyncio.run(_measure(rounds, calls))


async def _measure(rounds: int, calls: int) -> int:
    print("\n## A call that succeeds, arguments and result validated")
    spent = await _table(list(_calls()), rounds)
    beyond = spent[1].best - spent[0].best
    print(f"goal: acall beyond the function ≤ {_GOAL:g} µs: {'met' if beyond <= _GOAL else 'MISSED'}")
    print("\n## A call that fails (its log record is created but not written)")
    await _table(list(_failures()), rounds)
    print("\n## An async function with a deadline")
    await _table(list(_deadlines()), rounds)
    print("\n## A sync function, in microseconds of the wall clock")
    await _table(list(_threads()), rounds, clock=time.perf_counter)
    print("\n## A call that is watched or limited")
    with open(os.devnull, "w", encoding="utf-8") as null:
        await _table(list(_watched(null)), rounds)
    print("\n## The same tool by others; a client and its server exchange messages in memory")
    async with peers() as (rows, missing):
        await _table([Row("await function", partial(search, **ARGUMENTS)), _ours(), _typed(), *rows], rounds)
    for line in missing:
        print(line)
    print(f"\n## {calls:,} calls of mixed outcomes at once")
    await _measure_many(calls)
    return int(beyond > _GOAL)


async def _table(rows: list[Row], rounds: int, *, clock: Callable[[], float] = time.process_time) -> list[Spent]:
    spent = await measure(rows, rounds, clock=clock)
    show(rows, spent)
    return spent


def _registry(function: Callable[..., Any] = search, **settings: Any) -> ToolRegistry:
    registry = ToolRegistry(contracts(), **settings)
    registry.implement(NAME)(function)
    return registry


def _ours() -> Row:
    return Row("acall(MCPToolCall)", partial(_registry().acall, _CALL))


def _typed() -> Row:
    return Row("acall(MCPToolCall), a parameter is a TypedDict", partial(_registry(search_typed).acall, _CALL))


def _calls() -> Iterator[Row]:
    registry = _registry()
    tool = registry[NAME]
    call = {"tool_name": NAME, "arguments": ARGUMENTS}
    yield Row("await function", partial(search, **ARGUMENTS))
    yield Row("acall(MCPToolCall)", partial(registry.acall, _CALL))
    yield Row("acall(dict)", partial(registry.acall, call))
    yield Row("acall(JSON text)", partial(registry.acall, json.dumps(call)))
    yield Row("registry[name].acall(**arguments)", partial(tool.acall, **ARGUMENTS))
    yield _typed()
    abroad = MCPToolCall(tool_name=NAME, arguments={**ARGUMENTS, "query": "früh über den Øresund, 早い"})
    yield Row("acall(MCPToolCall), text beyond ASCII", partial(registry.acall, abroad))
    yield Row("function, sync", partial(search_now, **ARGUMENTS))
    yield Row("call(MCPToolCall) of the sync function", partial(_registry(search_now).call, _CALL))
    yield Row("pydantic: TypeAdapter, both ways", _by_adapters())
    yield Row("pydantic: models, both ways, and a dump", _by_models())
    yield Row("jsonschema: validators kept, both ways", _by_validators(), 20)
    yield Row("jsonschema.validate, both ways", _by_validate, 2)


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    query: Query
    limit: Limit
    state: State
    labels: list[str]
    sort: Sort


class _Result(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    total: int
    issues: list[Issue]


def _by_adapters() -> Callable[[], Any]:
    arguments, result = TypeAdapter(Arguments), TypeAdapter(Found)

    async def call() -> Any:
        given: Any = arguments.validate_python(ARGUMENTS, strict=True)
        return result.validate_python(await search(**given), strict=True)

    return call


def _by_models() -> Callable[[], Any]:
    async def call() -> Any:
        given = _Arguments.model_validate(ARGUMENTS)
        found = await search(given.query, given.limit, given.state, given.labels, given.sort)  # type: ignore[arg-type]
        return _Result.model_validate(found).model_dump()

    return call


def _by_validators() -> Callable[[], Any]:
    arguments, result = jsonschema.Draft202012Validator(INPUT), jsonschema.Draft202012Validator(OUTPUT)

    async def call() -> Any:
        arguments.validate(ARGUMENTS)
        found = await search(**ARGUMENTS)
        result.validate(found)
        return found

    return call


async def _by_validate() -> Any:
    jsonschema.validate(ARGUMENTS, INPUT)
    found = await search(**ARGUMENTS)
    jsonschema.validate(found, OUTPUT)
    return found


def _failures() -> Iterator[Row]:
    async def missing(**arguments: Any) -> Any:
        raise FileNotFoundError("the index does not exist")

    async def broken(**arguments: Any) -> Any:
        raise RuntimeError("a bug")

    async def wrong(**arguments: Any) -> Any:
        return {"total": "many"}

    registry = _registry()
    yield _ours()
    yield Row("three faults in the arguments", partial(registry.acall, _WRONG_CALL), 20, "failure")
    unknown = MCPToolCall(tool_name="issues.serach", arguments=ARGUMENTS)
    yield Row("an unknown tool", partial(registry.acall, unknown), 20, "failure")
    yield Row("an error that is expected", partial(_registry(missing).acall, _CALL), 20, "failure")
    yield Row("an unexpected error", partial(_registry(broken).acall, _CALL), 20, "failure")
    yield Row("a result that the schema rejects", partial(_registry(wrong).acall, _CALL), 20, "failure")


def _deadlines() -> Iterator[Row]:
    async def bounded() -> Any:
        async with asyncio.timeout(60):
            return await search(**ARGUMENTS)

    async def apart() -> Any:
        async with asyncio.timeout(60):
            return await asyncio.create_task(search(**ARGUMENTS))

    yield Row("async with asyncio.timeout", bounded)
    yield Row("the same, in a separate task", apart)
    yield _ours()
    yield Row("acall with a deadline", partial(_registry().acall, _CALL, context=_MINUTE))


def _threads() -> Iterator[Row]:
    async def bounded() -> Any:
        async with asyncio.timeout(60):
            return await asyncio.to_thread(search_now, **ARGUMENTS)

    registry = _registry(search_now)
    yield Row("await asyncio.to_thread", partial(asyncio.to_thread, search_now, **ARGUMENTS), 100)
    yield Row("the same in asyncio.timeout", bounded, 100)
    yield Row("acall", partial(registry.acall, _CALL), 100)
    yield Row("acall with a deadline", partial(registry.acall, _CALL, context=_MINUTE), 100)
    yield Row("call", partial(registry.call, _CALL), 100)
    yield Row("call with a deadline", partial(registry.call, _CALL, context=_MINUTE), 100)
    yield Row("call of an async function, on the loop in the background", partial(_registry().call, _CALL), 100)


def _watched(null: Any) -> Iterator[Row]:
    yield _ours()
    subscribed = _registry()
    subscribed.subscribe(lambda event: None)
    yield Row("with a subscriber", partial(subscribed.acall, _CALL))
    audited = _registry()
    audited.subscribe(AuditLog(null))
    yield Row("with an audit log", partial(audited.acall, _CALL), 50)
    try:
        yield Row("with rates per tool and caller, in memory", partial(_registry(rates=_rates()).acall, _CALL), 50)
    except UsageError as error:
        print(f"skipped: {error}")
    try:
        yield Row("with spans, without an SDK", partial(_registry(spans=CallSpans()).acall, _CALL), 50)
    except UsageError as error:
        print(f"skipped: {error}")


def _rates() -> RateLimits:
    return RateLimits(per_tool="100000000/second", per_caller="100000000/second")


async def _measure_many(calls: int) -> None:
    """Measure many calls in one batch: of ten, six succeed; one each is refused, unknown, failed and late."""
    registry = _registry(_mixed, deadline=0.5)
    queries = [*[ARGUMENTS["query"]] * 6, "fail", "wait"]
    messages = [MCPToolCall(tool_name=NAME, arguments={**ARGUMENTS, "query": query}) for query in queries]
    messages += [_WRONG_CALL, MCPToolCall(tool_name="issues.serach", arguments=ARGUMENTS)]
    impatient = CallContext(deadline=0.05)

    async def batch() -> Counter[str]:
        results = await registry.acall_many(
            (messages[index % 10] for index in range(calls)), concurrency=calls, context=impatient
        )
        return Counter(result.error.error_type if result.error is not None else "success" for result in results)

    start = time.perf_counter()
    outcomes = await batch()
    seconds = time.perf_counter() - start
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    await batch()
    most = tracemalloc.get_traced_memory()[1]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    print(f"{calls / seconds:,.0f} calls a second, {seconds:.2f} s of the wall clock")
    print(f"memory: {(most - before) / 1e6:.1f} MB more at most, {(after - before) / 1e6:.2f} MB more afterwards")
    print("; ".join(f"{kind} {count:,}" for kind, count in sorted(outcomes.items())))
    print(f"tasks left: {len(asyncio.all_tasks()) - 1}")


async def _mixed(query: str, **arguments: Any) -> Any:
    if query == "fail":
        raise FileNotFoundError("the index does not exist")
    if query == "wait":
        await asyncio.sleep(3600)
    return await search(query, **arguments)


if __name__ == "__main__":
    sys.exit(1 if main(*map(int, sys.argv[1:2])) else 0)
