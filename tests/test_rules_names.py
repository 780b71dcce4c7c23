"""The rules about the names of tools."""

from __future__ import annotations

import pytest

from mcp_contracts.rules.across_files import duplicate_tool_name
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.structure.names import (
    fitting_name,
    heading_and_invocation_name_disagree,
    invalid_invocation_name,
    module_prefix_disagrees,
)
from tests.support_names import (
    at,
    findings,
    front_matter,
    listed,
    messages,
    only,
    renamed,
    said,
    spec,
    spec_tool,
    together,
)
from tests.tables import each


@pytest.mark.parametrize("name", ["weather.get", "a.b.c", "_._", "3d.view_2"])
def test_a_dotted_name_in_lower_case_is_fine_in_a_spec(name: str) -> None:
    assert messages(invalid_invocation_name, spec(spec_tool(name))) == []


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        (
            "Weather.get",
            "name `Weather.get` contains the capital letter `W`, but only lowercase letters, digits, `_` and `.` are "
            "allowed",
            "write `weather.get`",
        ),
        (
            "weather.get forecast!",
            "name `weather.get forecast!` contains a space, but only lowercase letters, digits, `_` and "
            "`.` are allowed",
            "write `weather.get_forecast`",
        ),
        (
            "weather.get-forecast",
            "name `weather.get-forecast` contains `-`, but only lowercase letters, digits, `_` and `.` are allowed",
            "write `weather.get_forecast`",
        ),
        ("x", "name `x` has no module prefix", "write `weather.x`"),
        ("weather_alert", "name `weather_alert` has no module prefix", "write `weather.alert`"),
        ("weather..get", "name `weather..get` has an empty part next to a `.`", "write `weather.get`"),
        (".get", "name `.get` has an empty part next to a `.`", "write `weather.get`"),
        ("", "the tool has no name", "write `weather.tool`"),
        (
            "weather.get\n",
            "name `weather.get\\n` contains `\\n`, but only lowercase letters, digits, `_` and `.` are allowed",
            "write `weather.get`",
        ),
        (
            "weather.g\u200bet",
            "name `weather.g\\u200bet` contains U+200B (zero width space), but only lowercase letters, "
            "digits, `_` and "
            "`.` are allowed",
            "write `weather.get`",
        ),
        (
            "weather.gеt",
            "name `weather.gеt` contains U+0435 (cyrillic small letter ie), but only lowercase letters, "
            "digits, `_` and "
            "`.` are allowed",
            "write `weather.get`",
        ),
    ],
)
def test_a_wrong_name_in_a_spec_says_why_and_which_would_fit(name: str, message: str, hint: str) -> None:
    assert said(invalid_invocation_name, spec(spec_tool(name))) == (message, hint)


def test_a_project_may_set_its_own_pattern() -> None:
    options = RuleOptions(name_pattern="[A-Z][a-z]+")

    assert messages(invalid_invocation_name, spec(spec_tool("Forecast")), options) == []
    for tool in (spec_tool("weather.get"), spec_tool("weather.get", deviations=("no version",))):
        assert messages(invalid_invocation_name, spec(tool), options) == [
            "name `weather.get` does not match the project's pattern `[A-Z][a-z]+`"
        ]


@pytest.mark.parametrize("name", ["get_forecast", "Get-Forecast", "admin.tools.list", "x" * 128, "9"])
def test_mcps_own_rule_applies_to_names_in_a_list(name: str) -> None:
    assert messages(invalid_invocation_name, listed({"name": name})) == []


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        (
            "Get Forecast!",
            "name `Get Forecast!` contains a space, but MCP allows only letters, digits, `_`, `-` and `.`",
            "write `get_forecast`",
        ),
        (
            "admin/toolsList",
            "name `admin/toolsList` contains `/`, but MCP allows only letters, digits, `_`, `-` and `.`",
            "write `admin_tools_list`",
        ),
        ("x" * 129, f"name `{'x' * 59}…` is 129 characters long, but MCP allows at most 128", "shorten it"),
    ],
)
def test_a_wrong_name_in_a_list_says_why_and_which_would_fit(name: str, message: str, hint: str) -> None:
    assert said(invalid_invocation_name, listed({"name": name})) == (message, hint)


