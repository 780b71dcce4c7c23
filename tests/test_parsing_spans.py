"""Two ways to locate a value in JSON, which agree."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_contracts.parsing.data.spans import json_members, json_span
from tests.sweeps import size

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('ab~/"\\é', max_size=3), inner, max_size=4),
    max_leaves=15,
)


@given(_VALUES, st.sampled_from([None, 1]), st.booleans())
@settings(max_examples=size(1_000, 50))
def test_a_search_for_one_value_finds_what_an_index_of_all_has(value: Any, indent: int | None, is_ascii: bool) -> None:
    text = f" {json.dumps(value, indent=indent, ensure_ascii=is_ascii)}\n"

    for pointer, span, _ in json_members(text):
        assert json_span(text, pointer) == span


def test_of_repeated_keys_the_last_counts_as_it_does_for_the_value() -> None:
    text = '{"a": 1, "a": {"b": 2}}'

    start, end, *_ = json_span(text, "/a/b")

    assert text[start:end] == "2"


def test_a_missing_part_is_placed_where_it_should_be() -> None:
    text = '{"a": [1, {"b": 2}]}'

    start, end, *_ = json_span(text, "/a/1/c/d")

    assert text[start:end] == '{"b": 2}'
