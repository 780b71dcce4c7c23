"""The effect of a schema change on callers and consumers, under each policy."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mcp_contracts.change import Bump, Policy
from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.changes.policies import SchemaComparison
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.witnesses.confirm import confirm
from tests.tables import each

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
WAYS: tuple[tuple[SchemaDirection, Policy], ...] = (
    ("input", "declared"),
    ("input", "sets"),
    ("output", "declared"),
    ("output", "sets"),
)
B, C = "breaking", "compatible"


def tool(*, required: tuple[str, ...] = (), closed: bool = False, **properties: Any) -> dict[str, Any]:
    """Return an object schema."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    if closed:
        schema["additionalProperties"] = False
    return schema


class Case(NamedTuple):
    """An edit, and its verdicts: as an input (declared, strict), then as an output (declared, strict)."""

    old: Any
    new: Any
    code: str
    verdicts: tuple[str, str, str, str]


TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
EITHER = {"anyOf": [tool(required=("a",), a=TEXT), tool(required=("b",), b=TEXT)]}
LISTS = {"type": "array", "items": TEXT}

CASES = {
    "a property is new and optional": Case(tool(a=TEXT), tool(a=TEXT, b=TEXT), "03", (C, B, C, C)),
    "a property is new and optional in a closed object": Case(
        tool(a=TEXT, closed=True), tool(a=TEXT, b=TEXT, closed=True), "03", (C, C, C, B)
    ),
    "a property is new and accepts anything": Case(tool(a=TEXT), tool(a=TEXT, b={}), "03", (C, C, C, C)),
    "a property is new and required": Case(tool(a=TEXT), tool(a=TEXT, b=TEXT, required=("b",)), "01", (B, B, C, C)),
    "a new required property has a default": Case(
        tool(a=TEXT), tool(a=TEXT, b={**TEXT, "default": "x"}, required=("b",)), "01", (B, B, C, C)
    ),
    "a property is required now": Case(tool(a=TEXT), tool(a=TEXT, required=("a",)), "01", (B, B, C, C)),
    "a property is optional now": Case(tool(a=TEXT, required=("a",)), tool(a=TEXT), "04", (C, C, B, B)),
    "a property of an open object is gone": Case(tool(a=TEXT, b={}), tool(a=TEXT), "02", (B, C, B, C)),
    "a property of a closed object is gone": Case(
        tool(a=TEXT, b=TEXT, closed=True), tool(a=TEXT, closed=True), "02", (B, B, B, C)
    ),
    "an object is closed": Case(tool(a=TEXT), tool(a=TEXT, closed=True), "14", (C, B, C, C)),
    "an object is opened": Case(tool(a=TEXT, closed=True), tool(a=TEXT), "14", (C, C, C, B)),
    "an inner object is closed": Case(tool(a=tool(b=TEXT)), tool(a=tool(b=TEXT, closed=True)), "14", (C, B, C, C)),
    "a maximum is lowered": Case(tool(a={**WHOLE, "maximum": 9}), tool(a={**WHOLE, "maximum": 5}), "07", (B, B, C, C)),
    "a minimum is lowered": Case(tool(a={**WHOLE, "minimum": 2}), tool(a={**WHOLE, "minimum": 1}), "07", (C, C, B, B)),
    "a minimum is set": Case(tool(a=WHOLE), tool(a={**WHOLE, "minimum": 1}), "07", (B, B, C, C)),
    "a text may be shorter": Case(
        tool(a={**TEXT, "minLength": 2}), tool(a={**TEXT, "minLength": 1}), "08", (C, C, B, B)
    ),
    "a pattern is new": Case(tool(a=TEXT), tool(a={**TEXT, "pattern": "^a"}), "09", (B, B, C, C)),
    "a pattern is wider": Case(
        tool(a={**TEXT, "pattern": "^[a-c]+$"}), tool(a={**TEXT, "pattern": "^[a-z]+$"}), "09", (C, C, B, B)
    ),
    "a format is new": Case(tool(a=TEXT), tool(a={**TEXT, "format": "uri"}), "10", (C, C, C, C)),
    "a value is gone": Case(tool(a={"enum": ["x", "y"]}), tool(a={"enum": ["x"]}), "06", (B, B, C, C)),
    "a value is new": Case(tool(a={"enum": ["x"]}), tool(a={"enum": ["x", "y"]}), "06", (C, C, B, B)),
    "a type is wider": Case(tool(a=WHOLE), tool(a=NUMBER), "05", (C, C, B, B)),
    "a type is another": Case(tool(a=WHOLE), tool(a=TEXT), "05", (B, B, B, B)),
    "null is accepted": Case(tool(a=TEXT), tool(a={"type": ["string", "null"]}), "05", (C, C, B, B)),
    "items are fewer": Case(
        tool(a={"type": "array", "items": TEXT}),
        tool(a={"type": "array", "items": TEXT, "maxItems": 3}),
        "11",
        (B, B, C, C),
    ),
    "items are of another type": Case(
        tool(a={"type": "array", "items": WHOLE}), tool(a={"type": "array", "items": NUMBER}), "05", (C, C, B, B)
    ),
    "members are counted": Case(tool(a=TEXT), {**tool(a=TEXT), "minProperties": 1}, "12", (B, B, C, C)),
    "names are restricted": Case(
        {"type": "object", "additionalProperties": TEXT},
        {"type": "object", "additionalProperties": TEXT, "propertyNames": {"maxLength": 3}},
        "13",
        (B, B, C, C),
    ),
    "a branch is gone": Case(
        tool(a={"oneOf": [{"enum": ["x"]}, LISTS]}), tool(a={"oneOf": [{"enum": ["x"]}]}), "15", (B, B, C, C)
    ),
    "a branch is new": Case(
        tool(a={"oneOf": [{"enum": ["x"]}]}), tool(a={"oneOf": [{"enum": ["x"]}, LISTS]}), "15", (C, C, B, B)
    ),
    "a condition is new": Case(
        tool(a=TEXT, b=TEXT), {**tool(a=TEXT, b=TEXT), "dependentRequired": {"a": ["b"]}}, "16", (B, B, C, C)
    ),
    "a default is another": Case(
        tool(a={**TEXT, "default": "x"}), tool(a={**TEXT, "default": "y"}), "18", (C, C, C, C)
    ),
    "a property is deprecated": Case(tool(a=TEXT), tool(a={**TEXT, "deprecated": True}), "19", (C, C, C, C)),
    "words are others": Case(
        tool(a={**TEXT, "description": "one"}), tool(a={**TEXT, "description": "two"}), "20", (C, C, C, C)
    ),
}