@each(
    "names, wrong",
    [
        ("read list_notes tags.list-all", "tags.list-all"),
        ("read listNotes", ""),
        ("read listNotes getNote put_note", ""),
        ("list-notes get-note putNote", "putNote"),
        ("listNotes get-note", "listNotes get-note"),
        ("List-Notes", "List-Notes"),
        ("list..notes getNote", "list..notes"),
    ],
)
def test_names_in_an_older_dialect_share_a_style(names: str, wrong: str) -> None:
    file = spec(*(spec_tool(name, deviations=("no version",)) for name in names.split()))

    assert [said.split("`")[1] for said in messages(invalid_invocation_name, file)] == wrong.split()


def test_a_project_pattern_does_not_hold_for_lists() -> None:
    assert messages(invalid_invocation_name, listed({"name": "get"}), RuleOptions(name_pattern="[A-Z]+")) == []


@pytest.mark.parametrize(
    ("name", "module", "fitting"),
    [
        ("getForecast", None, "get_forecast"),
        ("Météo du jour", None, "meteo_du_jour"),
        ("  ", None, "tool"),
        ("天気", "weather", "weather.tool"),
        ("get", "My Module!", "my_module.get"),
    ],
)
def test_a_fitting_name_keeps_as_much_as_it_may(name: str, module: str | None, fitting: str) -> None:
    assert fitting_name(name, module) == fitting


def test_a_heading_and_section_2_that_disagree_show_both_places() -> None:
    tool = spec_tool("weather.get", invocation_name="weather.fetch", places={"name": at(2), "invocation": at(20)})

    finding = only(heading_and_invocation_name_disagree, tool)

    assert finding.message == "section 2 names the tool `weather.fetch`, but its heading names `weather.get`"
    assert finding.place == at(20)
    assert [related.place for related in finding.related] == [at(2)]


@pytest.mark.parametrize("invocation", [None, "weather.get"])
def test_a_heading_and_section_2_may_agree_or_section_2_may_name_nothing(invocation: str | None) -> None:
    tool = spec_tool("weather.get", invocation_name=invocation)

    assert messages(heading_and_invocation_name_disagree, tool) == []


def test_another_module_than_the_front_matters_is_shown_with_both() -> None:
    file = spec(spec_tool("climate.get"), front_matter=front_matter(module="weather"))

    finding = only(module_prefix_disagrees, file)

    assert finding.message == "`climate.get` is in module `climate`, but the front matter says `weather`"
    assert finding.hint == "write `weather.get`, or `module: climate` in the front matter"
    assert [related.place for related in finding.related] == [at(2)]


@pytest.mark.parametrize("name", ["weather.get", "get"])
def test_a_name_of_the_front_matters_module_or_of_none_is_not_a_disagreement(name: str) -> None:
    assert messages(module_prefix_disagrees, spec(spec_tool(name), front_matter=front_matter(module="weather"))) == []


def test_the_module_of_a_folder_disagrees_with_nothing() -> None:
    file = spec(spec_tool("climate.get"), module="weather", front_matter=front_matter(owner="me"))

    assert messages(module_prefix_disagrees, file) == []


def test_every_further_tool_of_a_name_is_found_with_the_first() -> None:
    tool = spec_tool()
    first = spec(renamed(tool, "weather.get", 3), renamed(tool, "weather.get", 30))
    second = spec(renamed(tool, "weather.get", 300), path="other.md")

    found = findings(duplicate_tool_name, together(first, second))

    assert [finding.place and finding.place.line for finding in found] == [30, 300]
    assert [related.place.line for finding in found for related in finding.related] == [3, 3]


def test_a_name_without_a_dot_is_made_unique_by_its_module() -> None:
    one, other = spec_tool("get", module="weather"), spec_tool("get", module="climate")

    assert messages(duplicate_tool_name, together(spec(one), spec(other))) == []


def test_lists_are_compared_with_themselves_only() -> None:
    twice = listed({"name": "get"}, {"name": "get"})

    assert messages(duplicate_tool_name, together(twice)) == ["`get` is already the name of another tool"]
    assert messages(duplicate_tool_name, together(listed({}), listed({}, path="later.json"), spec(spec_tool()))) == []
