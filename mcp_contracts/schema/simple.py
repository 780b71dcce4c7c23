"""Judges values by the keywords that need no engine: types, listed values, limits and sizes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.vocabulary import ANNOTATIONS, Effect, Judges, names

if TYPE_CHECKING:
    from fractions import Fraction

# `number` is what is an integer and what is not, so that types exclude each other.
TYPE_ATOMS: Mapping[str, frozenset[str]] = {
    "null": frozenset({"null"}),
    "boolean": frozenset({"boolean"}),
    "integer": frozenset({"integer"}),
    "number": frozenset({"integer", "fraction"}),
    "string": frozenset({"string"}),
    "array": frozenset({"array"}),
    "object": frozenset({"object"}),
}
"""What each type covers, in types that exclude each other; `fraction` is a number that is no integer."""

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
WITHOUT_EFFECT = frozenset((*ANNOTATIONS, *names(Effect.NAMES, holds="map")))
"""Keywords that refuse nothing."""

DECIDED = frozenset({"type", "const", "enum", *_LIMITS, *_SIZES})
"""Keywords that `is_refused` decides."""

OF_MEMBERS = frozenset((*names(Effect.INSIDE, judges=Judges.CERTAINLY), "uniqueItems"))
"""Keywords that speak only of what is in an array or an object."""


def is_surely_accepted(value: JsonValue, schema: Mapping[str, JsonValue]) -> bool:
    """Whether a schema accepts a value, as far as that is plain: False where it does not, or where an engine must say.

    Most defaults and listed values are plain, and this is twenty times as fast as to compile their schema.
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
    """Whether a keyword surely refuses a value; False for keywords that are not decided here."""
    if keyword == "type":
        if isinstance(asked, str):  # nearly always
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
        if isinstance(value, str):
            return isinstance(asked, list) and value not in asked
        return isinstance(asked, list) and all(value_key(value) != value_key(option) for option in asked)
    if keyword in _LIMITS:
        if type(value) is int and type(asked) is int:
            return not _LIMITS[keyword](value, asked)
        number, limit = exact(value), exact(asked)
        return number is not None and limit is not None and not _LIMITS[keyword](number, limit)
    if keyword in _SIZES:
        kind, allows = _SIZES[keyword]
        size = exact(asked)
        return (
            isinstance(value, str | list | dict)
            and isinstance(value, kind)
            and size is not None
            and not allows(len(value), size)
        )
    return False


def atom_of(value: JsonValue) -> str:
    """The type of a value; `fraction` for a number that is no integer."""
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
    """A key under which JSON values are equal as JSON Schema has it: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return (type(value).__name__, value)
    if isinstance(value, list):
        return ("list", tuple(map(value_key, value)))
    if isinstance(value, dict):
        return frozenset((name, value_key(item)) for name, item in value.items())
    return value


def exact(value: JsonValue) -> Fraction | None:
    """A number as it is written, or None for anything else: 0.1 is a tenth."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    from fractions import Fraction  # 3 ms with the `decimal` that it imports, and most schemas are plain without it

    if isinstance(value, int):
        return Fraction(value)
    return Fraction(repr(value)) if math.isfinite(value) else None


def as_list(value: JsonValue) -> list[JsonValue]:
    """A list, or an empty one where the value is none."""
    return value if isinstance(value, list) else []


def as_object(value: JsonValue) -> dict[str, JsonValue]:
    """An object, or an empty one where the value is none."""
    return value if isinstance(value, dict) else {}


def strings(value: JsonValue) -> list[str]:
    """The strings of a list, or nothing where there is none."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
