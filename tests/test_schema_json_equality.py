"""Equality of JSON values: schemas with the same text are equal, and so are others with equal values."""

from __future__ import annotations

from copy import deepcopy

from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.json_equality import json_key, same_json

SCALARS: st.SearchStrategy[JsonValue] = st.sampled_from(
    (None, True, False, 0, 1, 1.0, -0.0, 2**60, float("nan"), "", "a", "b")
)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, VALUES)
def test_two_values_are_the_same_where_their_keys_are_equal(first: JsonValue, second: JsonValue) -> None:
    assert same_json(first, second) == (json_key(first) == json_key(second))
    assert same_json({"a": first, "b": second}, deepcopy({"b": second, "a": first}))
