"""Run commands in turn, and keep the time and the memory of each."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.timing import environment


class FailedError(Exception):
    """A command failed, so its time means nothing."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One run: wall-clock and processor seconds, including child processes, and the peak in MiB.

    Linux counts the memory of the process that starts a command as well, so this one imports nothing large.
    """

    wall: float
    cpu: float
    peak: float


@dataclass(frozen=True, slots=True)
class Command:
    """Something to run: `before` prepares a run and is not timed, `codes` are the exit codes of success."""

    name: str
    words: Sequence[str]
    before: Callable[[], object] = lambda: None
    codes: frozenset[int] = frozenset((0,))


@dataclass(slots=True)
class Measured:
    """The samples of a command."""

    samples: list[Sample] = field(default_factory=list)

    @property
    def wall(self) -> float:
        """The median in wall-clock seconds."""
        return median(one.wall for one in self.samples)

    @property
    def cpu(self) -> float:
        """The median in processor seconds."""
        return median(one.cpu for one in self.samples)

    @property
    def peak(self) -> float:
        """The peak memory of all runs, in MiB."""
        return max(one.peak for one in self.samples)


def measure(commands: Iterable[Command], folder: Path, rounds: int, *, warms_up: bool = True) -> dict[str, Measured]:
    """Return the samples of each command by its name; commands alternate, and the first round may be a warm-up."""
    every = list(commands)
    found = {command.name: Measured() for command in every}
    for number in range(rounds + warms_up):
        for command in every:
            sample = run_once(command, folder)
            if number >= warms_up:
                found[command.name].samples.append(sample)
    return found


def run_once(command: Command, folder: Path) -> Sample:
    """Run a command. Raises FailedError if its exit code is not one of `codes`."""
    command.before()
    kept = {**environment(folder), "XDG_CACHE_HOME": str(folder / ".cache"), "NO_COLOR": "1"}
    log = folder / ".output"
    with open(log, "wb") as output:
        start = time.perf_counter()
        process = subprocess.Popen(command.words, cwd=folder, env=kept, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)  # otherwise Popen would wait for it again
    if process.returncode not in command.codes:
        said = log.read_text(encoding="utf-8", errors="replace")[-500:]
        raise FailedError(f"{command.name} ended with {process.returncode}: {said}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
