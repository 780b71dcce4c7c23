"""Which subschemas judge a value: each certain one rejects for all, and omitted ones never matter."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.schema.applicable import (
    EVERY,
    AppliedSchema,
    Branch,
    Located,
    Schema,
    applicable,
    in_place,
    inside,
    of_item,
    of_property,
)
from mcp_contracts.schema.references import references
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from tests.schema_strategies import NAMES, scalars, schemas, values

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAWN = st.booleans().flatmap(lambda old: st.tuples(st.just(old), schemas(draft_7=old)))
"""Draws whether a schema is in draft-07, and the schema."""


def judging(schema: Any, *, is_draft_7: bool = False, most: int = 1000, **how: Any) -> list[AppliedSchema]:
    """Return everything that judges a value, with the conditions that must not match."""
    targets = {one.pointer: (one.target_pointer, one.target) for one in references(schema) if one.target_pointer}

    def referred(pointer: str, _: Schema) -> Iterator[Located]:
        for keyword in ("$ref", "$dynamicRef"):
            found = targets.get(f"{pointer}/{keyword}")
            if found is not None and found[0] is not None:
                yield found[0], found[1]

    how.setdefault("branches", partial(in_place, keywords=EVERY))
    return list(applicable([("", schema)], referred, most=most, is_draft_7=is_draft_7, **how))


def test_what_a_reference_leads_to_comes_before_branches_and_each_comes_once() -> None:
    schema = {
        "$ref": "#/$defs/a",
        "allOf": [{"$ref": "#/$defs/a"}, {"type": "string"}],
        "anyOf": [{"$ref": "#/$defs/b"}],
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#"}},
    }

    found = judging(schema)

    assert [one.pointer for one in found] == ["", "/$defs/a", "/$defs/b", "/allOf/0", "/allOf/1", "/anyOf/0"]
    assert [one.is_certain for one in found] == [True, True, True, True, True, False]
    assert [one.depth for one in found] == [0, 1, 2, 1, 1, 1]


def test_targets_may_come_before_what_refers_to_them() -> None:
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}

    assert [one.pointer for one in judging(schema, targets_first=True)] == ["/$defs/b", "/$defs/a", ""]


def test_a_reference_in_draft_7_hides_its_siblings() -> None:
    schema = {"$ref": "#/definitions/a", "allOf": [{}], "definitions": {"a": {"allOf": [False]}}}

    found = judging(schema, is_draft_7=True)

    assert [one.pointer for one in found] == ["/definitions/a", "/definitions/a/allOf/0"]


def test_the_walk_is_bounded() -> None:
    schema: Any = {}
    for _ in range(12):
        schema = {"allOf": [schema, dict(schema)]}

    assert len(judging(schema, most=40)) == 40


def test_what_has_no_effect_is_left_out_unless_it_is_asked_for() -> None:
    schema: Any = {"then": {}, "items": {}, "additionalItems": {}, "unevaluatedItems": {}}

    assert [branch.keyword for branch in in_place(schema)] == []
    assert [branch.keyword for branch in in_place(schema, idle=True)] == ["then"]
    assert [branch.keyword for branch in in_place({"not": {}, "if": {}})] == ["if"]
    assert [branch.keyword for branch in in_place({"not": {}, "if": {}}, EVERY)] == ["not", "if"]
    assert [branch.keyword for branch in of_item(schema, 0)] == ["items", "unevaluatedItems"]
    assert [branch.keyword for branch in of_item(schema, 0, idle=True)] == [
        "items", "additionalItems", "unevaluatedItems",
    ]  # fmt: skip


def test_a_pattern_that_cannot_be_matched_is_possible_and_so_are_the_other_names() -> None:
    schema: Any = {"patternProperties": {"(": {"type": "string"}}, "additionalProperties": False}

    found = list(of_property(schema, "a", lambda _: None))

    assert found == [Branch("patternProperties", "(", {"type": "string"}), Branch("additionalProperties", None, False)]


def test_pointers_are_escaped() -> None:
    assert Branch("properties", "a/b", {}).below("/allOf/0") == "/allOf/0/properties/a~1b"


@given(DRAWN, values)
def test_what_certainly_judges_a_value_accepts_what_the_whole_accepts(drawn: tuple[bool, Any], value: Any) -> None:
    schema = stated(*drawn)
    if accepts(compile_schema(schema), value):
        refusing = [
            one.pointer
            for one in judging(schema, is_draft_7=drawn[0])
            if one.is_certain and accepts(compile_schema(schema, one.pointer), value) is False
        ]

        assert refusing == []


@given(DRAWN, scalars)
def test_nothing_but_what_is_listed_judges_a_scalar(drawn: tuple[bool, Any], value: Any) -> None:
    schema = stated(*drawn)
    changed = copy.deepcopy(schema)

    refuse_inside(changed, is_draft_7=drawn[0], keeps=lambda _: [])

    assert accepts(compile_schema(changed), value) == accepts(compile_schema(schema), value)


@given(DRAWN, scalars, st.sampled_from(NAMES))
def test_nothing_but_what_is_listed_judges_a_member(drawn: tuple[bool, Any], value: Any, name: str) -> None:
    schema = stated(*drawn)
    of_name, of_index = copy.deepcopy(schema), copy.deepcopy(schema)

    refuse_inside(of_name, is_draft_7=drawn[0], keeps=lambda node: of_property(node, name, partial(matches, name)))
    refuse_inside(of_index, is_draft_7=drawn[0], keeps=lambda node: of_item(node, 0, is_draft_7=drawn[0]))

    assert accepts(compile_schema(of_name), {name: value}) == accepts(compile_schema(schema), {name: value})
    assert accepts(compile_schema(of_index), [value]) == accepts(compile_schema(schema), [value])


def stated(is_draft_7: bool, schema: Any) -> Any:
    """Return a schema that names its dialect."""
    return {"$schema": DRAFT_7, **schema} if is_draft_7 and isinstance(schema, dict) else schema


def matches(name: str, pattern: str) -> bool | None:
    """Whether a pattern matches a name."""
    return accepts(compile_schema({"pattern": pattern}), name)


def refuse_inside(schema: Any, *, is_draft_7: bool, keeps: Any) -> None:
    """Let each subschema for a part of the value reject everything, except for those to keep."""
    for one in judging(schema, is_draft_7=is_draft_7):
        node = one.schema
        if not isinstance(node, dict):
            continue
        kept = {(branch.keyword, branch.key) for branch in keeps(node)}
        for keyword, key, _ in [*inside(node, "object"), *inside(node, "array")]:
            if (keyword, key) not in kept:
                if key is None:
                    node[keyword] = False
                else:
                    node[keyword][key] = False  # type: ignore[index]  # a list or a map, as `key` says
