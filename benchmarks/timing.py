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


def run(command: Sequence[str], folder: Path) -> None:
    """Run a command quietly; one that fails has measured nothing."""
    subprocess.run(command, cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL, check=True)


def environment(folder: Path) -> dict[str, str]:
    """The environment of a measured command: bytecode is kept in a folder of its own, as an installed package's is."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONHASHSEED": "0", "PYTHONPYCACHEPREFIX": str(folder / ".bytecode")}


def best_of(
    commands: dict[str, list[str]], folder: Path, rounds: int, *, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """The least seconds of each command, over rounds in which they take turns; the first round only warms up."""
    best = dict.fromkeys(commands, float("inf"))
    for number in range(rounds + 1):
        for name, command in commands.items():
            start = clock()
            run(command, folder)
            if number:
                best[name] = min(best[name], clock() - start)
    return best


def of_children() -> float:
    """The seconds of processor that all finished commands have taken together, whatever else the machine did."""
    import resource  # not on Windows, which the rest of this module runs on

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def computed(work: Callable[[], Result]) -> tuple[float, Result]:
    """How many seconds of processor a piece of work takes in this process, and its result."""
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
