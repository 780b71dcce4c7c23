"""The diff report as JSON, workflow commands, SARIF and JUnit XML, each read by an independent parser."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, get_type_hints

import jsonschema_rs
import pytest
from junitparser import Failure, JUnitXml, Skipped, TestCase
from sarif_pydantic import Level, Result, Sarif  # type: ignore[import-untyped]  # it has no py.typed

from mcp_contracts.change import ChangeDict, DiffReport, DiffReportDict, ModuleDiffDict, ToolDiffDict, UnknownPolicy
from tests.change_examples import (
    ACCEPTED,
    BREAK,
    CONTEXT,
    COVERED,
    CURRENT,
    FORECAST,
    HISTORY,
    PATH,
    REPORT,
    UNCHANGED_REPORT,
    UNDECIDED,
    hostile_report,
)
from tests.change_examples import rendered as render
from tests.maintenance.report_schemas import diff_report_schema

BROKEN = DiffReport(tools=(replace(FORECAST, changes=(BREAK,)),))
UNKNOWN = DiffReport(tools=(replace(FORECAST, changes=(UNDECIDED,)),))


def commands(report: DiffReport, unknown: UnknownPolicy = "warn") -> list[str]:
    """Return the workflow commands in a rendered report."""
    return [line for line in render("github", report, unknown=unknown).splitlines() if line.startswith("::")]


def results(report: DiffReport) -> list[Result]:
    """Return the results in a rendered SARIF log."""
    found: list[Result] | None = Sarif.model_validate_json(render("sarif", report)).runs[0].results
    assert found is not None
    return found


def cases(report: DiffReport, unknown: UnknownPolicy = "warn") -> dict[str, list[TestCase]]:
    """Return the test cases in a rendered report, by suite."""
    document = JUnitXml.fromstring(render("junit", report, unknown=unknown).encode("utf-8"))
    return {suite.name: list(suite) for suite in document}


def test_json_is_the_report_with_whole_values() -> None:
    assert json.loads(render("json", REPORT, CONTEXT)) == REPORT.to_dict()


@pytest.mark.parametrize("report", [REPORT, DiffReport(), UNCHANGED_REPORT, hostile_report()])
def test_the_schema_accepts_a_report(report: DiffReport) -> None:
    validator = jsonschema_rs.Draft7Validator(diff_report_schema())

    assert [error.message for error in validator.iter_errors(json.loads(render("json", report, CONTEXT)))] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "mcp-contracts/lint"),
        (("policy",), "loose"),
        (("summary", "uncovered"), None),
        (("modules", 0, "covered"), "yes"),
        (("tools", 3, "state"), "gone"),
        (("tools", 3, "changes", 1, "verdict"), "fatal"),
        (("tools", 3, "changes", 1, "witness"), []),
        (("tools", 3, "changes", 1, "witness"), {"value": 1}),
        (("tools", 3, "changes", 3, "reason", "keyword"), None),
        (("tools", 3, "changes", 1, "tags"), None),
    ],
)
def test_the_schema_refuses_another_type(path: tuple[str | int, ...], value: object) -> None:
    document: Any = json.loads(render("json", REPORT, CONTEXT))
    *parents, last = path
    target = document
    for step in parents:
        target = target[step]
    target[last] = value

    assert not jsonschema_rs.Draft7Validator(diff_report_schema()).is_valid(document)


def test_the_schema_describes_every_key_and_requires_it() -> None:
    schema = diff_report_schema()
    tools = schema["properties"]["tools"]["items"]
    objects = {
        DiffReportDict: schema,
        ModuleDiffDict: schema["properties"]["modules"]["items"],
        ToolDiffDict: tools,
        ChangeDict: tools["properties"]["changes"]["items"],
    }

    for kind, described in objects.items():
        assert described["required"] == list(described["properties"]) == list(get_type_hints(kind))
        assert [key for key, value in described["properties"].items() if "description" not in value] == (
            ["summary"] if "summary" in described["required"] and "description" not in described else []
        )


def test_a_break_is_an_error_at_its_line_with_the_call() -> None:
    assert commands(BROKEN) == [
        f"::error file={PATH},line=31,title=BC207 input-bounds-changed::"
        "`days`: `maximum` 14 became 7 (weather.get_forecast)"
        '%0Athis call worked before and fails now:%0A  {"city": "Paris", "days": 8}'
        "%0A  8 is greater than the maximum of 7, at /days"
        "%0Ahelp: keep the old maximum, or release 2.0.0 with a migration note"
    ]


@pytest.mark.parametrize(("unknown", "command"), [("warn", "::warning "), ("error", "::error ")])
def test_an_undecided_change_is_annotated_as_configured(unknown: Any, command: str) -> None:
    (line,) = commands(UNKNOWN, unknown)

    assert line.startswith(command)


def test_covered_breaks_are_notices_and_accepted_or_compatible_changes_are_silent() -> None:
    assert [line.split(" ")[0] for line in commands(DiffReport(tools=(COVERED,)))] == ["::notice"]
    assert commands(DiffReport(tools=(HISTORY, CURRENT))) == []


def test_a_change_without_a_place_is_annotated_without_one() -> None:
    tool = replace(FORECAST, place=None, changes=(replace(BREAK, place=None),))

    assert commands(DiffReport(tools=(tool,)))[0].startswith("::error title=BC207 input-bounds-changed::")


def test_no_author_can_give_a_command() -> None:
    lines = render("github", hostile_report(), CONTEXT).splitlines()

    assert [line.split(" ")[0] for line in lines if line.startswith("::")] == ["::error", "::warning", "::error"]
    assert len(lines) == 4


def test_the_levels_of_sarif_express_the_state_of_a_change() -> None:
    levels = {result.rule_id: result.level for result in results(REPORT)}

    assert levels == {
        "BC107": Level.NOTE,
        "BC102": Level.NONE,
        "BC203": Level.NONE,
        "BC207": Level.ERROR,
        "BC111": Level.NONE,
        "BC216": Level.WARNING,
        "BC311": Level.ERROR,
        "BC302": Level.NOTE,
        "BC105": Level.NONE,
        "BC103": Level.ERROR,
        "MC212": Level.WARNING,
        "MC301": Level.ERROR,
    }


def test_a_result_contains_everything_about_a_change() -> None:
    log = json.loads(render("sarif", BROKEN, CONTEXT))

    (result,) = log["runs"][0]["results"]
    assert [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]] == ["BC207", "BC203"]
    assert result["message"]["text"].splitlines() == [
        "`days`: `maximum` 14 became 7",
        "this call worked before and fails now:",
        '  {"city": "Paris", "days": 8}',
        "  8 is greater than the maximum of 7, at /days",
        "help: keep the old maximum, or release 2.0.0 with a migration note",
    ]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 31
    assert result["partialFingerprints"] == {"mcpContracts/v1": "bc2070000000000"}
    assert result["properties"] == {
        "tool": "weather.get_forecast",
        "part": "input",
        "pointer": "/properties/days/maximum",
        "group": "BC207 …: … … became …",
        "verdict": "breaking",
        "oldPointer": "/properties/days/maximum",
        "newPointer": "/properties/days/maximum",
        "witness": {
            "value": {"city": "Paris", "days": 8},
            "error": "8 is greater than the maximum of 7, at /days",
        },
    }


def test_an_accepted_change_is_suppressed_with_its_reason() -> None:
    log = json.loads(render("sarif", DiffReport(tools=(replace(HISTORY, changes=(ACCEPTED,)),)), CONTEXT))

    (result,) = log["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": "external", "status": "accepted", "justification": ACCEPTED.accepted}]


def test_a_result_without_a_place_has_no_location() -> None:
    tool = replace(FORECAST, place=None, changes=(replace(BREAK, place=None),))

    assert "locations" not in json.loads(render("sarif", DiffReport(tools=(tool,)), CONTEXT))["runs"][0]["results"][0]


def test_a_hostile_report_is_a_readable_log_without_links() -> None:
    texts = [result.message.text for result in results(hostile_report())]

    assert len(texts) == 6
    assert not any("[x](" in (text or "").replace("\\[x\\](", "") for text in texts)


def test_a_tool_is_a_suite_and_a_change_a_case() -> None:
    found = cases(REPORT)

    assert {name: len(suite) for name, suite in found.items()} == {
        "files.list": 1,
        "files.remove": 1,
        "weather.get_current": 1,
        "weather.get_forecast": 5,
        "weather.get_history": 2,
        "weather.now": 1,
        "accepted-changes.yaml": 1,
        "specs/mail/X.md": 1,
    }


def test_an_uncovered_break_fails_with_the_call() -> None:
    ((case,),) = cases(BROKEN).values()

    assert [type(result) for result in case.result] == [Failure]
    assert 'this call worked before and fails now:\n  {"city": "Paris", "days": 8}\n' in case.result[0].text
    assert case.name == "BC207 input-bounds-changed /properties/days/maximum"


@pytest.mark.parametrize(("unknown", "kind"), [("warn", Skipped), ("ignore", Skipped), ("error", Failure)])
def test_an_undecided_change_is_skipped_or_fails_as_configured(unknown: Any, kind: type) -> None:
    ((case,),) = cases(UNKNOWN, unknown).values()

    assert [type(result) for result in case.result] == [kind]


def test_what_is_covered_accepted_compatible_or_unchanged_passes() -> None:
    found = cases(REPORT)

    names = ("files.list", "files.remove", "weather.get_current", "weather.get_history")
    assert all(case.is_passed for name in names for case in found[name])
    assert "accepted: nobody reads it" in found["weather.get_history"][0].system_out


def test_the_counts_are_those_of_the_cases() -> None:
    document = JUnitXml.fromstring(render("junit", REPORT, CONTEXT).encode("utf-8"))

    written = (document.tests, document.failures, document.errors, document.skipped)
    document.update_statistics()  # type: ignore[no-untyped-call]  # it has no annotations
    assert written == (document.tests, document.failures, document.errors, document.skipped) == (13, 4, 0, 2)


def test_equal_changes_have_unlike_names() -> None:
    report = DiffReport(tools=(replace(FORECAST, changes=(BREAK, BREAK)),))

    (suite,) = cases(report).values()

    assert len({case.name for case in suite}) == 2


def test_a_hostile_report_is_well_formed() -> None:
    document = JUnitXml.fromstring(render("junit", hostile_report(), CONTEXT).encode("utf-8"))

    assert [len(list(suite)) for suite in document] == [5, 1]
