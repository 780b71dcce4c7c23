"""Groups of similar diagnostics."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from mcp_contracts.diagnostics import Diagnostic, Place, Related, Report, Severity
from mcp_contracts.reporting.grouping import Group, group_diagnostics, other_places
from mcp_contracts.reporting.lint_document import diagnostic_entry
from tests.reporting_examples import CONTEXT, FULL, NOTE, PATH, SUPPRESSED, diagnostic, rendered

render = partial(rendered, "text")


def undescribed(name: str, line: int, tool: str = "weather.get") -> Diagnostic:
    """Return a note about a parameter at a line."""
    message = f"parameter `{name}` has no description"
    return diagnostic("MC305", Severity.NOTE, message, span=(line, 5, line, 9), tool=tool)


def groups_of(*diagnostics: Diagnostic) -> list[Group]:
    """Return the groups of some diagnostics."""
    return group_diagnostics(map(diagnostic_entry, diagnostics))


NAMES = ("city", "unit", "days", "lang", "exact", "hour", "page")
ALIKE = [undescribed(name, 10 + index) for index, name in enumerate(NAMES)]


@pytest.mark.parametrize(
    ("first", "second", "are_alike"),
    [
        ("parameter `a` has no type", "parameter `b.c` has no type", True),
        ("the default is 3, less than 5", "the default is 1,024.5, less than 17", True),
        ('the default is "a"', 'the default is "b \\" c"', True),
        ("parameter `a` has no type", "parameter `a` has no description", False),
        ("the default is 3", 'the default is "3"', True),
        ("the description is empty", "the purpose is empty", False),
    ],
)
def test_a_group_is_code_and_shape(first: str, second: str, are_alike: bool) -> None:
    one, other = (replace(FULL, message=message) for message in (first, second))

    assert (one.group == other.group) is are_alike
    assert replace(one, code="MC999").group != one.group


def test_what_is_alike_is_one_entry_with_the_count_and_five_places() -> None:
    assert render(Report(tuple(ALIKE), files=1, tools=1), CONTEXT) == (
        """\
specs/weather/MCP_TOOL_SPECIFICATION.md
  10:5 note MC305 parameter `city` has no description (weather.get) [7 times]
       = also: 11:5 `unit`, 12:5 `days`, 13:5 `lang`, 14:5 `exact` and 2 more

found 7 notes in 1 file (1 tool)
"""
    )


def test_of_many_related_places_five_are_shown_and_the_rest_is_counted() -> None:
    related = tuple(Related(Place(PATH, line, 1, line, 2), f"tool {line}") for line in range(1, 13))
    report = Report((replace(FULL, related=related),))

    grouped_text = render(report, CONTEXT)
    whole_text = render(report, replace(CONTEXT, is_grouped=False))

    assert (grouped_text.count("= note: "), whole_text.count("= note: ")) == (6, 12)
    assert "= note: and 7 more\n" in grouped_text


def test_without_groups_each_diagnostic_is_shown() -> None:
    text = render(Report(tuple(ALIKE), files=1, tools=1), replace(CONTEXT, is_grouped=False))

    assert [text.count(f"`{name}` has no description") for name in NAMES] == [1] * len(NAMES)


def test_a_place_of_another_tool_names_it_and_one_at_the_same_place_only_what_differs() -> None:
    same_place = replace(undescribed("unit", 10), tool="weather.get")
    (group,) = groups_of(ALIKE[0], same_place, undescribed("days", 30, "weather.put"))

    assert list(other_places(group, 80)) == ["`unit`, 30:5 `days` (weather.put)"]


def test_places_are_wrapped_between_each_other() -> None:
    (group,) = groups_of(*ALIKE)

    assert list(other_places(group, 30)) == ["11:5 `unit`, 12:5 `days`,", "13:5 `lang`, 14:5 `exact`", "and 2 more"]


def test_severities_and_reasons_are_never_mixed_in_a_group() -> None:
    other = replace(NOTE, severity=Severity.ERROR)
    silenced = replace(NOTE, suppressed="known", suppressed_in="source")
    for_another_reason = replace(silenced, suppressed="old")

    groups = groups_of(NOTE, other, silenced, for_another_reason, NOTE, SUPPRESSED)

    assert [len(group) for group in groups] == [2, 1, 1, 1, 1]


def test_what_to_write_is_reported_for_each_place_of_a_group() -> None:
    first = replace(undescribed("toolname", 9), hint="write `tool_name`")
    other = replace(undescribed("argumets", 12), hint="write `arguments`")

    (group,) = groups_of(first, other)

    assert list(other_places(group, 80)) == ["12:5 `argumets` (write `arguments`)"]
