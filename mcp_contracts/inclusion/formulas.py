"""Formulas that say what is asked of values of one type: `And`, `Or`, atoms, and schemas by number.

A formula is a number (a node of the graph; negative: its negation), a connective or an atom. Negations are carried down
to the atoms, and every atom but `Opaque` has an exact negation, so nothing is lost. Atoms are named tuples, which hash
and compare as fast as plain ones; the last field of each tells it from atoms with the same content.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.nodes import FALSE, TRUE, Origin
from mcp_contracts.schema.simple import atom_of, value_key

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

TYPES = ("string", "number", "boolean", "null", "array", "object")
"""The types of values, which exclude each other; an integer is a number that is a multiple of one."""


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All of some formulas."""
    kept = []
    for part in parts:
        if part == FALSE:
            return FALSE
        if part != TRUE:
            kept.append(part)
    return TRUE if not kept else kept[0] if len(kept) == 1 else And(tuple(kept))


def disjunction(parts: Iterable[Formula]) -> Formula:
    """At least one of some formulas."""
    kept = []
    for part in parts:
        if part == TRUE:
            return TRUE
        if part != FALSE:
            kept.append(part)
    return FALSE if not kept else kept[0] if len(kept) == 1 else Or(tuple(kept))


def negation(formula: Formula) -> Formula:
    """The opposite of a formula."""
    if isinstance(formula, int):
        return -formula
    match formula:
        case And(parts):
            return disjunction([negation(part) for part in parts])
        case Or(parts):
            return conjunction([negation(part) for part in parts])
        case Dual(one, other):
            return Dual(other, one)
        case Opaque():
            return formula
        case In(keys):
            return NotIn(keys)
        case NotIn(keys):
            return In(keys)
        case Only(constant):
            return NotOnly(constant)
        case NotOnly(constant):
            return Only(constant)
        case Minimum(limit, is_exclusive):
            return Maximum(limit, not is_exclusive)
        case Maximum(limit, is_exclusive):
            return Minimum(limit, not is_exclusive)
        case MultipleOf(step):
            return NotMultipleOf(step)
        case NotMultipleOf(step):
            return MultipleOf(step)
        case AtLeast(size):
            return AtMost(size - 1) if size > 0 else FALSE
        case AtMost(size):
            return AtLeast(size + 1)
        case Matches(pattern):
            return NotMatches(pattern)
        case NotMatches(pattern):
            return Matches(pattern)
        case _:
            return _of_array(formula) if isinstance(formula, _OF_ARRAYS) else _of_object(formula)


_OF_ARRAYS = (Unique, Repeating, Items, ItemAt, SomeItem, Contains)


def _of_array(formula: Unique | Repeating | Items | ItemAt | SomeItem | Contains) -> Formula:
    """The opposite of what is asked of items."""
    match formula:
        case Unique():
            return Repeating()
        case Repeating():
            return Unique()
        case Items(prefix, rest):
            positions = [_item_at(index, negation(part)) for index, part in enumerate(prefix)]
            return disjunction([*positions, _some_item(len(prefix), negation(rest))])
        case ItemAt(position, part):
            return disjunction([AtMost(position), ItemAt(position, negation(part))])
        case SomeItem(start, part):
            return Items((TRUE,) * start, negation(part))
        case Contains(part, least, most):
            fewer: Formula = Contains(part, 0, least - 1) if least > 0 else FALSE
            more: Formula = Contains(part, most + 1, None) if most is not None else FALSE
            return disjunction([fewer, more])


def _of_object(formula: Has | Lacks | Members | Names | SomeName | Value | SomeMember) -> Formula:
    """The opposite of what is asked of members."""
    match formula:
        case Has(name):
            return Lacks(name)
        case Lacks(name):
            return Has(name)
        case Value(name, part):
            return disjunction([Lacks(name), Value(name, negation(part))])
        case Members(properties, patterns, rest):
            return disjunction(list(_violations(properties, patterns, rest)))
        case Names(part):
            return SomeName(negation(part))
        case SomeName(part):
            return Names(negation(part))
        case SomeMember(None, names, not_patterns, part):
            allowed = tuple((name, TRUE) for name in sorted(names))
            return Members(allowed, tuple((one, TRUE) for one in not_patterns), negation(part))
        case SomeMember(str(pattern), _, _, part):
            return Members((), ((pattern, negation(part)),), TRUE)
        case _:
            raise AssertionError(formula)


def _item_at(index: int, part: Formula) -> Formula:
    return FALSE if part == FALSE else ItemAt(index, part)


def _some_item(start: int, part: Formula) -> Formula:
    if part == FALSE:
        return FALSE
    return AtLeast(start + 1) if part == TRUE else SomeItem(start, part)


def _violations(
    properties: tuple[tuple[str, Formula], ...], patterns: tuple[tuple[str, Formula], ...], rest: Formula
) -> Iterator[Formula]:
    for name, part in properties:
        if part != TRUE:
            yield Value(name, negation(part)) if part != FALSE else Has(name)
    for pattern, part in patterns:
        if part != TRUE:
            yield SomeMember(pattern, frozenset(), (), negation(part))
    if rest != TRUE:
        names = frozenset(name for name, _ in properties)
        yield SomeMember(None, names, tuple(pattern for pattern, _ in patterns), negation(rest))


def exactly(value: JsonValue) -> Formula:
    """What asks for one value of its own type."""
    if isinstance(value, list):
        size = len(value)
        items = Items(tuple(_one_value(item) for item in value), TRUE)
        return conjunction([AtLeast(size), AtMost(size), items])
    if isinstance(value, dict):
        members = Members(tuple((name, _one_value(member)) for name, member in value.items()), (), FALSE)
        return conjunction([*(Has(name) for name in value), members])
    return In(frozenset({value_key(value)}))


def _one_value(value: JsonValue) -> Formula:
    """What asks for one value among all types."""
    return Only(Constant(value))


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


def type_of(value: JsonValue) -> str:
    """The one of `TYPES` that a value has."""
    atom = atom_of(value)
    return "number" if atom in ("integer", "fraction") else atom
