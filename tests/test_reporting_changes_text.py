"""The diff report in a terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

from mcp_contracts.change import DiffReport, ToolDiff, ToolState, Verdict
from tests.change_examples import (
    BREAK,
    CONTEXT,
    CURRENT,
    FORECAST,
    HISTORY,
    HOSTILE,
    LOST,
    NOW,
    OPTIONAL,
    RENAMED,
    REPORT,
    UNCHANGED,
    UNCHANGED_REPORT,
    WORDS,
    hostile_report,
    rendered,
)

render = partial(rendered, "text")


def test_a_break_shows_the_call_that_fails_now_and_the_required_version() -> None:
    tool = replace(FORECAST, changes=(BREAK,))

    assert render(DiffReport(tools=(tool, UNCHANGED), modules=REPORT.modules[1:]), CONTEXT) == (
        """\
comparing git:main with specs/

BREAKING  BC207 input-bounds-changed  specs/weather/MCP_TOOL_SPECIFICATION.md:31
  `days`: `maximum` 14 became 7
  in weather.get_forecast
  this call worked before and fails now:
    {"city": "Paris", "days": 8}
    8 is greater than the maximum of 7, at /days
  help: keep the old maximum, or release 2.0.0 with a migration note

versions
  weather               1.2.0 → 1.2.1  should be 2.0.0
  weather.get_forecast  1.2.0 → 1.2.1  needs a major bump (2.0.0)

1 breaking change in 1 of 2 tools; weather needs 2.0.0
  help: release the required versions, or accept the breaking changes with
  `mcp-contracts diff --against main specs/ --accept --reason TEXT`
