"""Schemas of what equals a value once the names that its places do not declare are dropped."""

from __future__ import annotations

from collections.abc import Container

from mcp_contracts.comparison.declared.name_schemas import undeclared_names
from mcp_contracts.comparison.declared.places import Place, PlaceTree
from mcp_contracts.contract import JsonValue


def equal_once_dropped(tree: PlaceTree, dropping: Container[Place], value: JsonValue, place: Place) -> JsonValue:
    """A schema of what equals a value once names are dropped, at a place and inside of it."""
    if place not in dropping or not isinstance(value, dict | list):
        return {"const": value}
    if isinstance(value, list):
        items: list[JsonValue] = [
            equal_once_dropped(tree, dropping, item, tree.item(place, index)) for index, item in enumerate(value)
        ]
        first = {"items" if tree.is_draft_7 else "prefixItems": items} if items else {}
        return {"type": "array", "minItems": len(items), "maxItems": len(items), **first}
    if not all(tree.declares(place, name) for name in value):
        return False
    declared = tree.declared(place)
    properties = {
        name: equal_once_dropped(tree, dropping, item, tree.named(place, name)) for name, item in value.items()
    }
    equal: dict[str, JsonValue] = {"type": "object", "required": list(value), "properties": {**properties}}
    if declared.every:
        equal["additionalProperties"] = False
    else:
        equal["propertyNames"] = {"anyOf": [{"enum": list(value)}, undeclared_names(declared)]}
    return equal
