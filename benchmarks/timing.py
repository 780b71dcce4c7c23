"""Clocks for the benchmarks: the time of commands and of work in this process, and statistics."""

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
    """Run a command quietly. Raises if it fails, because it would have measured nothing."""
    subprocess.run(command, cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL, check=True)


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a measured command.

    Bytecode is cached separately, as for an installed package. Findings are only cached if a command requests it.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    nowhere = {"MCP_CONTRACTS_CACHE_DIR": f"{os.devnull}/none"}
    return {**kept, **nowhere, "PYTHONHASHSEED": "0", "PYTHONPYCACHEPREFIX": str(folder / ".bytecode")}


def best_of(
    commands: dict[str, list[str]], folder: Path, rounds: int, *, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Return the shortest time of each command, over alternating rounds; the first round is a warm-up."""
    best = dict.fromkeys(commands, float("inf"))
    for number in range(rounds + 1):
        for name, command in commands.items():
            start = clock()
            run(command, folder)
            if number:
                best[name] = min(best[name], clock() - start)
    return best


def of_children() -> float:
    """Return the processor seconds of all finished child processes, which do not depend on other load."""
    import resource  # not available on Windows, unlike the rest of this module

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def computed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the processor seconds of a piece of work in this process, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def forget() -> None:
    """Empty all caches of the package, so that the next piece of work starts cold."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith("mcp_contracts."):
            for value in tuple(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def quantile(values: Iterable[float], share: float) -> float:
    """Return the value that a share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
