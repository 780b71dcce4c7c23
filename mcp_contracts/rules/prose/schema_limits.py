"""The limits and values of a schema, in a form that can be compared with words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.rules.prose.statements import Bound, Counted

_CONVERSIONS = frozenset(
    (7, 12, 24, 30, 60, 100, 365, 1_000, 1_024, 1_440, 3_600, 60_000, 86_400, 3_600_000, 1_048_576, 1_000_000)
)


def plain_schema(schema: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Return the only alternative of a schema that is not null, which is how generators write optional values."""
    for keyword in ("anyOf", "oneOf") if "anyOf" in schema or "oneOf" in schema else ():
        branches = schema.get(keyword)
        if isinstance(branches, list):
            others = [one for one in branches if isinstance(one, dict) and one.get("type") != "null"]
            listed = [one for one in others if one.get("type") == "array"]
            only = others if len(others) == 1 else listed if "type" not in schema else []
            return {**only[0], **schema} if len(only) == 1 else schema
    return schema


def stated_types(schema: Mapping[str, JsonValue]) -> set[str]:
    """Return the types that a schema states, without null."""
    stated = schema.get("type")
    if isinstance(stated, str):
        return {stated} if stated != "null" else set()
    listed = stated if isinstance(stated, list) else []
    return {one for one in listed if isinstance(one, str)} - {"null"}


def counted_by(types: AbstractSet[str]) -> Iterator[tuple[Counted, str]]:
    """Yield the possible subjects of limits in words for one type, with the suffix of their keywords."""
    if types and types <= {"integer", "number"}:
        yield "number", "imum"
    elif types == {"string"}:
        yield "characters", "Length"
    elif types == {"array"}:
        yield "items", "Items"


_MOST_SAFE = 2**53 - 1
"""The limit that generators write for an integer without one."""
Limit = tuple[float, bool, JsonValue]


def limit_of(schema: Mapping[str, JsonValue], keywords: str, *, is_upper: bool) -> Limit | None:
    """Return the limit of a schema: its value, whether it is exclusive, and its text."""
    side = "max" if is_upper else "min"
    value = schema.get(f"{side}{keywords}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (float(value), False, value) if abs(value) < _MOST_SAFE else None
    exclusive = schema.get(f"exclusive{side.capitalize()}imum") if keywords == "imum" else None
    if isinstance(exclusive, int | float) and not isinstance(exclusive, bool):
        return float(exclusive), True, exclusive
    return None


def agrees(bound: Bound, limit: Limit) -> bool:
    """Whether a limit in words equals that of the schema, in any unit."""
    stated, own = bound.value, limit[0]
    if stated == own:
        return True  # descriptions seldom state whether a limit is inclusive
    if bound.is_exclusive != limit[1] and abs(stated - own) == 1:
        return True  # many integers have the type number
    ratio = max(abs(stated), abs(own)) / min(abs(stated), abs(own)) if stated and own else 0
    return bool(bound.unit) and ratio in _CONVERSIONS


def listed_texts(schema: Mapping[str, JsonValue]) -> list[str]:
    """Return the strings that a value, or an item of a list, can be; numbers as they are written."""
    if "enum" not in schema and "items" not in schema:
        return []
    items = schema.get("items")
    listed = schema.get("enum", items.get("enum") if isinstance(items, dict) else None)
    values = listed if isinstance(listed, list) and len(listed) > 1 else []
    if values and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return [f"{value:g}" for value in values if isinstance(value, int | float)]
    return [value for value in values if isinstance(value, str)]


def listed_value(schema: Mapping[str, JsonValue]) -> JsonValue:
    """Return the only value of an `enum`, if it has just one."""
    listed = schema.get("enum")
    return listed[0] if isinstance(listed, list) and len(listed) == 1 else None


def values_at(value: JsonValue, steps: Sequence[str]) -> Iterator[tuple[str, JsonValue]]:
    """Yield the values that a path of steps into a schema reaches, each with its pointer."""
    if not steps:
        yield "", value
    elif steps[0] == "items" and isinstance(value, list):
        for index, item in enumerate(value):
            yield from ((f"/{index}{at}", found) for at, found in values_at(item, steps[1:]))
    elif steps[0] == "properties" and isinstance(value, dict):
        for name, member in value.items():
            if escape(name) == steps[1]:
                yield from ((f"/{escape(name)}{at}", found) for at, found in values_at(member, steps[2:]))
