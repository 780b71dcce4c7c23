"""Versions and changes: bumps that are missing, too small, downwards or unexplained, and undecided changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import pytest

from mcp_contracts.change import Bump, Change, Reason, ToolDiff, ToolState, Verdict, Witness
from mcp_contracts.changes.versions import module_diffs, with_coverage
from mcp_contracts.checks.releases import release_diagnostics
from mcp_contracts.contract import (
    Contracts,
    FrontMatter,
    JsonValue,
    Migration,
    SpecFile,
    SpecTool,
    ToolContract,
    ToolListFile,
)
from mcp_contracts.diagnostics import Diagnostic, Place, Severity
from mcp_contracts.rules.releases import RELEASE_RULES

PATH = "specs/weather/MCP_TOOL_SPECIFICATION.md"
NAME = "weather.get_forecast"
WITNESS: JsonValue = {"city": "Oslo", "limit": 100}


def place(line: int, path: str = PATH) -> Place:
    """Return a place in the specification."""
    return Place(path, line, 1, line, 9)


def change(
    verdict: Verdict,
    bump: Bump,
    message: str = "`limit`: `maximum` 100 became 50",
    *,
    witness: Witness | None = None,
    direction: Literal["input", "output", "tool"] = "input",
) -> Change:
    """Return a change of an input."""
    pointer = "/properties/limit/maximum"
    return Change(
        "BC207",
        "input-bounds-changed",
        direction,
        verdict,
        bump,
        message,
        old_pointer=pointer,
        new_pointer=pointer,
        place=place(30),
        witness=witness,
    )


BREAK = change(Verdict.BREAKING, Bump.MAJOR)
PROVED = replace(BREAK, witness=Witness(WITNESS, "`limit` is 100, greater than the maximum of 50"))
ABILITY = change(Verdict.COMPATIBLE, Bump.MINOR, "`days` is new")
WORDS = change(Verdict.COMPATIBLE, Bump.PATCH, "the description was reworded")
UNDECIDED = replace(
    change(Verdict.UNKNOWN, Bump.MINOR, "`city`: `pattern` changed"),
    reason=Reason("pattern", "/properties/city/pattern", "the patterns cannot be compared"),
)


def contract(version: str | None, *since: str, name: str = NAME) -> ToolContract:
    """Return a tool with its version in line 9 and migration notes from other versions."""
    notes = tuple(Migration(line, "write it so") for line in since)
    places = {} if version is None else {"version": place(9)}
    return ToolContract(name, place(7), "weather", version=version, migrations=notes, places=places)


def spec(*tools: ToolContract, version: str | None = None) -> Contracts:
    """Return a specification with the module's version in line 3."""
    matter = FrontMatter({}, {"/version": place(3)}, place(1)) if version is not None else None
    listed = tuple(SpecTool(tool, (7, 40), f"Tool: `{tool.name}`") for tool in tools)
    return Contracts((SpecFile(PATH, "", "weather", version, matter, tools=listed),))


def found(
    *changes: Change,
    old: Contracts,
    new: Contracts,
    state: ToolState = ToolState.CHANGED,
    unknown: Literal["warn", "error", "ignore"] = "warn",
) -> list[Diagnostic]:
    """Return the diagnostics for one tool with these changes."""
    versions = [next((tool.version for tool in side), None) for side in (old, new)]
    tool = ToolDiff(NAME, state, Verdict.BREAKING, changes, "weather", old_version=versions[0], new_version=versions[1])
    modules = module_diffs([tool], old, new)
    return list(release_diagnostics(with_coverage([tool], modules), modules, old, new, unknown=unknown))


def stepped(*changes: Change, step: tuple[str | None, str | None], since: Sequence[str] = ()) -> list[Diagnostic]:
    """Return the diagnostics for a tool with a version bump."""
    return found(*changes, old=spec(contract(step[0])), new=spec(contract(step[1], *since)))


def codes(diagnostics: Sequence[Diagnostic]) -> list[str]:
    """Return the codes of diagnostics."""
    return [one.code for one in diagnostics]


