"""The policies: `strict` finds what `sets` or `declared` finds, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts import compare_schemas
from mcp_contracts.change import POLICIES, Change, Verdict
from mcp_contracts.changes import schemas as engine
from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.changes.policies import SchemaComparison, strictest, worst
from mcp_contracts.changes.questions import Questions
from mcp_contracts.schema.budget import Budget
from mcp_contracts.witnesses.confirm import confirm
from tests.test_inclusion_laws import FEW, alike, edited

Schema = Any

DIRECTIONS: tuple[SchemaDirection, ...] = ("input", "output")
TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "maximum": 10}
FEWER: Schema = {"type": "integer", "maximum": 5}


def described(schema: Schema) -> Schema:
    """Return the same schema with other descriptions."""
    return {**schema, "description": "other words"}


def opened(**properties: Schema) -> Schema:
    """Return an object that also accepts undeclared names."""
    return {"type": "object", "properties": properties}


def closed(**properties: Schema) -> Schema:
    """Return an object that accepts only declared names."""
    return {**opened(**properties), "additionalProperties": False}


parts: st.SearchStrategy[Schema] = st.sampled_from(
    [TEXT, COUNT, FEWER, {}, {"type": "string", "minLength": 2}, opened(a=COUNT), closed(a=FEWER), {"enum": [1, "a"]}]
)
objects: st.SearchStrategy[Schema] = st.builds(
    lambda properties, required, others: {
        "type": "object",
        "properties": properties,
        "required": sorted(required),
        **({} if others is None else {"additionalProperties": others}),
    },
    st.dictionaries(st.sampled_from("abc"), parts, max_size=3),
    st.sets(st.sampled_from("abc"), max_size=2),
    st.sampled_from([None, False, TEXT]),
)

PAIRS: dict[str, tuple[Schema, Schema]] = {
    "nothing changed": (opened(a=TEXT), opened(a=TEXT)),
    "other words": (opened(a=TEXT), opened(a=described(TEXT))),
    "an optional property is new": (opened(a=TEXT), opened(a=TEXT, b=COUNT)),
    "an optional property is gone": (opened(a=TEXT, b=COUNT), opened(a=TEXT)),
    "a property is gone, another is new": (opened(a=TEXT), opened(b=COUNT)),
    "a property is gone, another bound is lower": (opened(a=TEXT, b=COUNT), opened(b=FEWER)),
    "an object is closed": (opened(a=TEXT), closed(a=TEXT)),
    "a property of a closed object is gone": (closed(a=TEXT, b=COUNT), closed(a=TEXT)),
    "a bound is lower": (opened(b=COUNT), opened(b=FEWER)),
    "a bound is lower, with other words": (opened(a=TEXT, b=COUNT), opened(a=described(TEXT), b=FEWER)),
    "a pattern nobody can compare": (
        opened(a={"type": "string", "pattern": r"^(a|b)\1$"}),
        opened(a={"type": "string", "pattern": r"^(a|b|c)\1$"}),
    ),
    "a pattern nobody can compare, and a property is gone": (
        opened(a={"type": "string", "pattern": r"^(a|b)\1$"}, b=TEXT),
        opened(a={"type": "string", "pattern": r"^(a|b|c)\1$"}),
    ),
    "a branch is gone": ({"anyOf": [opened(a=TEXT), opened(b=COUNT)]}, {"anyOf": [opened(a=TEXT)]}),
    "a schema that is none": ({"type": "strnig"}, opened(a=TEXT)),
}


def key(change: Change) -> tuple[str, str | None, str | None]:
    """Return the subject of a change."""
    return change.code, change.old_pointer, change.new_pointer


def assert_that_strict_is_the_join(old: Schema, new: Schema, direction: SchemaDirection) -> None:
    """Compare under all policies, as a whole and change by change."""
    declared, sets, strict = (
        compare_schemas(old, new, direction=direction, policy=policy) for policy in ("declared", "sets", "strict")
    )

    assert strict.verdict is worst((declared.verdict, sets.verdict))
    assert strict.verdict is worst(change.verdict for change in strict.changes)
    found: dict[Any, Verdict] = {}
    for change in (*declared.changes, *sets.changes):
        found[key(change)] = worst((found.get(key(change), Verdict.COMPATIBLE), change.verdict))
    told: dict[Any, Verdict] = {}
    for change in strict.changes:
        told[key(change)] = worst((told.get(key(change), Verdict.COMPATIBLE), change.verdict))
        if change.witness is not None:
            sides = (old, new) if direction == "input" else (new, old)
            assert confirm(*sides, change.witness.value).is_confirmed
    singles = {one: verdict for one, verdict in found.items() if not one[0].endswith(("30", "31"))}
    assert {one: verdict for one, verdict in told.items() if not one[0].endswith(("30", "31"))} == singles
    if strict.verdict is Verdict.UNKNOWN:
        assert strict.reason is not None or any(change.reason is not None for change in strict.changes)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", PAIRS)
def test_strict_is_the_join_of_sets_and_declared(name: str, direction: SchemaDirection) -> None:
    old, new = PAIRS[name]

    assert_that_strict_is_the_join(old, new, direction)
    assert_that_strict_is_the_join(new, old, direction)


@FEW
@given(edited, st.sampled_from(DIRECTIONS))
def test_strict_is_the_join_for_every_edit(pair: tuple[Schema, Schema], direction: SchemaDirection) -> None:
    assert_that_strict_is_the_join(*pair, direction)


@FEW
@given(alike, st.sampled_from(DIRECTIONS))
def test_strict_is_the_join_for_any_two_schemas(drawn: Any, direction: SchemaDirection) -> None:
    assert_that_strict_is_the_join(drawn[0], drawn[1], direction)


@FEW
@given(objects, objects, st.sampled_from(DIRECTIONS))
def test_strict_is_the_join_for_properties_that_come_and_go(
    old: Schema, new: Schema, direction: SchemaDirection
) -> None:
    assert_that_strict_is_the_join(old, new, direction)


@pytest.mark.parametrize(
    ("old", "new", "direction", "codes"),
    [
        (opened(a=TEXT, b=COUNT), opened(a=TEXT), "input", ["BC202"]),
        (opened(a=TEXT), opened(a=TEXT, b=COUNT), "input", ["BC203"]),
        (opened(a=TEXT), opened(b=COUNT), "input", ["BC203", "BC202"]),
        (closed(a=TEXT), closed(a=TEXT, b=COUNT), "output", ["BC303"]),
    ],
)
def test_strict_breaks_by_the_fact_of_one_policy_and_by_the_witness_of_the_other(
    old: Schema, new: Schema, direction: SchemaDirection, codes: list[str]
) -> None:
    comparison = compare_schemas(old, new, direction=direction, policy="strict")

    breaking = [change for change in comparison.changes if change.verdict is Verdict.BREAKING]
    assert [change.code for change in breaking] == codes
    assert [change.witness is None for change in breaking] == [code.endswith("02") for code in codes]
    assert not any(change.tags for change in breaking)


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("other words", ["sets", "declared"]),  # no fact may report a removed property
        ("an optional property is new", ["sets"]),
        ("a bound is lower", ["sets"]),
        ("a bound is lower, with other words", ["sets"]),
        ("an optional property is gone", ["sets", "declared"]),
        ("a pattern nobody can compare", ["sets", "declared"]),
    ],
)
def test_the_second_policy_is_asked_only_where_it_can_add_something(
    name: str, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    original = engine._Comparison.run  # counted, not replaced

    def counted(self: Any) -> SchemaComparison:
        asked.append("declared" if self._is_declared else "sets")
        return original(self)

    monkeypatch.setattr(engine._Comparison, "run", counted)

    compare_schemas(*PAIRS[name], policy="strict")

    assert asked == runs


def test_a_break_of_the_whole_is_not_reported_next_to_one_of_a_part() -> None:
    part, whole = (
        compare_schemas(opened(a=TEXT, b=COUNT), opened(a=TEXT, b=FEWER)),
        compare_schemas({"type": "strnig"}, opened(a=TEXT)),
    )

    joined = strictest(whole, lambda: part)

    assert (joined.verdict, [change.code for change in joined.changes]) == (Verdict.BREAKING, ["BC207"])


def test_the_policies_are_named_in_one_place() -> None:
    assert POLICIES == ("declared", "sets", "strict")


def test_a_value_that_the_schemas_as_they_are_written_rule_out_shows_no_break() -> None:
    questions = Questions(Budget(1_000), asks_equality=False, is_possible=lambda value: False)

    judged = questions.judge(({"type": "string"},), ({"type": "integer"},))

    assert (judged.verdict, judged.witness) == (Verdict.UNKNOWN, None)
    assert questions.troubles
