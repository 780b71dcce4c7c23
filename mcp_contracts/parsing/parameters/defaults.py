"""Reads the default of a parameter from its row, if it is unambiguous."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, TableRow

_IN_CODE = re.compile(r"``?([^`]{1,500})``?")
_QUOTED = re.compile(r"\"[^\"\\]*\"|'[^'\\]*'")
_WORD = re.compile(r"[\w./:@%+-]{1,100}")
_GROUPED = re.compile(r"-?\d{1,3}(?:_\d{3})+")
"""A number in groups of three digits, as Python writes it: `2_000`."""
_FLAGS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def with_default(schema: dict[str, JsonValue], row: TableRow) -> None:
    """Add the default of a row to its schema, unless the row is required, or the schema may reject the value."""
    if row.default is None or row.required or "default" in schema:
        return
    found = _value_in(row.default.text, schema)
    if found is not None and _accepts(schema, found):
        schema["default"] = found


def _value_in(text: str, schema: Mapping[str, JsonValue]) -> JsonValue:
    shown = text.strip("*_ ")
    code = _IN_CODE.fullmatch(shown)
    shown = (code[1] if code is not None else shown).strip()
    if _QUOTED.fullmatch(shown):
        return shown[1:-1]
    listed = schema.get("enum")
    is_listed = isinstance(listed, list) and shown in listed
    if is_listed or (schema.get("type") == "string" and code is not None and _WORD.fullmatch(shown)):
        return shown
    if schema.get("type") == "boolean":
        return _FLAGS.get(shown.lower())
    shown = shown.replace("_", "") if _GROUPED.fullmatch(shown) else shown
    try:
        read: JsonValue = json.loads(shown, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return read


def _finite(number: str) -> float:
    """Return a number, or refuse one that is too large for a float: `1e400`."""
    value = float(number)
    if value in (float("inf"), float("-inf")):
        raise ValueError(number)
    return value


def _refuse(constant: str) -> None:
    """Refuse a number that JSON does not have: `NaN`, `Infinity`."""
    raise ValueError(constant)


def _accepts(schema: Mapping[str, JsonValue], value: JsonValue) -> bool:
    """Whether a schema with one type, or a list of values, certainly accepts a value."""
    if not schema.keys() <= {"type", "enum", "items", "description", "minimum", "maximum"}:
        return False
    listed, items = schema.get("enum"), schema.get("items")
    if isinstance(listed, list):
        return value in listed and not isinstance(value, bool)
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _KINDS or not isinstance(value, _KINDS[kind]):
        return False
    if isinstance(value, bool) != (kind == "boolean"):
        return False
    if isinstance(value, list) and value:
        return isinstance(items, dict) and all(_accepts(items, one) for one in value)
    low, high = schema.get("minimum"), schema.get("maximum")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return not (isinstance(low, int | float) and value < low) and not (
            isinstance(high, int | float) and value > high
        )
    return True
