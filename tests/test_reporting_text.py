"""The report as text."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

from mcp_contracts.diagnostics import Place, Related, Report, Severity
from mcp_contracts.reporting.layout import wrap
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

render = partial(rendered, "text")


def test_a_report_shows_each_diagnostic_with_its_line_and_the_way_out() -> None:
    assert render(REPORT, CONTEXT) == (
        """\
specs/weather/MCP_TOOL_SPECIFICATION.md
  1:1 warning MC105 `weather.get` has no section 8
    1 | ## Tool: `weather.get`
      | ^^^^^^^^^^^^^^^^^^^^^

  5:16 note MC305 parameter `city` has no description (weather.get)
    5 |   "required": ["city", "unit"]
      |                ^^^^^^

  5:24 error MC302 the schema requires `unit`, which it does not define
      (weather.get)
    5 |   "required": ["city", "unit"]
      |                        ^^^^^^
      = help: define `unit` under `properties`
      = note: 1:10: the tool is defined here

found 1 error, 1 warning and 1 note in 2 files (3 tools); 1 suppressed
"""
    )


def test_a_clean_run_prints_only_the_summary() -> None:
    assert render(Report((), files=4, tools=12), CONTEXT) == "no problems in 4 files (12 tools)\n"


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (Report((), 1, 1), "no problems in 1 file (1 tool)"),
        (Report((), 0, 0), "no problems in 0 files (0 tools)"),
        (Report((SUPPRESSED,), 1, 0), "no problems in 1 file (0 tools); 1 suppressed"),
        (Report((WARNING,), 1, 2), "found 1 warning in 1 file (2 tools)"),
        (Report((FULL, FULL, NOTE), 1, 2), "found 2 errors and 1 note in 1 file (2 tools)"),
        (
            Report((FULL, WARNING, WARNING, NOTE, NOTE), 1, 2),
            "found 1 error, 2 warnings and 2 notes in 1 file (2 tools)",
        ),
    ],
)
def test_the_summary_counts_in_proper_plurals(report: Report, line: str) -> None:
    assert render(report, CONTEXT).splitlines()[-1] == line


def test_quiet_prints_only_what_fails_and_counts_everything() -> None:
    shown = render(REPORT, replace(CONTEXT, quiet=True))

    assert "MC302" in shown
    assert "MC305" not in shown
    assert "MC105" not in shown
    assert shown.endswith("found 1 error, 1 warning and 1 note in 2 files (3 tools); 1 suppressed\n")


def test_quiet_prints_the_warnings_that_fail_the_run() -> None:
    failing = frozenset({Severity.ERROR, Severity.WARNING})

    shown = render(REPORT, replace(CONTEXT, quiet=True, failing=failing))

    assert ("MC302" in shown, "MC105" in shown, "MC305" in shown) == (True, True, False)


def test_suppressed_diagnostics_are_shown_with_their_reason_when_asked_for() -> None:
    shown = render(Report((SUPPRESSED,), 1, 1), replace(CONTEXT, show_all=True))

    assert shown == (
        """\
specs/weather/MCP_TOOL_SPECIFICATION.md
  1:1 warning MC105 `weather.get` has no section 6
      = suppressed: not ours to write

