"""The rules about the description that models use to choose a tool."""

from __future__ import annotations

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.behavior.descriptions import description_too_long, description_too_short
from mcp_contracts.sources.documents import read_source
from tests.support_names import at, contract, listed, messages, only, said, sections, spec, spec_tool


@pytest.mark.parametrize(
    ("name", "description", "message"),
    [
        ("get_forecast", "", "the description is empty"),
        ("get_forecast", " \n ", "the description is empty"),
        ("get_forecast", "Get forecast", "the description only repeats the name"),
        ("get_forecast", "get-forecast tool.", "the description only repeats the name"),
        ("weather.get_forecast", "The Get Forecast function", "the description only repeats the name"),
        ("weather.get_forecast", "Weather: get forecast", "the description only repeats the name"),
        ("log", "Git log", "the description is only 7 characters long"),
        ("log", "记录", "the description is only 2 characters long"),
    ],
)
def test_an_empty_description_is_found_in_any_source(name: str, description: str, message: str) -> None:
    fault = (message, "say what the tool does, when to choose it and what it returns")

    assert said(description_too_short, listed({"name": name, "description": description})) == fault
    assert said(description_too_short, spec(spec_tool(name, description=description))) == fault


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("status", "Shows the working tree status"),
        ("log", "Shows log."),
        ("get_forecast", "Get forecast of a place"),
        ("weather", "获取当前天气预报"),
        ("search_poi", "搜索 POI"),
        ("get_forecast", "Gets the forecast " * 40),
    ],
)
def test_a_description_to_choose_by_is_fine(name: str, description: str) -> None:
    assert messages(description_too_short, listed({"name": name, "description": description})) == []


def test_a_tool_in_a_list_without_a_description_has_an_empty_one() -> None:
    assert messages(description_too_short, listed({"description": None})) == ["the description is empty"]


def test_a_description_is_found_at_its_place() -> None:
    place = only(description_too_short, listed({"description": "short"})).place

    assert place is not None
    assert (place.line, place.column, place.end_column) == (5, 19, 26)


def test_a_missing_or_empty_section_1_is_another_rules_matter() -> None:
    without, empty = (
        spec_tool(description="", sections=sections(leave_out=(1,))),
        spec_tool(description="", texts={1: ""}),
    )

    assert messages(description_too_short, spec(without, empty)) == []


def test_a_legacy_tool_without_any_description_has_an_empty_one() -> None:
    legacy = spec_tool(description="", sections=(), deviations=("it is old",))

    assert messages(description_too_short, spec(legacy)) == ["the description is empty"]


def test_a_description_over_the_limit_says_both_lengths() -> None:
    tool = contract(description="x" * 1025, places={"description": at(9)})

    finding = only(description_too_long, tool)

    assert finding.message == "the description is 1,025 characters long, but some hosts accept at most 1,024"
    assert finding.place == at(9)


def test_a_description_at_the_limit_is_fine() -> None:
    assert messages(description_too_long, contract(description="x" * 1024)) == []


def test_a_project_may_set_another_limit() -> None:
    assert messages(description_too_long, contract(description="x" * 101), RuleOptions(description_length=100)) == [
        "the description is 101 characters long, but some hosts accept at most 100"
    ]


FORMS = """\
# m: tool specification

## `m_find`

{}

**Parameters**

- `q` (string, required) – words

**Returns**

- `ok` (boolean) – done

## `m_book`

Books one of the things that were found.

**Parameters**

- `thing_id` (string, required) – which

**Returns**

- `ok` (boolean) – done
"""


@pytest.mark.parametrize(
    "text",
    ["Call m_open first.", "Use m_load before.", "Takes what m_search returned.", "Give the token from m_login.",
     "Takes an id given by m_list.", "Run `m_open`, then wait.", "The things that m_fetch found."],
)  # fmt: skip
def test_a_name_without_backticks_is_judged_where_it_is_surely_a_tool_s(text: str) -> None:
    found = lint(Contracts((read_source("spec.md", FORMS.format(f"Finds things. {text}")),))).shown()

    assert [one.code for one in found if one.code == "MC515"] == ["MC515"]


@pytest.mark.parametrize(
    "text",
    ["Use snake_case for names.", "Call back_end services first.", "Use utf_8 to be safe.", "Call m_book first.",
     "Takes what thing_id returned.", "Use read_only to be safe.", "See m_find.", "Use date_from and date_to."],
)  # fmt: skip
def test_other_words_with_underscores_are_no_tools(text: str) -> None:
    found = lint(Contracts((read_source("spec.md", FORMS.format(f"Finds things. {text}")),))).shown()

    assert [one.message for one in found if one.code == "MC515"] == []
