"""Rules about Python functions as a source (MC018, MC019)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.contract import FaultKind, PythonFile, SourceFile
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rules.base import rule


@rule("MC018", Severity.ERROR, since="0.1.0", needs=[FaultKind.UNUSABLE_FUNCTION])
def unusable_function(file: SourceFile) -> Iterator[Finding]:
    """A Python function is marked as a tool but cannot be one.

    Calls pass arguments by name, so a function with positional-only parameters (`*words`, or a `/` in its signature)
    cannot be called. A tool with a computed name, or one registered with something other than a function of the module,
    has no contract until the program runs. The contracts of these functions are missing from everything that is
    generated from the source.
    """
    if isinstance(file, PythonFile):
        yield from _findings(file, FaultKind.UNUSABLE_FUNCTION)


@rule("MC019", Severity.WARNING, since="0.1.0", needs=[FaultKind.UNREAD_CODE])
def code_not_read(file: SourceFile) -> Iterator[Finding]:
    """Part of a Python function's contract is only known at run time.

    The code is read but never run. A class from another package, a computed default, or a method that changes a model's
    schema is treated as any value or omitted. The contract in the running program is more precise.
    """
    if isinstance(file, PythonFile):
        yield from _findings(file, FaultKind.UNREAD_CODE)


def _findings(file: PythonFile, kind: FaultKind) -> Iterator[Finding]:
    for fault in file.faults:
        if fault.kind is kind:
            yield Finding(fault.message, fault.hint, fault.place)
