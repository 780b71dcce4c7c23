"""Measure microseconds per call, in alternating rounds so that a busy machine affects all rows alike."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from mcp_contracts.messages import MCPToolResult


@dataclass(frozen=True, slots=True)
class Row:
    """One way to do something: `make` does it, or returns a coroutine that does, `calls` times in each round.

    `status` is the expected status, if the result is an `MCPToolResult`.
    """

    name: str
    make: Callable[[], Any]
    calls: int = 200
    status: str = "success"


@dataclass(frozen=True, slots=True)
class Spent:
    """Microseconds per call: in the best round, and in the median of all rounds."""

    best: float
    median: float


async def measure(rows: Sequence[Row], rounds: int, *, clock: Callable[[], float] = time.process_time) -> list[Spent]:
    """Return the time of each row in microseconds per call; the first round is a warm-up."""
    taken: list[list[float]] = [[] for _ in rows]
    for row in rows:
        await _check(row)
    for number in range(rounds + 1):
        for row, seconds in zip(rows, taken, strict=True):
            is_awaited = _is_awaited(row)
            make, calls = row.make, range(row.calls)
            start = clock()
            if is_awaited:
                for _ in calls:
                    await make()
            else:
                for _ in calls:
                    make()
            if number:
                seconds.append((clock() - start) / row.calls * 1e6)
    return [Spent(min(seconds), median(seconds)) for seconds in taken]


def _is_awaited(row: Row) -> bool:
    made = row.make()
    if inspect.iscoroutine(made):
        made.close()
        return True
    return False


async def _check(row: Row) -> None:
    """Check that a row succeeds as expected, because a failing one measures nothing."""
    made = row.make()
    result = await made if inspect.iscoroutine(made) else made
    if isinstance(result, MCPToolResult) and result.status != row.status:
        raise RuntimeError(f"{row.name}: {result}")


def show(rows: Sequence[Row], spent: Sequence[Spent]) -> None:
    """Print a table; the first row is the floor of the others."""
    floor = spent[0]
    print(f"{'µs a call':<66}{'median':>10}{'best':>10}{'beyond':>10}{'times':>10}")
    for row, one in zip(rows, spent, strict=True):
        beyond = f"{one.best - floor.best:>10.2f}{one.best / floor.best:>8.1f} x" if one is not floor else ""
        print(f"{row.name:<66}{one.median:>10.2f}{one.best:>10.2f}{beyond}")