REFACTORINGS: dict[str, tuple[Any, Any]] = {
    "a comment on what cannot be followed": (
        {"$dynamicAnchor": "n", "$dynamicRef": "#n", "patternProperties": {"^a": True}},
        {"$dynamicAnchor": "n", "$dynamicRef": "#n", "patternProperties": {"^a": {"$comment": "words"}}},
    ),
    "a reference is put inline": (
        {**tool(a={"$ref": "#/$defs/name"}), "$defs": {"name": {**TEXT, "minLength": 1}}},
        tool(a={**TEXT, "minLength": 1}),
    ),
    "a definition is renamed": (
        {**tool(a={"$ref": "#/$defs/name"}), "$defs": {"name": TEXT}},
        {**tool(a={"$ref": "#/$defs/title"}), "$defs": {"title": TEXT}},
    ),
    "a recursive definition is renamed": (
        {**tool(a={"$ref": "#/$defs/node"}), "$defs": {"node": tool(next={"$ref": "#/$defs/node"})}},
        {**tool(a={"$ref": "#/$defs/tree"}), "$defs": {"tree": tool(next={"$ref": "#/$defs/tree"})}},
    ),
    "a definition is unused": (tool(a=TEXT), {**tool(a=TEXT), "$defs": {"unused": WHOLE}}),
    "keys are in another order": (
        tool(a=TEXT, b=WHOLE, required=("a", "b")),
        {"required": ["b", "a"], "properties": {"b": WHOLE, "a": TEXT}, "type": "object"},
    ),
    "types are branches": (
        tool(a={"type": ["string", "null"]}),
        tool(a={"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ),
    "a constant is an enum": (tool(a={"const": "x"}), tool(a={"enum": ["x"]})),
    "values are in another order": (tool(a={"enum": ["x", "y"]}), tool(a={"enum": ["y", "x"]})),
    "branches are in another order": (EITHER, {"anyOf": EITHER["anyOf"][::-1]}),
    "a number is written otherwise": (tool(a={**WHOLE, "maximum": 5}), tool(a={**WHOLE, "maximum": 5.0})),
    "what is true is empty": (tool(a=True), tool(a={})),
    "a bound says nothing new": (tool(a={**WHOLE, "minimum": 1}), tool(a={**WHOLE, "exclusiveMinimum": 0})),
    "the default dialect is named": (
        tool(a=TEXT),
        {**tool(a=TEXT), "$schema": "https://json-schema.org/draft/2020-12/schema"},
    ),
    "the dialect is another": (tool(a=TEXT), {**tool(a=TEXT), "$schema": DRAFT_7}),
    "the dialect and its definitions are others": (
        {**tool(a={"$ref": "#/$defs/name"}), "$defs": {"name": TEXT}},
        {**tool(a={"$ref": "#/definitions/name"}), "definitions": {"name": TEXT}, "$schema": DRAFT_7},
    ),
    "the type is said once for all branches": (
        tool(a={"anyOf": [{**TEXT, "minLength": 3}, {**TEXT, "pattern": "^a"}]}),
        tool(a={**TEXT, "anyOf": [{"minLength": 3}, {"pattern": "^a"}]}),
    ),
}


def compared(old: Any, new: Any, direction: SchemaDirection, policy: Policy = "declared") -> SchemaComparison:
    comparison = compare_schemas(old, new, direction=direction, policy=policy)
    assert not comparison.troubles
    return comparison


@each("way", range(4), ids=["-".join(way) for way in WAYS])
@each("name", CASES)
def test_an_edit_has_one_fact_and_its_verdict(name: str, way: int) -> None:
    case, (direction, policy) = CASES[name], WAYS[way]

    comparison = compared(case.old, case.new, direction, policy)

    family = "BC2" if direction == "input" else "BC3"
    assert [(change.code, change.verdict.value) for change in comparison.changes if "words" not in change.tags] == (
        [] if case.code == "20" else [(family + case.code, case.verdicts[way])]
    )
    assert comparison.verdict == case.verdicts[way]


@each("name", [name for name, case in CASES.items() if B in case.verdicts])
def test_every_break_under_the_policy_sets_shows_a_value_that_both_validators_confirm(name: str) -> None:
    case = CASES[name]

    for direction in ("input", "output"):
        comparison = compared(case.old, case.new, direction, "sets")
        if comparison.verdict == "breaking":
            assert comparison.witness is not None
            sides = (case.old, case.new) if direction == "input" else (case.new, case.old)
            confirmation = confirm(*sides, comparison.witness.value)
            assert confirmation.is_confirmed
            assert confirmation.error == comparison.witness.error


@each("name", REFACTORINGS)
@each(("direction", "policy"), WAYS)
def test_a_refactoring_is_not_a_change(name: str, direction: SchemaDirection, policy: Policy) -> None:
    for old, new in (REFACTORINGS[name], REFACTORINGS[name][::-1]):
        assert compared(old, new, direction, policy) == SchemaComparison(compared(old, old, direction).verdict)


@pytest.mark.parametrize(
    ("old", "new", "tags"),
    [
        (tool(a=TEXT), tool(a=TEXT, b=TEXT), ("open-content",)),
        (tool(a=TEXT), tool(a=TEXT, closed=True), ("open-content",)),
        (tool(a=TEXT), tool(a=TEXT, b={}), ()),
        (tool(a=TEXT, closed=True), tool(a=TEXT, b=TEXT, closed=True), ()),
        ({**tool(a=TEXT), "additionalProperties": TEXT}, {**tool(a=TEXT, b=TEXT), "additionalProperties": TEXT}, ()),
    ],
)
def test_what_only_declared_names_keep_compatible_is_tagged(old: Any, new: Any, tags: tuple[str, ...]) -> None:
    comparison = compared(old, new, "input")

    assert [change.tags for change in comparison.changes] == [tags]


def test_names_that_an_additional_schema_declares_may_be_sent() -> None:
    old = {"type": "object", "additionalProperties": TEXT}
    new = {"type": "object", "properties": {"a": {**TEXT, "minLength": 1}}, "additionalProperties": TEXT}

    comparison = compared(old, new, "input")

    assert comparison.verdict == "breaking"
    assert comparison.witness is not None
    assert comparison.witness.value == {"a": ""}


def test_a_removed_property_needs_no_witness_where_its_argument_would_be_ignored() -> None:
    comparison = compared(tool(a=TEXT, b={}), tool(a=TEXT), "input")

    (change,) = comparison.changes
    assert (change.verdict, change.witness, change.bump) == ("breaking", None, Bump.MAJOR)


def test_a_branch_that_is_gone_takes_its_properties_from_consumers_but_is_one_break_for_callers() -> None:
    old, new = EITHER, {"anyOf": EITHER["anyOf"][:1]}

    as_input, as_output = compared(old, new, "input"), compared(old, new, "output")

    assert [(change.code, change.verdict.value) for change in as_input.changes] == [("BC215", B)]
    assert [(change.code, change.verdict.value) for change in as_output.changes] == [("BC315", C), ("BC302", B)]
    assert compared(old, new, "output", "sets").verdict == "compatible"


def test_a_property_that_another_branch_still_declares_is_not_removed() -> None:
    old = {"type": "object", "properties": {"a": TEXT, "b": TEXT}}
    new = {"type": "object", "properties": {"a": TEXT}, "anyOf": [tool(b=TEXT), tool(c=TEXT)]}

    comparison = compared(old, new, "input")

    assert "BC202" not in {change.code for change in comparison.changes}


@pytest.mark.parametrize(
    ("old", "new", "direction", "verdict"),
    [
        (None, tool(a=TEXT), "input", C),
        (None, tool(a=TEXT, required=("a",)), "input", B),
        (tool(a=TEXT), None, "input", B),
        (None, tool(a=TEXT), "output", C),
        (tool(a=TEXT), None, "output", B),
    ],
)
def test_a_schema_that_is_not_stated_means_any_object_or_anything(
    old: Any, new: Any, direction: SchemaDirection, verdict: str
) -> None:
    assert compared(old, new, direction).verdict == verdict


@each("policy", ["declared", "sets", "strict"])
def test_an_output_schema_that_is_gone_is_one_break_and_a_new_one_is_compatible(policy: Policy) -> None:
    for schema in (tool(a=TEXT, b={}, required=("a",)), {"type": "object"}, False, {"$ref": "https://host/other"}):
        (gone,) = compared(schema, None, "output", policy).changes
        (new,) = compared(None, schema, "output", policy).changes

        assert (gone.code, gone.verdict.value, gone.bump, gone.new_pointer) == ("BC322", B, Bump.MAJOR, None)
        assert "the output schema was removed" in gone.message
        assert (new.code, new.verdict.value, new.bump, new.old_pointer) == ("BC317", C, Bump.MINOR, None)
    for was, now in (({}, None), (True, None), (None, {}), (None, True), (None, None)):
        assert compared(was, now, "output", policy).changes == ()
    assert compared(None, {"type": "nothing"}, "output", policy).verdict == "unknown"


@each("empty", [True, {}, {"type": "object"}, {"type": "object", "properties": {}, "required": []}, None])
def test_an_input_schema_that_became_empty_is_one_break(empty: Any) -> None:
    for old in (
        tool(a=TEXT, b={}, required=("a",)),
        {**tool(a=TEXT), "anyOf": [tool(b=TEXT), tool(c=TEXT)]},
        {"$ref": "#/$defs/a", "$defs": {"a": tool(a=TEXT, b={})}},
    ):
        (change,) = compared(old, empty, "input").changes

        assert (change.code, change.verdict.value, change.bump) == ("BC222", B, Bump.MAJOR)
        assert change.message.startswith("the schema of the arguments object is now empty: `a`")
        assert [one.code for one in compared(old, {**tool(a=TEXT), "maxProperties": 1}, "input").changes] != ["BC222"]
    assert compared(tool(a=TEXT, b={}), empty, "input", "sets").verdict == "compatible"


def test_an_empty_schema_hides_no_limit_and_no_single_change() -> None:
    gone = compared(tool(a=TEXT), {"type": "object"}, "input").changes
    closed = compared(tool(a=TEXT, b={}), {"type": "object", "additionalProperties": False}, "input").changes
    described = compared(tool(a=TEXT, b={}), {"type": "object", "description": "All of it."}, "output").changes

    assert [change.code for change in gone] == ["BC202"]
    assert [change.code for change in closed if change.verdict == B] == ["BC202", "BC202"]
    assert [change.code for change in described] == ["BC322", "BC320"]


def test_one_edit_does_not_take_the_blame_for_another() -> None:
    old = tool(a={**WHOLE, "maximum": 100}, b={**WHOLE, "maximum": 10})
    new = tool(a={**WHOLE, "maximum": 50}, b={**WHOLE, "maximum": 20}, c=TEXT)

    comparison = compared(old, new, "input")

    assert {change.new_pointer: change.verdict.value for change in comparison.changes} == {
        "/properties/a/maximum": B,
        "/properties/b/maximum": C,
        "/properties/c": C,
    }


def test_one_edit_does_not_take_the_blame_for_another_where_the_dialect_changes() -> None:
    old = tool(a={**WHOLE, "maximum": 100}, b={**WHOLE, "maximum": 10})
    new = {**tool(a={**WHOLE, "maximum": 50}, b={**WHOLE, "maximum": 20}), "$schema": DRAFT_7}

    comparison = compared(old, new, "input")

    assert [change.verdict.value for change in comparison.changes] == [B, C]


def test_a_break_that_only_two_edits_make_together_is_reported_once() -> None:
    old = tool(a={**WHOLE, "minimum": 0}, b={"anyOf": [{**WHOLE, "maximum": 5}, {**WHOLE, "minimum": 3}]})
    new = tool(
        a={**WHOLE, "minimum": 0},
        b={"anyOf": [{**WHOLE, "maximum": 3}, {**WHOLE, "minimum": 5}]},
    )

    comparison = compared(old, new, "input")

    assert comparison.verdict == "breaking"
    assert comparison.witness is not None
    assert comparison.witness.value == {"b": 4}


def test_what_cannot_be_proved_is_unknown_and_names_the_keyword() -> None:
    # A back-reference is no regular language: whether one pattern covers the other cannot be decided in general.
    old = tool(a={**TEXT, "pattern": r"^(a+)b\1$"})
    new = tool(a={**TEXT, "pattern": r"^(a+)b+\1$"})

    comparison = compared(old, new, "input")

    (change,) = comparison.changes
    assert (comparison.verdict, change.verdict, change.code) == ("unknown", "unknown", "BC209")
    assert change.reason is not None
    assert (change.reason.keyword, change.reason.pointer) == ("pattern", "/properties/a/pattern")
    assert change.reason.message
    assert change.bump is Bump.MINOR


@pytest.mark.parametrize(
    ("new", "bump"),
    [
        (tool(a={**TEXT, "description": "other words"}), Bump.PATCH),
        (tool(a={**TEXT, "default": "x"}), Bump.MINOR),
        (tool(a=TEXT, b=TEXT), Bump.MINOR),
        (tool(a={**TEXT, "maxLength": 3}), Bump.MAJOR),
    ],
)
def test_a_change_requires_a_step_by_what_it_means(new: Any, bump: Bump) -> None:
    (change,) = compared(tool(a=TEXT), new, "input").changes

    assert change.bump is bump


def corpus_schemas() -> Iterator[tuple[str, Any, SchemaDirection]]:
    """Yield every schema of the servers and the evolutions."""
    root = Path(CORPUS or "/nowhere")
    for path in sorted((root / "corpus" / "servers").glob("*/*.json")):
        for entry in json.loads(path.read_text("utf-8"))["tools"]:
            name = f"{path.parent.name} {path.stem} {entry['name']}"
            yield f"{name} input", entry["inputSchema"], "input"
            if "outputSchema" in entry:
                yield f"{name} output", entry["outputSchema"], "output"
    for path in sorted((root / "evolution").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            for side in ("before", "after"):
                yield f"{row['id']} {side}", row[side], "input"
                yield f"{row['id']} {side}", row[side], "output"


@pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the schemas are")
@pytest.mark.parametrize("policy", ["declared", "sets", "strict"])
@pytest.mark.parametrize("part", range(4))
def test_a_real_schema_against_itself_is_silent(part: int, policy: Policy) -> None:
    for name, schema, direction in list(corpus_schemas())[part::4]:
        copy = json.loads(json.dumps(schema))

        comparison = compare_schemas(schema, copy, direction=direction, policy=policy)

        assert comparison == SchemaComparison(comparison.verdict, reason=comparison.reason), name
        assert comparison.verdict == "compatible", name
