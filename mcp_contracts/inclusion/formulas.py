"""Formulas, the constraints on values of one type: combined, negated, and created for one value.

Negations are pushed down to the atoms. Every atom except `Opaque` has an exact negation, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.atoms import (
    And,
    AtLeast,
    AtMost,
    Constant,
    Contains,
    Dual,
    Formula,
    Has,
    In,
    ItemAt,
    Items,
    Lacks,
    Matches,
    Maximum,
    Members,
    Minimum,
    MultipleOf,
    Names,
    NotIn,
    NotMatches,
    NotMultipleOf,
    NotOnly,
    Only,
    Opaque,
    Or,
    Repeating,
    SomeItem,
    SomeMember,
    SomeName,
    Unique,
    Value,
)
from mcp_contracts.inclusion.nodes import FALSE, TRUE
from mcp_contracts.schema.simple import atom_of, value_key

TYPES = ("string", "number", "boolean", "null", "array", "object")
"""The types of values, which are disjoint; an integer is a number that is a multiple of one."""


def conjunction(parts: Iterable[Formula]) -> Formula:
    """Return a formula that requires all of some formulas."""
    kept = []
    for part in parts:
        if part == FALSE:
            return FALSE
        if part != TRUE:
            kept.append(part)
    return TRUE if not kept else kept[0] if len(kept) == 1 else And(tuple(kept))


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Return a formula that requires at least one of some formulas."""
    kept = []
    for part in parts:
        if part == TRUE:
            return TRUE
        if part != FALSE:
            kept.append(part)
    return FALSE if not kept else kept[0] if len(kept) == 1 else Or(tuple(kept))


def negation(formula: Formula) -> Formula:
    """Return the negation of a formula."""
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
    """Return the negation of an atom about items."""
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
    """Return the negation of an atom about members."""
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
    """Return the formula that only one value of its type satisfies."""
    if isinstance(value, list):
        size = len(value)
        items = Items(tuple(_one_value(item) for item in value), TRUE)
        return conjunction([AtLeast(size), AtMost(size), items])
    if isinstance(value, dict):
        members = Members(tuple((name, _one_value(member)) for name, member in value.items()), (), FALSE)
        return conjunction([*(Has(name) for name in value), members])
    return In(frozenset({value_key(value)}))


def _one_value(value: JsonValue) -> Formula:
    """Return the formula that only one value of any type satisfies."""
    return Only(Constant(value))


def type_of(value: JsonValue) -> str:
    """Return the type of a value, one of `TYPES`."""
    atom = atom_of(value)
    return "number" if atom in ("integer", "fraction") else atom
