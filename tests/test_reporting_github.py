"""The report as workflow commands."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from mcp_contracts.diagnostics import Report, Severity
from tests.reporting_examples import CONTEXT, HOSTILE, REPORT, diagnostic, rendered

render = partial(rendered, "github")


def test_each_diagnostic_is_a_command_with_its_hint_and_other_places() -> None:
    assert render(REPORT, CONTEXT) == (
        """\
::warning file=specs/weather/MCP_TOOL_SPECIFICATION.md,line=1,endLine=1,col=1,endColumn=22,\
title=MC105 missing-section::`weather.get` has no section 8
::notice file=specs/weather/MCP_TOOL_SPECIFICATION.md,line=5,endLine=5,col=16,endColumn=22,\
title=MC305 property-without-description::parameter `city` has no description
::error file=specs/weather/MCP_TOOL_SPECIFICATION.md,line=5,endLine=5,col=24,endColumn=30,\
title=MC302 required-property-undefined::the schema requires `unit`, which it does not define\
%0Ahelp: define `unit` under `properties`\
%0Anote: specs/weather/MCP_TOOL_SPECIFICATION.md:1:10: the tool is defined here
found 1 error, 1 warning and 1 note in 2 files (3 tools); 1 suppressed
"""
    )


def test_a_stretch_over_several_lines_has_no_columns() -> None:
    command = render(Report((diagnostic(span=(3, 4, 7, 4)),)), CONTEXT)

    assert "line=3,endLine=7,title=" in command


def test_percent_comma_colon_and_line_breaks_are_escaped() -> None:
    hostile = diagnostic(message="100%,\r\n::set-env name=x::y", path="a,b:c%.md")

    command = render(Report((hostile,)), CONTEXT).splitlines()[0]

    assert command.startswith("::error file=a%2Cb%3Ac%25.md,line=5,")
    assert command.endswith("::100%25,\\u{d}\\u{a}::set-env name=x::y")


def test_a_hostile_message_cannot_give_its_own_command() -> None:
    shown = render(Report((diagnostic(message=HOSTILE, hint=HOSTILE, path=HOSTILE),)), CONTEXT)

    assert [line.startswith("::error file=") for line in shown.splitlines()] == [True, False]
    assert all(character == "\n" or character.isprintable() for character in shown)


def test_suppressed_diagnostics_are_no_annotations_even_when_they_are_shown_elsewhere() -> None:
    assert render(REPORT, replace(CONTEXT, show_all=True)) == render(REPORT, CONTEXT)


def test_nothing_is_left_out_past_the_ten_that_github_shows() -> None:
    report = Report(tuple(diagnostic(span=(line, 1, line, 2)) for line in range(1, 100)))

    assert render(report, CONTEXT).count("::error ") == 99


def test_quiet_annotates_only_errors() -> None:
    report = Report((diagnostic(), diagnostic(severity=Severity.WARNING)))

    assert "::warning" not in render(report, replace(CONTEXT, quiet=True))
