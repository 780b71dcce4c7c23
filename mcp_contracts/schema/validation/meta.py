"""Decide that an ordinary schema is valid under its meta-schema without jsonschema-rs, whose import takes longer.

Only keywords that both dialects share, with values that both accept, are certain here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.vocabulary import TYPES

_LEVELS = 30
_LARGEST = 2**53  # all JSON readers agree on numbers up to here


def is_surely_valid(schema: JsonValue, levels: int = _LEVELS) -> bool:
    """Whether a schema of either dialect is valid; False where a validator must decide."""
    if isinstance(schema, bool):
        return True
    if not isinstance(schema, dict) or levels < 0:
        return False
    for keyword, value in schema.items():
        check = _PLAIN.get(keyword)
        if check is not None:
            if not check(value):
                return False
        elif keyword in _MAPS:
            if not isinstance(value, dict) or not all(is_surely_valid(one, levels - 1) for one in value.values()):
                return False
        elif keyword in _LISTS:
            if not isinstance(value, list) or not value or not all(is_surely_valid(one, levels - 1) for one in value):
                return False
        elif keyword not in _SCHEMAS or not is_surely_valid(value, levels - 1):
            return False
    return True


_MAPS = frozenset(("properties", "definitions", "$defs"))
_LISTS = frozenset(("allOf", "anyOf", "oneOf"))
_SCHEMAS = frozenset(("additionalProperties", "items", "not", "if", "then", "else", "contains", "propertyNames"))


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -_LARGEST < value < _LARGEST


def _is_size(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST


def _are_names(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value) and len({*value}) == len(value)


def _is_type(value: JsonValue) -> bool:
    if isinstance(value, list):
        return bool(value) and _are_names(value) and all(map(_is_type, value))
    return isinstance(value, str) and value in TYPES


_PLAIN: Mapping[str, Callable[[JsonValue], bool]] = {
    "type": _is_type,
    "required": _are_names,
    **dict.fromkeys(("enum", "examples"), lambda value: isinstance(value, list)),
    **dict.fromkeys(("default", "const"), lambda _: True),
    **dict.fromkeys(
        ("$schema", "$ref", "title", "description", "$comment", "format", "pattern"),
        lambda value: isinstance(value, str),
    ),
    **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly", "deprecated"), lambda value: isinstance(value, bool)),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_size),
}
