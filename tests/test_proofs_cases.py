"""Errors of mutants of the search that no test noticed: each case fails with the change that its name describes."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_contracts.inclusion.decision import inclusion

Schema = Any
TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def closed(**members: Schema) -> Schema:
    """Return an object with exactly some members."""
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


_LOOPS = {
    "G": {"anyOf": [closed(h={"$ref": "#/$defs/H"}), closed(s=TEXT)]},
    "H": closed(g={"$ref": "#/$defs/G"}),
}
_REFERRING = closed(a={"$ref": "#/$defs/G"}, b={"$ref": "#/$defs/H"})

REFUTED: dict[str, tuple[Schema, Schema]] = {
    "a goal that is empty only if another one is, is not known to be empty": ({**_REFERRING, "$defs": _LOOPS}, False),
    "items of a branch evaluate every item": (
        {"type": "array", "allOf": [{"items": WHOLE}], "unevaluatedItems": False},
        {"maxItems": 0},
    ),
    "members of a branch evaluate every member": (
        {"type": "object", "allOf": [{"additionalProperties": WHOLE}], "unevaluatedProperties": False},
        {"maxProperties": 0},
    ),
    "what is unevaluated in a branch is evaluated outside": (
        {"type": "array", "allOf": [{"unevaluatedItems": WHOLE}], "unevaluatedItems": False},
        {"maxItems": 0},
    ),
    "the longest array that is allowed is tried": ({"type": "array", "maxItems": 2}, {"maxItems": 1}),
    "an array of exactly one length is possible": ({"type": "array", "minItems": 2, "maxItems": 2}, False),
    "many distinct items need no search if they have no constraints": (
        {"type": "array", "minItems": 3_000, "uniqueItems": True},
        {"minItems": 3_001},
    ),
    "the longest text that is allowed is tried": ({"type": "string", "maxLength": 2}, {"maxLength": 1}),
    "the largest object that is allowed is tried": ({"type": "object", "maxProperties": 2}, {"maxProperties": 1}),
    "a name that two patterns match is tried": (
        {"type": "object", "maxProperties": 1},
        {"anyOf": [{"patternProperties": {"b$": TEXT}}, {"patternProperties": {"^a": WHOLE}}]},
    ),
    "there are numbers right below zero": ({"type": "number", "minimum": -5, "exclusiveMaximum": 0}, False),
    "there are numbers up to one": ({"type": "number", "exclusiveMinimum": -5, "maximum": 1}, False),
    "a condition evaluates without `then` and `else`": (
        {"type": "object", "if": {"properties": {"a": True}}, "unevaluatedProperties": False},
        {"maxProperties": 0},
    ),
    "what `dependencies` asks is asked in 2020-12 as well": (
        {"dependencies": {"a": {"required": ["b"]}}},
        {"properties": {"a": False}},
    ),
    "what `dependencies` evaluates is unevaluated in 2020-12": (
        {"dependencies": {"a": {"properties": {"a": True}}}, "properties": {"c": True}, "unevaluatedProperties": WHOLE},
        {"properties": {"a": WHOLE, "c": TEXT}},
    ),
}


@pytest.mark.parametrize("name", REFUTED)
def test_the_search_finds_the_value(name: str) -> None:
    left, right = REFUTED[name]

    assert inclusion(left, right).answer == "no"


def test_many_distinct_items_are_cheap() -> None:
    old: Schema = {"type": "array", "minItems": 3_000, "uniqueItems": True}

    assert inclusion(old, {**old, "minItems": 3_001}).steps < 100
