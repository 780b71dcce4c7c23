"""The readers of keywords: the value in one notation, or None if it is malformed or has no effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema import vocabulary
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.simple import TYPE_ATOMS, strings
from mcp_contracts.schema.vocabulary import Effect

ANNOTATIONS = vocabulary.ANNOTATIONS - {"$comment", "contentSchema"}
"""Keywords that inform people and tools, and reject no value."""

NAMING = vocabulary.NAMING - {"$vocabulary"} | {"$comment"}
"""Keywords that say nothing about values, and are not compared."""

MARKS = ("deprecated", "readOnly", "writeOnly")
"""Annotations for which `false` means the same as absence."""

IN_PLACE = frozenset(vocabulary.IN_PLACE) - {"dependencies"}
"""Parts whose schemas apply to the same value, so that they declare properties of the same object."""

APPLICATORS = IN_PLACE - vocabulary.DEPENDENT - {"dependentSchemas"}
"""Parts that apply schemas to the same value, regardless of its type."""

BRANCH_LISTS = frozenset(vocabulary.BRANCH_LISTS)
_EVERY_TYPE = frozenset(TYPE_ATOMS) - {"integer"}


def is_schema(value: JsonValue) -> bool:
    """Whether a value can be a schema."""
    return isinstance(value, dict | bool)


def _number(value: JsonValue) -> JsonValue:
    return value if isinstance(value, int | float) and not isinstance(value, bool) and value == value else None


def _positive(value: JsonValue) -> JsonValue:
    number = _number(value)
    return number if isinstance(number, int | float) and number > 0 else None


def _count(value: JsonValue) -> JsonValue:
    number = _number(value)
    return number if isinstance(number, int | float) and number >= 0 else None


def _text(value: JsonValue) -> JsonValue:
    return value if isinstance(value, str) else None


def _true(value: JsonValue) -> JsonValue:
    return True if value is True else None


def _types(value: JsonValue) -> JsonValue:
    names = {value} if isinstance(value, str) else set(strings(value))
    if not names or not names <= TYPE_ATOMS.keys() or (isinstance(value, list) and len(strings(value)) < len(value)):
        return None
    return types_value(names)


def types_value(names: Iterable[str]) -> JsonValue:
    """Return the types in our notation; None if every type is allowed."""
    kept = set(names)
    if "number" in kept:
        kept.discard("integer")
    return None if kept == _EVERY_TYPE else [*sorted(kept)]


def _as_list(value: JsonValue) -> JsonValue:
    return value if isinstance(value, list) else None


def _names(value: JsonValue) -> JsonValue:
    return list(dict.fromkeys(strings(value))) or None


def _schema(value: JsonValue) -> JsonValue:
    return value if is_schema(value) else None


def constraint(value: JsonValue) -> JsonValue:
    return value if is_schema(value) and not is_anything(value) else None


def _branches(value: JsonValue) -> JsonValue:
    return value if isinstance(value, list) and value and all(map(is_schema, value)) else None


def members(value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        return None
    return {name: schema for name, schema in value.items() if is_schema(schema)} or None


def name_lists(value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        return None
    return {name: [*sorted(set(strings(names)))] for name, names in value.items() if strings(names)} or None


READERS: Mapping[str, Callable[[JsonValue], JsonValue]] = {
    "type": _types,
    "enum": _as_list,
    "minimum": _number,
    "maximum": _number,
    "exclusiveMinimum": _number,
    "exclusiveMaximum": _number,
    "multipleOf": _positive,
    "minLength": _positive,
    "maxLength": _count,
    "pattern": _text,
    "minItems": _positive,
    "maxItems": _count,
    "uniqueItems": _true,
    "contains": _schema,
    "minContains": _count,
    "maxContains": _count,
    "prefixItems": _branches,
    "items": constraint,
    "unevaluatedItems": constraint,
    "minProperties": _positive,
    "maxProperties": _count,
    "required": _names,
    "properties": members,
    "patternProperties": members,
    "additionalProperties": constraint,
    "unevaluatedProperties": constraint,
    "propertyNames": constraint,
    "dependentRequired": name_lists,
    "dependentSchemas": members,
    "allOf": _branches,
    "anyOf": _branches,
    "oneOf": _branches,
    "not": _schema,
    "if": _schema,
    "then": constraint,
    "else": constraint,
}
NOT_IN_DRAFT_7 = frozenset(vocabulary.names(Effect.ASSERTS, Effect.IN_PLACE, Effect.INSIDE, only=Dialect.DRAFT_2020_12))
REWRITTEN = frozenset(("const", "additionalItems", "dependencies", *vocabulary.REFERENCES))
"""Keywords that views read as other parts, or follow as references."""

_CONSTRAINTS = frozenset(vocabulary.CONSTRAINTS)


def is_anything(value: JsonValue) -> bool:
    """Whether a schema obviously accepts every value."""
    return value is True or (isinstance(value, dict) and _CONSTRAINTS.isdisjoint(value))


def is_idle(keyword: str, node: Mapping[str, JsonValue]) -> bool:
    """Whether a keyword has no effect because another one is missing."""
    match keyword:
        case "minContains":
            return not is_schema(node.get("contains")) or node[keyword] == 1
        case "maxContains":
            return not is_schema(node.get("contains"))
        case "if":
            return constraint(node.get("then")) is None and constraint(node.get("else")) is None
        case "then" | "else":
            return not is_schema(node.get("if"))
    return False
