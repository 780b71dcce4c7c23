"""Removed properties are found in any notation of the two schemas."""

from __future__ import annotations

import pytest

from mcp_contracts import compare_schemas
from mcp_contracts.change import Policy
from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.comparison.declared.lost_names import find_losses
from mcp_contracts.contract import JsonValue
from tests.tables import each

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
OPEN: JsonValue = {"type": "object"}
WITH_B: JsonValue = {"type": "object", "properties": {"b": {"type": "string"}}}


def of(name: str, schema: JsonValue) -> JsonValue:
    """Return an object with one property."""
    return {"type": "object", "properties": {name: schema}}


LOST: dict[str, tuple[JsonValue, JsonValue, list[str]]] = {
    "into allOf": (of("a", WITH_B), {"allOf": [of("a", OPEN), {"properties": {"b": {"type": "integer"}}}]}, ["a.b"]),
    "out of allOf": ({"allOf": [of("a", WITH_B)]}, of("a", OPEN), ["a.b"]),
    "behind a reference": (
        of("a", {"$ref": "#/$defs/A"}) | {"$defs": {"A": WITH_B}},  # type: ignore[operator]  # both are objects
        {"allOf": [of("a", OPEN)]},
        ["a.b"],
    ),
    "in a map": ({"additionalProperties": WITH_B}, {"additionalProperties": OPEN}, ["*.b"]),
    "in a map of a property": (
        of("a", {"additionalProperties": WITH_B}),
        of("a", {"additionalProperties": OPEN}),
        ["a.*.b"],
    ),
    "in items": (of("a", {"items": WITH_B}), {"anyOf": [of("a", {"items": OPEN})]}, ["a[].b"]),
    "in an item at a position, in draft-07": (
        {**of("a", {"items": [WITH_B]}), "$schema": DRAFT_07},  # type: ignore[dict-item]  # an object
        {**of("a", {"items": [OPEN]}), "$schema": DRAFT_07},  # type: ignore[dict-item]
        ["a[0].b"],
    ),
    "in one branch of two": ({"anyOf": [of("a", OPEN), of("c", OPEN)]}, of("a", OPEN), ["c"]),
    "declared in another branch": (of("a", WITH_B), {"allOf": [of("a", OPEN), of("a", WITH_B)]}, []),
    "declared by a pattern": (of("a", WITH_B), of("a", {"patternProperties": {"^b$": {}}}), []),
    "declared by a map": (of("a", WITH_B), of("a", {"additionalProperties": {"type": "string"}}), []),
    "in a free-form map": (of("a", WITH_B), {"type": "object", "additionalProperties": True}, []),
    "in a free-form map, two levels deep": (of("c", of("a", WITH_B)), {"additionalProperties": True}, []),
    "in a free-form map in allOf": ({"allOf": [of("a", WITH_B)]}, {"additionalProperties": True}, []),
    "beside an open object with properties": (
        of("a", WITH_B), {"properties": {"c": True}, "additionalProperties": True}, ["a"],
    ),
    "under every name of a map": (
        {"type": "object", "additionalProperties": WITH_B},
        {"type": "object", "additionalProperties": OPEN},
        ["*.b"],
    ),
    "under a name of a map": (
        {"type": "object", "additionalProperties": WITH_B},
        {"type": "object", "properties": {"a": OPEN}, "additionalProperties": WITH_B},
        ["*.b"],
    ),
    "under names that a pattern matches": (
        {"type": "object", "patternProperties": {"^x-": WITH_B}},
        {"allOf": [{"type": "object", "patternProperties": {"^x-": OPEN}}]},
        ["*.b"],
    ),
    "under names of a map, and refused": (
        {"type": "object", "additionalProperties": WITH_B}, {"type": "object", "additionalProperties": False}, [],
    ),
    "no object any more": (of("a", WITH_B), of("a", {"type": "string"}), []),
    "never there": (of("a", {"properties": {"b": False}}), of("a", OPEN), []),
    "in a value that looks like a schema": (
        of("a", {"const": {"properties": {"b": {}}}, "properties": {"properties": {}}}),
        of("a", {"properties": {"properties": {}}}),
        [],
    ),
    "only under not": ({"not": WITH_B}, OPEN, []),
}  # fmt: skip


@each("case", LOST)
def test_a_property_is_lost_where_no_branch_declares_it(case: str) -> None:
    old, new, lost = LOST[case]

    found = find_losses(old, new)

    assert [one.path for one in found.names] == lost


@each("case", [name for name, (_, _, lost) in LOST.items() if lost])
@each("policy", ["declared", "strict"])
@each("direction", ["input", "output"])
def test_a_lost_property_breaks(case: str, policy: str, direction: str) -> None:
    old, new, _ = LOST[case]

    compared = compare_schemas(old, new, direction=direction, policy=policy)  # type: ignore[arg-type]  # of literals

    assert compared.verdict == "breaking"
    assert any(change.verdict == "breaking" for change in compared.changes)