no problems in 1 file (1 tool); 1 suppressed
"""
    )


def test_statistics_are_a_table_with_the_most_frequent_rule_first() -> None:
    report = Report((WARNING, *[NOTE] * 11, FULL, SUPPRESSED), files=1, tools=1)

    table = render(report, replace(CONTEXT, statistics=True)).split("\n\n")[-2]

    assert table.splitlines() == [
        "11  MC305  property-without-description  note",
        " 1  MC105  missing-section               warning",
        " 1  MC302  required-property-undefined   error",
    ]


def test_files_are_grouped_under_a_header_each() -> None:
    elsewhere = replace(FULL, place=Place("b.md", 1, 1, 1, 2))

    shown = render(Report((FULL, NOTE, elsewhere)), CONTEXT)

    assert [line for line in shown.splitlines() if line.endswith(".md")] == ["b.md", PATH]


def test_the_source_is_not_repeated_for_a_second_diagnostic_at_the_same_place() -> None:
    second = diagnostic("MC305", Severity.NOTE, "parameter `unit` has no description")

    shown = render(Report((FULL, second)), CONTEXT)

    assert shown.count('["city", "unit"]') == 1


def test_color_is_only_there_when_asked_for() -> None:
    colored = render(REPORT, replace(CONTEXT, color=True))

    assert "\x1b" not in render(REPORT, CONTEXT)
    assert "\x1b[1;31merror\x1b[0m \x1b[1mMC302\x1b[0m" in colored
    assert "\x1b[1;31m^^^^^^\x1b[0m" in colored


def test_color_changes_no_word() -> None:
    import re

    colored = render(REPORT, replace(CONTEXT, color=True, show_all=True))

    plain = render(REPORT, replace(CONTEXT, show_all=True))
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == plain


@pytest.mark.parametrize("span", [(99, 1, 99, 2), (0, 0, 0, 0), (2, 1, 2, 1)])
def test_a_place_without_visible_source_gets_no_excerpt(span: tuple[int, int, int, int]) -> None:
    shown = render(Report((diagnostic(span=span),)), CONTEXT)

    assert " | " not in shown


def test_a_file_whose_text_is_not_known_gets_no_excerpt() -> None:
    shown = render(Report((diagnostic(path="unreadable.md"),)), CONTEXT)

    assert shown.splitlines()[1] == "  5:24 error MC302 the schema requires `unit`, which it does not define"


def test_of_a_stretch_over_several_lines_the_first_is_shown_to_its_end() -> None:
    shown = render(Report((diagnostic(span=(3, 4, 7, 4)),)), CONTEXT)

    assert shown.splitlines()[2:4] == ["    3 | ```json", "      |    ^^^^"]


def test_line_numbers_of_different_lengths_are_aligned() -> None:
    text = "\n" * 99 + "last\n"
    report = Report((diagnostic(path=CLEAN, span=(100, 1, 100, 5)),))

    shown = render(report, CONTEXT, {CLEAN: "first" + text})

    assert shown.splitlines()[2:4] == ["    100 | last", "        | ^^^^"]


def test_a_hostile_file_cannot_drive_the_terminal() -> None:
    hostile = diagnostic("MC507", message=HOSTILE, hint=HOSTILE, tool=HOSTILE, path=f"a{HOSTILE}", span=(1, 1, 1, 4))
    text = HOSTILE.replace("\r\n", "")

    shown = render(Report((hostile,)), CONTEXT, {f"a{HOSTILE}": text})

    assert all(character == "\n" or character.isprintable() for character in shown)
    assert "\\u{1b}[2J" in shown
    assert "\\u{202e}evil\\u{202c}" in shown


def test_long_messages_and_hints_are_wrapped_between_words() -> None:
    long = diagnostic(message="`city`" + " says many things" * 6, hint="say one thing" + ", say one thing" * 8)

    lines = render(Report((long,), 1, 1), replace(CONTEXT, width=60)).splitlines()

    told = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 60
    assert (told.count("says many things"), told.count("say one thing")) == (6, 9)


def test_a_command_and_a_count_are_not_broken_where_they_fit() -> None:
    command = "`mcp-contracts diff --accept --reason TEXT`"

    roomy = list(wrap(f"release the required versions, or accept with {command} [22 times]", 60, "  "))
    narrow = list(wrap(f"accept with {command}", 30))

    assert roomy == ["  release the required versions, or accept with", f"  {command} [22 times]"]
    assert " ".join(narrow) == f"accept with {command}"


def test_names_of_other_places_in_the_file_are_one_note() -> None:
    places = tuple(Related(Place(PATH, line, 5, line, 9), f"tool_{line}") for line in range(1, 8))
    several = diagnostic(related=places)

    grouped = render(Report((several,)), CONTEXT)
    listed = render(Report((several,)), replace(CONTEXT, is_grouped=False))

    assert "= note: 1:5 tool_1, 2:5 tool_2, 3:5 tool_3, 4:5 tool_4, 5:5 tool_5 and 2\n        more\n" in grouped
    assert listed.count("= note: ") == 7


def test_wrapping_changes_no_word_and_colors_change_no_line() -> None:
    plain = render(REPORT, replace(CONTEXT, width=40, show_all=True))

    colored = render(REPORT, replace(CONTEXT, width=40, show_all=True, color=True))

    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == plain
    assert max(map(len, plain.splitlines()[1:-1])) <= 40