"""
    )


def test_sides_that_do_not_fit_on_a_line_are_below_each_other() -> None:
    report = DiffReport(tools=(UNCHANGED,))

    short = rendered("text", report, CONTEXT, old_name="git:main")
    long = rendered("text", report, CONTEXT, old_name=f"servers/{'x' * 70}.json")

    assert short.startswith("comparing git:main with specs/\n\n")
    assert long.startswith(f"comparing servers/{'x' * 70}.json\n     with specs/\n\n")


def test_a_result_is_shown_as_one_that_was_impossible_and_shortened() -> None:
    shown = render(REPORT, CONTEXT)

    assert "  this result was impossible before and is possible now:\n    {\n" in shown
    assert '      "forecast": [1, 2, 3, … 117 more],\n' in shown


def test_breaks_come_first_then_what_is_undecided_settled_compatible_and_words() -> None:
    shown = render(REPORT, CONTEXT)

    heads = re.findall(
        r"(?m)^(?:(?:BREAKING|UNKNOWN|breaking)  (BC\d+)|(\w[\w ]+\w)(?: \(`--all` lists them\))?$)", shown
    )
    assert ["".join(head) for head in heads] == [
        *("BC103", "BC207", "BC311", "BC216", "BC107", "BC302"),
        *("compatible changes", "wording that guides agents", "versions"),
    ]


def test_the_same_change_in_many_tools_is_one_entry_with_one_witness() -> None:
    tools = tuple(replace(FORECAST, tool=f"weather.tool_{number}", changes=(BREAK,)) for number in range(22))

    shown = render(DiffReport(tools=tools), CONTEXT)

    assert shown.count("BC207") == shown.count("`days`: `maximum` 14 became 7") == shown.count('"days": 8') == 1
    words = " ".join(shown.split())
    assert "in 22 tools: weather.tool_0, weather.tool_1, weather.tool_10, " in words
    assert "this call to `weather.tool_0` worked before and fails now:" in words


def test_tools_that_are_gone_are_one_entry_although_the_message_names_each() -> None:
    names = ("files.one", "files.two", "files.three")
    gone = [
        replace(LOST, code="BC104", message=f"`{name}` was removed without being deprecated first") for name in names
    ]
    tools = tuple(
        ToolDiff(name, ToolState.REMOVED, Verdict.BREAKING, (change,)) for name, change in zip(names, gone, strict=True)
    )

    shown = render(DiffReport(tools=tools), CONTEXT)

    assert shown.count("BC104") == 1
    assert (
        "  the tool was removed without being deprecated first\n  in 3 tools: files.one, files.three, files.two\n"
        in shown
    )


def test_renames_name_both_sides() -> None:
    other = replace(
        NOW,
        tool="weather.then",
        renamed_to="weather.get_past",
        changes=(replace(RENAMED, message="`weather.then` is gone, and `weather.get_past` is much like it"),),
    )

    shown = render(DiffReport(tools=(NOW, other)), CONTEXT)

    assert "in 2 tools: weather.now → weather.get_current, weather.then → weather.get_past\n" in shown


def test_a_hint_about_versions_is_omitted_without_versions() -> None:
    hint = "keep the parameter, mark it `deprecated`, and remove it in a major release"
    change = replace(BREAK, hint=hint)
    unversioned = ToolDiff("a.b", ToolState.CHANGED, Verdict.BREAKING, (change,))

    assert "help: keep the parameter" not in render(DiffReport(tools=(unversioned,)), CONTEXT)
    assert "help: keep the parameter" in render(DiffReport(tools=(replace(FORECAST, changes=(change,)),)), CONTEXT)


def test_compatible_changes_are_counted_by_kind_and_listed_on_demand() -> None:
    tools = tuple(
        replace(FORECAST, tool=f"a.t{number}", changes=(replace(OPTIONAL, message=f"`p{number}` is new and optional"),))
        for number in range(12)
    )

    counted = render(DiffReport(tools=tools), CONTEXT)
    listed = render(DiffReport(tools=tools), replace(CONTEXT, show_all=True))

    assert "compatible changes (`--all` lists them)\n  12 new optional parameters* (BC203)\n" in counted
    assert "`p7` is new and optional" not in counted
    assert "  BC203 `p7` is new and optional* (in a.t7)\n" in listed


def test_what_is_covered_or_accepted_says_by_what() -> None:
    shown = render(REPORT, CONTEXT)

    assert "  covered by 1.4.0 → 2.0.0\n" in shown
    assert "  accepted: nobody reads it, agreed with the two consumers\n" in shown


def test_an_undecided_change_says_what_stopped_the_proof() -> None:
    shown = " ".join(render(REPORT, CONTEXT).split())

    assert "because of `not` at /properties/unit/not: a negated object cannot be compared" in shown


def test_a_footnote_says_once_that_callers_keep_to_declared_names() -> None:
    shown = render(REPORT, CONTEXT)

    assert "  1 new optional parameter* (BC203)\n" in shown
    assert "  * compatible because callers only send declared names (policy `declared`)\n" in shown
    assert "undeclared" not in shown


def test_the_footnote_mentions_consumers_if_results_changed() -> None:
    result = replace(OPTIONAL, code="BC303", direction="output")
    both = DiffReport(tools=(replace(FORECAST, changes=(result, OPTIONAL)),))

    assert "consumers only read declared names" in render(DiffReport(tools=(replace(FORECAST, changes=(result,)),)))
    assert "callers only send and consumers only read declared names" in " ".join(render(both).split())


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


def test_versions_without_three_numbers_get_the_required_bump_in_words() -> None:
    tool = replace(FORECAST, old_version="2024-01", new_version="2024-02")

    assert "2024-01 → 2024-02  needs a major bump\n" in render(DiffReport(tools=(tool,)), CONTEXT)


def test_contracts_without_versions_name_none() -> None:
    tool = ToolDiff("a.b", FORECAST.state, FORECAST.verdict, (BREAK,))

    shown = render(DiffReport(tools=(tool,)), CONTEXT)

    assert "  in a.b\n" in shown
    assert "needs a" not in shown
    assert "versions\n" not in shown


@pytest.mark.parametrize("width", [0, 40, 60, 80, 200])
def test_lines_break_only_at_spaces_and_fit_the_width(width: int) -> None:
    shown = render(REPORT, replace(CONTEXT, width=width))

    prose = (line for line in shown.splitlines() if "MCP_TOOL_SPECIFICATION" not in line and "MC" not in line)
    assert max(map(len, prose)) <= max(width, 40)
    assert not re.search(r"(?m) $", shown)


def test_color_adds_sequences_and_guides_and_changes_no_word() -> None:
    painted = render(REPORT, replace(CONTEXT, color=True))

    assert "\x1b[1;31mBREAKING\x1b[0m  \x1b[1mBC207 input-bounds-changed\x1b[0m" in painted
    plain = re.sub(r"\x1b\[[0-9;]*m|[├└]── |│", "", painted)
    assert plain.split() == render(REPORT, CONTEXT).split()


def test_a_hostile_report_has_no_line_that_an_author_began() -> None:
    shown = render(hostile_report(), CONTEXT)

    assert not re.search(r"(?m)^\s*::error", shown)
    assert not re.search(r"(?m)^nothing changed", shown)


def test_the_same_words_are_one_entry() -> None:
    tool = replace(HISTORY, changes=(WORDS, WORDS))

    shown = render(DiffReport(tools=(tool, replace(tool, tool=HOSTILE))), CONTEXT)

    assert shown.count("wording that guides agents") == 1
    assert shown.count("weather.get_history") == shown.count("the description changed") == 1


def test_a_new_tool_is_one_line() -> None:
    shown = render(DiffReport(tools=(CURRENT,)), old_name="")

    assert shown == (
        "compatible changes (`--all` lists them)\n  1 new tool (BC102): weather.get_current\n\n"
        "no breaking changes in 1 tool, 1 changed: 1 compatible\n"
    )
