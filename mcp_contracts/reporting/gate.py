"""What fails a run."""

from __future__ import annotations

from mcp_contracts.diagnostics import Severity
from mcp_contracts.records import dataclass


@dataclass(frozen=True, slots=True)
class Gate:
    """What fails a run: a diagnostic of `fail_on` or worse, or more than `max_warnings` warnings."""

    fail_on: Severity = Severity.ERROR
    max_warnings: int | None = None

    def allows(self, warnings: int) -> bool:
        """Whether a run may have a number of warnings."""
        return self.max_warnings is None or warnings <= self.max_warnings

    def failing(self, warnings: int) -> frozenset[Severity]:
        """The severities that fail a run with a number of warnings."""
        severities = tuple(Severity)
        failing = set(severities[: severities.index(self.fail_on) + 1])
        if not self.allows(warnings):
            failing.add(Severity.WARNING)
        return frozenset(failing)
