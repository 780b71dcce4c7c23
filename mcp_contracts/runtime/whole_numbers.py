"""Pass `3.0` as 3 where the schema requires an integer: JSON Schema accepts both, but a Python function may not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.identity import Same
from mcp_contracts.schema.references import reference_targets
from mcp_contracts.schema.simple import as_list, one_or_more, properties_of
from mcp_contracts.schema.walk import subschemas

_MAXIMUM_DEPTH = 64
_MAXIMUM_STEPS = 100_000
_MAXIMUM_REFERENCES = 16  # from one subschema to the next, without a value in between

Check = Callable[[JsonValue], bool]


def without_whole_floats(schema: JsonValue, is_valid: Check) -> Check:
    """Return a check that is False for values that `with_whole_numbers` may change, and otherwise equals `is_valid`."""
    if not _mentions_integer(schema) or not isinstance(schema, dict):
        return is_valid
    named = properties_of(schema)
    flat = tuple(name for name, part in named.items() if isinstance(part, dict) and part.get("type") == "integer")
    deep = tuple(name for name, part in named.items() if name not in flat and _mentions_integer(part))
    rest = {key: part for key, part in schema.items() if key not in ("properties", "$defs", "definitions")}

    def accepts_flat(value: JsonValue) -> bool:
        if type(value) is dict:
            for name in flat:
                if type(value.get(name)) is float:
                    return False
        return is_valid(value)

    def accepts(value: JsonValue) -> bool:
        return not (type(value) is dict and any(_holds_float(value.get(name)) for name in deep)) and accepts_flat(value)

    def accepts_any(value: JsonValue) -> bool:
        return not _holds_float(value) and is_valid(value)

    if _mentions_integer(rest):
        return accepts_any
    return accepts if deep else accepts_flat


def with_whole_numbers(schema: JsonValue, value: JsonValue) -> JsonValue:
    """Return the value with integers in place of whole floats where the schema requires integers.

    Follows `properties`, `additionalProperties`, `items`, `prefixItems`, references inside the schema, and all branches
    of `allOf`, `anyOf` and `oneOf` that the value's kind allows; a number is only converted if no branch takes any
    number. Containers are copied. Past 64 levels or 100,000 steps, numbers remain unchanged.
    """
    return _IntegerConverter(schema).convert(schema, value, 0) if _holds_float(value) else value


def _mentions_integer(schema: JsonValue) -> bool:
    return any("integer" in one_or_more(node.value.get("type")) or "$ref" in node.value for node in subschemas(schema))


def _holds_float(value: JsonValue) -> bool:
    if type(value) is not dict and type(value) is not list:
        return type(value) is float
    level: list[JsonValue] = [value]
    for _ in range(_MAXIMUM_DEPTH):
        below: list[JsonValue] = []
        for item in level:
            inner = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
            if float in set(map(type, inner)):
                return True
            below += [one for one in inner if isinstance(one, dict | list)]
        if not below:
            return False
        level = below
    return True  # too deep to tell


class _IntegerConverter:
    """A parallel traversal of a schema and a value."""

    __slots__ = ("_schema", "_steps", "_targets")

    def __init__(self, schema: JsonValue) -> None:
        self._schema = schema
        self._steps = _MAXIMUM_STEPS
        self._targets: dict[int, JsonValue] | None = None

    def convert(self, schema: JsonValue, value: JsonValue, depth: int) -> JsonValue:
        self._steps -= 1
        if depth > _MAXIMUM_DEPTH or self._steps < 0 or not isinstance(schema, dict):
            return value
        if isinstance(value, float):
            return int(value) if value.is_integer() and self._takes(schema, 0) == "integer" else value
        if isinstance(value, dict):
            return {
                name: self.convert(self._child(schema, "object", name, 0), item, depth + 1)
                if isinstance(item, float | dict | list)
                else item
                for name, item in value.items()
            }
        if isinstance(value, list):
            return [
                self.convert(self._child(schema, "array", index, 0), item, depth + 1)
                if isinstance(item, float | dict | list)
                else item
                for index, item in enumerate(value)
            ]
        return value

    def _takes(self, schema: JsonValue, jumps: int) -> str:
        """Return which numbers a schema takes: `integer`, `number` (any, if in doubt) or `none`."""
        self._steps -= 1
        if not isinstance(schema, dict) or jumps > _MAXIMUM_REFERENCES or self._steps < 0:
            return "none" if schema is False else "number"
        taken: set[str] = set()
        stated = schema.get("type")
        if stated is not None:
            kinds = one_or_more(stated)
            taken.add("number" if "number" in kinds else "integer" if "integer" in kinds else "none")
        taken.update(self._takes(part, jumps + 1) for part in self._together(schema))
        for branches in _alternatives(schema):
            open_to = {self._takes(branch, jumps + 1) for branch in branches} - {"none"}
            taken.add("number" if "number" in open_to else "integer" if open_to else "none")
        return "none" if "none" in taken else "integer" if "integer" in taken else "number"

    def _child(self, schema: JsonValue, kind: str, key: str | int, jumps: int) -> JsonValue:
        """Return a schema for a member or an item, or True if no schema applies to it."""
        self._steps -= 1
        if not isinstance(schema, dict) or jumps > _MAXIMUM_REFERENCES or self._steps < 0:
            return True
        found = [_own_child(schema, key)]
        found += [self._child(part, kind, key, jumps + 1) for part in self._together(schema)]
        for branches in _alternatives(schema):
            fitting = [one for one in branches if isinstance(one, dict) and kind in one_or_more(one.get("type", kind))]
            if fitting:
                found.append({"anyOf": [self._child(branch, kind, key, jumps + 1) for branch in fitting]})
        stated: list[JsonValue] = [part for part in found if isinstance(part, dict)]
        return stated[0] if len(stated) == 1 else {"allOf": stated} if stated else True

    def _together(self, schema: dict[str, JsonValue]) -> Iterator[JsonValue]:
        """Yield the schemas that apply in addition to one: those of `allOf`, and the target of a reference."""
        yield from as_list(schema.get("allOf"))
        if isinstance(schema.get("$ref"), str):
            if self._targets is None:
                self._targets = targets_of(Same(self._schema))
            yield self._targets.get(id(schema), True)


def _alternatives(schema: dict[str, JsonValue]) -> Iterator[list[JsonValue]]:
    for keyword in ("anyOf", "oneOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list):
            yield branches


def _own_child(schema: dict[str, JsonValue], key: str | int) -> JsonValue:
    if isinstance(key, str):
        properties = properties_of(schema)
        if key in properties:
            return properties[key]
        return True if "patternProperties" in schema else schema.get("additionalProperties", True)
    leading = schema.get("prefixItems", schema.get("items"))
    if isinstance(leading, list):
        return (
            leading[key] if key < len(leading) else schema.get("items") if leading is not schema.get("items") else True
        )
    return schema.get("items", True)


@lru_cache(maxsize=64)
def targets_of(whole: Same[JsonValue]) -> dict[int, JsonValue]:
    """Return the targets of references; this walk costs more than everything else here."""
    return reference_targets(whole.thing, subschemas(whole.thing))
