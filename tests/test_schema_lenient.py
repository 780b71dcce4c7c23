"""A schema with a fault still judges values by its other parts, and rejects nothing because of the fault."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.validation.lenient import compile_lenient
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.schema.walk import subschemas
from tests.schema_strategies import schemas, values
from tests.tables import each

FAULTS: list[tuple[str, JsonValue]] = [
    ("type", "strnig"),
    ("type", ["string", "nul"]),
    ("$ref", "#/$defs/Nothing"),
    ("$ref", "https://schemas.test/x"),
    ("pattern", "([a-"),
    ("minLength", "3"),
    ("minContains", -1),
    ("required", True),
    ("properties", ["a"]),
    ("properties", {"a": "string"}),
    ("patternProperties", {"([a-": True}),
    ("items", "string"),
    ("allOf", {}),
    ("anyOf", [3]),
    ("oneOf", []),
    ("if", 1),
    ("additionalProperties", "no"),
]


@pytest.mark.parametrize("draft_7", [False, True])
@given(st.data())
def test_what_is_left_of_a_schema_accepts_what_the_schema_accepts(draft_7: bool, data: st.DataObject) -> None:
    schema: Any = data.draw(schemas(draft_7=draft_7))
    assume(isinstance(schema, dict) and compile_schema(schema).refusal is None)
    faulty = copy.deepcopy(schema)
    node = data.draw(st.sampled_from(subschemas(faulty)))
    keyword, wrong = data.draw(st.sampled_from(FAULTS))
    node.value[keyword] = wrong

    left = compile_lenient(faulty)

    assert left.refusal is None
    for value in data.draw(st.lists(values, min_size=1, max_size=5)):
        assert not accepts(compile_schema(schema), value) or accepts(left, value)


def tool_input(**properties: JsonValue) -> dict[str, JsonValue]:
    return {"type": "object", "properties": properties, "required": ["n"], "additionalProperties": False}


@each(("keyword", "wrong"), FAULTS)
def test_a_fault_in_one_property_does_not_affect_another(keyword: str, wrong: JsonValue) -> None:
    compiled = compile_lenient(tool_input(word={keyword: wrong}, n={"type": "integer"}))

    assert accepts(compiled, {"n": 1, "word": "a"})
    assert not accepts(compiled, {"n": "one", "word": "a"})
    assert not accepts(compiled, {"word": "a"})
    assert not accepts(compiled, {"n": 1, "other": 1})


def test_a_keyword_next_to_the_fault_still_counts() -> None:
    compiled = compile_lenient({"type": "strnig", "enum": ["a", "b"]})

    assert accepts(compiled, "a")
    assert not accepts(compiled, "c")


@pytest.mark.parametrize(
    "schema",
    [
        {"not": {"type": "strnig"}},
        {"oneOf": [{"type": "strnig"}, {"minLength": 0}]},
        {"if": {"type": "strnig"}, "then": False},
        {"contains": {"type": "strnig"}, "maxContains": 0, "minContains": 0},
        {"not": {"$ref": "#/$defs/x"}, "$defs": {"x": {"type": "strnig"}}},
        {"oneOf": [{"$ref": "#/$defs/x"}, True], "$defs": {"x": {"type": "strnig"}}},
        {"$ref": "#/$defs/none", "unevaluatedProperties": False},
        {"properties": 3, "additionalProperties": False},
        {"patternProperties": {"(": True}, "additionalProperties": False},
        {"minContains": "0", "contains": {"const": 2}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/none", "type": "null"},
    ],
)
def test_a_keyword_that_would_ask_for_more_goes_with_the_fault(schema: JsonValue) -> None:
    compiled = compile_lenient(schema)

    assert accepts(compiled, {"a": 1})
    assert accepts(compiled, [1])


def test_types_are_distinguished_even_in_an_unsupported_dialect() -> None:
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", **tool_input(n={"type": "integer"})}

    assert accepts(compile_lenient(schema), {"n": 1})
    assert not accepts(compile_lenient(schema), {"n": "one"})


def test_a_subschema_judges_without_the_faults_of_what_it_refers_to() -> None:
    schema: JsonValue = {
        "properties": {"at": {"$ref": "#/$defs/at"}},
        "$defs": {"at": {"type": "integer", "maximum": "9"}},
    }

    assert accepts(compile_lenient(schema, "/properties/at"), 3)
    assert not accepts(compile_lenient(schema, "/properties/at"), "three")
