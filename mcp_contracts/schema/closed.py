"""A schema made so strict that a validator looks at every part of what it accepts."""

from __future__ import annotations

from mcp_contracts.contract import JsonValue

_SCALARS: tuple[JsonValue, ...] = ("string", "number", "boolean", "null")
_ONLY_INSIDE = ("properties", "items", "additionalProperties", "anyOf")
_OTHER_APPLICATORS = frozenset(
    {
        *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"),
        *("dependencies", "prefixItems", "additionalItems", "contains", "patternProperties", "propertyNames"),
        *("unevaluatedItems", "unevaluatedProperties"),
    }
)
_LEVELS = 20


def closed(schema: JsonValue, levels: int = _LEVELS) -> dict[str, JsonValue] | None:
    """A schema that accepts less, and nothing that it does not look at; None where it is not as simple as that.

    A validator does not look at what no keyword speaks of: an extra member, or an item without `items`. Here such
    members are refused, and where nothing is said only scalars are accepted. Whatever the closed schema accepts, the
    schema accepts as well; of what it refuses, nothing is known.
    """
    if not isinstance(schema, dict) or levels == 0 or not _OTHER_APPLICATORS.isdisjoint(schema):
        return None
    result = {key: value for key, value in schema.items() if key not in _ONLY_INSIDE}
    branches = schema.get("anyOf")
    if branches is not None:
        if not isinstance(branches, list) or not {"properties", "items", "additionalProperties"}.isdisjoint(schema):
            return None
        inner = [closed(branch, levels - 1) for branch in branches]
        return None if None in inner else {**result, "anyOf": list(inner)}
    types = _types(schema)
    if types is None:
        return None
    if "type" not in schema and "enum" not in schema and "const" not in schema:
        result["type"] = list(types)
    if "object" in types:
        properties = schema.get("properties", {})
        others = schema.get("additionalProperties", False)
        if not isinstance(properties, dict):
            return None
        members = {name: closed(part, levels - 1) for name, part in properties.items()}
        rest = closed(others, levels - 1) if isinstance(others, dict) else False
        if None in members.values() or rest is None:
            return None
        result |= {"properties": dict(members), "additionalProperties": rest}
    if "array" in types:
        items = closed(schema["items"], levels - 1) if "items" in schema else _only_scalars()
        if items is None:
            return None
        result["items"] = items
    return result


def _types(schema: dict[str, JsonValue]) -> tuple[JsonValue, ...] | None:
    """The types that the closed schema accepts; none for listed values, which are compared as a whole."""
    stated = schema.get("type")
    if stated is None:
        if "enum" in schema or "const" in schema:
            return None if any(keyword in schema for keyword in _ONLY_INSIDE) else ()
        return ("object",) if "properties" in schema else _SCALARS
    return tuple(stated) if isinstance(stated, list) else (stated,)


def _only_scalars() -> dict[str, JsonValue]:
    return {"type": list(_SCALARS)}
