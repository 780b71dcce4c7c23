"""Schemas for everything that equals a value after undeclared names are dropped."""

from __future__ import annotations

from collections.abc import Callable, Container

from mcp_contracts.comparison.declared.places import Place, PlaceTree
from mcp_contracts.contract import JsonValue


def equal_without_names(
    tree: PlaceTree,
    dropping: Container[Place],
    count: Callable[[], None],
    undeclared: Callable[[Place], JsonValue],
    place: Place,
    value: JsonValue,
) -> JsonValue:
    """Return a schema for values that equal a value once undeclared names are dropped, at a place and inside it.

    `count` is called for each subschema that is written, and may raise. `undeclared` returns the schema of the names
    that a place does not declare.
    """
    if place not in dropping or not isinstance(value, dict | list):
        count()
        return {"const": value}
    if isinstance(value, list):
        count()
        items: list[JsonValue] = [
            equal_without_names(tree, dropping, count, undeclared, tree.item(place, index), item)
            for index, item in enumerate(value)
        ]
        first = {"items" if tree.is_draft_7 else "prefixItems": items} if items else {}
        return {"type": "array", "minItems": len(items), "maxItems": len(items), **first}
    if not all(tree.declares(place, name) for name in value):
        return False
    count()
    declared = tree.declared(place)
    properties = {
        name: equal_without_names(tree, dropping, count, undeclared, tree.named(place, name), item)
        for name, item in value.items()
    }
    equal: dict[str, JsonValue] = {"type": "object", "required": list(value), "properties": {**properties}}
    if declared.every:
        equal["additionalProperties"] = False
    else:
        equal["propertyNames"] = {"anyOf": [{"enum": list(value)}, undeclared(place)]}
    return equal
