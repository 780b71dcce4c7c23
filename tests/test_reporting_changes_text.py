"""The diff report for people at a terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

from mcp_contracts.change import DiffReport, ToolDiff
from tests.change_examples import (
    BREAK,
    CONTEXT,
    COVERED,
    CURRENT,
    FORECAST,
    HISTORY,
    HOSTILE,
    NOW,
    REPORT,
    UNCHANGED,
    UNCHANGED_REPORT,
    WORDS,
    hostile_report,
    rendered,
)

render = partial(rendered, "text")


def test_a_break_shows_the_call_that_fails_now_and_the_version_owed() -> None:
    tool = replace(FORECAST, changes=(BREAK,))

    assert render(DiffReport(tools=(tool, UNCHANGED), modules=REPORT.modules[1:]), CONTEXT) == (
        """\
comparing git:main with specs/

weather.get_forecast  1.2.0 → 1.2.1  owes a major step (2.0.0)
  BREAKING    BC207 input-bounds-changed
    specs/weather/MCP_TOOL_SPECIFICATION.md:31
    `days`: `maximum` 14 became 7
    this call worked before and fails now:
      {"city": "Paris", "days": 8}
      8 is greater than the maximum of 7, at /days
    help: keep the old maximum, or release 2.0.0 with a migration note

versions
  weather  1.2.0 → 1.2.1  should be 2.0.0

1 breaking change in 1 of 2 tools; weather owes 2.0.0
  help: release the versions owed, or accept the breaks with `mcp-contracts diff
  --accept --reason TEXT`
"""
    )


def test_a_result_is_shown_as_one_that_was_impossible_and_shortened() -> None:
    shown = render(REPORT, CONTEXT)

    assert "    this result was impossible before and can come now:\n      {\n" in shown
    assert '        "forecast": [1, 2, 3, … 117 more],\n' in shown


def test_tools_come_in_the_order_of_urgency() -> None:
    shown = render(REPORT, CONTEXT)

    starts = (FORECAST, NOW, COVERED, HISTORY)
    assert re.findall(r"(?m)^(\S+\.\S+)  \d", shown) == [tool.tool for tool in starts]
    titles = re.findall(r"(?m)^(new tools|words.*|versions)$", shown)
    assert titles == ["new tools", "words that an agent chooses by", "versions"]


def test_within_a_tool_breaks_come_before_what_is_unknown_and_compatible() -> None:
    shown = render(DiffReport(tools=(FORECAST,)), CONTEXT)

    labels = re.findall(r"(?m)^  (BREAKING|UNKNOWN|compatible) ", shown)
    assert labels == ["BREAKING", "BREAKING", "UNKNOWN", "compatible"]


def test_what_is_covered_or_accepted_says_by_what() -> None:
    shown = render(REPORT, CONTEXT)

    assert "    covered by 1.4.0 → 2.0.0\n" in shown
    assert "    accepted: nobody reads it, agreed with the two consumers\n" in shown


def test_an_undecided_change_says_what_stopped_the_proof() -> None:
    shown = " ".join(render(REPORT, CONTEXT).split())

    assert "because of `not` at /properties/unit/not: a negated object cannot be compared" in shown


def test_open_content_says_that_undeclared_names_alone_are_concerned() -> None:
    shown = " ".join(render(REPORT, CONTEXT).split())

    assert "`language` was added (it concerns undeclared names alone)" in shown


def test_sources_speak_with_their_places() -> None:
    assert "\nspecs/mail/X.md\n  7:3 error MC301 the input schema is not JSON\n" in render(REPORT, CONTEXT)


@pytest.mark.parametrize("report", [DiffReport(), UNCHANGED_REPORT])
def test_nothing_changed_is_one_line(report: DiffReport) -> None:
    shown = render(report, old_name="")

    assert shown.startswith("nothing changed")
    assert shown.count("\n") == 1


def test_show_all_adds_the_tools_that_did_not_change() -> None:
    assert "unchanged\n  files.list  1.0.0\n" in render(REPORT, replace(CONTEXT, show_all=True))
    assert "files.list" not in render(REPORT, CONTEXT)


def test_versions_that_are_not_three_numbers_owe_a_step_in_words() -> None:
    tool = replace(FORECAST, old_version="2024-01", new_version="2024-02")

    assert "2024-01 → 2024-02  owes a major step\n" in render(DiffReport(tools=(tool,)), CONTEXT)


def test_contracts_without_versions_name_none() -> None:
    tool = ToolDiff("a.b", FORECAST.state, FORECAST.verdict, (BREAK,))

    shown = render(DiffReport(tools=(tool,)), CONTEXT)

    assert "\na.b\n  BREAKING" in shown
    assert "owes" not in shown


@pytest.mark.parametrize("width", [0, 40, 60, 80, 200])
def test_lines_break_at_spaces_alone_and_fit_the_width(width: int) -> None:
    shown = render(REPORT, replace(CONTEXT, width=width))

    prose = (line for line in shown.splitlines() if "MCP_TOOL_SPECIFICATION" not in line and "MC" not in line)
    assert max(map(len, prose)) <= max(width, 40)
    assert not re.search(r"(?m) $", shown)


def test_colour_adds_sequences_and_changes_no_word() -> None:
    painted = render(REPORT, replace(CONTEXT, color=True))

    assert "\x1b[1;31m  BREAKING  \x1b[0m" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == render(REPORT, CONTEXT)


def test_a_hostile_report_has_no_line_that_an_author_began() -> None:
    shown = render(hostile_report(), CONTEXT)

    assert not re.search(r"(?m)^\s*::error", shown)
    assert not re.search(r"(?m)^nothing changed", shown)


def test_words_alone_are_grouped_by_tool() -> None:
    tool = replace(HISTORY, changes=(WORDS, WORDS))

    shown = render(DiffReport(tools=(tool, replace(tool, tool=HOSTILE))), CONTEXT)

    assert shown.count("words that an agent chooses by") == 1
    assert shown.count("weather.get_history") == 1


def test_a_new_tool_is_one_line() -> None:
    shown = render(DiffReport(tools=(CURRENT,)), old_name="")

    assert shown == (
        "new tools\n  weather.get_current  1.0.0\n\nno breaking change in 1 tool, 1 changed: 1 compatible\n"
    )
