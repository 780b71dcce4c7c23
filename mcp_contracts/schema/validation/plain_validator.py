"""A literal validator for the keywords of nearly all schemas, without compiling or slow imports.

It shares no code with the search or jsonschema-rs; the tests compare it with jsonschema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.json_equality import json_key, same_json
from mcp_contracts.schema.vocabulary import ANNOTATIONS, KEYWORDS

MOST_STEPS = 2_000
_KEYWORDS_PER_STEP = 5
_MOST_DIVIDED = 2**53
_MAXIMUM_NESTING = 60  # levels of nested evaluation


class UnclearError(Exception):
    """The schema or the value requires a complete validator."""


def plainly_accepts(
    schema: JsonValue, value: JsonValue, *, matches: Callable[[str, str], bool], budget: Budget | None = None
) -> bool | None:
    """Whether a valid schema accepts a value, or None if that requires a complete validator.

    `matches` matches a pattern with text, and may raise UnclearError. The work is charged to the budget.
    """
    dialect = dialect_of(schema)
    if dialect is None:
        return None
    reader = _Reader(schema, dialect, matches)
    try:
        return reader.accepts(schema, value, 0)
    except UnclearError:
        return None
    finally:
        if budget is not None:
            budget.pay(reader.keywords, per_step=_KEYWORDS_PER_STEP)


class _Reader:
    """Reads one schema. `keywords` counts the keywords that it has read, and the schemas that contain them."""

    def __init__(self, root: JsonValue, dialect: Dialect, matches: Callable[[str, str], bool]) -> None:
        self._root, self._matches = root, matches
        self._is_old = dialect is Dialect.DRAFT_7
        self._left = _LEFT[dialect]
        self.keywords = 0

    def accepts(self, schema: Any, value: Any, depth: int) -> bool:
        if isinstance(schema, bool):
            return schema
        if depth > _MAXIMUM_NESTING or ("$schema" in schema and schema is not self._root):
            raise UnclearError
        self.keywords += 1 + len(schema)
        if self.keywords > MOST_STEPS * _KEYWORDS_PER_STEP:
            raise UnclearError
        is_hidden = self._is_old and "$ref" in schema  # keywords next to a reference
        if not is_hidden and not self._left.isdisjoint(schema):
            raise UnclearError
        if "$ref" in schema:
            if not self.accepts(self._target(schema["$ref"]), value, depth + 1):
                return False
            if is_hidden:
                return True
        for keyword, asked in schema.items():
            judge = _ASSERTING.get(keyword)
            if judge is not None and not judge(asked, value):
                return False
        if not _COMBINING.isdisjoint(schema) and not self._accepts_combined(schema, value, depth + 1):
            return False
        if isinstance(value, dict):
            return self._accepts_members(schema, value, depth + 1)
        return not isinstance(value, list) or self._accepts_items(schema, value, depth + 1)

    def _accepts_combined(self, schema: Mapping[str, Any], value: Any, depth: int) -> bool:
        return (
            ("pattern" not in schema or not isinstance(value, str) or self._matches(schema["pattern"], value))
            and all(self.accepts(one, value, depth) for one in schema.get("allOf", ()))
            and ("not" not in schema or not self.accepts(schema["not"], value, depth))
            and ("anyOf" not in schema or any(self.accepts(one, value, depth) for one in schema["anyOf"]))
            and ("oneOf" not in schema or sum(self.accepts(one, value, depth) for one in schema["oneOf"]) == 1)
            and ("if" not in schema or self._accepts_branch(schema, value, depth))
        )

    def _target(self, reference: str) -> Any:
        """Return the target of a reference by position."""
        found: Any = self._root
        beginning, *names = reference.split("/")
        if beginning != "#" or "%" in reference:
            raise UnclearError
        for name in names:
            name = name.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, dict) or name not in found or "$id" in found:
                raise UnclearError
            found = found[name]
        if not isinstance(found, bool | dict):
            raise UnclearError
        return found

    def _accepts_branch(self, schema: Mapping[str, Any], value: Any, depth: int) -> bool:
        is_met = self.accepts(schema["if"], value, depth)
        return self.accepts(schema.get("then" if is_met else "else", True), value, depth)

    def _accepts_members(self, schema: Mapping[str, Any], value: Mapping[str, Any], depth: int) -> bool:
        known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        for name, one in value.items():
            if not self.accepts(known.get(name, others), one, depth):
                return False
        return "propertyNames" not in schema or all(
            self.accepts(schema["propertyNames"], name, depth) for name in value
        )

    def _accepts_items(self, schema: Mapping[str, Any], value: list[Any], depth: int) -> bool:
        asked = schema.get("items", True)
        if isinstance(asked, list):
            raise UnclearError
        return all(self.accepts(asked, item, depth) for item in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
    "number": _is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def _has_type(asked: str | list[str], value: Any) -> bool:
    return _TYPES[asked](value) if isinstance(asked, str) else any(_TYPES[name](value) for name in asked)


def _is_multiple(asked: Any, value: Any) -> bool:
    if not _is_number(value):
        return True
    if not (isinstance(asked, int) and isinstance(value, int)) or abs(value) > _MOST_DIVIDED:
        raise UnclearError
    return value % asked == 0


_ASSERTING: Mapping[str, Callable[[Any, Any], bool]] = {
    "type": _has_type,
    "const": same_json,
    "enum": lambda asked, value: any(same_json(one, value) for one in asked),
    "minimum": lambda asked, value: not _is_number(value) or value >= asked,
    "maximum": lambda asked, value: not _is_number(value) or value <= asked,
    "exclusiveMinimum": lambda asked, value: not _is_number(value) or value > asked,
    "exclusiveMaximum": lambda asked, value: not _is_number(value) or value < asked,
    "multipleOf": _is_multiple,
    "minLength": lambda asked, value: not isinstance(value, str) or len(value) >= asked,
    "maxLength": lambda asked, value: not isinstance(value, str) or len(value) <= asked,
    "minItems": lambda asked, value: not isinstance(value, list) or len(value) >= asked,
    "maxItems": lambda asked, value: not isinstance(value, list) or len(value) <= asked,
    "uniqueItems": lambda asked, value: (
        not asked or not isinstance(value, list) or len({json_key(item) for item in value}) == len(value)
    ),
    "minProperties": lambda asked, value: not isinstance(value, dict) or len(value) >= asked,
    "maxProperties": lambda asked, value: not isinstance(value, dict) or len(value) <= asked,
    "required": lambda asked, value: not isinstance(value, dict) or value.keys() >= set(asked),
}
_READ = (
    ANNOTATIONS
    | _ASSERTING.keys()
    | {"$schema", "$defs", "definitions", "$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
    | {"properties", "additionalProperties", "propertyNames", "items", "pattern"}
)
_LEFT: Mapping[Dialect, frozenset[str]] = {dialect: KEYWORDS[dialect] - _READ for dialect in Dialect}
"""The keywords that need a complete validator."""
_COMBINING = frozenset(("pattern", "allOf", "not", "anyOf", "oneOf", "if"))
