"""Rules about Python functions as a source (MC018, MC019)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.contract import FaultKind, PythonFile, SourceFile
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rules.base import rule


@rule("MC018", Severity.ERROR, since="0.1.0")
def unusable_function(file: SourceFile) -> Iterator[Finding]:
    """A Python function is marked as a tool and cannot be one.

    A call gives its arguments by name, so a function that takes them by position (`*words`, or a `/` in its signature)
    can never be called; a generator has no single result. A tool whose name is computed, or that is registered with
    something other than a function of the module, has no contract before the program runs. The contracts of these
    functions are missing from everything that is made of the source.
    """
    if isinstance(file, PythonFile):
        yield from _findings(file, FaultKind.UNUSABLE_FUNCTION)


@rule("MC019", Severity.WARNING, since="0.1.0")
def code_not_read(file: SourceFile) -> Iterator[Finding]:
    """Part of a Python function's contract is known only when the code runs.

    The code is read and never run: a class of another package, a default that is computed, or a method that changes the
    schema of a model counts as any value, or is left out. The contract that callers get from the running program says
    more.
    """
    if isinstance(file, PythonFile):
        yield from _findings(file, FaultKind.UNREAD_CODE)


def _findings(file: PythonFile, kind: FaultKind) -> Iterator[Finding]:
    for fault in file.faults:
        if fault.kind is kind:
            yield Finding(fault.message, fault.hint, fault.place)
