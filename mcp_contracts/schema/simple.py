"""Evaluate the keywords that do not need a validator: types, enumerated values, limits and sizes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.identity import Same
from mcp_contracts.schema.vocabulary import ANNOTATIONS, Effect, Judges, names

if TYPE_CHECKING:
    from fractions import Fraction

# `number` is split into integers and fractions, so that the atoms are disjoint.
TYPE_ATOMS: Mapping[str, frozenset[str]] = {
    "null": frozenset({"null"}),
    "boolean": frozenset({"boolean"}),
    "integer": frozenset({"integer"}),
    "number": frozenset({"integer", "fraction"}),
    "string": frozenset({"string"}),
    "array": frozenset({"array"}),
    "object": frozenset({"object"}),
}
"""The disjoint atoms that each type covers; `fraction` is a number that is not an integer."""

_LIMITS: Mapping[str, Callable[[Fraction | int, Fraction | int], bool]] = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
}
_SIZES: Mapping[str, tuple[type, Callable[[Fraction | int, Fraction | int], bool]]] = {
    "minLength": (str, operator.ge),
    "maxLength": (str, operator.le),
    "minItems": (list, operator.ge),
    "maxItems": (list, operator.le),
    "minProperties": (dict, operator.ge),
    "maxProperties": (dict, operator.le),
}
_MANY_ITEMS = 16
EXACT = 2**53
"""The integers up to here are exact as binary numbers."""
WITHOUT_EFFECT = frozenset((*ANNOTATIONS, *names(Effect.NAMES, holds="map")))
"""Keywords that never reject a value."""

DECIDED = frozenset({"type", "const", "enum", *_LIMITS, *_SIZES})
"""Keywords that `is_refused` decides."""

OF_MEMBERS = frozenset((*names(Effect.INSIDE, judges=Judges.CERTAINLY), "uniqueItems"))
"""Keywords that only constrain the contents of an array or an object."""


def is_surely_accepted(value: JsonValue, schema: Mapping[str, JsonValue]) -> bool:
    """Whether a schema accepts a value, decided without a validator. False if it rejects the value or a validator must
    decide.

    Most defaults and enumerated values are simple, and this is twenty times as fast as compiling their schema.
    """
    for keyword, asked in schema.items():
        if keyword in WITHOUT_EFFECT:
            continue
        if keyword in DECIDED:
            if is_refused(value, keyword, asked):
                return False
        elif keyword not in OF_MEMBERS or (isinstance(value, dict | list) and value):
            return False
    return True


def is_refused(value: JsonValue, keyword: str, asked: JsonValue) -> bool:
    """Whether a keyword definitely rejects a value; False for keywords that this function does not decide."""
    if keyword == "type":
        if isinstance(asked, str):  # the common case
            atoms = TYPE_ATOMS.get(asked)
            return atoms is not None and atom_of(value) not in atoms
        names = strings(asked)
        if not names or any(name not in TYPE_ATOMS for name in names):
            return False
        atom = atom_of(value)
        return not any(atom in TYPE_ATOMS[name] for name in names)
    if keyword == "const":
        return value_key(value) != value_key(asked)
    if keyword == "enum":
        if not isinstance(asked, list):
            return False
        if len(asked) > _MANY_ITEMS:
            return value_key(value) not in _keys_of(Same(asked))
        return value not in asked if isinstance(value, str) else value_key(value) not in map(value_key, asked)
    if keyword in _LIMITS:
        if type(value) is int and type(asked) is int:
            return not _LIMITS[keyword](value, asked)
        number, limit = exact(value), exact(asked)
        return number is not None and limit is not None and not _LIMITS[keyword](number, limit)
    if keyword in _SIZES:
        kind, allows = _SIZES[keyword]
        if not isinstance(value, str | list | dict) or not isinstance(value, kind):
            return False
        size = asked if type(asked) is int else exact(asked)
        return size is not None and not allows(len(value), size)
    return False


@lru_cache(maxsize=128)  # a value may have a hundred lists
def _keys_of(same: Same[list[JsonValue]]) -> frozenset[object]:
    return frozenset(map(value_key, same.thing))


def atom_of(value: JsonValue) -> str:
    """Return the type of a value; `fraction` for a number that is not an integer."""
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    return "integer" if isinstance(value, int) or value.is_integer() else "fraction"


def value_key(value: JsonValue) -> object:
    """Return a key that is equal for values that JSON Schema treats as equal: 1 equals 1.0 but not true."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return (type(value).__name__, value)
    if isinstance(value, list):
        if len(value) < _MANY_ITEMS:
            return ("list", tuple(map(value_key, value)))
        # Many items are often few objects: a value that we built may contain the same row 30,000 times.
        known = {number: value_key(item) for number, item in dict(zip(map(id, value), value, strict=True)).items()}
        return ("list", tuple(map(known.__getitem__, map(id, value))))
    if isinstance(value, dict):
        return frozenset((name, value_key(item)) for name, item in value.items())
    return value


def exact(value: JsonValue) -> Fraction | None:
    """Return a number exactly as written (0.1 is a tenth), or None for anything else.

    Beyond 2**53, validators compare the binary number, which differs from its decimal digits.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    from fractions import Fraction  # takes 3 ms because it imports `decimal`, and most schemas do not need it

    if isinstance(value, int):
        return Fraction(value)
    if not math.isfinite(value):
        return None
    return Fraction(value) if abs(value) > EXACT else Fraction(repr(value))


def as_list(value: JsonValue) -> list[JsonValue]:
    """Return a list, or an empty one for any other value."""
    return value if isinstance(value, list) else []


def one_or_more(value: JsonValue) -> list[JsonValue]:
    """Return a list, or a list with only the value: `type` may be either."""
    return value if isinstance(value, list) else [value]


def as_object(value: JsonValue) -> dict[str, JsonValue]:
    """Return an object, or an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def properties_of(schema: JsonValue) -> dict[str, JsonValue]:
    """Return the properties that a schema itself declares."""
    return as_object(as_object(schema).get("properties"))


def strings(value: JsonValue) -> list[str]:
    """Return the strings of a list; an empty list for any other value."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
