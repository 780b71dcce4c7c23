"""Equality of JSON values of any depth."""

from __future__ import annotations

import marshal
from collections.abc import Iterator

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.simple import value_key


def json_key(value: JsonValue) -> object:
    """Return a key that is equal for values that JSON Schema treats as equal; like `value_key`, but for any depth."""
    return tuple(_tokens(value)) if isinstance(value, list | dict) else _scalar_key(value)


def same_json(old: JsonValue, new: JsonValue) -> bool:
    """Whether two values are equal: 1 equals 1.0 but not true, and the order of object keys is ignored."""
    if isinstance(old, dict) and isinstance(new, dict) and len(old) == len(new) > 1 and _are_written_alike(old, new):
        return True
    stack = [(old, new)]
    while stack:
        first, second = stack.pop()
        if first is second:
            continue
        if type(first) is str and type(second) is str:  # most compared values
            if first != second:
                return False
        elif isinstance(first, dict) and isinstance(second, dict):
            if first.keys() != second.keys():
                return False
            stack.extend((item, second[name]) for name, item in first.items())
        elif isinstance(first, list) and isinstance(second, list):
            if len(first) != len(second):
                return False
            stack.extend(zip(first, second, strict=True))
        elif _is_nested(first) or _is_nested(second) or _scalar_key(first) != _scalar_key(second):
            return False
    return True


def _are_written_alike(old: JsonValue, new: JsonValue) -> bool:
    """Whether two values have the same bytes, and are therefore equal. Most schemas of two versions do."""
    try:
        return marshal.dumps(old, 2) == marshal.dumps(new, 2)
    except ValueError:  # too deep, or not plain JSON
        return False


def classes_of(*values: JsonValue) -> dict[int, int]:
    """Number every object and list inside the values by its `id`, with the same number for equal ones.

    The result is valid as long as the values are alive.
    """
    numbers: dict[object, int] = {}
    found: dict[int, int] = {}

    def number(item: JsonValue) -> int:
        if isinstance(item, dict | list):
            return found[id(item)]
        return numbers.setdefault(("scalar", _scalar_key(item)), len(numbers))

    stack: list[tuple[JsonValue, bool]] = [(value, False) for value in values]
    while stack:
        item, is_ready = stack.pop()
        if not isinstance(item, dict | list) or id(item) in found:
            continue
        if not is_ready:
            stack.append((item, True))
            stack.extend((inner, False) for inner in (item.values() if isinstance(item, dict) else item))
        else:
            key: object = (
                frozenset((name, number(inner)) for name, inner in item.items())
                if isinstance(item, dict)
                else tuple(map(number, item))
            )
            found[id(item)] = numbers.setdefault((type(item).__name__, key), len(numbers))
    return found


def depth_and_references(value: JsonValue, limit: int) -> tuple[int, bool]:
    """Return the nesting depth of a value, counted up to `limit`, and whether any object has a reference keyword."""
    deepest, refers = 0, False
    stack: list[tuple[JsonValue, int]] = [(value, 0)]
    while stack:
        item, depth = stack.pop()
        deepest = max(deepest, depth)
        if depth > limit:
            return deepest, refers
        if isinstance(item, dict):
            refers = refers or "$ref" in item or "$dynamicRef" in item
            stack.extend((inner, depth + 1) for inner in item.values() if isinstance(inner, dict | list))
        elif isinstance(item, list):
            stack.extend((inner, depth + 1) for inner in item if isinstance(inner, dict | list))
    return deepest, refers


def _is_nested(value: JsonValue) -> bool:
    return isinstance(value, dict | list)


def _scalar_key(value: JsonValue) -> object:
    return ("nan",) if isinstance(value, float) and value != value else value_key(value)


def _tokens(value: JsonValue) -> Iterator[object]:
    stack: list[tuple[str | None, JsonValue]] = [(None, value)]
    while stack:
        name, item = stack.pop()
        if isinstance(item, dict):
            yield ("object", name, len(item))
            stack.extend((key, item[key]) for key in sorted(item, reverse=True))
        elif isinstance(item, list):
            yield ("array", name, len(item))
            stack.extend((None, inner) for inner in reversed(item))
        else:
            yield (name, _scalar_key(item))
