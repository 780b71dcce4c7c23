"""Limit the work that the tools of a file, and the files of a run, cause later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TypeVar

from mcp_contracts.contract import PythonFile, SourceFile, SpecFile, ToolContract, ToolListFile
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.parsing.discovery import unreadable
from mcp_contracts.records import replace

FILE_STEPS = 100_000
"""The steps that the tools of a file may cause. A tool that begins within them is read."""
RUN_STEPS = 600_000
"""The steps that the files of a run may cause, plus STEPS_PER_FILE for each."""
STEPS_PER_FILE = 1_000
"""The steps that each file adds: more than an ordinary specification takes."""

File = TypeVar("File", SpecFile, ToolListFile, PythonFile)


def limit_tools(file: File) -> File:
    """Return a file without the tools beyond FILE_STEPS, and with a fault that says so."""
    contracts = file.contracts
    steps = accumulate(_steps_of(contracts))
    kept = next((count for count, total in enumerate(steps, 1) if total > FILE_STEPS), len(contracts))
    if kept == len(contracts):
        return file
    message = (
        f"the file contains {len(contracts):,} tools, and only the first {kept:,} are read: "
        "their schemas use up the work limit of a file"
    )
    fault = Fault(FaultKind.OVERSIZED, message, contracts[kept].place, "split it, or simplify the schemas")
    faults = (*file.faults, fault)
    if isinstance(file, SpecFile):
        return replace(file, tools=file.tools[:kept], faults=faults)
    return replace(file, contracts=contracts[:kept], faults=faults)


def limit_run(files: Iterable[SourceFile]) -> Iterator[SourceFile]:
    """Yield the files of a run up to the one that exceeds RUN_STEPS, which has a fault instead of its tools."""
    left: float = RUN_STEPS
    for file in files:
        left += STEPS_PER_FILE - sum(_steps_of(file.contracts))
        if left < 0:
            message = "this file and all later files are not read: their schemas exceed the work limit of a run"
            yield unreadable(file.path, message, "pass fewer files or folders at once").read(limit=0)
            return
        yield file


def _steps_of(contracts: Iterable[ToolContract]) -> Iterator[float]:
    from mcp_contracts.schema.work import tool_steps  # a run that repeats an earlier one estimates nothing

    return map(tool_steps, contracts)
