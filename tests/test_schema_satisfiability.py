"""Schemas reported as unsatisfiable are, and contradictions that people write are found."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.conflicts.satisfiability import Contradiction, contradictions
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.simple import TYPE_ATOMS, atom_of, exact, is_refused, is_surely_accepted, value_key
from mcp_contracts.schema.validation.validators import compile_schema, instance_errors
from mcp_contracts.schema.walk import subschemas
from tests import schema_strategies
from tests.support_schemas import DRAFT_7
from tests.tables import each

SAMPLES: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, 4, 5, 6, 7, -1, 0.5, 1.5, 0.3, "", "a", "b", "ab", "abc", [], ["a"], ["a", "b"],
    [1, 2, 3], [True, False], [[], {}], {}, {"a": 1}, {"b": "a"}, {"a": 1, "b": 2}, {"a": "a", "b": "b", "c": "c"},
)  # fmt: skip


def found(schema: JsonValue) -> tuple[Contradiction, ...]:
    return contradictions(subschemas(schema), dialect_of(schema) or Dialect.DRAFT_2020_12)


@each(
    ("schema", "pointer", "message"),
    [
        (
            {"type": "integer", "minimum": 5, "maximum": 1},
            "/minimum",
            "no integer satisfies both `minimum` 5 and `maximum` 1",
        ),
        (
            {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
            "/exclusiveMinimum",
            "no integer satisfies both `exclusiveMinimum` 1 and `exclusiveMaximum` 2",
        ),
        (
            {"type": "number", "minimum": 1, "exclusiveMaximum": 1},
            "/minimum",
            "no number satisfies both `minimum` 1 and `exclusiveMaximum` 1",
        ),
        (
            {"type": "integer", "minimum": 0.2, "maximum": 0.8},
            "/minimum",
            "no integer satisfies both `minimum` 0.2 and `maximum` 0.8",
        ),
        (
            {"type": "integer", "minimum": 1, "maximum": 6, "multipleOf": 7},
            "/multipleOf",
            "no integer satisfies both `multipleOf` 7 and the range from `minimum` 1 to `maximum` 6",
        ),
        (
            {"type": "string", "minLength": 5, "maxLength": 2},
            "/minLength",
            "no string satisfies both `minLength` 5 and `maxLength` 2",
        ),
        (
            {"type": "array", "minItems": 3, "maxItems": 2},
            "/minItems",
            "no array satisfies both `minItems` 3 and `maxItems` 2",
        ),
        (
            {"type": "array", "contains": {}, "minContains": 3, "maxContains": 1},
            "/minContains",
            "no array satisfies both `minContains` 3 and `maxContains` 1",
        ),
        (
            {"type": "array", "contains": {}, "maxItems": 0},
            "/contains",
            "no array satisfies both `contains` and `maxItems` 0",
        ),
        (
            {"type": "array", "minItems": 1, "items": False},
            "/minItems",
            "no array satisfies both `minItems` 1 and `items: false` (room for 0)",
        ),
        (
            {"type": "array", "minItems": 2, "prefixItems": [{}, False]},
            "/minItems",
            "no array satisfies both `minItems` 2 and `prefixItems` (room for 1)",
        ),
        (
            {"type": "array", "minItems": 3, "uniqueItems": True, "items": {"enum": [1, 1.0, 2]}},
            "/minItems",
            "no array satisfies both `minItems` 3 and `uniqueItems` with 2 different items",
        ),
        (
            {"type": "array", "minItems": 3, "uniqueItems": True, "items": {"type": "boolean"}},
            "/minItems",
            "no array satisfies both `minItems` 3 and `uniqueItems` with 2 different items",
        ),
        (
            {"type": "object", "minProperties": 3, "maxProperties": 2},
            "/minProperties",
            "no object satisfies both `minProperties` 3 and `maxProperties` 2",
        ),
        (
            {"type": "object", "required": ["a", "b"], "maxProperties": 1},
            "/required",
            "no object satisfies both `required` (2 names) and `maxProperties` 1",
        ),
        (
            {"type": "object", "minProperties": 2, "properties": {"a": {}}, "additionalProperties": False},
            "/minProperties",
            "no object satisfies both `minProperties` 2 and `additionalProperties: false` (room for 1)",
        ),
        (
            {"type": "object", "properties": {"a": False}, "required": ["a"]},
            "/required/0",
            "`a` is required, but its schema is `false`",
        ),
        ({"enum": []}, "/enum", "`enum` is empty, so no value is valid"),
        ({"type": "integer", "enum": ["a", "b"]}, "/enum", "no value of `enum` satisfies `type` integer"),
        ({"enum": [11, 12], "maximum": 10}, "/enum", "no value of `enum` satisfies `maximum` 10"),
        ({"const": 1, "type": "string"}, "/const", "the only value of `const`, 1, does not satisfy `type` string"),
        ({"const": 1, "enum": [2, 3]}, "/const", "the only value of `const`, 1, does not satisfy `enum` [2, 3]"),
        (
            {"allOf": [{"const": 1}, {"const": 2}]},
            "/allOf/0/const",
            "the only value of `const`, 1, does not satisfy `const` 2",
        ),
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "/allOf/1/type", "no value is both string and integer"),
        ({"type": "string", "allOf": [{"type": "number"}]}, "/allOf/0/type", "no value is both string and number"),
        (
            {"type": "string", "anyOf": [{"type": "integer"}, {"type": "null"}]},
            "/type",
            "`type` contradicts the alternatives next to it, so no value is valid",
        ),
    ],
)
def test_a_contradiction_is_found_at_its_place(schema: JsonValue, pointer: str, message: str) -> None:
    assert [(item.pointer, item.message, item.owner) for item in found(schema)] == [(pointer, message, "")]


def test_a_closed_object_next_to_a_branch_that_requires_more_is_found() -> None:
    schema: JsonValue = {
        "type": "object",
        "allOf": [{"$ref": "#/$defs/base"}],
        "properties": {"own": {}},
        "additionalProperties": False,
        "$defs": {"base": {"properties": {"id": {}}, "required": ["id"]}},
    }

    assert [(item.pointer, item.message) for item in found(schema)] == [
        (
            "/additionalProperties",
            "`id` is required, but `additionalProperties: false` next to other properties forbids it",
        )
    ]


def test_a_reference_and_its_siblings_are_weighed_together() -> None:
    schema: JsonValue = {
        "properties": {"limit": {"$ref": "#/$defs/small", "minimum": 5}},
        "$defs": {"small": {"type": "integer", "maximum": 3}},
    }

    assert [(item.owner, item.pointer) for item in found(schema)] == [
        ("/properties/limit", "/properties/limit/minimum")
    ]


def test_siblings_of_a_reference_are_nothing_in_draft_07() -> None:
    schema: JsonValue = {
        "$schema": DRAFT_7,
        "properties": {"limit": {"$ref": "#/definitions/small", "minimum": 5}},
        "definitions": {"small": {"type": "integer", "maximum": 3}},
    }

    assert found(schema) == ()


def test_what_a_branch_or_a_target_contains_is_reported_once() -> None:
    wrong: JsonValue = {"type": "integer", "minimum": 5, "maximum": 1}
    schema: JsonValue = {
        "allOf": [{"allOf": [wrong]}],
        "properties": {"a": {"$ref": "#/$defs/w"}, "b": {"$ref": "#/$defs/w", "title": "B"}},
        "$defs": {"w": wrong},
    }

    assert [item.owner for item in found(schema)] == ["/allOf/0/allOf/0", "/$defs/w"]


def test_only_the_type_that_is_concerned_is_named() -> None:
    (contradiction,) = found({"type": ["integer", "null"], "minimum": 5, "maximum": 1})

    assert contradiction.types == frozenset({"integer"})


@each(
    "schema",
    [
        {"minimum": 5, "maximum": 1},
        {"type": "string", "minimum": 5, "maximum": 1},
        {"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
        {"type": "number", "minimum": 0.3, "maximum": 0.3, "multipleOf": 0.1},
        {"type": "number", "minimum": 1e22, "maximum": 1e22, "multipleOf": 0.7},
        {"type": "object", "additionalProperties": False, "required": ["a"]},
        {"type": "object", "properties": {"a": False}},
        {
            "type": "object",
            "properties": {"a": {}},
            "required": ["a"],
            "patternProperties": {"": {}},
            "additionalProperties": False,
        },
        {"not": {}},
        {"items": False},
        {"type": "array", "items": False},
        {"type": "array", "contains": {}, "minContains": 0, "maxItems": 0},
        {"type": "array", "uniqueItems": True, "minItems": 9, "items": {"type": "integer"}},
        {
            "type": "array",
            "minItems": 3,
            "prefixItems": [{}],
            "uniqueItems": True,
            "items": {"const": 1},
            "maxItems": 3,
        },
        {"type": "number", "allOf": [{"type": "integer"}]},
        {"type": "integer", "enum": [1.0, "a"]},
        {"anyOf": [{"type": "string"}, {"type": "integer"}], "type": ["integer", "null"]},
        {"oneOf": [{"type": "string"}, {}], "type": "null"},
        {"$ref": "#"},
        {"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}},
        True,
    ],
)
def test_nothing_is_reported_about_a_satisfiable_schema(schema: JsonValue) -> None:
    assert found(schema) == ()


@given(st.data(), st.booleans())
def test_what_is_reported_is_satisfied_by_no_sample(data: st.DataObject, draft_7: bool) -> None:
    schema = data.draw(schema_strategies.schemas(draft_7=draft_7))

    for contradiction in found(schema):
        compiled = compile_schema(schema, contradiction.owner)
        for value in (*SAMPLES, *data.draw(st.lists(schema_strategies.values, max_size=8))):
            concerned = contradiction.types is None or any(
                atom_of(value) in TYPE_ATOMS[name] for name in contradiction.types
            )
            if concerned:
                assert instance_errors(compiled, value).errors, (contradiction, value)


@given(schema_strategies.schemas())
def test_the_prover_of_the_engine_never_finds_a_value_for_it(schema: dict[str, Any]) -> None:
    for contradiction in found(schema):
        if contradiction.types is None and contradiction.owner == "":
            proof = jsonschema_rs.canonicalize(schema, offline=True, validate_formats=False).satisfiability()

            assert proof is not jsonschema_rs.canonical.Satisfiability.YES


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(schema_strategies.schemas(), schema_strategies.values)
def test_simple_judgments_agree_with_the_engine(schema: dict[str, Any], value: Any) -> None:
    is_valid = instance_errors(compile_schema(schema), value).is_valid

    if is_surely_accepted(value, schema):
        assert is_valid
    if any(is_refused(value, keyword, asked) for keyword, asked in schema.items()):
        assert not is_valid


@pytest.mark.parametrize(
    ("first", "second", "are_equal"),
    [(1, 1.0, True), (1, True, False), (0, False, False), ([1], [1.0], True), ({"a": 1}, {"a": True}, False),
     ([True], [1], False), ([], {}, False), (["bool", 1], True, False), ("1", 1, False), (None, False, False),
     ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True)],
)  # fmt: skip
def test_values_are_equal_as_json_schema_has_it(first: JsonValue, second: JsonValue, are_equal: bool) -> None:
    assert (value_key(first) == value_key(second)) is are_equal


def test_numbers_are_exact() -> None:
    assert exact(0.1) * 10 == 1  # type: ignore[operator]  # 0.1 is a number, so never None
    assert exact(10**400) == 10**400
    assert exact(True) is None
    assert exact(float("nan")) is None
