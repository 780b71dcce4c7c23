"""Versions: the required bump, the actual bump, and whether it suffices."""

from __future__ import annotations

import pytest

from mcp_contracts.change import Bump, Change, ModuleDiff, ToolDiff, ToolState, Verdict
from mcp_contracts.changes.versions import (
    covers,
    declared_step,
    is_decrease,
    is_prerelease,
    line_of,
    module_diffs,
    next_version,
    required_bump,
    step,
    with_coverage,
)
from mcp_contracts.contract import Contracts, SpecFile, ToolListFile
from tests.tables import each

MAJOR, MINOR, PATCH, NONE = Bump.MAJOR, Bump.MINOR, Bump.PATCH, Bump.NONE


def change(verdict: Verdict, bump: Bump, *, accepted: str | None = None) -> Change:
    """Return a change of an input."""
    return Change("BC207", "input-bounds-changed", "input", verdict, bump, "it changed", accepted=accepted)


BREAK = change(Verdict.BREAKING, MAJOR)
ACCEPTED = change(Verdict.BREAKING, MAJOR, accepted="meant")
UNKNOWN = change(Verdict.UNKNOWN, MINOR)
ABILITY = change(Verdict.COMPATIBLE, MINOR)
WORDS = change(Verdict.COMPATIBLE, PATCH)
REFACTORING = change(Verdict.COMPATIBLE, NONE)


def tool(
    name: str,
    *changes: Change,
    state: ToolState = ToolState.CHANGED,
    versions: tuple[str | None, str | None] = (None, None),
    module: str | None = "weather",
) -> ToolDiff:
    """Return a compared tool."""
    old, new = versions
    return ToolDiff(name, state, Verdict.BREAKING, changes, module, old_version=old, new_version=new)


def contracts(*modules: tuple[str, str | None]) -> Contracts:
    """Return the contracts of specifications without tools: modules and their versions."""
    return Contracts(tuple(SpecFile(f"{name}/SPEC.md", "", name, version) for name, version in modules))


@each(
    ("changes", "version", "expected"),
    [
        ((), "1.2.0", NONE),
        ((REFACTORING,), "1.2.0", NONE),
        ((WORDS,), "1.2.0", PATCH),
        ((ABILITY, WORDS), "1.2.0", MINOR),
        ((UNKNOWN,), "1.2.0", MINOR),
        ((WORDS, BREAK, ABILITY), "1.2.0", MAJOR),
        ((BREAK,), None, MAJOR),
        ((BREAK,), "early", MAJOR),
        ((BREAK,), "1.0.0-rc.1", MAJOR),
        ((ACCEPTED,), "1.2.0", NONE),
        ((ACCEPTED, WORDS), "1.2.0", PATCH),
        ((BREAK,), "0.3.1", MINOR),
        ((UNKNOWN,), "0.3.1", MINOR),
        ((ABILITY,), "0.3.1", PATCH),
        ((WORDS,), "0.3.1", PATCH),
        ((REFACTORING,), "0.3.1", NONE),
        ((ACCEPTED,), "0.3.1", NONE),
    ],
)
def test_changes_require_the_largest_of_their_bumps(
    changes: tuple[Change, ...], version: str | None, expected: Bump
) -> None:
    assert required_bump(changes, version) is expected


@pytest.mark.parametrize("verdict", [Verdict.BREAKING, Verdict.UNKNOWN])
def test_a_verdict_requires_its_step_whatever_the_change_says(verdict: Verdict) -> None:
    expected = {Verdict.BREAKING: MAJOR, Verdict.UNKNOWN: MINOR}[verdict]

    assert required_bump([change(verdict, NONE)], "1.0.0") is expected


