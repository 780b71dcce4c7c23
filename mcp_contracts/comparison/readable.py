"""Two schemas without the properties that cannot be read, so that the rest of them can be compared."""

from __future__ import annotations

from copy import deepcopy

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import unescape
from mcp_contracts.schema.validation.compiled import RefusalKind
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.walk import subschemas

_MOST_PROPERTIES = 20
"""The maximum number of properties that are left out."""


def without_unread(accepting: JsonValue, rejecting: JsonValue) -> tuple[JsonValue, JsonValue] | None:
    """Return both schemas with `false` for each property that cannot be read on one side; None if that is impossible.

    A value that the first result accepts has none of these properties. If the second result rejects it, so does the
    second schema, whatever the properties mean. A break that the results prove is therefore one of the schemas.
    """
    accepting, rejecting = deepcopy(accepting), deepcopy(rejecting)
    for _ in range(_MOST_PROPERTIES):
        refusals = (compile_schema(schema).refusal for schema in (accepting, rejecting))
        refusal = next((one for one in refusals if one is not None), None)
        if refusal is None:
            is_sound = _refer_to_definitions(accepting) and _refer_to_definitions(rejecting)
            return (accepting, rejecting) if is_sound else None
        path = _property_at(refusal.pointer)
        if refusal.kind is RefusalKind.TOO_LARGE or path is None:
            return None
        properties, others = _properties(accepting, path), _properties(rejecting, path)
        if properties is None:
            return None
        properties[path[-1]] = False
        if others is not None and path[-1] in others:
            others[path[-1]] = False
    return None


def _refer_to_definitions(schema: JsonValue) -> bool:
    """Whether no reference leads to a property that may have been left out."""
    references = (node.value.get(word, "#/$defs/") for node in subschemas(schema) for word in ("$ref", "$dynamicRef"))
    return all(isinstance(one, str) and one.startswith(("#/$defs/", "#/definitions/")) for one in references)


def _property_at(pointer: str) -> tuple[str, ...] | None:
    """Return the path to the innermost property around a pointer that is only below properties and items."""
    steps, found, at = pointer.split("/")[1:], None, 0
    while at < len(steps):
        if steps[at] == "properties" and at + 1 < len(steps):
            at += 2
            found = (*map(unescape, steps[:at]),)
        elif steps[at] == "items":
            at += 1
        else:
            break
    return found


def _properties(schema: JsonValue, path: tuple[str, ...]) -> dict[str, JsonValue] | None:
    """Return the `properties` that have or may have the last name of a path."""
    for step in path[:-2]:
        if not isinstance(schema, dict) or step not in schema:
            return None
        schema = schema[step]
    held = schema.setdefault("properties", {}) if isinstance(schema, dict) else None
    return held if isinstance(held, dict) else None
