"""The report with one line for each diagnostic."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from mcp_contracts.diagnostics import Report
from tests.reporting_examples import CONTEXT, HOSTILE, REPORT, diagnostic, rendered

render = partial(rendered, "concise")


def test_each_diagnostic_is_one_line_that_editors_link() -> None:
    assert render(REPORT, CONTEXT) == (
        """\
specs/weather/MCP_TOOL_SPECIFICATION.md:1:1: warning MC105 `weather.get` has no section 8 (weather.get)
specs/weather/MCP_TOOL_SPECIFICATION.md:5:16: note MC305 parameter `city` has no description (weather.get)
specs/weather/MCP_TOOL_SPECIFICATION.md:5:24: error MC302 the schema requires `unit`, which it does not define \
(weather.get)
found 1 error, 1 warning and 1 note in 2 files (3 tools); 1 suppressed
"""
    )


def test_a_suppressed_diagnostic_says_why_when_asked_for() -> None:
    first = render(REPORT, replace(CONTEXT, show_all=True)).splitlines()[0]

    assert first.endswith("`weather.get` has no section 6 [suppressed: not ours to write]")


def test_quiet_prints_only_errors() -> None:
    lines = render(REPORT, replace(CONTEXT, quiet=True)).splitlines()

    assert [line.split()[2] for line in lines[:-1]] == ["MC302"]


def test_statistics_precede_the_summary() -> None:
    lines = render(REPORT, replace(CONTEXT, statistics=True)).splitlines()

    assert lines[-2] == "1  MC305  property-without-description  note"


def test_a_hostile_message_stays_on_its_line() -> None:
    shown = render(Report((diagnostic(message=HOSTILE, tool=HOSTILE),)), CONTEXT)

    assert shown.count("\n") == 2
    assert all(character == "\n" or character.isprintable() for character in shown)