@each(
    ("old", "new", "expected"),
    [
        ("1.2.0", "1.2.0", NONE),
        ("1.2.0", "1.2.1", PATCH),
        ("1.2.0", "1.3.0", MINOR),
        ("1.2.9", "1.10.0", MINOR),
        ("1.2.0", "2.0.0", MAJOR),
        ("0.3.0", "0.4.0", MINOR),
        ("0.3.0", "1.0.0", MAJOR),
        ("1.2.0", "2.0.0-rc.1", MAJOR),
        ("1.2.0", "1.3.0-alpha", MINOR),
        ("1.2.0", "1.2.1-alpha", PATCH),
        ("2.0.0-rc.1", "2.0.0-rc.2", MAJOR),
        ("2.0.0-rc.2", "2.0.0-rc.10", MAJOR),
        ("2.0.0-rc.1", "2.0.0", MAJOR),
        ("2.0.0-rc.1", "2.0.0-rc.1", NONE),
        ("1.2.0+a", "1.2.0+b", NONE),
        ("1.2.0+b", "1.2.1+a", PATCH),
        ("1.2.0", "1.1.9", None),
        ("2.0.0", "2.0.0-rc.1", None),
        ("v1.2.0", "1.3.0", MINOR),
        ("1.2", "1.2.0", NONE),
        ("1.2", "2.0", MAJOR),
        ("1.2-rc.1", "v1.2", MAJOR),
        ("1", "2", None),
        ("01.2.0", "2.0.0", None),
        ("1.2.0", "１.3.0", None),
        ("1.2.0.1", "1.3.0", None),
        ("", "1.3.0", None),
        (None, "1.3.0", None),
        ("1.2.0", None, None),
        ("1.2.0", "9" * 5000 + ".0.0", None),
    ],
)
def test_the_step_between_two_versions(old: str | None, new: str | None, expected: Bump | None) -> None:
    assert step(old, new) is expected


@each(
    ("old", "new", "bump", "expected"),
    [
        ("1.2.0", "2.0.0", MAJOR, True),
        ("1.2.0", "2.0.0-rc.1", MAJOR, True),
        ("1.2.0", "1.3.0", MAJOR, False),
        ("1.2.0", "1.3.0", MINOR, True),
        ("1.2.0", "2.0.0", PATCH, True),
        ("1.2.0", "1.2.0", PATCH, False),
        ("1.2.0", "1.2.0", NONE, True),
        ("1.2.0", "1.2.0+build", PATCH, False),
        ("0.3.1", "0.4.0", MINOR, True),
        ("0.3.1", "0.3.2", MINOR, False),
        ("2.0.0-rc.1", "2.0.0-rc.2", MAJOR, True),
        ("2.0.0-rc.1", "2.0.0", MAJOR, True),
        ("2.0.0-rc.1", "2.0.0-rc.1", MAJOR, False),
        ("1.2.0", "1.1.0", NONE, False),
        ("2.0.0", "2.0.0-rc.1", NONE, False),
        (None, "2.0.0", MAJOR, None),
        ("1.2.0", None, NONE, None),
        ("one", "two", MAJOR, None),
        ("1", "2", MAJOR, None),
    ],
)
def test_a_step_covers_what_it_is_at_least(old: str | None, new: str | None, bump: Bump, expected: bool | None) -> None:
    assert covers(old, new, bump) is expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("1.2.0", "1.1.0", True),
        ("2.0.0", "2.0.0-rc.1", True),
        ("1.2.0+b", "1.2.0+a", False),
        ("1.2.0", "1.2.0", False),
        (None, "1.0.0", False),
        ("1.2.0", None, False),
    ],
)
def test_a_decrease_is_distinguished_from_other_steps(old: str | None, new: str | None, expected: bool) -> None:
    assert is_decrease(old, new) is expected


@pytest.mark.parametrize(
    ("old", "bump", "expected"),
    [
        ("1.2.3", MAJOR, "2.0.0"),
        ("1.2.3", MINOR, "1.3.0"),
        ("1.2.3+build", PATCH, "1.2.4"),
        ("v0.3", MINOR, "0.4.0"),
        ("2.0.0-rc.1", MAJOR, "2.0.0"),
        ("1.2.3", NONE, None),
        (None, MAJOR, None),
        ("one", MAJOR, None),
    ],
)
def test_the_next_version_is_the_lowest_that_covers(old: str | None, bump: Bump, expected: str | None) -> None:
    assert next_version(old, bump) == expected
    assert expected is None or covers(old, expected, bump)


@pytest.mark.parametrize(
    ("version", "expected"), [("1.2.3", "1.x"), ("0.3.1", "0.3.x"), ("2.0.0-rc.1", "2.x"), ("x", None), (None, None)]
)
def test_the_line_of_a_version_is_what_callers_hold_to(version: str | None, expected: str | None) -> None:
    assert line_of(version) == expected


