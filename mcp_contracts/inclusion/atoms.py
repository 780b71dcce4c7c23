"""The parts of a formula: `And`, `Or`, atoms, and schemas by number.

A formula is a number (a node of the graph; negative: its negation), a connective or an atom.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import TypeAlias, TypeVar, dataclass_transform

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.nodes import Origin
from mcp_contracts.records import named_tuple
from mcp_contracts.schema.simple import value_key

_Class = TypeVar("_Class")


@dataclass_transform(frozen_default=True)
def _atom(described: type[_Class]) -> type[_Class]:
    """Make a class a named tuple, which hashes and compares as fast as a plain one.

    The last field, the name of the class, distinguishes it from atoms with the same content. Type checkers see a frozen
    data class, because mypy needs minutes to compare tuples that contain each other.
    """
    name = described.__name__
    stated = {"__module__": described.__module__, "__doc__": described.__doc__}
    made: type[_Class] = named_tuple(name, (*described.__annotations__, "kind"), {"kind": name}, stated)
    return made


class Constant:
    """A JSON value with a hash and an equality that follow JSON Schema."""

    __slots__ = ("key", "value")

    def __init__(self, value: JsonValue) -> None:
        self.value = value
        self.key = value_key(value)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and self.key == other.key


# Connectives


@_atom
class And:
    """All of some formulas."""

    parts: tuple[Formula, ...]


@_atom
class Or:
    """At least one of some formulas."""

    parts: tuple[Formula, ...]


@_atom
class Dual:
    """A formula and its negation, each in its own short form."""

    formula: Formula
    opposite: Formula


# Values of any type


@_atom
class In:
    """One of some values, by their keys (`simple.value_key`)."""

    keys: frozenset[Hashable]


@_atom
class NotIn:
    """None of some values, by their keys."""

    keys: frozenset[Hashable]


@_atom
class Only:
    """One value of any type."""

    constant: Constant


@_atom
class NotOnly:
    """Any value but one."""

    constant: Constant


@_atom
class Opaque:
    """A constraint of a keyword that the search does not support."""

    keyword: str
    origin: Origin


# Numbers


@_atom
class Minimum:
    """A lower limit."""

    limit: Fraction
    is_exclusive: bool


@_atom
class Maximum:
    """An upper limit."""

    limit: Fraction
    is_exclusive: bool


@_atom
class MultipleOf:
    """A multiple of a step."""

    step: Fraction


@_atom
class NotMultipleOf:
    """Not a multiple of a step."""

    step: Fraction


# Sizes of strings, arrays and objects


@_atom
class AtLeast:
    """A minimum length or number of items or members."""

    size: int


@_atom
class AtMost:
    """A maximum length or number of items or members."""

    size: int


# Strings


@_atom
class Matches:
    """A pattern matches somewhere."""

    pattern: str


@_atom
class NotMatches:
    """A pattern matches nowhere."""

    pattern: str


# Arrays


@_atom
class Unique:
    """All items differ."""


@_atom
class Repeating:
    """Two items are equal."""


@_atom
class Items:
    """A formula for each of the first items, and one for the others."""

    prefix: tuple[Formula, ...]
    rest: Formula


@_atom
class ItemAt:
    """An item exists at a position, and it satisfies a formula."""

    position: int
    part: Formula


@_atom
class SomeItem:
    """Some item from an index on satisfies a formula."""

    start: int
    part: Formula


@_atom
class Contains:
    """A minimum and a maximum number of items satisfy a formula."""

    part: Formula
    least: int
    most: int | None


# Objects


@_atom
class Has:
    """A member with a name exists."""

    name: str


@_atom
class Lacks:
    """A member with a name is absent."""

    name: str


@_atom
class Members:
    """A formula for members by name, by pattern, and for those that are neither."""

    properties: tuple[tuple[str, Formula], ...]
    patterns: tuple[tuple[str, Formula], ...]
    rest: Formula


@_atom
class Names:
    """All names satisfy a formula."""

    part: Formula


@_atom
class SomeName:
    """Some name satisfies a formula."""

    part: Formula


@_atom
class Value:
    """A member with a name exists, and its value satisfies a formula."""

    name: str
    part: Formula


@_atom
class SomeMember:
    """Some member satisfies a formula: one whose name matches `pattern`, or else none of some names and patterns."""

    pattern: str | None
    not_names: frozenset[str]
    not_patterns: tuple[str, ...]
    part: Formula


Sized: TypeAlias = AtLeast | AtMost
AnyAtom: TypeAlias = In | NotIn | Only | NotOnly | Opaque
NumberAtom: TypeAlias = Minimum | Maximum | MultipleOf | NotMultipleOf
StringAtom: TypeAlias = Sized | Matches | NotMatches
ArrayAtom: TypeAlias = Sized | Unique | Repeating | Items | ItemAt | SomeItem | Contains
ObjectAtom: TypeAlias = Sized | Has | Lacks | Members | Names | SomeName | Value | SomeMember
Atom: TypeAlias = AnyAtom | NumberAtom | StringAtom | ArrayAtom | ObjectAtom
Formula: TypeAlias = int | And | Or | Dual | Atom
