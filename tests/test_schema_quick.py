"""A closed schema accepts fewer values than the schema, and checks every part of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_contracts.runtime.outcomes import as_json
from mcp_contracts.schema.validation.closed import close_schema
from mcp_contracts.schema.validation.quick import quick_check
from mcp_contracts.schema.validation.validators import compile_schema, instance_errors
from tests.sweeps import size

TOOL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "size": {"type": ["number", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "rows": {"type": "array"},
        "any": {},
        "either": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "integer"}}}]},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
        "unit": {"enum": ["m", {"of": 1}]},
    },
    "required": ["name"],
}
QUICK = quick_check(compile_schema(TOOL))
ACCEPTED: list[dict[str, Any]] = [
    {"name": "a"},
    {"name": "å", "size": 1.5, "tags": ["x"], "any": 3, "either": "b", "map": {"k": 1}, "unit": {"of": 1}},
    {"name": "a", "either": {"a": 1}, "rows": [1, "x", None]},
    {"name": "a", "more": {"deep": [{}]}, "rows": [[1]], "any": {"b": []}},
]
NOT_JSON: list[Any] = [math.nan, math.inf, {1: 2}, {2}, b"b", 1j, date(2026, 1, 1), object(), "\ud800", ..., iter(())]


@pytest.mark.parametrize("value", ACCEPTED)
def test_quick_check_knows_what_is_right(value: dict[str, Any]) -> None:
    assert QUICK(value)


def places(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the value with something else at each of its places."""
    yield from ({"name": value}, {"name": "a", "new": value}, {"name": "a", "any": value})
    yield {"name": "a", "rows": [value]}
    yield {"name": "a", "size": value}
    yield {"name": "a", "either": {"a": value}}
    yield {"name": "a", "either": {"b": value}}
    yield {"name": "a", "map": {"k": value}}
    yield {"name": "a", "unit": value}
    yield {"name": "a", "new": {"deep": [value]}}


@pytest.mark.parametrize("value", NOT_JSON, ids=lambda value: type(value).__name__)
def test_quick_check_lets_nothing_pass_that_json_cannot_hold(value: Any) -> None:
    assert not any(QUICK(place) for place in places(value))


def test_quick_check_rejects_everything_that_contains_itself() -> None:
    row: list[Any] = []
    row.append(row)

    assert not any(QUICK(place) for place in places(row))


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/a", "$defs": {"a": {}}},
        {"properties": {"a": {"not": {}}}},
        {"properties": {"a": {"oneOf": [{"type": "string"}, {"type": "string", "minLength": 2}]}}},
        {"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]},
        {"patternProperties": {"^a": {}}},
        {"enum": [{"a": 1}], "properties": {"a": {"type": "string"}}},
        True,
    ],
)
def test_what_closing_could_widen_is_not_closed(schema: Any) -> None:
    assert close_schema(schema) is None


_scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2) | st.floats(-2, 2)
_values = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
)
_types = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])


def _nodes(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": _types | st.lists(_types, min_size=1, max_size=3, unique=True),
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
            "additionalProperties": st.booleans() | inner,
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "minLength": st.integers(0, 2),
            "maxItems": st.integers(0, 2),
            "enum": st.lists(_values, min_size=1, max_size=2),
        },
    )


@settings(max_examples=size(1_000, 40))
@given(st.recursive(st.just({}), _nodes, max_leaves=6), st.dictionaries(st.sampled_from("abc"), _values, max_size=3))
def test_what_the_quick_check_accepts_is_plain_json_that_the_schema_accepts(schema: Any, value: dict[str, Any]) -> None:
    compiled = compile_schema(schema)

    if quick_check(compiled)(value):
        assert instance_errors(compiled, value).is_valid
        assert as_json(value) == value
