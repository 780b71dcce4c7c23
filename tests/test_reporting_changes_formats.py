"""Laws of every diff report in every format, and of what the formats share."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from mcp_contracts.change import Bump, DiffReport, Verdict
from mcp_contracts.contract import JsonValue
from mcp_contracts.reporting.diff.document import diff_document, next_version
from mcp_contracts.reporting.render import FORMATS
from mcp_contracts.reporting.values import AMPLE, shown_value
from tests.change_examples import (
    CONTEXT,
    CURRENT,
    FORECAST,
    HISTORY,
    REPORT,
    UNCHANGED,
    UNCHANGED_REPORT,
    UNDECIDED,
    hostile_report,
)
from tests.change_examples import rendered as render
from tests.tables import each

PEOPLE = ("text", "concise", "markdown", "github")


@each("name", FORMATS)
@each("report", [REPORT, DiffReport(), UNCHANGED_REPORT, hostile_report()])
def test_every_report_can_be_written_and_gives_the_same_bytes(name: str, report: DiffReport) -> None:
    text = render(name, report, CONTEXT)

    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text.encode("utf-8")
    assert text == render(name, report, CONTEXT)


@each("changelog", [False, True])
@each("name", FORMATS)
def test_no_report_can_drive_a_terminal(name: str, changelog: bool) -> None:
    text = render(name, hostile_report(), replace(CONTEXT, changelog=changelog))

    assert all(character == "\n" or character.isprintable() for character in text)


def test_the_machine_formats_hold_every_change_and_diagnostic() -> None:
    changes = len(list(REPORT.changes()))
    context = replace(CONTEXT, quiet=True)

    as_json = json.loads(render("json", REPORT, context, unknown="ignore"))
    as_sarif = json.loads(render("sarif", REPORT, context, unknown="ignore"))
    as_junit = ElementTree.fromstring(render("junit", REPORT, context, unknown="ignore"))

    assert sum(len(tool["changes"]) for tool in as_json["tools"]) == changes
    assert len(as_sarif["runs"][0]["results"]) == changes + len(REPORT.diagnostics)
    assert len(list(as_junit.iter("testcase"))) == changes + len(REPORT.diagnostics) + 1  # of the unchanged tool


@pytest.mark.parametrize("name", PEOPLE)
def test_quiet_leaves_what_fails_and_counts_the_rest(name: str) -> None:
    shown = render(name, REPORT, replace(CONTEXT, quiet=True))

    assert "`days`" in shown
    assert all(word not in shown for word in ("legacy_id", "language", "destructive", "negated", "MC212"))
    assert "1 covered and 1 accepted" in shown


@pytest.mark.parametrize("name", PEOPLE)
def test_undecided_changes_are_omitted_or_fail_as_configured(name: str) -> None:
    report = DiffReport(tools=(replace(HISTORY, changes=(UNDECIDED,)),))

    warned = render(name, report, CONTEXT)
    failed = render(name, report, replace(CONTEXT, quiet=True), unknown="error")
    ignored = render(name, report, CONTEXT, unknown="ignore")

    assert "BC216" in warned
    assert "BC216" in failed
    assert "BC216" not in ignored
    assert "1 unknown (ignored)" in ignored


def test_text_does_not_pay_for_the_other_formats() -> None:
    script = (
        "import sys\n"
        "from mcp_contracts.change import DiffReport\n"
        "from mcp_contracts.reporting.context import RenderContext\n"
        "from mcp_contracts.reporting.diff.document import diff_document\n"
        "from mcp_contracts.reporting.render import render\n"
        "render('text', diff_document(DiffReport()), RenderContext())\n"
        "print(sorted({'xml', 'urllib', 'pydantic', 'rich', 'yaml', 'pathspec', 'jsonschema'} & set(sys.modules)))\n"
    )

    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert ran.stdout == "[]\n"


@pytest.mark.parametrize(
    ("version", "bump", "expected"),
    [
        ("1.2.1", Bump.MAJOR, "2.0.0"),
        ("1.2.1", Bump.MINOR, "1.3.0"),
        ("0.2.1", Bump.MINOR, "0.3.0"),
        ("1.2.9", Bump.PATCH, "1.2.10"),
        ("1.2.1", Bump.NONE, None),
        ("1.2", Bump.MAJOR, None),
        ("01.2.3", Bump.MAJOR, None),
        ("1.2.3-rc.1", Bump.MAJOR, None),
        ("١.2.3", Bump.MAJOR, None),
        (f"{'9' * 5000}.0.0", Bump.MAJOR, None),
        (None, Bump.MAJOR, None),
    ],
)
def test_the_next_version_requires_exactly_three_numbers(version: str | None, bump: Bump, expected: str | None) -> None:
    assert next_version(version, bump) == expected


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (DiffReport(), "nothing changed"),
        (UNCHANGED_REPORT, "nothing changed in 1 tool"),
        (DiffReport(tools=(CURRENT, UNCHANGED)), "no breaking changes in 2 tools, 1 changed: 1 compatible"),
        (
            REPORT,
            "5 breaking changes in 4 of 6 tools (1 covered and 1 accepted), 1 unknown, 3 compatible, 1 in wording; "
            "weather needs 2.0.0; 1 error, 1 warning",
        ),
        (
            DiffReport(tools=(FORECAST,), modules=tuple(replace(REPORT.modules[1], module=name) for name in "abcde")),
            "2 breaking changes in 1 of 1 tool, 1 unknown, 1 compatible, 1 in wording; "
            "a needs 2.0.0; b needs 2.0.0; c needs 2.0.0; 2 more need a version bump",
        ),
    ],
)
def test_the_summary_counts_changes_and_names_required_bumps(report: DiffReport, line: str) -> None:
    assert diff_document(report).summary == line


@each(
    "value",
    [None, True, 1.0, "a\nb\u202e", [], {}, [1, [2, {}]], {"a": {"b": ["c"] * 30}}, {"": "城市" * 50}],
)
@each("width", [0, 10, 40, 200])
def test_a_whole_value_is_valid_json_at_any_width(value: JsonValue, width: int) -> None:
    shown = shown_value(value, AMPLE)

    assert shown.is_whole
    assert json.loads("\n".join(shown.lines(width))) == value


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (list(range(1, 121)), "[1, 2, 3, … 117 more]"),
        ([0] * 8, "[0, 0, 0, 0, 0, 0, 0, 0]"),
        ({str(number): 0 for number in range(9)}, '{"0": 0, "1": 0, "2": 0, … 6 more}'),
        ("a" * 50 + "b" * 50, f'"{"a" * 38}… 44 more …{"b" * 18}"'),
    ],
)
def test_what_is_long_is_shortened_with_a_count(value: JsonValue, line: str) -> None:
    assert shown_value(value).line() == line


def test_a_value_of_any_depth_and_breadth_is_shown_in_bounds() -> None:
    deep: JsonValue = []
    for _ in range(100_000):
        deep = [deep]
    wide: JsonValue = 0
    for _ in range(7):
        wide = [wide] * 8

    assert len(shown_value(deep).line()) < 100
    assert len(shown_value(wide).line()) < 2000


def test_the_verdicts_of_the_examples_cover_all_verdicts() -> None:
    assert {change.verdict for _, change in REPORT.changes()} == set(Verdict)
