"""Schemas that Python code creates with values that JSON does not have, at every public door."""

from __future__ import annotations

import json
import re
from datetime import date
from decimal import Decimal
from enum import Enum, StrEnum
from itertools import product
from types import MappingProxyType
from typing import Annotated, Any

import pytest
from pydantic import Field, WithJsonSchema

from mcp_contracts import ToolContract, ToolRegistry, UsageError, Verdict, compare_schemas, prompt
from mcp_contracts.adapters import anthropic, gemini, mcp, openai, openai_strict
from mcp_contracts.adapters.base import NotPortableError
from mcp_contracts.contract import SchemaOrigin, SchemaPart
from mcp_contracts.fixed_places import FixedLocator
from mcp_contracts.json_values.types import find_misfit
from mcp_contracts.records import replace
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
"""Schemas with a key that is not a string."""


class Color(Enum):
    """An enumeration whose members are not strings."""

    RED = "red"


class Shade(StrEnum):
    """An enumeration whose members are strings."""

    RED = "red"


VALUES: list[tuple[Any, str, str]] = [
    (b"x", "a `bytes`", "decode it to a string"),
    (("a",), "a `tuple`", "write it as a list"),
    ({"a"}, "a `set`", "write it as a list"),
    (frozenset("a"), "a `frozenset`", "write it as a list"),
    (range(2), "a `range`", "write it as a list"),
    (Decimal("1.5"), "a `Decimal`", "write it as a number or as a string"),
    (1j, "a `complex`", "write it as a string"),
    (date(2026, 1, 1), "a `date`", "write it as a string"),
    (Color.RED, "a `Color`", "write its `value`"),
    (float("nan"), "a number that is not finite", "write a finite number"),
    (float("-inf"), "a number that is not finite", "write a finite number"),
    (10**5_000, "a number", "write a smaller number"),
    (object(), "an `object`", "use the types of JSON"),
    (int, "a `type`", "use the types of JSON"),
    (MappingProxyType({"a": 1}), "a `mappingproxy`", "use the types of JSON"),
    (..., "an `ellipsis`", "use the types of JSON"),
]
"""Values that JSON does not have, what they are called, and the beginning of the hint."""

HOLDERS: dict[str, Any] = {
    "/properties/a~1b/enum/1": lambda value: {"type": "object", "properties": {"a/b": {"enum": ["x", value]}}},
    "/properties/a/default": lambda value: {"type": "object", "properties": {"a": {"default": value}}},
    "/properties/a/const": lambda value: {"type": "object", "properties": {"a": {"const": value}}},
    "/properties/a/minimum": lambda value: {"type": "object", "properties": {"a": {"minimum": value}}},
    "/required": lambda value: {"type": "object", "properties": {"a": {}}, "required": value},
    "/x-more/0": lambda value: {"type": "object", "x-more": [value]},
}
"""Places for a value, by their pointers."""

EXPORTS = (mcp.tools_out, openai.tools_out, openai_strict.tools_out, anthropic.tools_out, gemini.tools_out)


@each("value", VALUES)
def test_a_contract_cannot_be_created_from_a_value_that_json_does_not_have(value: tuple[Any, str, str]) -> None:
    held, what, hint = value
    for pointer, holder in HOLDERS.items():
        for part in ("input_schema", "output_schema"):
            with pytest.raises(UsageError) as caught:
                ToolContract.from_schema("notes.add", **{part: holder(held)})

            assert caught.value.message.startswith(f"`{part}` of `notes.add` has {what} at `{pointer}`, which ")
            assert caught.value.hint is not None
            assert caught.value.hint.startswith(hint)


@each("value", VALUES)
def test_it_makes_a_comparison_unknown_with_its_place(value: tuple[Any, str, str]) -> None:
    for (pointer, holder), policy, direction in product(
        HOLDERS.items(), ("sets", "declared", "strict"), ("input", "output")
    ):
        for other in ({"type": "object"}, {"type": "object", "properties": {"c": {}}}):
            for old, new in ((holder(value[0]), other), (other, holder(value[0]))):
                found = compare_schemas(old, new, policy=policy, direction=direction)

                assert found.verdict is Verdict.UNKNOWN
                assert found.reason is not None
                assert found.reason.message.startswith(f"it has {value[1]}, which ")
                assert found.reason.pointer == pointer


