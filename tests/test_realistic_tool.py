"""Twelve realistic edits of a tool: the code and the place of each, and the call that proves it."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.realistic_tool import EDITS, SEARCH
from mcp_contracts.change import Policy
from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.changes.policies import SchemaComparison
from mcp_contracts.changes.schemas import compare_schemas

CALL = {"repo": "acme/site", "query": "text"}
"""The shortest call: the example of `repo`, and a word."""

INPUT_BREAKS: dict[str, tuple[str, str, dict[str, Any] | None]] = {
    "bound tightened": ("BC207", "/properties/limit/maximum", {**CALL, "limit": 51}),
    "enum value removed": ("BC206", "/properties/state/enum", {**CALL, "state": "all"}),
    "property required": ("BC201", "/required/2", CALL),
    "pattern tightened": ("BC209", "/properties/repo/pattern", {**CALL, "repo": "0/a"}),
    "recursion changed": (
        "BC205",
        "/$defs/filter/oneOf/0/properties/equals/type",
        {**CALL, "filter": {"field": "author", "equals": 1}},
    ),
    "branch removed": ("BC215", "/properties/sort/oneOf/1", {**CALL, "sort": {"field": "created"}}),
    "unique items": ("BC211", "/properties/assignees/uniqueItems", {**CALL, "assignees": ["text", "text"]}),
    "property removed": ("BC202", "/properties/assignees", None),  # ignored rather than rejected, so no call fails
}
"""Each break of callers: its code, its pointer (new, or old if removed), and the call that fails now."""

INPUT_ADDITIONS = {
    "branch added": ("BC215", "/properties/sort/oneOf/2", ()),
    "optional property added": ("BC203", "/properties/language", ("open-content",)),
    "type widened": ("BC205", "/properties/limit/type", ()),
    "object closed": ("BC214", "/additionalProperties", ("open-content",)),
}

OUTPUT_BREAKS: dict[str, tuple[str, str, dict[str, Any] | None]] = {
    "branch added": ("BC315", "/properties/sort/oneOf/2", {**CALL, "sort": []}),
    "type widened": ("BC305", "/properties/limit/type", {**CALL, "limit": 1.5}),
    "property removed": ("BC302", "/properties/assignees", {**CALL, "assignees": "text"}),
}


def compared(edit: str, direction: SchemaDirection, policy: Policy = "declared") -> SchemaComparison:
    return compare_schemas(dict(SEARCH), dict(EDITS[edit]), direction=direction, policy=policy)


def pointers(comparison: SchemaComparison) -> list[str | None]:
    return [change.old_pointer if change.new_pointer is None else change.new_pointer for change in comparison.changes]


def test_every_edit_is_judged_as_an_input() -> None:
    assert {*INPUT_BREAKS, *INPUT_ADDITIONS} == set(EDITS)


@pytest.mark.parametrize("edit", INPUT_BREAKS)
def test_an_edit_that_breaks_callers_comes_with_the_least_call_that_fails(edit: str) -> None:
    code, pointer, call = INPUT_BREAKS[edit]

    comparison = compared(edit, "input")

    (change,) = comparison.changes
    assert comparison.verdict == change.verdict == "breaking"
    assert (change.code, pointers(comparison)) == (code, [pointer])
    assert (change.witness.value if change.witness else None) == call
    assert not comparison.troubles


@pytest.mark.parametrize("edit", INPUT_ADDITIONS)
def test_an_edit_that_callers_do_not_notice_is_proved_compatible(edit: str) -> None:
    code, pointer, tags = INPUT_ADDITIONS[edit]

    comparison = compared(edit, "input")

    (change,) = comparison.changes
    assert comparison.verdict == change.verdict == "compatible"
    assert (change.code, pointers(comparison), change.tags) == (code, [pointer], tags)


@pytest.mark.parametrize("edit", OUTPUT_BREAKS)
def test_an_edit_that_breaks_consumers_names_what_is_new_to_them(edit: str) -> None:
    code, pointer, value = OUTPUT_BREAKS[edit]

    comparison = compared(edit, "output")

    (change,) = comparison.changes
    assert comparison.verdict == change.verdict == "breaking"
    assert (change.code, pointers(comparison)) == (code, [pointer])
    assert (change.witness.value if change.witness else None) == value
    assert not comparison.troubles


def test_consumers_lose_the_properties_that_only_a_removed_branch_declared() -> None:
    comparison = compared("branch removed", "output")

    breaking = {change.old_pointer for change in comparison.changes if change.verdict == "breaking"}
    assert breaking == {f"/properties/sort/oneOf/1/properties/{name}" for name in ("field", "descending")}
    assert compared("branch removed", "output", "sets").verdict == "compatible"


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit not in {*OUTPUT_BREAKS, "branch removed"}])
def test_an_edit_that_promises_consumers_more_is_proved_compatible(edit: str) -> None:
    comparison = compared(edit, "output")

    assert comparison.verdict == "compatible"
    assert {change.verdict for change in comparison.changes} == {"compatible"}


@pytest.mark.parametrize(
    ("edit", "verdict", "call"),
    [
        ("property removed", "compatible", None),
        ("optional property added", "breaking", {**CALL, "language": 1}),
        ("object closed", "breaking", {**CALL, "extra": "text"}),
    ],
)
def test_under_the_policy_sets_undeclared_names_count(edit: str, verdict: str, call: dict[str, Any] | None) -> None:
    comparison = compared(edit, "input", "sets")

    assert comparison.verdict == verdict
    assert (comparison.witness.value if comparison.witness else None) == call


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        ("bound tightened", "`limit` is 51, greater than the maximum of 50"),
        ("enum value removed", '`state` is "all", not "open" or "closed"'),
        ("unique items", "`assignees` contains the same item twice"),
        ("recursion changed", "`filter.equals` is 1, not of type string"),
    ],
)
def test_the_error_of_a_break_names_what_was_edited(edit: str, error: str) -> None:
    comparison = compared(edit, "input")

    assert comparison.witness is not None
    assert comparison.witness.error == error


@pytest.mark.parametrize("direction", ["input", "output"])
@pytest.mark.parametrize("policy", ["declared", "sets", "strict"])
def test_the_tool_against_itself_is_silent(direction: SchemaDirection, policy: Policy) -> None:
    comparison = compare_schemas(dict(SEARCH), dict(SEARCH), direction=direction, policy=policy)

    assert comparison == SchemaComparison(comparison.verdict)
    assert comparison.verdict == "compatible"