def test_a_prerelease_is_distinguished_from_a_release() -> None:
    assert is_prerelease("2.0.0-rc.1")
    assert not is_prerelease("2.0.0+rc.1")
    assert not is_prerelease(None)


def test_a_module_requires_the_combined_bump_of_its_tools() -> None:
    tools = [tool("weather.a", WORDS), tool("weather.b", BREAK), tool("traffic.c", ABILITY, module="traffic")]
    old = contracts(("weather", "1.2.0"), ("traffic", "0.3.0"))
    new = contracts(("weather", "1.3.0"), ("traffic", "0.3.1"))

    modules = module_diffs(tools, old, new)

    assert modules == (
        ModuleDiff("traffic", "0.3.0", "0.3.1", PATCH, True),
        ModuleDiff("weather", "1.2.0", "1.3.0", MAJOR, False),
    )


def test_a_module_without_versions_is_judged_only_by_breaks() -> None:
    lists = Contracts((ToolListFile("tools.json", "", "weather"),))

    modules = module_diffs([tool("weather.a", BREAK), tool("b", module=None)], lists, lists)

    assert modules == (ModuleDiff("weather", None, None, MAJOR, None),)


def test_a_module_whose_files_state_different_versions_states_none() -> None:
    old = contracts(("weather", "1.2.0"), ("weather", "1.3.0"))

    (module,) = module_diffs([tool("weather.a", WORDS)], old, contracts(("weather", "1.3.0"), ("weather", "1.3.0")))

    assert (module.old_version, module.new_version, module.covered) == (None, "1.3.0", None)


def test_a_changed_tool_is_judged_by_its_own_versions() -> None:
    modules = [ModuleDiff("weather", "1.0.0", "2.0.0", MAJOR, True)]

    (judged,) = with_coverage([tool("weather.a", BREAK, versions=("1.2.0", "1.3.0"))], modules)

    assert (judged.owed_bump, judged.covered, judged.uncovered_breaks) == (MAJOR, False, (BREAK,))


@pytest.mark.parametrize("state", [ToolState.CHANGED, ToolState.REMOVED, ToolState.UNCHANGED])
def test_a_tool_without_versions_is_judged_by_those_of_its_module(state: ToolState) -> None:
    modules = [ModuleDiff("weather", "0.3.0", "0.4.0", MINOR, True)]

    (judged,) = with_coverage([tool("weather.a", BREAK, state=state)], modules)

    assert (judged.owed_bump, judged.covered) == (MINOR, True)


def test_a_removed_tool_is_covered_only_by_the_bump_of_its_module() -> None:
    gone = tool("weather.a", BREAK, state=ToolState.REMOVED, versions=("1.2.0", None))
    small, great = (ModuleDiff("weather", "1.0.0", new) for new in ("1.1.0", "2.0.0"))

    assert with_coverage([gone], [small])[0].covered is False
    assert with_coverage([gone], [great])[0].covered is True
    assert with_coverage([gone], [])[0].covered is None


def test_an_added_tool_is_judged_by_its_module() -> None:
    new = tool("weather.a", ABILITY, state=ToolState.ADDED, versions=(None, "1.0.0"))

    (judged,) = with_coverage([new], [ModuleDiff("weather", "1.0.0", "1.0.1")])

    assert (judged.owed_bump, judged.covered) == (MINOR, False)


def test_a_tool_that_lost_its_version_is_covered_by_nothing() -> None:
    (judged,) = with_coverage(
        [tool("weather.a", BREAK, versions=("1.2.0", None))], [ModuleDiff("weather", "1.0.0", "2.0.0")]
    )

    assert (judged.covered, judged.uncovered_breaks) == (None, (BREAK,))


def test_without_any_version_nothing_is_covered_or_uncovered() -> None:
    assert declared_step(tool("a", BREAK, module=None), {}).old is None
    assert with_coverage([tool("a", BREAK, module=None)], [])[0].covered is None


@pytest.mark.parametrize("versions", [("1.0.0", None), (None, "1.0.0")])
def test_one_version_that_is_stated_is_enough_to_judge_by(versions: tuple[str | None, str | None]) -> None:
    module = ModuleDiff("weather", *versions)

    assert declared_step(tool("a", versions=versions), {"weather": module}).module is None
    assert declared_step(tool("a"), {"weather": module}).module == "weather"