@each("value", VALUES)
def test_no_export_sends_it(value: tuple[Any, str, str]) -> None:
    plain = ToolContract.from_schema("notes.add", "Adds a note.")
    for pointer, holder in HOLDERS.items():
        held = SchemaPart("input", holder(value[0]), SchemaOrigin.SCHEMA, FixedLocator())
        for export in EXPORTS:
            with pytest.raises(NotPortableError) as caught:
                export([replace(plain, input=held)])

            assert pointer in str(caught.value)


def test_a_registry_says_where_a_tool_list_has_it() -> None:
    message = "the tool list has a `bytes` at `/0/inputSchema/properties/a/default`, which JSON cannot represent"
    schema = {"type": "object", "properties": {"a": {"default": b"x"}}}

    with pytest.raises(UsageError, match=re.escape(message)):
        ToolRegistry([{"name": "notes.add", "inputSchema": schema}])


_MIXED_KEYS: Any = {"enum": [1], 1: 2}


@each(
    ("annotation", "words"),
    [
        (Annotated[float, Field(ge=Decimal("1.5"))], "it has a `Decimal`, which JSON cannot represent"),
        (Annotated[str, WithJsonSchema({"minimum": {1}})], "it has a `set`, which JSON cannot represent"),
        (Annotated[str, WithJsonSchema({"minimum": (1,)})], "it has a `tuple`, which JSON cannot represent"),
        (Annotated[str, WithJsonSchema({"minimum": b"x"})], "it has a `bytes`, which JSON cannot represent"),
        (Annotated[str, WithJsonSchema(_MIXED_KEYS)], "no JSON Schema describes the type of parameter `a`"),
    ],
)
def test_a_function_says_which_annotation_has_it(annotation: Any, words: str) -> None:
    def add(a: Any) -> None:
        """Adds a note."""

    add.__annotations__["a"] = annotation

    with pytest.raises(UsageError, match=re.escape(words)) as caught:
        ToolRegistry("notes").tool(add)
    assert ("(at `/properties/a/minimum`)" in caught.value.message) is ("it has" in words)


def test_members_of_enumerations_that_are_strings_are_strings() -> None:
    schema: Any = {"type": "object", "properties": {"shade": {"enum": [*Shade]}}}
    plain = json.loads(json.dumps(schema))
    contract = ToolContract.from_schema("notes.add", "Adds a note.", input_schema=schema)

    assert ToolRegistry([contract]).tools()[0].input_schema == plain
    assert compare_schemas(schema, plain).changes == compare_schemas(plain, schema).changes == ()
    assert compare_schemas(schema, {"type": "object", "properties": {"shade": {"const": "blue"}}}).witness is not None
    assert all(json.loads(json.dumps(export([contract]).tools)) for export in EXPORTS)
    assert "red" in prompt([contract]).text


def test_a_schema_that_contains_itself_or_is_too_deep_is_refused() -> None:
    cycle: dict[str, Any] = {"type": "object"}
    cycle["properties"] = {"a": cycle}
    deep: dict[str, Any] = {}
    for _ in range(2_000):
        deep = {"not": deep}
    for schema in (cycle, deep):
        with pytest.raises(UsageError, match="is nested more than 128 levels deep, or contains itself"):
            ToolContract.from_schema("notes.add", input_schema=schema)
        assert compare_schemas(schema, {"type": "object"}).verdict is Verdict.UNKNOWN


def test_what_json_has_is_no_misfit() -> None:
    shared: dict[str, Any] = {"type": "string"}

    assert find_misfit([None, True, 1, 1.5, "(a\x00\x00\x00b", [], {}, {"a": shared, "b": shared}, 2**60]) is None
    assert compare_schemas({"enum": ["(a", 1, None]}, {"enum": ["(a", 1]}).verdict is Verdict.BREAKING


@each("schema", SCHEMAS)
def test_a_key_that_is_not_a_string_makes_a_comparison_unknown(schema: Any) -> None:
    for other, policy, direction in product(
        ({"type": "object"}, {}), ("sets", "declared", "strict"), ("input", "output")
    ):
        for old, new in ((schema, other), (other, schema)):
            found = compare_schemas(old, new, policy=policy, direction=direction)  # type: ignore[arg-type]

            assert found.verdict is Verdict.UNKNOWN
            assert found.reason is not None
            assert re.fullmatch(r"it has the key `(1|None|\(1,\))`, which is not a string", found.reason.message)


@each("schema", SCHEMAS)
def test_a_contract_cannot_be_created_from_it(schema: Any) -> None:
    with pytest.raises(UsageError, match="which is not a string"):
        ToolContract.from_schema("notes.add", input_schema=schema)
    with pytest.raises(UsageError, match=r"^`output_schema` of `notes\.add` has the key"):
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
