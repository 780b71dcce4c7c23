"""What a formula consists of: `And`, `Or`, atoms, and schemas by number.

A formula is a number (a node of the graph; negative: its negation), a connective or an atom. Atoms are named tuples,
which hash and compare as fast as plain ones; the last field of each tells it from atoms with the same content.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.nodes import Origin
from mcp_contracts.schema.simple import value_key


class Constant:
    """A JSON value that can be hashed as JSON Schema compares it."""

    __slots__ = ("key", "value")

    def __init__(self, value: JsonValue) -> None:
        self.value = value
        self.key = value_key(value)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and self.key == other.key


# Connectives


class And(NamedTuple):
    """All of some formulas."""

    parts: tuple[Formula, ...]
    tag: Literal["and"] = "and"


class Or(NamedTuple):
    """At least one of some formulas."""

    parts: tuple[Formula, ...]
    tag: Literal["or"] = "or"


class Dual(NamedTuple):
    """A formula with its negation, where each is written out in its own short way."""

    formula: Formula
    opposite: Formula
    tag: Literal["dual"] = "dual"


# Values of any type


class In(NamedTuple):
    """One of some values, by their keys (`simple.value_key`)."""

    keys: frozenset[Hashable]
    tag: Literal["in"] = "in"


class NotIn(NamedTuple):
    """None of some values, by their keys."""

    keys: frozenset[Hashable]
    tag: Literal["not-in"] = "not-in"


class Only(NamedTuple):
    """One value, whatever its type."""

    constant: Constant
    tag: Literal["only"] = "only"


class NotOnly(NamedTuple):
    """Any value but one."""

    constant: Constant
    tag: Literal["not-only"] = "not-only"


class Opaque(NamedTuple):
    """What a keyword asks that we cannot decide."""

    keyword: str
    origin: Origin
    tag: Literal["opaque"] = "opaque"


# Numbers


class Minimum(NamedTuple):
    """A lower limit."""

    limit: Fraction
    is_exclusive: bool
    tag: Literal["minimum"] = "minimum"


class Maximum(NamedTuple):
    """An upper limit."""

    limit: Fraction
    is_exclusive: bool
    tag: Literal["maximum"] = "maximum"


class MultipleOf(NamedTuple):
    """A multiple of a step."""

    step: Fraction
    tag: Literal["multiple-of"] = "multiple-of"


class NotMultipleOf(NamedTuple):
    """Not a multiple of a step."""

    step: Fraction
    tag: Literal["not-multiple-of"] = "not-multiple-of"


# Sizes of strings, arrays and objects


class AtLeast(NamedTuple):
    """A least length or number of items or members."""

    size: int
    tag: Literal["at-least"] = "at-least"


class AtMost(NamedTuple):
    """A greatest length or number of items or members."""

    size: int
    tag: Literal["at-most"] = "at-most"


# Strings


class Matches(NamedTuple):
    """A pattern matches somewhere."""

    pattern: str
    tag: Literal["matches"] = "matches"


class NotMatches(NamedTuple):
    """A pattern matches nowhere."""

    pattern: str
    tag: Literal["not-matches"] = "not-matches"


# Arrays


class Unique(NamedTuple):
    """All items differ."""

    tag: Literal["unique"] = "unique"


class Repeating(NamedTuple):
    """Two items are equal."""

    tag: Literal["repeating"] = "repeating"


class Items(NamedTuple):
    """A formula for each of the first items, and one for the others."""

    prefix: tuple[Formula, ...]
    rest: Formula
    tag: Literal["items"] = "items"


class ItemAt(NamedTuple):
    """There is an item at a position, and it satisfies a formula."""

    position: int
    part: Formula
    tag: Literal["item-at"] = "item-at"


class SomeItem(NamedTuple):
    """Some item from an index on satisfies a formula."""

    start: int
    part: Formula
    tag: Literal["some-item"] = "some-item"


class Contains(NamedTuple):
    """At least and at most so many items satisfy a formula."""

    part: Formula
    least: int
    most: int | None
    tag: Literal["contains"] = "contains"


# Objects


class Has(NamedTuple):
    """There is a member of a name."""

    name: str
    tag: Literal["has"] = "has"


class Lacks(NamedTuple):
    """There is no member of a name."""

    name: str
    tag: Literal["lacks"] = "lacks"


class Members(NamedTuple):
    """A formula for members by name, by pattern, and for those that are neither."""

    properties: tuple[tuple[str, Formula], ...]
    patterns: tuple[tuple[str, Formula], ...]
    rest: Formula
    tag: Literal["members"] = "members"


class Names(NamedTuple):
    """All names satisfy a formula."""

    part: Formula
    tag: Literal["names"] = "names"


class SomeName(NamedTuple):
    """Some name satisfies a formula."""

    part: Formula
    tag: Literal["some-name"] = "some-name"


class Value(NamedTuple):
    """There is a member of a name, and its value satisfies a formula."""

    name: str
    part: Formula
    tag: Literal["value"] = "value"


class SomeMember(NamedTuple):
    """Some member satisfies a formula: one whose name matches `pattern`, or else none of some names and patterns."""

    pattern: str | None
    not_names: frozenset[str]
    not_patterns: tuple[str, ...]
    part: Formula
    tag: Literal["some-member"] = "some-member"


Sized: TypeAlias = AtLeast | AtMost
AnyAtom: TypeAlias = In | NotIn | Only | NotOnly | Opaque
NumberAtom: TypeAlias = Minimum | Maximum | MultipleOf | NotMultipleOf
StringAtom: TypeAlias = Sized | Matches | NotMatches
ArrayAtom: TypeAlias = Sized | Unique | Repeating | Items | ItemAt | SomeItem | Contains
ObjectAtom: TypeAlias = Sized | Has | Lacks | Members | Names | SomeName | Value | SomeMember
Atom: TypeAlias = AnyAtom | NumberAtom | StringAtom | ArrayAtom | ObjectAtom
Formula: TypeAlias = int | And | Or | Dual | Atom
