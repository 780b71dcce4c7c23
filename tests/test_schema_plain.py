"""Decisions without a validator agree with those of the validator."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.dialects import dialect_of
from mcp_contracts.schema.simple import is_surely_accepted
from mcp_contracts.schema.validation.compiled import Outcome
from mcp_contracts.schema.validation.lenient import compile_lenient
from mcp_contracts.schema.validation.meta import is_surely_valid
from mcp_contracts.schema.validation.plain import surely_accepts, surely_compiles
from mcp_contracts.schema.validation.validators import compile_schema, instance_errors, is_valid_under_meta_schema
from mcp_contracts.schema.vocabulary import VOCABULARY
from tests.schema_strategies import schemas, values
from tests.sweeps import size
from tests.tables import each
from tests.test_schema_lenient import FAULTS

ORDINARY: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z]+$", "minLength": 1},
        "size": {"anyOf": [{"type": "integer", "maximum": 9}, {"type": "null"}]},
        "unit": {"enum": ["m", "km"]},
        "rows": {"type": "array", "items": {"$ref": "#/definitions/row"}, "maxItems": 2},
    },
    "required": ["name"],
    "additionalProperties": False,
    "definitions": {"row": {"type": "object", "additionalProperties": {"type": "number"}}},
}


@pytest.mark.parametrize(
    ("value", "is_accepted"),
    [
        ({"name": "a", "size": 3, "unit": "m", "rows": [{"x": 1.5}, {}]}, True),
        ({"name": "a", "size": None}, True),
        ({}, False),
        ({"name": "a\n"}, False),
        ({"name": "å"}, False),  # only the validator may judge patterns
        ({"name": "a", "other": 1}, False),
        ({"name": "a", "size": 10}, False),
        ({"name": "a", "unit": "x"}, False),
        ({"name": "a", "rows": [{"x": "1"}]}, False),
        ({"name": "a", "rows": [{}, {}, {}]}, False),
        ({"name": "a", "rows": [{"x": True}]}, False),
        ({"name": "a", "rows": [{"x": 2**60}]}, False),
    ],
)
def test_ordinary_examples_are_accepted_without_a_validator(value: JsonValue, is_accepted: bool) -> None:
    assert surely_compiles(ORDINARY)
    assert surely_accepts(ORDINARY, value) is is_accepted


@each(
    "schema",
    [
        *({"type": "object", keyword: value} for keyword, value in FAULTS),
        {"$schema": "https://schemas.test/own"},
        {"$schema": "http://json-schema.org/draft-07/schema", "properties": {"a": {"$schema": 5}}},
        {"properties": {"a": {"contentEncoding": 5}}},
        {"properties": {"a": {"minimum": float("inf")}}},
        {"properties": {"a": {"default": -float("inf")}}},
        {"properties": {"a": {"default": float("nan")}}},
        {"description": "\ud800"},
        {"$id": "http://[", "type": "object"},
        {"pattern": "(?=a)b"},
        {"pattern": "(a{1000}){1000}"},
        {"unevaluatedProperties": False},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$anchor": "a"}}},
        {"description": "x" * 60_000},
        True,
        [],
        None,
    ],
    ids=repr,
)
def test_what_may_not_compile_is_left_to_the_validator(schema: Any) -> None:
    assert not surely_compiles(schema) or compile_schema(schema).refusal is None
    assert not surely_accepts(schema, {}) or instance_errors(compile_lenient(schema), {}) == Outcome()


@each("keyword", [row.name for row in VOCABULARY])
def test_no_schema_is_surely_valid_that_a_meta_schema_refuses(keyword: str) -> None:
    odd: tuple[Any, ...] = (
        *(True, None, 0, -1, 0.5, 1e300, float("nan"), "", "a", "string", [], [[]], ["a", "a"], ["string", "null"]),
        *([1], [{}], [{"type": 5}], {}, {"a": 1}, {"a": {}}, {"a": True}, {"a": {"type": "x"}}, {"type": "null"}),
        *({"required": ["a", "a"]}, {"type": []}, {"items": [{}]}, [True], ["null", "null"], 2**70),
    )
    for value in odd:
        schema: Any = {"properties": {"a": {keyword: value}}}
        for dialect in ("http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"):
            assert not is_surely_valid(schema) or is_valid_under_meta_schema({**schema, "$schema": dialect}), value


@pytest.mark.parametrize("draft_7", [False, True])
@settings(max_examples=size(1000, 100))
@given(data=st.data())
def test_nothing_is_accepted_that_the_validator_refuses_or_does_not_know(data: st.DataObject, draft_7: bool) -> None:
    schema: Any = data.draw(schemas(draft_7=draft_7))
    if isinstance(schema, dict) and data.draw(st.booleans()):
        keyword, wrong = data.draw(st.sampled_from(FAULTS))
        schema = {"properties": {"a": schema, "b": {keyword: wrong}}}
    value = data.draw(st.dictionaries(st.sampled_from("abc"), values, max_size=3) | st.lists(values, max_size=3))

    assert not is_surely_valid(schema) or not dialect_of(schema) or is_valid_under_meta_schema(schema)
    assert not surely_compiles(schema) or compile_schema(schema).refusal is None
    assert not surely_accepts(schema, value) or instance_errors(compile_lenient(schema), value) == Outcome()


def test_references_that_multiply_are_left_to_the_validator() -> None:
    definitions: dict[str, JsonValue] = {
        f"d{level}": {"anyOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 10} for level in range(12)
    }
    schema: JsonValue = {"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {**definitions, "d12": {"type": "null"}}}

    assert surely_compiles(schema)
    assert not surely_accepts(schema, {"a": "text"})


def test_a_long_list_of_words_is_searched_by_its_keys() -> None:
    class Word(str):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Word.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    words = [Word(f"word-{number}") for number in range(500)]

    schema: dict[str, JsonValue] = {"enum": [*words]}

    assert all(is_surely_accepted(f"word-{number}", schema) for number in range(500))
    assert not is_surely_accepted("word-500", schema)
    assert Word.compared < 5_000