def test_a_break_without_a_step_names_the_tool_the_required_version_and_the_failing_call() -> None:
    (one,) = stepped(PROVED, step=("1.2.0", "1.2.0"))

    assert one.message == (
        "`weather.get_forecast` breaks callers, but its version stays 1.2.0 where 2.0.0 is required: "
        "`limit`: `maximum` "
        '100 became 50; `{"city": "Oslo", "limit": 100}` worked before and fails now'
    )
    assert one.hint == "write 2.0.0, or accept it with `mcp-contracts diff --accept`"
    assert (one.code, one.rule, one.severity) == ("MC207", "breaking-change-not-announced", Severity.ERROR)
    assert (one.tool, one.place, [related.place for related in one.related]) == (NAME, place(9), [place(30)])


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (("1.2.0", "1.3.0"), "but its version only increased from 1.2.0 to 1.3.0 where 2.0.0 is required: "),
        (("0.3.1", "0.3.2"), "but its version only increased from 0.3.1 to 0.3.2 where 0.4.0 is required: "),
        (("1.2.0", None), "but its version 1.2.0 was removed where 2.0.0 is required: "),
        (("1.2.0", "v2"), "but its version `v2` is not a semantic version where 2.0.0 is required: "),
        ((None, "1.2.0"), "`weather.get_forecast` breaks callers: "),
        (("one", "two"), "`weather.get_forecast` breaks callers: "),
    ],
)
def test_a_break_is_reported_with_what_became_of_the_version(
    step: tuple[str | None, str | None], expected: str
) -> None:
    (one,) = stepped(BREAK, step=step)

    assert one.code == "MC207"
    assert expected in one.message


def test_several_breaks_of_a_tool_are_one_diagnostic() -> None:
    (one,) = stepped(WORDS, BREAK, PROVED, step=("1.2.0", "1.2.0"))

    assert "100 became 50, and 1 other change; `{" in one.message
    assert len(one.related) == 2


def test_a_long_call_is_cut_and_an_output_is_called_one() -> None:
    output = replace(BREAK, direction="output", witness=Witness({"name": "x" * 500}, "no"))

    (one,) = stepped(output, step=("1.2.0", "1.2.0"))

    assert "; callers may now receive `{" in one.message
    assert len(one.message) < 350


def test_a_break_without_versions_is_reported_at_the_change() -> None:
    (one,) = stepped(PROVED, WORDS, step=(None, None))

    assert one.message.startswith("`weather.get_forecast` breaks callers: `limit`: ")
    assert one.hint == "keep the old form, or accept it with `mcp-contracts diff --accept`"
    assert (one.code, one.place, one.part, one.pointer, one.related) == (
        "MC207",
        place(30),
        "input",
        "/properties/limit/maximum",
        (),
    )


@pytest.mark.parametrize("step", [("1.2.0", "2.0.0"), ("1.2.0", "2.0.0-rc.1"), ("0.3.1", "0.4.0"), ("0.3.1", "1.0.0")])
def test_a_break_that_is_announced_and_explained_is_well(step: tuple[str, str]) -> None:
    assert stepped(BREAK, step=step, since=["1.x", "0.3.x"]) == []


def test_an_accepted_break_needs_no_step() -> None:
    assert stepped(replace(BREAK, accepted="meant"), step=("1.2.0", "1.2.0")) == []


@pytest.mark.parametrize(
    ("changed", "step", "expected", "hint"),
    [
        (
            ABILITY,
            ("1.2.0", "1.2.1"),
            "requires a minor bump, but its version only increased from 1.2.0 to 1.2.1",
            "1.3.0",
        ),
        (ABILITY, ("1.2.0", "1.2.0"), "requires a minor bump, but its version stays 1.2.0: `days` is new", "1.3.0"),
        (WORDS, ("1.2.0", "1.2.0"), "requires a patch bump, but its version stays 1.2.0: the desc", "1.2.1"),
        (ABILITY, ("0.3.0", "0.3.0"), "requires a patch bump, but its version stays 0.3.0", "0.3.1"),
    ],
)
def test_a_step_that_is_too_small_is_a_warning(
    changed: Change, step: tuple[str, str], expected: str, hint: str
) -> None:
    (one,) = stepped(changed, step=step)

    assert (one.code, one.severity, one.place, one.hint) == ("MC208", Severity.WARNING, place(9), f"write {hint}")
    assert expected in one.message


@pytest.mark.parametrize("changed", [(), (WORDS,), (BREAK,)])
def test_a_version_that_went_down_is_one_fault(changed: tuple[Change, ...]) -> None:
    (one,) = stepped(*changed, step=("1.2.0", "1.1.0"))

    assert (one.code, one.severity, one.place) == ("MC209", Severity.ERROR, place(9))
    assert one.message == "the version of `weather.get_forecast` decreased from 1.2.0 to 1.1.0"


