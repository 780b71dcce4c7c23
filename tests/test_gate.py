"""Conditions that fail a run."""

from __future__ import annotations

import pytest

from mcp_contracts.cli.reports import Gate
from mcp_contracts.diagnostics import Report, Severity
from mcp_contracts.reporting.lint_document import lint_document
from tests.reporting_examples import FULL, NOTE, SUPPRESSED, WARNING

ERROR_ = Severity.ERROR
BOTH = {Severity.ERROR, Severity.WARNING}


@pytest.mark.parametrize(
    ("gate", "failing"),
    [
        (Gate(), {ERROR_}),
        (Gate(Severity.WARNING), BOTH),
        (Gate(Severity.NOTE), set(Severity)),
        (Gate(max_warnings=1), {ERROR_}),
        (Gate(max_warnings=0), BOTH),
        (Gate(Severity.WARNING, max_warnings=5), BOTH),
    ],
)
def test_the_severities_that_fail_follow_from_both_options(gate: Gate, failing: set[Severity]) -> None:
    assert gate.failing(lint_document(Report((FULL, WARNING, NOTE, SUPPRESSED))).count(Severity.WARNING)) == failing


@pytest.mark.parametrize(
    ("gate", "has_failed"),
    [
        (Gate(), False),
        (Gate(Severity.WARNING), False),
        (Gate(max_warnings=0), False),
        (Gate(Severity.NOTE), True),
    ],
)
def test_a_suppressed_diagnostic_fails_nothing(gate: Gate, has_failed: bool) -> None:
    document = lint_document(Report((NOTE, SUPPRESSED)))

    failing = gate.failing(document.count(Severity.WARNING))

    assert any(document.count(severity) for severity in failing) is has_failed
