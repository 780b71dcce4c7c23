"""Where the time of a command goes: a profile, by package."""

from __future__ import annotations

import os
import pstats
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, cast

from benchmarks.timing import environment

_OURS = re.compile(r"(mcp_contracts/[a-z_]+)")
_INSTALLED = re.compile(r"site-packages/([A-Za-z0-9_]+)")
_IMPORTING = ("<frozen importlib", "importlib/", "<frozen zipimport")

_PROFILED = """
import cProfile, os, runpy, sys
path, *sys.argv = sys.argv[1:]
os._exit = sys.exit  # our commands exit at once, without a profile
profiler = cProfile.Profile()
try:
    profiler.runcall(runpy.run_path, sys.argv[0], run_name="__main__")
finally:
    profiler.dump_stats(path)
"""


def profile(words: Sequence[str], folder: Path) -> pstats.Stats:
    """Run one of our commands under the profiler, on one core, so that it starts no workers, which are not profiled.

    `words` begin with a script of Python.
    """
    path = folder / "profile.out"
    path.unlink(missing_ok=True)  # so that the profile of another command is never read
    command = [sys.executable, "-c", _PROFILED, str(path), *words]
    subprocess.run(
        command, cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL, check=True, preexec_fn=_use_one_core
    )
    return pstats.Stats(str(path))


def _use_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def shares(stats: pstats.Stats) -> dict[str, float]:
    """Return the share of each package in the time; built-in functions count for their callers."""
    times: Counter[str] = Counter()
    for place, seconds in _own_times(cast("Mapping[Any, Any]", vars(stats)["stats"])):
        times[place] += seconds  # type: ignore[assignment]  # a counter of seconds
    whole = sum(times.values()) or 1
    return {place: seconds / whole for place, seconds in times.most_common()}


def _own_times(functions: Mapping[Any, Any]) -> Iterator[tuple[str, float]]:
    for (path, _, _), (_, _, own, _, callers) in functions.items():
        if path == "~" and callers:
            yield from ((label(caller[0]), times[2]) for caller, times in callers.items())
        else:
            yield label(path), own


def label(path: str) -> str:
    """Return a readable name of the package that a file belongs to."""
    if path.startswith(_IMPORTING[0]) or any(part in path for part in _IMPORTING[1:]):
        return "imports"
    ours, installed = _OURS.search(path), _INSTALLED.search(path)
    if installed is not None:
        return installed[1]
    if ours is not None:
        return ours[1].replace("/", ".")
    return "Python and its standard library"


def listing(stats: pstats.Stats, count: int = 25) -> str:
    """Return the most expensive functions as a table."""
    output = StringIO()
    stats.stream = output  # type: ignore[attr-defined]  # which its stubs lack
    stats.sort_stats("tottime").print_stats(count)
    return output.getvalue()