def test_the_hint_for_a_decrease_covers_the_required_bump() -> None:
    assert stepped(BREAK, step=("1.2.0", "1.1.0"))[0].hint == "write 2.0.0"
    assert stepped(step=("1.2.0", "1.1.0"))[0].hint == "write 1.2.0, or a higher one"


def test_a_major_step_without_a_migration_note_is_a_warning() -> None:
    (one,) = stepped(BREAK, step=("1.2.0", "2.0.0"))

    assert (one.code, one.severity, one.place) == ("MC210", Severity.WARNING, place(9))
    assert "goes from 1.2.0 to 2.0.0 without saying what callers of 1.x must change: `limit`" in one.message
    assert one.hint == "write `**From 1.x**: …` under `### 9. Migration`"


@pytest.mark.parametrize(
    ("old", "new", "since", "is_explained"),
    [
        ("1.2.0", "2.0.0", "1.x", True),
        ("1.2.0", "2.0.0", "1", True),
        ("1.2.0", "2.0.0", "v1.2.0", True),
        ("1.2.0", "2.0.0", "0.9 and 1.*", True),
        ("1.2.0", "2.0.0", "0.x", False),
        ("1.2.0", "2.0.0", "11.x", False),
        ("1.2.0", "2.0.0", "2.1.x", False),
        ("1.2.0", "2.0.0", "before", False),
        ("0.3.1", "0.4.0", "0.3", True),
        ("0.3.1", "0.4.0", "0.3.x", True),
        ("0.3.1", "0.4.0", "0.x", True),
        ("0.3.1", "0.4.0", "0.2.x", False),
    ],
)
def test_a_note_is_for_the_line_of_versions_that_callers_come_from(
    old: str, new: str, since: str, is_explained: bool
) -> None:
    assert codes(stepped(BREAK, step=(old, new), since=[since])) == ([] if is_explained else ["MC210"])


def test_a_major_step_that_breaks_nothing_needs_no_note() -> None:
    assert stepped(ABILITY, step=("1.2.0", "2.0.0")) == []


def test_a_step_from_a_prerelease_needs_no_note() -> None:
    assert stepped(BREAK, step=("2.0.0-rc.1", "2.0.0-rc.2")) == []


def test_a_tool_list_has_no_room_for_a_note() -> None:
    old, new = (Contracts((ToolListFile("t.json", "", "weather", (contract(v),)),)) for v in ("1.0.0", "2.0.0"))

    assert found(BREAK, old=old, new=new) == []


@pytest.mark.parametrize(
    ("unknown", "expected"),
    [("warn", [("MC211", Severity.WARNING)]), ("error", [("MC211", Severity.ERROR)]), ("ignore", [])],
)
def test_undecided_changes_have_the_configured_level(
    unknown: Literal["warn", "error", "ignore"], expected: list[tuple[str, Severity]]
) -> None:
    old, new = spec(contract("1.2.0")), spec(contract("1.3.0"))

    result = found(UNDECIDED, old=old, new=new, unknown=unknown)

    assert [(one.code, one.severity) for one in result] == expected


def test_what_is_undecided_says_why() -> None:
    (one,) = stepped(UNDECIDED, step=("1.2.0", "1.3.0"))

    assert one.message == (
        "cannot tell whether this breaks callers of `weather.get_forecast`: `city`: `pattern` changed "
        "(the patterns cannot be compared)"
    )
    assert (one.place, one.part) == (place(30), "input")


def test_an_accepted_unknown_is_silent() -> None:
    assert stepped(replace(UNDECIDED, accepted="looked at"), step=("1.2.0", "1.2.0")) == []


REMOVED = replace(
    BREAK,
    code="BC104",
    direction="tool",
    message=f"`{NAME}` was removed without being deprecated first",
    old_pointer="",
    new_pointer=None,
    place=place(7, "old.md"),
)


@pytest.mark.parametrize(("step", "expected"), [(("1.2.0", "2.0.0"), []), (("0.3.0", "0.4.0"), [])])
def test_a_major_step_of_the_module_announces_a_removal(step: tuple[str, str], expected: list[str]) -> None:
    old, new = spec(contract("1.0.0"), version=step[0]), spec(version=step[1])

    assert codes(found(REMOVED, old=old, new=new, state=ToolState.REMOVED)) == expected


