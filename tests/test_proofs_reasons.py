"""Errors of mutants of the policy `declared`, and of the reasons of unknown verdicts, that no test noticed."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.comparison.declared.policy import Reading, as_callers_send, as_consumers_read
from mcp_contracts.inclusion.decision import inclusion
from mcp_contracts.schema.validation.validators import compile_schema

Schema = Any
TEXT = {"type": "string"}


def closed(**members: Schema) -> Schema:
    """Return an object with exactly some members."""
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def holding(**members: Schema) -> Schema:
    """Return an object with some optional members, and any others."""
    return {"type": "object", "properties": members}


JUDGED: dict[str, tuple[Schema, Schema, SchemaDirection, str]] = {
    "names are dropped inside of a constant": (
        {"const": {"a": {"b": 1}}},
        closed(a=closed(b={"const": 1}, z=TEXT), y=TEXT),
        "output",
        "compatible",
    ),
    "a name of another listed object is not dropped": (
        {"enum": [{"a": 1}, {"b": 1}]},
        closed(a={"const": 1}, b={"const": 1}),
        "output",
        "breaking",
    ),
    "names are dropped from a map beside names of a branch": (
        {"type": "object", "allOf": [holding(a=holding(x=TEXT))], "additionalProperties": holding(y=TEXT)},
        {"type": "object", "allOf": [holding(a=holding(x=TEXT))], "additionalProperties": holding(y=TEXT, w=TEXT)},
        "output",
        "compatible",
    ),
    "callers send declared names at each position of an array": (
        {"type": "array", "prefixItems": [holding(a=TEXT)]},
        {"type": "array", "prefixItems": [holding(a=TEXT) | {"additionalProperties": False}]},
        "input",
        "compatible",
    ),
    "callers send declared names at positions before items without names": (
        {"type": "array", "prefixItems": [holding(a=TEXT)], "items": TEXT},
        {"type": "array", "prefixItems": [holding(a=TEXT) | {"additionalProperties": False}], "items": TEXT},
        "input",
        "compatible",
    ),
    "callers send declared names after the positions of an array": (
        {"type": "array", "prefixItems": [TEXT], "items": holding(a=TEXT)},
        {"type": "array", "prefixItems": [TEXT], "items": holding(a=TEXT) | {"additionalProperties": False}},
        "input",
        "compatible",
    ),
}


@pytest.mark.parametrize("name", JUDGED)
def test_schemas_are_read_by_declared_names_at_every_place(name: str) -> None:
    old, new, direction, verdict = JUDGED[name]

    assert compare_schemas(old, new, direction=direction).verdict == verdict


TWICE = "^(a|b)\\1$"
DYNAMIC: Schema = {"$dynamicRef": "#d", "$defs": {
    "one": {"$dynamicAnchor": "d", "type": "string"},
    "two": {"$id": "other", "$defs": {"three": {"$dynamicAnchor": "d", "type": "integer"}}},
}}  # fmt: skip
TYPES = {"minLength": "string", "minItems": "array", "minProperties": "object"}


def nested(levels: int) -> Schema:
    """Return text in this number of nested, nonempty arrays."""
    schema: Schema = TEXT
    for _ in range(levels):
        schema = {"type": "array", "minItems": 1, "items": schema}
    return schema


def unevaluated(noun: str, branches: list[Schema]) -> Schema:
    """Return a schema that forbids what some branches leave unevaluated."""
    return {"type": "array" if noun == "Items" else "object", "anyOf": branches, f"unevaluated{noun}": False}


def deep(levels: int) -> Schema:
    """Return a branch that evaluates a name this number of levels below."""
    schema: Schema = {"properties": {"a": True}}
    for _ in range(levels):
        schema = {"anyOf": [schema, {"required": ["b"]}]}
    return unevaluated("Properties", schema.pop("anyOf"))


POSITIONS: list[Schema] = [{"prefixItems": [{"const": number}]} for number in range(301)]
PATTERNS: list[Schema] = [{"patternProperties": {f"^{letter}": {"const": 1}}} for letter in "abcdefghi"]


def too_large(keyword: str, size: int, reason: str) -> tuple[Schema, Schema, tuple[str, str, int, str]]:
    """Return values of at least some size, and why none of them is found."""
    return {"type": TYPES[keyword], keyword: size}, False, (keyword, f"/{keyword}", 0, reason)


INVALID = "it is not valid under its meta-schema"
NO_PLAIN_PATTERN = f"`{TWICE}` is not a plain regular expression"
UNDECIDED: dict[str, tuple[Schema, Schema, tuple[str, str, int, str]]] = {
    "a long text": too_large("minLength", 20_001, "strings of 20001 characters exceed the limit of the search"),
    "a long array": too_large("minItems", 100_001, "arrays of 100001 items exceed the limit of the search"),
    "many different items": (
        {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "minItems": 301},
        False,
        ("uniqueItems", "/uniqueItems", 0, "more than 300 different items exceed the limit of the search"),
    ),
    "many members": too_large("minProperties", 301, "objects of 301 members exceed the limit of the search"),
    "a number of many digits": (
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1e-40},
        False,
        ("", "", 0, "none of the numbers that were tried is valid"),
    ),
    "a pattern that refers back": (
        {"type": "string", "pattern": TWICE},
        {"type": "string", "pattern": "^(aa|bb)$"},
        ("pattern", "/pattern", 0, NO_PLAIN_PATTERN),
    ),
    "a pattern that refers back, on the other side": (
        {"type": "string", "pattern": "^(a|b){2}$"},
        {"type": "string", "pattern": TWICE},
        ("pattern", "/pattern", 1, NO_PLAIN_PATTERN),
    ),
    "a long pattern that refers back": (
        {"type": "string", "pattern": TWICE + "|" + "b" * 70},
        {"type": "string", "pattern": "^(aa|bb)$"},
        ("pattern", "/pattern", 0, f"`{TWICE}|{'b' * 50}` is not a plain regular expression"),
    ),
    "a pattern of names that refers back": (
        {"type": "object", "propertyNames": {"pattern": TWICE}, "minProperties": 1},
        False,
        ("pattern", "/propertyNames/pattern", 0, NO_PLAIN_PATTERN),
    ),
    "a pattern that refers back beside listed values": (
        {"enum": ["aa", "cc"], "pattern": TWICE},
        {"const": "aa"},
        ("pattern", "/pattern", 0, "it has a back-reference, or an octal escape"),
    ),
    "a pattern of too many states": (
        {"type": "string", "minLength": 20},
        {"type": "string", "pattern": "^[ab]*b[ab]{15}$|^[ab]*a[ab]{16}$|^[^ab]*$"},
        ("pattern", "/pattern", 1, "comparing the patterns takes too many steps"),
    ),
    "a reference that depends on the way to it": (
        DYNAMIC,
        {"type": "string", "minLength": 1},
        ("$dynamicRef", "", 0, "it is not supported"),
    ),
    "a reference to itself": ({"$ref": "#"}, False, ("$ref", "", 0, "it refers to itself")),
    "unevaluated items beside many branches": (
        unevaluated("Items", POSITIONS), False, ("unevaluatedItems", "", 0, "it is not supported"),
    ),
    "unevaluated members beside many patterns": (
        unevaluated("Properties", PATTERNS), False, ("unevaluatedProperties", "", 0, "it is not supported"),
    ),
    "unevaluated members beside many levels": (
        deep(40), False, ("unevaluatedProperties", "", 0, "it is not supported"),
    ),
    "many disjoint branches": (
        {"oneOf": POSITIONS}, False, ("oneOf", "", 0, "it is not supported"),
    ),
    "many levels": (nested(49), False, ("", "", 0, "the schemas are nested more than 48 levels deep")),
    "an invalid schema": (
        {"type": "nope"}, True, ("type", "/type", 0, f'{INVALID}: `type` is "nope", which is not a JSON type'),
    ),
    "an invalid schema, on the other side": (
        TEXT,
        holding(a={"minLength": -1}),
        ("minLength", "/properties/a/minLength", 1, f"{INVALID}: `minLength` is -1, less than the minimum of 0"),
    ),
    "a reference that leads out": (
        {"$ref": "https://example.com/other"},
        False,
        ("$ref", "/$ref", 0, "a reference points outside it"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNDECIDED)
def test_what_is_not_decided_says_where_and_why(name: str) -> None:
    left, right, told = UNDECIDED[name]

    found = inclusion(left, right)

    assert (found.answer, found.keyword, found.pointer, found.document, found.reason) == ("unknown", *told)


def test_a_reason_names_the_place_that_a_rewritten_schema_comes_from() -> None:
    held: Schema = {"x-origin": "/properties/word", "type": "string", "pattern": TWICE}

    found = inclusion({"type": "array", "items": held}, {"type": "array", "items": {"pattern": "^(aa|bb)$"}})

    assert found.pointer == "/properties/word/pattern"


DEEPEST = 99


@pytest.mark.parametrize(("levels", "is_read"), [(DEEPEST, True), (DEEPEST + 1, False)])
def test_consumers_are_followed_for_a_hundred_levels(levels: int, is_read: bool) -> None:
    schema: Schema = closed(b=TEXT)
    for _ in range(levels):
        schema = {"type": "array", "items": schema}

    assert (as_consumers_read(schema).inexact == ()) is is_read


def test_a_proof_past_its_budget_says_so() -> None:
    old: Schema = {"type": "array", "items": TEXT}

    found = inclusion(old, {"type": "array", "items": {"minLength": 0}}, budget=20)

    assert (found.answer, found.reason) == ("unknown", "the proof takes more than 20 steps")


@pytest.mark.parametrize(
    "schema",
    [
        False,
        True,
        holding(a={"type": "nope"}),
        holding(a=TEXT) | {"$schema": "https://example.com/dialect"},
        holding(a=TEXT) | {"additionalProperties": "no"},
    ],
)
def test_what_no_one_can_read_or_needs_no_reading_stays_unchanged(schema: Schema) -> None:
    if schema is not True:
        assert as_callers_send(schema) == Reading(schema)
    assert as_consumers_read(schema) == Reading(schema)


REFERRING: Schema = {"$ref": "#/$defs/text"}
SPEAKING_OF_OTHERS: list[tuple[Schema, str, Schema]] = [
    *(({"type": "array", "items": closed(b=TEXT)}, keyword, {"a": REFERRING})
      for keyword in ("properties", "patternProperties")),
    *(({"type": "array", "items": closed(b=TEXT)}, keyword, REFERRING)
      for keyword in ("additionalProperties", "unevaluatedProperties")),
    (closed(b=TEXT), "prefixItems", [REFERRING]),
    *((closed(b=TEXT), keyword, REFERRING) for keyword in ("items", "contains", "unevaluatedItems")),
]  # fmt: skip


@pytest.mark.parametrize(("held", "keyword", "said"), SPEAKING_OF_OTHERS)
def test_keywords_for_another_type_are_omitted_with_their_references(held: Schema, keyword: str, said: Schema) -> None:
    schema: Schema = closed(a=held | {keyword: said}) | {"$defs": {"text": TEXT}}

    reading = as_consumers_read(schema)

    assert (reading.inexact, compile_schema(reading.schema).refusal) == ((), None)
    written: Schema = reading.schema
    assert keyword not in written["properties"]["a"]
    assert inclusion(schema, reading.schema).answer == "yes"


LARGEST: list[Schema] = [
    {"type": "string", "minLength": 20_000},
    {"type": "array", "minItems": 100_000},
    {"type": "object", "minProperties": 300},
    unevaluated("Items", POSITIONS[:300]),
    unevaluated("Properties", PATTERNS[:8]),
    deep(39),
    nested(48),
]


@pytest.mark.parametrize("schema", LARGEST)
def test_what_is_just_as_large_as_we_build_is_built(schema: Schema) -> None:
    assert inclusion(schema, False).answer == "no"


def test_references_that_are_not_followed_are_not_equal() -> None:
    other: Schema = {"$dynamicRef": "#d", "$defs": {
        "one": {"$dynamicAnchor": "d", "type": "integer"},
        "two": {"$id": "other", "$defs": {"three": {"$dynamicAnchor": "d", "type": "string"}}},
    }}  # fmt: skip

    assert [inclusion(DYNAMIC, other).answer, inclusion(other, DYNAMIC).answer] == ["unknown", "unknown"]
