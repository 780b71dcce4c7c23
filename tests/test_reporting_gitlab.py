"""The report as GitLab code quality, with only the fields that GitLab documents."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcp_contracts.change import DiffReport
from mcp_contracts.diagnostics import Report, Severity
from tests import change_examples
from tests.change_examples import BREAK, FORECAST, UNREADABLE
from tests.reporting_examples import CONTEXT, FULL, HOSTILE, NOTE, REPORT, WARNING, diagnostic, rendered

# https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
_DOCUMENTED = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "additionalProperties": False,
                "properties": {
                    "path": {"type": "string", "minLength": 1, "not": {"pattern": r"^\./"}},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "additionalProperties": False,
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


def of_lint(report: Report) -> list[dict[str, Any]]:
    """Return the violations in a lint report."""
    violations: list[dict[str, Any]] = json.loads(rendered("gitlab", report, CONTEXT))
    return violations


def of_diff(report: DiffReport) -> list[dict[str, Any]]:
    """Return the violations in a diff report."""
    violations: list[dict[str, Any]] = json.loads(change_examples.rendered("gitlab", report))
    return violations


@pytest.mark.parametrize(
    "violations",
    [
        of_lint(REPORT),
        of_lint(Report((diagnostic(message=HOSTILE, path=HOSTILE, span=(0, 0, 0, 0)),))),
        of_diff(change_examples.REPORT),
        of_diff(change_examples.hostile_report()),
        of_diff(DiffReport(tools=(replace(FORECAST, changes=(replace(BREAK, place=None),), place=None),))),
        [],
    ],
)
def test_a_report_has_the_documented_fields_and_no_others(violations: list[dict[str, Any]]) -> None:
    Draft202012Validator(_DOCUMENTED).validate(violations)


def test_a_diagnostic_is_a_violation_whose_description_says_it_all() -> None:
    (violation,) = of_lint(Report((FULL,)))

    assert violation["description"] == (
        "the schema requires `unit`, which it does not define (weather.get) | help: define `unit` under `properties`"
    )
    assert violation["check_name"] == "MC302 required-property-undefined"
    assert violation["severity"] == "major"
    assert violation["location"] == {"path": "specs/weather/MCP_TOOL_SPECIFICATION.md", "lines": {"begin": 5}}


def test_a_break_comes_with_its_tool_and_its_proof() -> None:
    (violation,) = of_diff(DiffReport(tools=(replace(FORECAST, changes=(BREAK,)),)))

    assert violation["description"] == (
        "breaking: `days`: `maximum` 14 became 7 (weather.get_forecast) | this call worked before and fails now: "
        '{"city": "Paris", "days": 8} | 8 is greater than the maximum of 7, at /days | help: keep the old maximum, or '
        "release 2.0.0 with a migration note"
    )


def test_severities_are_those_of_gitlab() -> None:
    assert [one["severity"] for one in of_lint(Report((FULL, WARNING, NOTE)))] == ["major", "minor", "info"]


def test_what_is_suppressed_accepted_or_compatible_is_not_a_violation() -> None:
    descriptions = " ".join(one["description"] for one in (*of_lint(REPORT), *of_diff(change_examples.REPORT)))

    assert "section 6" not in descriptions
    assert "`legacy_id`" not in descriptions
    assert "`language` was added" not in descriptions


def test_a_fingerprint_survives_moved_lines_and_is_never_used_twice() -> None:
    here = of_lint(Report((FULL,)))
    moved = of_lint(Report((replace(FULL, place=replace(FULL.place, line=90, end_line=90)),)))
    elsewhere = of_lint(Report((replace(FULL, place=replace(FULL.place, path="other.md")),)))
    twice = of_lint(Report((FULL, FULL)))

    assert here[0]["fingerprint"] == moved[0]["fingerprint"] == twice[0]["fingerprint"]
    assert len({one["fingerprint"] for one in (*twice, *elsewhere)}) == 3


def test_a_file_that_could_not_be_read_is_a_violation_of_a_diff() -> None:
    (violation,) = of_diff(DiffReport(diagnostics=(UNREADABLE,)))

    assert violation["check_name"] == "MC301 schema-invalid"
    assert violation["severity"] == "major"
    assert UNREADABLE.severity is Severity.ERROR