def test_a_removal_that_the_module_does_not_announce_is_one_fault_at_its_version() -> None:
    old, new = spec(contract("1.0.0"), version="1.2.0"), spec(version="1.3.0")

    (one,) = found(REMOVED, old=old, new=new, state=ToolState.REMOVED)

    assert (one.code, one.tool, one.place) == ("MC207", NAME, place(3))
    assert one.message == (
        "`weather.get_forecast` breaks callers, but the version of module `weather` only increased from 1.2.0 to 1.3.0 "
        "where 2.0.0 is required: `weather.get_forecast` was removed without being deprecated first"
    )


def test_a_removal_without_versions_is_reported_where_the_tool_was() -> None:
    (one,) = found(REMOVED, old=spec(contract("1.0.0")), new=spec(), state=ToolState.REMOVED)

    assert (one.code, one.place, one.part) == ("MC207", place(7, "old.md"), None)
    assert one.message == "`weather.get_forecast` breaks callers: `weather.get_forecast` was removed without being " + (
        "deprecated first"
    )


def test_an_added_tool_asks_its_module_for_a_step() -> None:
    added = replace(ABILITY, code="BC102", direction="tool", message=f"`{NAME}` is new", place=place(7))
    old, new = spec(version="1.2.0"), spec(contract("1.0.0"), version="1.2.0")

    (one,) = found(added, old=old, new=new, state=ToolState.ADDED)

    assert (one.code, one.tool, one.place, one.hint) == ("MC208", None, place(3), "write 1.3.0")
    assert one.message == (
        "module `weather` requires a minor bump, but its version stays 1.2.0: `weather.get_forecast` is new"
    )


def test_a_module_whose_tool_announces_a_break_must_follow() -> None:
    old, new = spec(contract("1.2.0"), version="1.2.0"), spec(contract("2.0.0", "1.x"), version="1.2.0")

    (one,) = found(BREAK, old=old, new=new)

    assert (one.code, one.place, one.hint) == ("MC208", place(3), "write 2.0.0")


def test_two_versions_that_both_stay_are_two_faults() -> None:
    old, new = spec(contract("1.2.0"), version="3.0.0"), spec(contract("1.2.0"), version="3.0.0")

    assert [(one.code, one.place.line) for one in found(BREAK, old=old, new=new)] == [("MC207", 9), ("MC208", 3)]


def test_a_tool_without_a_version_is_reported_at_its_modules() -> None:
    old, new = spec(contract(None), version="1.2.0"), spec(contract(None), version="1.2.0")

    (one,) = found(BREAK, old=old, new=new)

    assert (one.code, one.place) == ("MC207", place(3))
    assert "but the version of module `weather` stays 1.2.0 where 2.0.0 is required" in one.message


def test_words_of_a_tool_without_a_version_are_one_fault_of_its_module() -> None:
    old, new = spec(contract(None), version="1.2.0"), spec(contract(None), version="1.2.0")

    (one,) = found(WORDS, old=old, new=new)

    assert (one.code, one.place, one.hint) == ("MC208", place(3), "write 1.2.1")


@pytest.mark.parametrize("version", [None, "1.0.0"])
def test_a_modules_version_that_went_down_is_one_fault(version: str | None) -> None:
    old, new = spec(contract(version), version="1.2.0"), spec(contract(version), version="1.1.0")

    (one,) = found(old=old, new=new, state=ToolState.UNCHANGED)

    assert (one.code, one.place) == ("MC209", place(3))
    assert one.message == "the version of module `weather` decreased from 1.2.0 to 1.1.0"


def test_a_decrease_of_the_module_absorbs_the_breaks_that_it_would_have_to_announce() -> None:
    old, new = spec(contract(None), version="1.2.0"), spec(contract(None), version="1.1.0")

    assert codes(found(BREAK, old=old, new=new)) == ["MC209"]


def test_without_changes_nothing_is_reported() -> None:
    old = spec(contract("1.2.0"), version="1.2.0")

    assert found(old=old, new=old, state=ToolState.UNCHANGED) == []


def test_every_release_rule_explains_itself() -> None:
    assert [rule.code for rule in RELEASE_RULES] == [f"MC{number}" for number in range(207, 215)]
    for rule in RELEASE_RULES:
        assert rule.summary.endswith(".")
        assert len(rule.rationale) > 100
