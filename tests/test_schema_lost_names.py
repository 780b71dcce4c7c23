"""Properties that are gone are found however the two schemas are written."""

from __future__ import annotations

import pytest

from mcp_contracts import compare_schemas
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.lost_names import lost_names
from mcp_contracts.schema.places import Atlas
from mcp_contracts.schema.validators import Dialect

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
    "in items": (of("a", {"items": WITH_B}), {"anyOf": [of("a", {"items": OPEN})]}, ["a[].b"]),
    "in one branch of two": ({"anyOf": [of("a", OPEN), of("c", OPEN)]}, of("a", OPEN), ["c"]),
    "declared in another branch": (of("a", WITH_B), {"allOf": [of("a", OPEN), of("a", WITH_B)]}, []),
    "declared by a pattern": (of("a", WITH_B), of("a", {"patternProperties": {"^b$": {}}}), []),
    "declared by a map": (of("a", WITH_B), of("a", {"additionalProperties": {"type": "string"}}), []),
    "no object any more": (of("a", WITH_B), of("a", {"type": "string"}), []),
    "never there": (of("a", {"properties": {"b": False}}), of("a", OPEN), []),
    "only under not": ({"not": WITH_B}, OPEN, []),
}


@pytest.mark.parametrize("case", LOST)
def test_a_property_is_lost_where_no_branch_declares_it(case: str) -> None:
    old, new, lost = LOST[case]

    found = lost_names(Atlas(old, Dialect.DRAFT_2020_12), Atlas(new, Dialect.DRAFT_2020_12))

    assert [one.path for one in found] == lost


@pytest.mark.parametrize("case", [name for name, (_, _, lost) in LOST.items() if lost])
@pytest.mark.parametrize("policy", ["declared", "strict"])
@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_lost_property_breaks(case: str, policy: str, direction: str) -> None:
    old, new, _ = LOST[case]

    compared = compare_schemas(old, new, direction=direction, policy=policy)  # type: ignore[arg-type]  # of literals

    assert compared.verdict == "breaking"
    assert any(change.verdict == "breaking" for change in compared.changes)
