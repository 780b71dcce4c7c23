"""Merge schemas that apply together into one equivalent schema without `allOf`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.simple import as_list, one_or_more, properties_of, value_key
from mcp_contracts.schema.vocabulary import CONSTRAINTS, DEPENDENT, NAMING, REFERENCES, UNEVALUATED, names

Schema = dict[str, JsonValue]

_SILENT = NAMING - {"$dynamicAnchor", "$vocabulary"}
_GREATEST = frozenset(names(bound="least")) - DEPENDENT
_LEAST = frozenset(names(bound="most")) - DEPENDENT
_BOTH = frozenset(("items", "propertyNames"))
_OBJECT = frozenset(("properties", "patternProperties", "additionalProperties"))
_TOGETHER: tuple[frozenset[str], ...] = (
    frozenset(("if", "then", "else")),
    frozenset(("contains", "minContains", "maxContains")),
    frozenset(("items", "prefixItems", "additionalItems")),
)
"""Groups of keywords that depend on each other. Two schemas that both have keywords of a group cannot be merged."""
_UNMERGED = frozenset((*REFERENCES, *UNEVALUATED))
_MAXIMUM_BRANCHES = 64


def merge(first: Schema, second: Schema) -> Schema | None:
    """Return a schema that accepts exactly the values that both accept, or None if it cannot be expressed.

    Two schemas for the same property or item become an `allOf` there, which can be merged next.
    """
    if not _UNMERGED.isdisjoint(first) or not _UNMERGED.isdisjoint(second):
        return None
    if isinstance(first.get("items"), list) or isinstance(second.get("items"), list):
        return None  # a draft-07 tuple
    for group in _TOGETHER:
        if not group.isdisjoint(first) and not group.isdisjoint(second):
            only_items = group & (first.keys() | second.keys()) == {"items"}
            same = all(_is_same(first.get(key), second.get(key)) for key in group)
            if not only_items and not same:
                return None
    result: Schema = {key: value for key, value in first.items() if key not in _OBJECT}
    for key, value in second.items():
        if key in _OBJECT:
            continue
        if key not in result:
            result[key] = value
            continue
        found = _both(key, result[key], value)
        if found is None:
            return None
        result[key] = found[0]
    if "const" in result and "enum" in result:
        constants = _shared_values([result.pop("const")], as_list(result["enum"]))
        if not constants:
            return None
        result["enum"] = constants
    properties = _properties(first, second)
    if properties is None:
        return None
    required = [name for name in as_list(result.get("required")) if isinstance(name, str)]
    if any(properties_of(properties).get(name) is False for name in required):
        return None
    return {**result, **properties}


def dropped_annotations(first: Schema, second: Schema) -> list[str]:
    """Return the annotations and unknown keywords of the second schema that `merge` drops in favor of the first."""
    return [
        key
        for key, value in second.items()
        if key in first and not _is_same(first[key], value) and _is_dropped(key) and key not in _SILENT
    ]


def conjunction(schemas: list[JsonValue]) -> JsonValue:
    """Return the conjunction of schemas: `allOf`, or a simpler schema."""
    some: list[JsonValue] = []
    for schema in schemas:
        if schema is False:
            return False
        if schema is not True and schema != {} and not any(_is_same(schema, other) for other in some):
            some.append(schema)
    if len(some) < 2:
        return some[0] if some else True
    return {"allOf": some}


def _both(key: str, one: JsonValue, two: JsonValue) -> tuple[JsonValue] | None:
    """Return the combined value of a keyword in two schemas, or None if one value cannot express it."""
    if _is_same(one, two):
        return (one,)
    if key == "description":
        return (f"{one} {two}",)
    if key in _RULES:
        return _RULES[key](one, two)
    return (one,) if _is_dropped(key) else None


def _is_dropped(key: str) -> bool:
    """Whether a keyword constrains nothing, so that its value in the first schema can be kept."""
    return key != "description" and key not in CONSTRAINTS


def _types(one: JsonValue, two: JsonValue) -> tuple[JsonValue] | None:
    mine, theirs = one_or_more(one), one_or_more(two)
    shared: list[JsonValue] = [name for name in mine if name in theirs or (name == "integer" and "number" in theirs)]
    shared.extend(name for name in theirs if name == "integer" and "number" in mine and name not in shared)
    if not shared:
        return None
    return (shared[0] if len(shared) == 1 else shared,)


def _enums(one: JsonValue, two: JsonValue) -> tuple[JsonValue] | None:
    shared = _shared_values(as_list(one), as_list(two))
    return (shared,) if shared else None


def _unions(one: JsonValue, two: JsonValue) -> tuple[JsonValue] | None:
    mine = as_list(one)
    return ([*mine, *(name for name in as_list(two) if name not in mine)],)


def _cross(one: JsonValue, two: JsonValue) -> tuple[JsonValue] | None:
    mine, theirs = as_list(one), as_list(two)
    if len(mine) * len(theirs) > _MAXIMUM_BRANCHES:
        return None
    return ([conjunction([first, second]) for first in mine for second in theirs],)


_RULES: Mapping[str, Callable[[JsonValue, JsonValue], tuple[JsonValue] | None]] = {
    **dict.fromkeys(_GREATEST, lambda one, two: (max(one, two, key=_number),)),
    **dict.fromkeys(_LEAST, lambda one, two: (min(one, two, key=_number),)),
    **dict.fromkeys(_BOTH, lambda one, two: (conjunction([one, two]),)),
    "type": _types,
    "enum": _enums,
    "required": _unions,
    "allOf": _unions,
    "anyOf": _cross,
    "not": lambda one, two: ({"anyOf": [one, two]},),
    "uniqueItems": lambda one, two: (one is True or two is True,),
}


def _properties(first: Schema, second: Schema) -> Schema | None:
    """Return the combined property keywords of two schemas, or None if `patternProperties` prevents that."""
    if _OBJECT.isdisjoint(first):
        return {key: second[key] for key in second if key in _OBJECT}
    if _OBJECT.isdisjoint(second):
        return {key: first[key] for key in first if key in _OBJECT}
    if "patternProperties" in first or "patternProperties" in second:
        return None
    mine, theirs = properties_of(first), properties_of(second)
    rest_of_first, rest_of_second = first.get("additionalProperties", True), second.get("additionalProperties", True)
    names = [*mine, *(name for name in theirs if name not in mine)]
    properties: Schema = {}
    for name in names:
        properties[name] = conjunction([mine.get(name, rest_of_first), theirs.get(name, rest_of_second)])
    result: Schema = {"properties": properties} if names or "properties" in first or "properties" in second else {}
    if "additionalProperties" in first or "additionalProperties" in second:
        result["additionalProperties"] = conjunction([rest_of_first, rest_of_second])
    return result


def _shared_values(mine: list[JsonValue], theirs: list[JsonValue]) -> list[JsonValue]:
    keys = {value_key(value) for value in theirs}
    return [value for value in mine if value_key(value) in keys]


def _is_same(one: JsonValue, two: JsonValue) -> bool:
    return one is two or (one == two and json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True))


def _number(value: JsonValue) -> float:
    return value if isinstance(value, int | float) else 0
