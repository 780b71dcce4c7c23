"""The report as JUnit XML, read by junitparser."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from xml.etree import ElementTree

from junitparser import Failure, JUnitXml, Skipped, TestCase, TestSuite

from mcp_contracts.diagnostics import Report, Severity
from tests.reporting_examples import (
    CLEAN,
    CONTEXT,
    FULL,
    HOSTILE,
    NOTE,
    PATH,
    REPORT,
    SUPPRESSED,
    WARNING,
    diagnostic,
    rendered,
)

render = partial(rendered, "junit")


def suites(report: Report) -> dict[str, TestSuite]:
    """Return the test suites in a rendered report, by name."""
    return {suite.name: suite for suite in JUnitXml.fromstring(render(report, CONTEXT).encode("utf-8"))}


def cases(report: Report) -> list[TestCase]:
    """Return the test cases of the file with diagnostics."""
    return list(suites(report)[PATH])


def test_the_report_is_a_suite_a_file_and_a_case_a_diagnostic() -> None:
    assert render(Report((WARNING, FULL), 2, 3), CONTEXT) == (
        """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="mcp-contracts" tests="3" failures="1" errors="0" time="0">
  <testsuite name="specs/calendar/MCP_TOOL_SPECIFICATION.md" file="specs/calendar/MCP_TOOL_SPECIFICATION.md" \
tests="1" failures="0" errors="0" skipped="0" time="0">
    <testcase name="no problems" classname="specs/calendar/MCP_TOOL_SPECIFICATION" time="0" />
  </testsuite>
  <testsuite name="specs/weather/MCP_TOOL_SPECIFICATION.md" file="specs/weather/MCP_TOOL_SPECIFICATION.md" \
tests="2" failures="1" errors="0" skipped="1" time="0">
    <testcase name="MC105 missing-section weather.get" classname="specs/weather/MCP_TOOL_SPECIFICATION" \
time="0">
      <skipped type="MC105" message="warning: `weather.get` has no section 8">\
specs/weather/MCP_TOOL_SPECIFICATION.md:1:1: warning MC105 `weather.get` has no section 8</skipped>
    </testcase>
    <testcase name="MC302 required-property-undefined weather.get input /required/1" \
classname="specs/weather/MCP_TOOL_SPECIFICATION" time="0">
      <failure type="MC302" message="error: the schema requires `unit`, which it does not define">\
specs/weather/MCP_TOOL_SPECIFICATION.md:5:24: error MC302 the schema requires `unit`, which it does not define
help: define `unit` under `properties`
note: specs/weather/MCP_TOOL_SPECIFICATION.md:1:10: the tool is defined here</failure>
    </testcase>
  </testsuite>
</testsuites>
"""
    )


def test_an_error_fails() -> None:
    (case,) = cases(Report((FULL,)))

    assert [type(result) for result in case.result] == [Failure]
    assert case.result[0].type == "MC302"


def test_warnings_and_notes_are_skipped_so_that_they_fail_nothing() -> None:
    found = cases(Report((WARNING, NOTE)))

    assert [type(result) for case in found for result in case.result] == [Skipped, Skipped]


def test_a_warning_fails_where_warnings_fail_the_run() -> None:
    context = replace(CONTEXT, failing=frozenset({Severity.ERROR, Severity.WARNING}))

    text = render(Report((FULL, WARNING, NOTE, SUPPRESSED)), context)

    assert '<testsuites name="mcp-contracts" tests="5" failures="2"' in text


def test_a_suppressed_diagnostic_passes_with_the_reason_as_output() -> None:
    (case,) = cases(Report((SUPPRESSED,)))

    assert case.is_passed
    assert case.system_out.startswith("suppressed: not ours to write\n")


def test_a_clean_file_is_one_passed_case() -> None:
    (case,) = suites(REPORT)[CLEAN]

    assert case.is_passed


def test_the_counts_are_those_of_the_cases() -> None:
    document = JUnitXml.fromstring(render(REPORT, CONTEXT).encode("utf-8"))

    written = (document.tests, document.failures, document.errors, document.skipped)
    document.update_statistics()  # type: ignore[no-untyped-call]  # it has no annotations
    assert written == (document.tests, document.failures, document.errors, document.skipped) == (5, 1, 0, 2)


def test_names_hold_no_line_and_are_unique() -> None:
    moved = replace(NOTE, place=replace(NOTE.place, line=9, end_line=9))

    names = [case.name for case in cases(Report((NOTE, moved, moved)))]

    name = "MC305 property-without-description weather.get"
    assert names == [name, f"{name} (2)", f"{name} (3)"]


def test_characters_that_xml_forbids_are_written_out() -> None:
    (case,) = cases(Report((diagnostic(message="a\x00b\x1bc\ufffed\ud800", severity=Severity.ERROR),)))

    assert case.result[0].message == "error: a\\u{0}b\\u{1b}c\\u{fffe}d\\u{d800}"


def test_a_hostile_file_leaves_well_formed_xml() -> None:
    report = Report((diagnostic(message=HOSTILE, hint=HOSTILE, tool=HOSTILE, path=HOSTILE, suppressed=HOSTILE),))

    text = render(report, CONTEXT, {})

    assert len(list(JUnitXml.fromstring(text.encode("utf-8")))) == 1


_ALLOWED = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "file", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"name", "classname", "time"},
    "failure": {"type", "message"},
    "skipped": {"type", "message"},
    "system-out": set(),
}
"""The attributes of elements that Jenkins' xUnit plugin (junit-10.xsd) allows and this format uses."""


def test_every_attribute_is_one_that_jenkins_takes() -> None:
    root = ElementTree.fromstring(render(REPORT, CONTEXT))

    assert [
        (one.tag, set(one.attrib) - _ALLOWED[one.tag]) for one in root.iter() if set(one.attrib) - _ALLOWED[one.tag]
    ] == []
