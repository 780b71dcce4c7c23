"""Known keywords and types, and the intention behind misspelled ones."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_specifications import REGISTRY as SPECIFICATIONS  # type: ignore[import-untyped]  # it has no types

from mcp_contracts.rules.schemas.misspelled import (
    edit_distance,
    is_silently_ignored,
    nearest_keyword,
    nearest_type,
)
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.vocabulary import KEYWORDS, TYPES
from tests.tables import each

NEW, OLD = Dialect.DRAFT_2020_12, Dialect.DRAFT_7
words = st.text("abcde", max_size=6)


@each(
    ("written", "meant"),
    [
        ("minLenght", "minLength"),
        ("minlength", "minLength"),
        ("min_length", "minLength"),
        ("additionalproperties", "additionalProperties"),
        ("additional_properties", "additionalProperties"),
        ("additionalProperty", "additionalProperties"),
        ("require", "required"),
        ("requires", "required"),
        ("enums", "enum"),
        ("typ", "type"),
        ("Type", "type"),
        ("titel", "title"),
        ("descripton", "description"),
        ("desc", "description"),
        ("property", "properties"),
        ("item", "items"),
        ("anyof", "anyOf"),
        ("one_of", "oneOf"),
        ("defualt", "default"),
        ("patern", "pattern"),
        ("$refs", "$ref"),
        ("ref", "$ref"),
        ("$def", "$defs"),
    ],
)
def test_a_slip_is_near_the_keyword_that_was_meant(written: str, meant: str) -> None:
    assert nearest_keyword(written, NEW) == meant


@each(
    "word",
    ["x-minLength", "x_type", "$comment", "nullable", "example", "discriminator", "enumNames", "markdownDescription",
     "errorMessage", "when", "cost", "unit", "label", "name", "value", "id", "min", "max", "ui:widget", "x", "", "note",
     "required_if", "typeof", "schema", "optional", "a" * 1000],
)  # fmt: skip
def test_a_keyword_of_another_vocabulary_is_ignored(word: str) -> None:
    assert nearest_keyword(word, NEW) is None


@pytest.mark.parametrize("dialect", Dialect)
def test_no_known_keyword_is_near_another(dialect: Dialect) -> None:
    assert [keyword for keyword in sorted(KEYWORDS[dialect]) if nearest_keyword(keyword, dialect)] == []


def test_the_keywords_are_those_of_the_meta_schemas() -> None:
    draft_7 = set(jsonschema.Draft7Validator.META_SCHEMA["properties"])
    vocabularies = ("core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content")
    draft_2020 = set(jsonschema.Draft202012Validator.META_SCHEMA["properties"]).union(
        *(
            SPECIFICATIONS.contents(f"https://json-schema.org/draft/2020-12/meta/{name}")["properties"]
            for name in vocabularies
        )
    )

    # The copy that jsonschema carries is older than `writeOnly`.
    assert KEYWORDS[OLD] == draft_7 | {"writeOnly"}
    assert KEYWORDS[NEW] == draft_2020 - {"$recursiveAnchor", "$recursiveRef"}


def test_a_constraint_of_another_dialect_is_silently_ignored() -> None:
    assert is_silently_ignored("dependentRequired", OLD)
    assert not is_silently_ignored("dependentRequired", NEW)
    assert not is_silently_ignored("$defs", OLD)
    assert not is_silently_ignored("x-mine", OLD)


@each(
    ("written", "meant"),
    [
        ("strnig", "string"),
        ("str", "string"),
        ("String", "string"),
        ("INTEGER", "integer"),
        ("int", "integer"),
        ("float", "number"),
        ("bool", "boolean"),
        ("list", "array"),
        ("string[]", "array"),
        ("array<string>", "array"),
        ("dict", "object"),
        ("None", "null"),
        ("objct", "object"),
        ("any", None),
        ("func", None),
        ("x", None),
        ("", None),
    ],
)
def test_an_unknown_type_is_near_an_existing_one(written: str, meant: str | None) -> None:
    assert nearest_type(written) == meant


def test_every_meant_type_exists() -> None:
    assert {nearest_type(name) for name in ("str", "int", "float", "bool", "list", "dict", "None")} == set(TYPES)


@given(words, words, words)
def test_edit_distance_is_a_distance(first: str, second: str, third: str) -> None:
    assert (edit_distance(first, second) == 0) is (first == second)
    assert edit_distance(first, second) == edit_distance(second, first)
    assert abs(len(first) - len(second)) <= edit_distance(first, second) <= max(len(first), len(second))
    # With swaps it is at most twice as far by way of a third word.
    assert edit_distance(first, third) <= 2 * (edit_distance(first, second) + edit_distance(second, third))


@pytest.mark.parametrize(
    ("first", "second", "distance"), [("abc", "acb", 1), ("abc", "bc", 1), ("", "ab", 2), ("a", "b", 1)]
)
def test_swapped_neighbors_are_one_edit(first: str, second: str, distance: int) -> None:
    assert edit_distance(first, second) == distance
