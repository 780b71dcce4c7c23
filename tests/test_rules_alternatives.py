"""The rule about values that are rejected because two alternatives of a `oneOf` accept them (MC341)."""

from __future__ import annotations

from mcp_contracts.contract import JsonValue
from mcp_contracts.rules.schemas.alternatives import overlapping_alternatives
from tests.support_schemas import DRAFT_7, found, messages, one, tool_schema, with_properties
from tests.tables import each

_TEXT: JsonValue = {"type": "string"}
_NOTE: JsonValue = {"type": "object", "properties": {"id": _TEXT}, "required": ["id"]}


def _object(kind: JsonValue, *required: str) -> JsonValue:
    return {"type": "object", "properties": {"kind": kind, "size": {"type": "integer"}}, "required": list(required)}


def _equal(number: int, other: int, example: str) -> str:
    accept = f"alternatives {number} and {other} of `oneOf` in `x` accept the same values, such as {example}"
    return f"{accept}, so all of them are rejected"


def _unused(number: int, others: str, example: str) -> str:
    return f"alternative {number} of `oneOf` in `x` can never be used: {others} all its values, such as {example}"


def _both(example: str, number: int, other: int) -> str:
    return f"{example} matches alternatives {number} and {other} of `oneOf` in `x`, so it is rejected"


@each(
    "alternatives, expected",
    [
        ([{"type": "integer"}, {"type": "number"}], [_unused(1, "alternative 2 accepts", "1")]),
        ([_TEXT, {"enum": ["a", "b"]}], [_unused(2, "alternative 1 accepts", '"a"')]),
        ([_TEXT, {}], [_unused(1, "alternative 2 accepts", '"text"')]),
        ([{"type": "string", "format": "date"}, _TEXT], [_unused(1, "alternative 2 accepts", '"2026-01-31"')]),
        ([_TEXT, {"type": "string", "title": "A name"}], [_equal(1, 2, '"text"')]),
        ([{"const": "a"}, {"const": "b"}, {"const": "a"}], [_equal(1, 3, '"a"')]),
        ([{"type": ["string", "null"]}, {"type": ["integer", "null"]}], [_both("null", 1, 2)]),
        ([{"type": "string", "maxLength": 2}, {"type": "string", "minLength": 2}], [_both('"xx"', 1, 2)]),
        (
            [{"type": ["string", "null"]}, _TEXT, {"type": "null"}],
            [
                _unused(1, "the others accept", '"a"'),
                _unused(2, "alternative 1 accepts", '"a"'),
                _unused(3, "alternative 1 accepts", "null"),
            ],
        ),
        (
            [_NOTE, {"type": "object", "properties": {"id": _TEXT, "page": _TEXT}, "required": ["id", "page"]}],
            [_unused(2, "alternative 1 accepts", '{"id": "text", "page": "text"}')],
        ),
    ],
)
def test_alternatives_that_take_values_from_each_other_are_reported(
    alternatives: list[JsonValue], expected: list[str]
) -> None:
    assert messages(overlapping_alternatives, with_properties(x={"oneOf": alternatives})) == expected


@each(
    "schema",
    [
        {"oneOf": [_TEXT, {"type": "null"}]},
        {"oneOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]},
        {"oneOf": [_object({"const": "a"}, "kind"), _object({"const": "b"}, "kind"), _object({"enum": ["c"]}, "kind")]},
        {"oneOf": [_object({"const": "a"}), _object({"const": "b"})]},  # open objects, whose tag is optional
        {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},  # exactly one of them
        {"type": "object", "oneOf": [{}, {"required": ["a", "b"]}]},  # not both
        {"oneOf": [{"type": "array", "items": _TEXT}, {"type": "array", "items": {"type": "integer"}}]},
        {"type": "integer", "oneOf": [{"multipleOf": 3}, {"multipleOf": 5}]},
        {"oneOf": [{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]},
        {"oneOf": [{"type": "string", "format": "date"}, {"type": "string", "maxLength": 3}]},
        {"type": "string", "oneOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}]},
        {"type": "string", "allOf": [{"oneOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}]}]},
        {"not": {"oneOf": [{"type": "integer"}, {"type": "number"}]}},
        {"oneOf": [{"type": "integer"}]},
        {"oneOf": [False, _TEXT]},
        {"oneOf": [{"type": "number"}, {"$ref": "#/$defs/missing"}]},
        {"oneOf": [{"type": "integer"}] * 9},  # too many
    ],
    ids=str,
)
def test_alternatives_that_may_be_meant_are_not_reported(schema: JsonValue) -> None:
    assert messages(overlapping_alternatives, with_properties(x=schema)) == []


def test_a_reference_is_followed_and_the_finding_is_at_its_alternative() -> None:
    schema: JsonValue = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/either"}},
        "$defs": {"size": {"type": "integer"}, "either": {"oneOf": [{"type": "number"}, {"$ref": "#/$defs/size"}]}},
    }

    finding = one(overlapping_alternatives, tool_schema(schema))

    assert finding.pointer == "/$defs/either/oneOf/1"
    assert finding.hint == "write `anyOf`, or exclude these values from alternative 1"


def test_the_siblings_of_a_reference_mean_nothing_in_draft_7() -> None:
    either: JsonValue = {"$ref": "#/definitions/any", "oneOf": [{"type": "integer"}, {"type": "number"}]}
    schema: dict[str, JsonValue] = {"type": "object", "properties": {"x": either}, "definitions": {"any": {}}}

    assert len(found(overlapping_alternatives, tool_schema(schema))) == 1
    assert not found(overlapping_alternatives, tool_schema({"$schema": DRAFT_7, **schema}))
