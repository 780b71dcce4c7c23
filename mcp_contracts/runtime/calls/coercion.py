"""Optional changes to arguments before validation: default values, and coercion to the declared types."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import partial
from itertools import chain, repeat
from typing import Any

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import unescape
from mcp_contracts.json_values.text import read_json
from mcp_contracts.runtime.arguments import PayloadBounds, too_large
from mcp_contracts.runtime.whole_numbers import targets_of
from mcp_contracts.schema import effort
from mcp_contracts.schema.applicable import CERTAIN, Located, Schema, applicable, first_items, in_place, stands_alone
from mcp_contracts.schema.identity import Same
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.simple import one_or_more, properties_of, strings
from mcp_contracts.schema.validation.compiled import CompiledSchema, Outcome
from mcp_contracts.schema.validation.explanations import InstanceError
from mcp_contracts.schema.validation.validators import instance_errors
from mcp_contracts.schema.walk import is_within

# Filling in defaults

_MAXIMUM_STEPS = 100_000
_MAXIMUM_DEPTH = 64


def with_defaults(schema: JsonValue, arguments: JsonValue) -> JsonValue:
    """Return a deep copy of the arguments in which absent properties have their `default`.

    Follows `properties`, `items`, `prefixItems`, references inside the schema, and `allOf`. Does not follow `anyOf`,
    `oneOf`, `if` and similar keywords, where a default could change the branch that it depends on. A default that is an
    object gets the defaults of its properties, except from the schema that provided it, so that recursive schemas
    terminate. Keywords next to a `$ref` apply in both dialects. Past 64 levels, or about 100,000 subschemas and default
    values, nothing is filled in. The arguments must be within the payload bounds, and the schema must never be
    modified.
    """
    return _Walk(schema).fill(schema, _copy(arguments), 0, ())


class _Walk:
    """A parallel traversal of a schema and a value, with the targets of references and the number of steps left."""

    __slots__ = ("_applied", "_root", "_steps", "_targets")

    def __init__(self, schema: JsonValue) -> None:
        self._root = schema
        self._steps = _MAXIMUM_STEPS
        self._targets: dict[int, JsonValue] | None = None
        self._applied: dict[int, tuple[dict[str, JsonValue], ...]] = {}

    def fill(self, schema: JsonValue, value: JsonValue, depth: int, opened: tuple[int, ...]) -> JsonValue:
        """Fill in defaults in place and return the value. `opened` are the subschemas whose defaults led here."""
        if not isinstance(value, dict | list) or depth > _MAXIMUM_DEPTH:
            return value
        for node in self.applied_schemas(schema):
            if isinstance(value, dict):
                self._fill_properties(node, value, depth, opened)
            else:
                for index, child in enumerate(_of_items(node, len(value))):
                    value[index] = self.fill(child, value[index], depth + 1, opened)
        return value

    def _fill_properties(
        self, node: dict[str, JsonValue], value: dict[str, JsonValue], depth: int, opened: tuple[int, ...]
    ) -> None:
        for name, child in properties_of(node).items():
            if name in value:
                value[name] = self.fill(child, value[name], depth + 1, opened)
                continue
            parts = self.applied_schemas(child)
            holder = next((part for part in parts if "default" in part), None)
            # In a recursive schema the targets of references repeat, unlike the places that refer to them.
            if holder is None or any(id(part) in opened for part in parts):
                continue
            if self._has_room_for(holder["default"]):
                now = (*opened, *map(id, parts))
                value[name] = self.fill(child, _copy(holder["default"]), depth + 1, now)

    def applied_schemas(self, schema: JsonValue) -> tuple[dict[str, JsonValue], ...]:
        """Return the subschemas that always apply where this one does, itself first, each once."""
        if not isinstance(schema, dict) or self._steps <= 0:
            return ()
        found = self._applied.get(id(schema))  # every item of an array has the same schema
        if found is None:
            found = self._applied[id(schema)] = tuple(self._find_applied(schema))
        self._steps -= len(found)
        return found

    def _find_applied(self, schema: dict[str, JsonValue]) -> Iterator[dict[str, JsonValue]]:
        if stands_alone(schema):  # the common case, five times as fast
            yield schema
            return
        for found in applicable(
            [("", schema)], self._reference_targets, most=self._steps, branches=_certainly, by_identity=True
        ):
            if isinstance(found.schema, dict):
                yield found.schema

    def _has_room_for(self, default: JsonValue) -> bool:
        try:
            self._steps -= effort.size_of(default).values
        except effort.UnfitValueError:
            return False
        return self._steps > 0

    def _reference_targets(self, _: str, node: Schema) -> Iterator[Located]:
        if isinstance(node.get("$ref"), str):
            if self._targets is None:
                self._targets = targets_of(Same(self._root))
            yield "", self._targets.get(id(node))


_certainly = partial(in_place, keywords=CERTAIN)


def _of_items(node: dict[str, JsonValue], count: int) -> Iterator[JsonValue]:
    """Yield the subschemas of the first `count` items, up to the first item without one."""
    _, leading = first_items(node)
    yield from leading[:count]
    items = node.get("items")
    if isinstance(items, dict):
        yield from repeat(items, count - len(leading[:count]))


def _copy(value: JsonValue, depth: int = 0) -> JsonValue:
    """Copy the containers of a value, down to the depth at which filling in stops."""
    if depth > _MAXIMUM_DEPTH:
        return value
    if isinstance(value, dict):
        return {key: _copy(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_copy(item, depth + 1) for item in value]
    return value


# Coercing values to the declared types

_MAXIMUM_ROUNDS = 16  # rounds of at most 20 values, because an outcome contains at most 20 errors
_MAXIMUM_ERRORS = 2_000  # errors in all rounds; each costs 50 µs, reported or not
_MAXIMUM_VALUES = 20_000  # values in all rounds, each of which validates every value again
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 100
READ_ANEW = frozenset(("type", "anyOf", "oneOf"))
"""Keywords whose errors are fixed by coercion, if possible."""

FOLLOWED = frozenset((*CERTAIN, "$ref", "properties", "items", "prefixItems"))
"""Keywords that are followed to defaults and types."""

LEFT_ALONE = frozenset((
    # A default or type here could change the decision that it depends on, or applies only to some members.
    "$dynamicRef", "not", "if", "then", "else", "dependentSchemas", "dependencies", "patternProperties",
    "additionalProperties", "unevaluatedProperties", "propertyNames", "additionalItems", "unevaluatedItems", "contains",
    # If these reject a value, its type is not the problem.
    "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains", "minProperties",
    "maxProperties", "required", "dependentRequired",
))  # fmt: skip
"""Keywords that coercion deliberately ignores."""

_ORDER = ("null", "boolean", "integer", "number", "object", "array", "string")
_EXACT = 2**53


def coerce(compiled: CompiledSchema, arguments: JsonValue, outcome: Outcome | None = None) -> JsonValue:
    """Coerce values to the types that the schema requires, if nothing is lost.

    Strings that are JSON numbers, `true`, `false`, `null`, objects or arrays are parsed, and numbers become strings if
    the schema requires a string. Nothing else changes, and valid arguments are returned unchanged. A value that remains
    invalid keeps its original form, so that messages show what the caller sent. If more than about 200 values have a
    wrong type, the arguments are returned unchanged. `outcome` is the outcome of their validation, if known.
    """
    if outcome is None:
        outcome = instance_errors(compiled, arguments)
    if not outcome.errors:
        return arguments
    rounds = min(_MAXIMUM_ROUNDS, 1 + _MAXIMUM_VALUES // effort.size_of(arguments).values)
    before = {(error.pointer, error.keyword) for error in outcome.errors}
    changed: dict[str, JsonValue] = {}
    walk = _Walk(compiled.schema)
    value = arguments
    errors = 0
    for _ in range(rounds):
        errors += len(outcome.errors) + outcome.more
        if errors > _MAXIMUM_ERRORS:
            return arguments
        found = _conversions(walk, compiled.schema, value, outcome)
        if not found:
            break
        if value is arguments:
            value = _copy(arguments)
        for pointer, (old, new) in found.items():
            value = _replace(value, pointer, new)
            if not any(is_within(pointer, outer) for outer in changed):
                changed[pointer] = old
        outcome = instance_errors(compiled, value)
        if not outcome.errors:
            break
    else:
        return arguments
    if outcome.unknown is not None or outcome.more:  # it is unknown which conversions help
        return arguments
    for pointer, old in changed.items():
        if any(
            is_within(error.pointer, pointer)
            or (is_within(pointer, error.pointer) and (error.pointer, error.keyword) not in before)
            for error in outcome.errors
        ):
            value = _replace(value, pointer, old)
    return value


def _conversions(
    walk: _Walk, schema: JsonValue, value: JsonValue, outcome: Outcome
) -> dict[str, tuple[JsonValue, JsonValue]]:
    """Map the pointer of each value with a wrong type that can be converted to the old and the new value."""
    found: dict[str, tuple[JsonValue, JsonValue]] = {}
    for error in outcome.errors:
        if error.keyword not in READ_ANEW or error.pointer in found:
            continue
        if error.pointer.count("/") > _MAXIMUM_DEPTH:  # deeper values are not copied
            continue
        old = follow(value, error.pointer)
        for wanted in _wanted_types(walk, schema, error, old):
            new = _convert(old, wanted)
            if new is not _UNREAD:
                found[error.pointer] = (old, new)
                break
    return found


def _wanted_types(walk: _Walk, schema: JsonValue, error: InstanceError, value: JsonValue) -> list[str]:
    """Return the types that a schema requires for a value that has none of them."""
    asked = follow(schema, error.schema_pointer)
    wanted: set[str] = set()
    if error.keyword == "type":
        wanted.update(strings(one_or_more(asked)))
    elif isinstance(asked, list):
        # for example `integer or null` as pydantic writes it
        for part in chain.from_iterable(map(walk.applied_schemas, asked)):
            wanted.update(strings(one_or_more(part.get("type"))))
    own = {"string"} if isinstance(value, str) else {"integer", "number"}
    return sorted(wanted.intersection(_ORDER), key=_ORDER.index) if own.isdisjoint(wanted) else []


_UNREAD: Any = object()  # a sentinel, because None is a value


def _convert(value: JsonValue, wanted: str) -> Any:
    if wanted == "string":
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return json.dumps(value) if is_number else _UNREAD
    if not isinstance(value, str):
        return _UNREAD
    match wanted:
        case "null":
            return None if value == "null" else _UNREAD
        case "boolean":
            return {"true": True, "false": False}.get(value, _UNREAD)
        case "integer" | "number":
            return _read_number(value, wanted)
        case _:
            return _read_container(value, dict if wanted == "object" else list)


def _read_number(text: str, wanted: str) -> Any:
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return _UNREAD
    if text.removeprefix("-").isdigit():
        return int(text)
    number = float(text)
    has_digits = any(digit in "123456789" for digit in re.split("[eE]", text)[0])
    if not math.isfinite(number) or (number == 0 and has_digits):  # beyond the range of a double
        return _UNREAD
    if wanted == "integer":
        return int(number) if number.is_integer() and abs(number) <= _EXACT else _UNREAD
    return number


def _read_container(text: str, kind: type) -> Any:
    if not text.startswith(("{", "[")):
        return _UNREAD
    try:
        value = read_json(text)
        effort.size_of(value)
    except ValueError:  # not JSON, or beyond our bounds
        return _UNREAD
    return value if isinstance(value, kind) and too_large(value, PayloadBounds()) is None else _UNREAD


def _replace(value: JsonValue, pointer: str, new: JsonValue) -> JsonValue:
    """Replace the value at a pointer in place (except the whole value) and return the result."""
    if not pointer:
        return new
    parent, _, token = pointer.rpartition("/")
    holder = follow(value, parent)
    if isinstance(holder, dict):
        holder[unescape(token)] = new
    elif isinstance(holder, list):
        holder[int(token)] = new
    return value
