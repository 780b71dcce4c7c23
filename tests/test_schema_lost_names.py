"""Properties that are gone are found however the two schemas are written."""

from __future__ import annotations

import pytest

from mcp_contracts import compare_schemas
from mcp_contracts.change import Policy
from mcp_contracts.changes.schemas import SchemaDirection
from mcp_contracts.comparison.declared.lost_names import find_losses, lost_names
from mcp_contracts.comparison.declared.places import PlaceTree
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.dialects import Dialect
from tests.tables import each

OPEN: JsonValue = {"type": "object"}
WITH_B: JsonValue = {"type": "object", "properties": {"b": {"type": "string"}}}


def of(name: str, schema: JsonValue) -> JsonValue:
    """An object with one property."""
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

    found = lost_names(PlaceTree(old, Dialect.DRAFT_2020_12), PlaceTree(new, Dialect.DRAFT_2020_12))

    assert [one.path for one in found if one.has_object] == lost


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
def test_a_loss_that_no_fact_tells_breaks_where_every_value_is_accepted(policy: str) -> None:
    old: JsonValue = of("a", {"anyOf": [{"items": WITH_B}, {"items": OPEN}]})
    new: JsonValue = of("a", {"allOf": [{"items": OPEN}]})

    compared = compare_schemas(old, new, policy=policy)  # type: ignore[arg-type]  # of literals

    assert [change.message for change in compared.changes if change.verdict == "breaking"] == ["`a[].b` was removed"]


def test_a_property_that_no_value_can_hold_is_not_a_loss() -> None:
    endless: JsonValue = {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"]}
    old: JsonValue = of("b", {"$ref": "#/$defs/A", "properties": {"c": {}}}) | {"$defs": {"A": endless}}  # type: ignore[operator]  # both are objects

    compared = compare_schemas(old, of("b", OPEN))

    assert compared.verdict == "compatible"


def test_a_type_that_nobody_knows_has_no_object() -> None:
    unknown: JsonValue = {"type": "strnig", "properties": {"a": {}}}

    assert find_losses(unknown, {"type": "object"}).names == ()
    assert find_losses(WITH_B, unknown).names == ()


AMBIGUOUS: dict[str, JsonValue] = {
    "$dynamicAnchor": "n",
    "$defs": {"x": {"$id": "x", "$dynamicAnchor": "n"}, "y": {"$id": "y", "$dynamicAnchor": "n"}},
}
"""Several schemas that `{"$dynamicRef": "#n"}` may lead to."""


@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_removed_property_breaks_beside_a_reference_that_cannot_be_followed(direction: SchemaDirection) -> None:
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
def test_a_removed_property_breaks_beside_an_external_reference(direction: SchemaDirection, policy: Policy) -> None:
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
