"""Laws of the prover for all schemas: no proof is contradicted, and no refactoring is a change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from mcp_contracts.inclusion.decision import inclusion
from mcp_contracts.schema.validation.validators import compile_schema, instance_errors
from tests.inclusion_strategies import edits, near_values, refactorings, schemas, values

Schema = Any

FEW = settings(
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
either_draft = st.booleans().flatmap(lambda draft_7: schemas(draft_7=draft_7))
alike = st.booleans().flatmap(
    lambda draft_7: st.tuples(*(schemas(draft_7=draft_7) for _ in range(3)), st.just(draft_7))
)
edited = either_draft.flatmap(lambda schema: st.tuples(st.just(schema), edits(schema)))


def accepts(schema: Schema, value: Any) -> bool | None:
    outcome = instance_errors(compile_schema(schema), value)
    return None if outcome.unknown is not None else outcome.is_valid


def combined(keyword: str, draft_7: bool, *schemas: Schema) -> Schema:
    """Return `anyOf` or `allOf` of whole schemas, each with its own definitions."""
    holder = "definitions" if draft_7 else "$defs"
    held: dict[str, Any] = {}
    branches = []
    for index, schema in enumerate(schemas):
        branches.append(_moved(schema, holder, str(index), held))
    named = {"$schema": "http://json-schema.org/draft-07/schema#"} if draft_7 else {}
    return {**named, keyword: branches, holder: held}


def _moved(schema: Schema, holder: str, prefix: str, held: dict[str, Any]) -> Schema:
    if not isinstance(schema, dict):
        return schema

    def moved(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: item.replace(f"#/{holder}/", f"#/{holder}/{prefix}") if key == "$ref" else moved(item)
                for key, item in value.items()
            }
        return [moved(item) for item in value] if isinstance(value, list) else value

    held.update((f"{prefix}{name}", moved(inner)) for name, inner in schema.get(holder, {}).items())
    return {key: moved(item) for key, item in schema.items() if key not in (holder, "$schema")}


def contradictions(left: Schema, right: Schema, more: list[Any]) -> Iterator[Any]:
    """Return values that the left schema accepts and the right one rejects."""
    for value in near_values(left, right) + more:
        if accepts(left, value) and accepts(right, value) is False:
            yield value


def assert_sound(left: Schema, right: Schema, more: list[Any]) -> str:
    """Check an answer with validators, and return it."""
    found = inclusion(left, right)
    event(found.answer)
    if found.answer == "no":
        assert accepts(left, found.witness) is not False, (left, right, found.witness)
        assert accepts(right, found.witness) is not True, (left, right, found.witness)
    if found.answer == "yes":
        assert next(contradictions(left, right, more), None) is None, (left, right)
    return str(found.answer)


samples = st.lists(values, max_size=10)


@FEW
@given(either_draft)
def test_a_schema_includes_itself(schema: Schema) -> None:
    assert inclusion(schema, schema).answer == "yes"


@FEW
@given(alike)
def test_a_union_includes_its_parts(parts: tuple[Schema, Schema, Schema, bool]) -> None:
    one, other, _, draft_7 = parts

    union = combined("anyOf", draft_7, one, other)

    assert inclusion(one, union).answer != "no"
    assert inclusion(one, other, one).answer != "no"
    assert inclusion(union, one, other).answer != "no"


@FEW
@given(alike)
def test_each_part_includes_an_intersection(parts: tuple[Schema, Schema, Schema, bool]) -> None:
    one, other, _, draft_7 = parts

    both = combined("allOf", draft_7, one, other)

    assert inclusion(both, one).answer != "no"
    assert inclusion(both, other).answer != "no"


@FEW
@given(edited, st.data())
def test_inclusion_is_transitive(pair: tuple[Schema, Schema], data: st.DataObject) -> None:
    one, other = pair
    third = data.draw(edits(other))

    if inclusion(one, other).answer == inclusion(other, third).answer == "yes":
        assert inclusion(one, third).answer != "no"


@FEW
@given(either_draft, refactorings)
def test_a_refactoring_is_not_a_change(schema: Schema, refactoring: tuple[str, Any]) -> None:
    name, change = refactoring
    changed = change(schema)

    found = {inclusion(schema, changed).answer, inclusion(changed, schema).answer}

    assert "no" not in found, (name, changed)


def test_refactorings_are_nearly_always_decided() -> None:
    counts = {"yes": 0, "no": 0, "unknown": 0}

    @FEW
    @given(either_draft, refactorings)
    def count(schema: Schema, refactoring: tuple[str, Any]) -> None:
        counts[inclusion(schema, refactoring[1](schema)).answer] += 1

    count()

    assert counts["no"] == 0
    assert counts["unknown"] * 20 <= sum(counts.values())


@FEW
@given(alike, samples)
def test_no_answer_about_any_two_schemas_is_contradicted(
    parts: tuple[Schema, Schema, Schema, bool], more: list[Any]
) -> None:
    one, other, _, _ = parts

    assert_sound(one, other, more)
    assert_sound(other, one, more)


@FEW
@given(edited, samples)
def test_no_answer_about_one_edit_is_contradicted(pair: tuple[Schema, Schema], more: list[Any]) -> None:
    one, other = pair

    forward, backward = assert_sound(one, other, more), assert_sound(other, one, more)

    if forward == backward == "yes":
        assert not any(accepts(one, value) != accepts(other, value) for value in more)


@FEW
@given(edited, refactorings)
def test_an_answer_is_the_same_again_and_for_other_words(
    pair: tuple[Schema, Schema], refactoring: tuple[str, Any]
) -> None:
    one, other = pair
    first, again = inclusion(one, other), inclusion(one, other)

    assert (first.answer, first.witness, first.steps) == (again.answer, again.witness, again.steps)
    assert {first.answer, inclusion(refactoring[1](one), other).answer} != {"yes", "no"}


@FEW
@given(st.lists(values, max_size=4), values)
def test_listed_values_are_decided_by_hand(listed: list[Any], value: Any) -> None:
    listing: dict[str, Any] = {"enum": listed or [value]}

    answers = [inclusion(one, listing).answer for one in ({"const": value}, {"const": value, "enum": [None, value]})]

    assert answers == ["yes" if accepts(listing, value) else "no"] * 2
    assert inclusion({"const": value, "enum": listing["enum"]}, listing).answer == "yes"


@pytest.mark.parametrize(("schema", "value"), [({"enum": [-8, 1]}, 1), ({"type": "number", "maximum": 5}, 0)])
def test_a_number_is_as_near_to_zero_as_it_can_be(schema: Any, value: float) -> None:
    assert inclusion(schema, False).witness == value
