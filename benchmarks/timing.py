"""Clocks for the benchmarks: seconds of commands and of work in this process, and what they are compared by."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")


def run(command: Sequence[str], folder: Path, *, allowed: tuple[int, ...] = (0,)) -> None:
    """Run a command quietly; one that fails has measured nothing."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in allowed:
        raise subprocess.CalledProcessError(done.returncode, list(command))


def best_of(
    commands: dict[str, list[str]], folder: Path, rounds: int, *, allowed: tuple[int, ...] = (0,)
) -> dict[str, float]:
    """The least seconds of each command, over rounds in which they take turns; the first round only warms up."""
    best = dict.fromkeys(commands, float("inf"))
    for number in range(rounds + 1):
        for name, command in commands.items():
            seconds = timed(lambda command=command: run(command, folder, allowed=allowed))  # type: ignore[misc]  # bound at once
            if number:
                best[name] = min(best[name], seconds)
    return best


def timed(work: Callable[[], object]) -> float:
    """How many seconds a piece of work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def computed(work: Callable[[], Result]) -> tuple[float, Result]:
    """How many seconds of this process a piece of work takes, whatever else the machine does, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def forget() -> None:
    """Empty all caches of the package, so that the next piece of work meets its schemas for the first time."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith("mcp_contracts."):
            for value in tuple(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def quantile(values: Iterable[float], share: float) -> float:
    """The value that a share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
