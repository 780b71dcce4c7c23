"""Schemas that Python code creates with keys that are not strings, at every public door."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from mcp_contracts import ToolContract, UsageError, Verdict, compare_schemas
from tests.tables import each

SCHEMAS: list[Any] = [
    *({holder: {key: {}}} for holder in ("properties", "patternProperties", "$defs") for key in (1, None, (1,))),
    {"enum": [{1: 2}]},
    {"const": {1: 2}},
    {"allOf": [{"properties": {1: {}, "a": {}}}]},
    {"properties": {"a": {None: 1}}},
    {"dependentRequired": {1: ["a"]}},
    {1: 2},
]


@each("schema", SCHEMAS)
def test_a_key_that_is_not_a_string_makes_a_comparison_unknown(schema: Any) -> None:
    for other, policy, direction in product(
        ({"type": "object"}, {}), ("sets", "declared", "strict"), ("input", "output")
    ):
        for old, new in ((schema, other), (other, schema)):
            found = compare_schemas(old, new, policy=policy, direction=direction)  # type: ignore[arg-type]

            assert found.verdict is Verdict.UNKNOWN
            assert found.reason is not None
            assert found.reason.message == "it has a key that is not a string"


@each("schema", SCHEMAS)
def test_a_contract_cannot_be_created_from_it(schema: Any) -> None:
    with pytest.raises(UsageError, match="which is not a string"):
        ToolContract.from_schema("notes.add", input_schema=schema)
    with pytest.raises(UsageError, match="`output_schema` has the key"):
        ToolContract.from_schema("notes.add", output_schema={"items": schema})


@each("keyword", ["description", "title", "$comment"])
def test_a_lone_surrogate_in_words_does_not_stop_a_comparison(keyword: str) -> None:
    old = {"type": "string", keyword: "\ud800", "properties": {"a": {keyword: "\udfff"}}}

    assert compare_schemas(old, {"type": "string", "maxLength": 3}).verdict is Verdict.BREAKING
    assert compare_schemas({"type": "string", "maxLength": 3}, old).verdict is Verdict.COMPATIBLE


def test_a_lone_surrogate_elsewhere_is_named_without_details_of_python() -> None:
    found = compare_schemas({"const": "\ud800"}, {"type": "string"})

    assert found.reason is not None
    assert found.reason.message == "it contains a lone surrogate, which is not valid text"
