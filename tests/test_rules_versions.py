"""The rules about versions and the life cycle of a tool."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import JsonValue, Status
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.rules.across_files import unknown_replacement
from mcp_contracts.rules.versions import (
    deprecated_without_replacement,
    deprecated_without_since,
    invalid_version,
    missing_version,
    suggested_version,
    unknown_status,
)
from tests.support_names import at, front_matter, messages, only, said, spec, spec_tool, together

VALID = ["0.0.0", "1.2.3", "10.20.30", "1.0.0-alpha.1", "1.0.0-0a.b-c", "1.0.0+build.007", "1.0.0-rc.1+x"]
MEANT = {
    "v1.0": "1.0.0",
    "1.2": "1.2.0",
    "1": "1.0.0",
    "V2.1.0": "2.1.0",
    "1.02.3": "1.2.3",
    "version 1.2": "1.2.0",
    "1.2.3beta": "1.2.3-beta",
    "1.2.3 rc.1": "1.2.3-rc.1",
    "v1.2.3-beta+x": "1.2.3-beta+x",
    " 1.0.0": "1.0.0",
    "0": "0.0.0",
}
ANYONES_GUESS = [
    "latest",
    "1.2.3.4",
    "soon",
    "1.0.0-",
    "²",
    "1.0.0-é",
    "v",
    "2026-11-21",
    "9" * 5000,
    "1.0.0-" + "a" * 300,
]


@pytest.mark.parametrize("version", [None, ""])
def test_a_tool_without_a_version_gets_a_hint(version: str | None) -> None:
    assert said(missing_version, spec_tool("a.b", version=version)) == (
        "`a.b` has no version",
        "write `**Version**: 1.0.0` under the heading",
    )


@pytest.mark.parametrize("version", VALID)
def test_a_semantic_version_is_fine(version: str) -> None:
    tool = spec_tool(version=version)

    assert messages(missing_version, tool) == []
    assert messages(invalid_version, spec(tool)) == []


@pytest.mark.parametrize(("version", "meant"), MEANT.items())
def test_another_form_of_a_version_says_what_it_should_be(version: str, meant: str) -> None:
    assert said(invalid_version, spec(spec_tool(version=version))) == (
        f"version `{version}` is not a semantic version",
        f"write `{meant}`",
    )


@pytest.mark.parametrize("version", ANYONES_GUESS)
def test_a_hint_for_nonsense_shows_the_form_of_a_version(version: str) -> None:
    finding = only(invalid_version, spec(spec_tool(version=version)))

    assert suggested_version(version) is None
    assert finding.hint == "write MAJOR.MINOR.PATCH, such as `1.0.0`"
    assert finding.place == at(3)


def test_a_placeholder_for_a_version_has_its_own_rule() -> None:
    assert messages(invalid_version, spec(spec_tool(version="{{version}}"))) == []


@pytest.mark.parametrize(("written", "hint"), [("v1.0", "write `1.0.0`"), (1.2, "write `1.2.0`"), (2, "write `2.0.0`")])
def test_the_version_in_the_front_matter_is_judged_too(written: JsonValue, hint: str) -> None:
    finding = only(invalid_version, spec(front_matter=front_matter(module="a", version=written)))

    assert (finding.hint, finding.place) == (hint, at(3))


def test_a_version_at_the_head_of_a_file_is_not_judged() -> None:
    assert messages(invalid_version, spec(module_version="v1.1.9")) == []


def test_a_deprecated_tool_says_since_when_and_what_to_use_instead() -> None:
    tool = spec_tool("a.b", status=Status("deprecated"))

    assert (
        only(deprecated_without_since, tool).message
        == "`a.b` is deprecated, but does not say which version deprecated it"
    )
    assert (
        only(deprecated_without_replacement, tool).message
        == "`a.b` is deprecated, but does not say what to use instead"
    )


@pytest.mark.parametrize("status", [None, Status("stable"), Status("deprecated", since="1.0.0", replacement="a.c")])
def test_a_tool_that_is_not_deprecated_or_says_all_is_fine(status: Status | None) -> None:
    tool = spec_tool(status=status)

    assert messages(deprecated_without_since, tool) == []
    assert messages(deprecated_without_replacement, tool) == []
    assert messages(unknown_status, tool) == []


def deprecated(name: str, replacement: str, module: str = "weather") -> object:
    """Return all files of a source in which one tool is deprecated for another, and `weather.get_forecast` exists."""
    status = Status("deprecated", since="1.0.0", replacement=replacement)
    return together(spec(spec_tool(name, status=status, module=module), spec_tool("weather.get_forecast")))


def test_a_replacement_that_does_not_exist_names_the_nearest() -> None:
    assert said(unknown_replacement, deprecated("weather.get", "weather.get_forcast")) == (
        "the replacement `weather.get_forcast` does not exist",
        "did you mean `weather.get_forecast`?",
    )


def test_a_replacement_unlike_any_name_must_exist() -> None:
    assert only(unknown_replacement, deprecated("weather.get", "weather.x")).hint == "name a tool that exists"


@pytest.mark.parametrize("replacement", ["weather.get_forecast", "get_forecast"])
def test_a_replacement_may_leave_out_its_own_module(replacement: str) -> None:
    assert messages(unknown_replacement, deprecated("weather.get", replacement)) == []


def test_a_replacement_in_a_module_that_is_not_linted_is_not_judged() -> None:
    assert messages(unknown_replacement, deprecated("weather.get", "climate.get")) == []


def test_a_tool_does_not_replace_itself() -> None:
    assert messages(unknown_replacement, deprecated("weather.get", "weather.get")) == [
        "`weather.get` is its own replacement"
    ]


@pytest.mark.parametrize("module", ["weather", None])
def test_a_replacement_that_may_be_in_an_unreadable_file_is_not_judged(module: str | None) -> None:
    unread = spec(module=module, path="other.md", faults=(Fault(FaultKind.UNREADABLE, "no", at(1)),))
    status = Status("deprecated", since="1.0.0", replacement="weather.x")

    assert messages(unknown_replacement, together(spec(spec_tool("weather.get", status=status)), unread)) == []


@pytest.mark.parametrize(
    ("state", "hint"),
    [
        ("active", "write `stable`"),
        ("beta", "write `experimental`"),
        ("experimantal", "write `experimental`"),
        ("obsolete", "write `deprecated (since 1.2.0, use module.other)`"),
        ("deprecated, use weather.get", "write `deprecated (since 1.2.0, use module.other)`"),
        ("blue", "write `stable`"),
    ],
)
def test_an_unknown_status_names_the_one_that_was_meant(state: str, hint: str) -> None:
    message = f"status `{state}` is not experimental, stable or deprecated"

    assert said(unknown_status, spec_tool(status=Status(state))) == (message, hint)


def test_an_empty_status_is_reported_as_empty() -> None:
    assert messages(unknown_status, spec_tool(status=Status(""))) == ["the status is empty"]
