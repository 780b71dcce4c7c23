"""Close a schema, so that a validator checks every part of the values that it accepts."""

from __future__ import annotations

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple
from mcp_contracts.schema.vocabulary import IN_PLACE, INSIDE


class ClosedSchema(NamedTuple):
    """A closed schema, and the names of the root's properties that may be arrays."""

    schema: dict[str, JsonValue]
    arrays: tuple[str, ...]


_SCALARS: tuple[JsonValue, ...] = ("string", "number", "boolean", "null")
_ONLY_INSIDE = ("properties", "items", "additionalProperties", "anyOf")
_OTHER_APPLICATORS = frozenset((*IN_PLACE, *INSIDE, "$recursiveRef")) - set(_ONLY_INSIDE)
_LEVELS = 20


def close_schema(schema: JsonValue) -> ClosedSchema | None:
    """Return a schema that accepts fewer values and checks every part of them; None if the schema is not simple enough.

    A validator does not check parts without a keyword: an extra member, or an item without `items`. The closed schema
    rejects such members, and accepts only scalars where the schema has no constraints. The schema accepts every value
    that the closed schema accepts; a rejection by the closed schema proves nothing.

    Arrays are only allowed as properties of the root and do not contain arrays, and objects do not have members with
    arbitrary names, so that evaluating a value is as fast as building it, even if it contains itself or repeats a row.
    """
    if not isinstance(schema, dict) or "anyOf" in schema or _types(schema) != ("object",):
        return None
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        return None
    members: dict[str, JsonValue] = {}
    arrays = []
    for name, part in properties.items():
        if isinstance(part, dict) and "array" in (_types(part) or ()):
            arrays.append(name)
        member = _close(part, _LEVELS, may_be_array=True)
        if member is None:
            return None
        members[name] = member
    whole = _close({**schema, "properties": {}}, 1)
    return None if whole is None else ClosedSchema({**whole, "properties": members}, tuple(arrays))


def _close(schema: JsonValue, levels: int, *, may_be_array: bool = False) -> dict[str, JsonValue] | None:
    if not isinstance(schema, dict) or levels == 0 or not _OTHER_APPLICATORS.isdisjoint(schema):
        return None
    result = {key: value for key, value in schema.items() if key not in _ONLY_INSIDE}
    branches = schema.get("anyOf")
    if branches is not None:
        if not isinstance(branches, list) or any(keyword in schema for keyword in _ONLY_INSIDE[:3]):
            return None
        inner = [_close(branch, levels - 1) for branch in branches]
        return None if None in inner else {**result, "anyOf": list(inner)}
    types = _types(schema)
    if types is None or ("array" in types and not may_be_array):
        return None
    if "type" not in schema and "enum" not in schema and "const" not in schema:
        result["type"] = list(types)
    if "object" in types:
        properties = schema.get("properties", {})
        if not isinstance(properties, dict) or isinstance(schema.get("additionalProperties"), dict):
            return None
        members = {name: _close(part, levels - 1) for name, part in properties.items()}
        if None in members.values():
            return None
        result |= {"properties": dict(members), "additionalProperties": False}
    if "array" in types:
        items = _close(schema["items"], levels - 1) if "items" in schema else {"type": list(_SCALARS)}
        if items is None:
            return None
        result["items"] = dict(items)
    return result


def _types(schema: dict[str, JsonValue]) -> tuple[JsonValue, ...] | None:
    """Return the types that the closed schema accepts; empty for enumerated values, which are compared as a whole."""
    stated = schema.get("type")
    if stated is None:
        if "enum" in schema or "const" in schema:
            return None if any(keyword in schema for keyword in _ONLY_INSIDE) else ()
        return ("object",) if "properties" in schema else _SCALARS
    return tuple(stated) if isinstance(stated, list) else (stated,)
