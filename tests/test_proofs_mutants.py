"""Errors of mutants of the search, and of the readings under `declared`, that no test noticed."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_contracts.comparison.branches import branch_name
from mcp_contracts.comparison.declared.policy import as_consumers_read
from mcp_contracts.comparison.views import Document
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.atoms import AtLeast
from mcp_contracts.inclusion.decision import counterexample, inclusion
from mcp_contracts.inclusion.formulas import negation
from mcp_contracts.inclusion.nodes import FALSE
from mcp_contracts.schema.budget import Budget
from mcp_contracts.witnesses.confirm import Judgment, judge
from tests.proofs.oracle import DRAFT_7
from tests.tables import each

Schema = Any
PRIMES = [{"multipleOf": prime} for prime in (2, 3, 5, 7, 11)]
WITH_B: Schema = {"type": "object", "properties": {"b": {"type": "string"}}, "additionalProperties": False}

REFUTED: dict[str, tuple[Schema, Schema, JsonValue]] = {
    "the first number behind many multiples": ({"type": "integer", "minimum": 114}, {"anyOf": PRIMES}, 127),
    "the shortest listed text": ({"enum": ["aaa", "b"]}, {"const": "c"}, "b"),
    "the first number behind many that are excluded": ({"type": "number"}, {"enum": list(range(-50, 51))}, -51),
    "a name that people can read": ({"type": "object"}, {"maxProperties": 0}, {"extra": "text"}),
    "the longest text that people can read": ({"type": "string", "maxLength": 4}, False, "text"),
    "a name that one branch refuses for its pattern": (
        {"type": "object", "maxProperties": 1, "patternProperties": {"^a": {"type": "integer"}}},
        {"anyOf": [{"propertyNames": {"maxLength": 2}}, {"patternProperties": {"^z": False}}]},
        {"zaa": "text"},
    ),
    "a name that all branches refuse": (
        {"type": "object", "maxProperties": 1, "patternProperties": {"^a": {"type": "integer"}}},
        {"anyOf": [{"propertyNames": {"maxLength": 2}}, {"propertyNames": {"not": {"pattern": "z$"}}}]},
        {"baz": "text"},
    ),
}


@pytest.mark.parametrize("case", REFUTED)
def test_the_simplest_value_refutes(case: str) -> None:
    left, right, witness = REFUTED[case]

    found = inclusion(left, right)

    assert (found.answer, found.witness) == ("no", witness)


NESTED: Schema = {"minProperties": 1}
for _ in range(45):
    NESTED = {"anyOf": [{"required": ["b"]}, NESTED]}

INCLUDED: dict[str, tuple[Schema, Schema]] = {
    "draft-07 knows no `minContains`": (
        {"$schema": DRAFT_7, "type": "array", "contains": {"const": 1}, "minContains": 0},
        {"$schema": DRAFT_7, "minItems": 1},
    ),
    "a reference is followed beside other keywords": (
        {"$ref": "#/$defs/a", "minLength": 1, "$defs": {"a": {"type": "string", "maxLength": 3}}},
        {"type": "string", "maxLength": 3},
    ),
    "branches that evaluate nothing are not followed": (
        {"type": "object", "properties": {"a": True}, "unevaluatedProperties": False, **NESTED},
        {"maxProperties": 1},
    ),
    "both keywords of 2020-12 ask for what depends on a name": (
        {
            "type": "object",
            "required": ["a"],
            "dependentSchemas": {"a": {"required": ["b"]}},
            "dependencies": {"a": {"required": ["c"]}},
        },
        {"required": ["b", "c"]},
    ),
    "what `dependencies` evaluates in draft-07 is unevaluated in 2020-12": (
        {"dependencies": {"a": {"properties": {"a": True}}}, "unevaluatedProperties": {"type": "integer"}},
        {"properties": {"a": {"type": "integer"}}},
    ),
    "what a dependent schema evaluates is evaluated where its name is present": (
        {
            "type": "object",
            "required": ["b"],
            "properties": {"a": True},
            "dependentSchemas": {"a": {"properties": {"b": True}}},
            "unevaluatedProperties": False,
        },
        {"required": ["a"]},
    ),
}


@each(
    "keyword",
    ["minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength", "minimum", "maximum"],
)
def test_of_several_limits_the_narrowest_applies(keyword: str) -> None:
    narrow, wide = (2, 1) if keyword.startswith("min") else (1, 2)
    both: list[Schema] = [{keyword: narrow}, {keyword: wide}]

    for branches in (both, both[::-1]):
        assert inclusion({"allOf": branches}, {keyword: narrow}).answer == "yes"
        assert inclusion({"anyOf": branches}, {keyword: narrow}).answer == "no"


@pytest.mark.parametrize("case", INCLUDED)
def test_what_is_included_is_proved(case: str) -> None:
    assert inclusion(*INCLUDED[case]).answer == "yes"


def test_an_array_of_items_that_may_be_is_not_ruled_out() -> None:
    found = inclusion({"type": "array", "minItems": 1, "items": {"type": "string", "pattern": r"^(a)\1$"}}, False)

    assert (found.answer, found.keyword) == ("unknown", "pattern")


def test_no_length_is_below_zero() -> None:
    assert negation(AtLeast(0)) == FALSE


READ: dict[str, tuple[Schema, JsonValue, Judgment]] = {
    "names are dropped in the items of a listed array": ({"const": [{"a": 1}]}, [{"a": 1, "z": 2}], Judgment.VALID),
    "the other items of a listed array stay": ({"const": [{"a": 1}, 2]}, [{"a": 1, "z": 2}, 3], Judgment.INVALID),
    "items behind the positions of another branch are judged": (
        {
            "$schema": DRAFT_7,
            "allOf": [
                {"items": [{}], "additionalItems": WITH_B},
                {"items": [{}, {"properties": {"c": {}}}]},
            ],
        },
        [1, {"b": "text", "z": 1}, 5],
        Judgment.INVALID,
    ),
}


@pytest.mark.parametrize("case", READ)
def test_consumers_read_what_is_declared(case: str) -> None:
    schema, value, judgment = READ[case]

    assert judge(as_consumers_read(schema).schema, value).judgment is judgment


def test_siblings_of_a_reference_in_draft_7_are_ignored() -> None:
    closed: JsonValue = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}

    read = as_consumers_read({"$schema": DRAFT_7, "$ref": "#/definitions/A", "definitions": {"A": closed}}).schema

    assert isinstance(read, dict)
    assert "$ref" not in read
    assert judge(read, {"a": 1, "z": 1}).judgment is Judgment.VALID


def test_a_schema_that_a_reference_of_draft_7_hides_has_no_positions() -> None:
    held: Schema = {"definitions": {"d": {"contains": WITH_B}}}

    assert as_consumers_read({"$schema": DRAFT_7, "allOf": [{"$ref": "#/definitions/d"}], **held}).inexact == ()


def test_listed_numbers_are_paid_for_each_time_that_they_are_looked_at() -> None:
    def cost(branches: int) -> float:
        budget = Budget(100_000)
        chosen: Schema = {"anyOf": [{"multipleOf": 2 + index} for index in range(branches)]}
        counterexample([{"allOf": [{"enum": [number + 0.5 for number in range(1_000)]}, chosen]}], [False], budget)
        return 100_000 - budget.left

    assert cost(12) - cost(2) > 10 * 25


@each(
    ("branch", "name"),
    [
        ({"description": "Any value."}, "at position 2"),
        ({}, "at position 2"),
        ({"type": "integer"}, "of type integer"),
        ({"const": "a"}, '"a"'),
    ],
)
def test_a_branch_is_named_by_its_type_or_its_position(branch: Schema, name: str) -> None:
    assert branch_name(Document({"anyOf": [{"type": "string"}, branch]}), "/anyOf/1") == name