def test_a_property_under_not_is_not_a_loss() -> None:
    old, new = OPEN | {"not": WITH_B}, OPEN | {"not": {"type": "object", "properties": {"c": {}}}}  # type: ignore[operator]  # both are objects

    compared = compare_schemas(old, new, policy="declared")

    assert [change.verdict for change in compared.changes if change.message == "`b` in `not` was removed"] == [
        "compatible"
    ]


def test_a_property_where_no_object_can_be_is_not_a_loss() -> None:
    array: JsonValue = {"type": "array", "properties": {"b": {"type": "string"}}}

    compared = compare_schemas(of("a", array), of("a", {"type": "array"}), policy="declared")

    assert compared.verdict == "compatible"


@pytest.mark.parametrize("policy", ["declared", "strict"])
def test_a_loss_without_a_fact_breaks_if_every_value_is_accepted(policy: str) -> None:
    old: JsonValue = of("a", {"anyOf": [{"items": WITH_B}, {"items": OPEN}]})
    new: JsonValue = of("a", {"allOf": [{"items": OPEN}]})

    compared = compare_schemas(old, new, policy=policy)  # type: ignore[arg-type]  # of literals

    assert [change.message for change in compared.changes if change.verdict == "breaking"] == ["`a[].b` was removed"]


def test_a_property_that_no_value_can_hold_is_not_a_loss() -> None:
    endless: JsonValue = {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"]}
    old: JsonValue = of("b", {"$ref": "#/$defs/A", "properties": {"c": {}}}) | {"$defs": {"A": endless}}  # type: ignore[operator]  # both are objects

    compared = compare_schemas(old, of("b", OPEN))

    assert compared.verdict == "compatible"


TEXT: JsonValue = {"type": "string"}
NOTHING: JsonValue = {"$ref": "#/$defs/N"}
ENDLESS: dict[str, JsonValue] = {"$defs": {"N": {"required": ["n"], "type": "object", "properties": {"n": NOTHING}}}}
INNER: JsonValue = {"$ref": "#/$defs/A"}
IMPOSSIBLE: dict[str, tuple[JsonValue, JsonValue]] = {
    "where no property is allowed": (of("a", TEXT) | {"maxProperties": 0}, {"maxProperties": 0}),  # type: ignore[operator]  # both are objects
    "where a branch allows only its own": (
        of("a", TEXT) | {"allOf": [{"unevaluatedProperties": False}]},  # type: ignore[operator]
        {"type": "object", "maxProperties": 0},
    ),
    "that the schema of names rejects": (of("a", TEXT) | {"propertyNames": {"maxLength": 0}}, OPEN),  # type: ignore[operator]
    "beside required ones": ({"properties": {"a": TEXT}, "required": ["b"], "maxProperties": 1}, {"required": ["b"]}),
    "beside a condition": ({"properties": {"a": TEXT}, "not": {"required": ["a"]}}, {"not": {"required": ["a"]}}),
    "in items": ({"items": {"maxProperties": 0, **of("a", TEXT)}}, {"items": {}}),  # type: ignore[dict-item]
    "in a map": ({"additionalProperties": {"maxProperties": 0, **of("a", TEXT)}}, {"additionalProperties": True}),  # type: ignore[dict-item]
    "in an array without items": ({"maxItems": 0, "items": of("a", TEXT)}, {"maxItems": 0, "items": {}}),
    "inside of one": (of("b", of("a", TEXT)) | {"maxProperties": 0}, of("b", OPEN) | {"maxProperties": 0}),  # type: ignore[operator]
    "in draft-07": (
        {"$schema": "http://json-schema.org/draft-07/schema#", "maxProperties": 0, "properties": {"a": TEXT}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "maxProperties": 0},
    ),
}  # fmt: skip


@each("case", IMPOSSIBLE)
@each("direction", ["input", "output"])
def test_a_property_that_no_accepted_value_has_is_not_removed(case: str, direction: SchemaDirection) -> None:
    old, new = IMPOSSIBLE[case]

    compared = compare_schemas(old, new, direction=direction)

    assert not [one.message for one in compared.changes if one.verdict == "breaking" and one.witness is None]


POSSIBLE: dict[str, tuple[JsonValue, JsonValue]] = {
    "where one property is allowed": ({"maxProperties": 1, "properties": {"a": TEXT}}, {"maxProperties": 1}),
    "that the schema of names accepts": (
        {"propertyNames": {"maxLength": 1}, "properties": {"a": TEXT}}, {"propertyNames": {"maxLength": 1}},
    ),
    "in a schema of two places, one of which is impossible": (
        {
            "properties": {"x": {"allOf": [NOTHING], "properties": {"i": INNER}}, "y": {"properties": {"i": INNER}}},
            "$defs": {**ENDLESS["$defs"], "A": of("a", TEXT)},  # type: ignore[dict-item]  # an object
        },
        {"properties": {"x": {"properties": {"i": {}}}, "y": {"properties": {"i": {}}}}},
    ),
    "in a schema of two names, one of which is rejected": (
        {"properties": {"x": INNER, "y": INNER}, "propertyNames": {"const": "y"}, "$defs": {"A": of("a", TEXT)}},
        {"properties": {"x": {}, "y": {}}, "propertyNames": {"const": "y"}},
    ),
    "in a recursive schema": (
        {"properties": {"n": {"$ref": "#"}, "a": {"properties": {"b": TEXT}}}, "required": ["a"]},
        {"properties": {"n": {"$ref": "#"}, "a": {}}, "required": ["a"]},
    ),
    "beside a pattern that cannot be decided": (
        {"properties": {"a": TEXT}, "propertyNames": {"pattern": r"^(a|b)(?!c)"}},
        {"propertyNames": {"pattern": r"^(a|b)(?!c)"}},
    ),
}  # fmt: skip


@each("case", POSSIBLE)
@each("direction", ["input", "output"])
def test_a_property_that_some_value_may_have_is_removed(case: str, direction: SchemaDirection) -> None:
    old, new = POSSIBLE[case]

    compared = compare_schemas(old, new, direction=direction)

    assert compared.verdict == "breaking"


def test_an_unknown_type_has_no_object() -> None:
    unknown: JsonValue = {"type": "strnig", "properties": {"a": {}}}

    assert find_losses(unknown, {"type": "object"}).names == ()
    assert find_losses(WITH_B, unknown).names == ()


AMBIGUOUS: dict[str, JsonValue] = {
    "$dynamicAnchor": "n",
    "$defs": {"x": {"$id": "x", "$dynamicAnchor": "n"}, "y": {"$id": "y", "$dynamicAnchor": "n"}},
}
"""Several schemas that `{"$dynamicRef": "#n"}` may lead to."""


@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_removed_property_breaks_next_to_a_reference_that_cannot_be_followed(direction: SchemaDirection) -> None:
    branch: JsonValue = {"$dynamicRef": "#n"}
    kept: dict[str, JsonValue] = {"type": "object", "properties": {"c": branch}, **AMBIGUOUS}
    old = kept | {"properties": {"b": {"type": "integer"}, "c": branch}}

    compared = compare_schemas(old, kept, direction=direction)

    assert {change.message: change.verdict for change in compared.changes}["`b` was removed"] == "breaking"


def test_a_property_that_such_a_reference_may_declare_is_unknown() -> None:
    new: JsonValue = {"type": "object", "properties": {}, "allOf": [{"$dynamicRef": "#n"}], **AMBIGUOUS}

    compared = compare_schemas(WITH_B, new)

    assert {change.message: change.verdict for change in compared.changes}["`b` was removed"] == "unknown"


def test_schemas_with_keywords_of_2020_12_are_not_read_as_draft_7() -> None:
    old: JsonValue = of("a", {"$dynamicRef": "#nowhere"})

    assert compare_schemas(old, of("a", {})).verdict == "unknown"


REMOTE: JsonValue = {"$ref": "https://example.org/schema.json"}


@pytest.mark.parametrize("direction", ["input", "output"])
@pytest.mark.parametrize("policy", ["declared", "strict"])
def test_a_removed_property_breaks_next_to_an_external_reference(direction: SchemaDirection, policy: Policy) -> None:
    old: JsonValue = {"type": "object", "properties": {"b": {"type": "integer"}, "c": REMOTE}}

    compared = compare_schemas(old, of("c", REMOTE), direction=direction, policy=policy)

    assert compared.verdict == "breaking"
    assert "`b` was removed" in [change.message for change in compared.changes if change.verdict == "breaking"]


@pytest.mark.parametrize(
    "new", [REMOTE, {"allOf": [REMOTE]}, {"properties": {}, "anyOf": [{"required": ["b"]}, REMOTE]}]
)
def test_a_property_that_an_external_schema_may_declare_is_unknown(new: JsonValue) -> None:
    compared = compare_schemas(WITH_B, new)

    assert compared.verdict == "unknown"
    assert not [change for change in compared.changes if change.verdict == "breaking"]


def test_a_dynamic_reference_to_the_only_anchor_of_its_name_is_followed() -> None:
    def tree(number: JsonValue) -> JsonValue:
        return {"$dynamicAnchor": "n", "properties": {"value": number, "next": {"$dynamicRef": "#n"}}}

    compared = compare_schemas(tree({"type": "integer", "minimum": 0}), tree({"type": "integer"}))

    assert compared.verdict == "compatible"
