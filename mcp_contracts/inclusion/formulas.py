"""Formulas that say what is asked of values of one type: `and`, `or`, atoms, and schemas by number.

A formula is a number (a node of the graph; negative: its negation), `("and", parts)`, `("or", parts)`, `("dual",
formula, its negation)` or an atom, which is a tuple whose first entry says what it asks. Negations are carried down to the atoms, and every atom but `opaque` has
an exact negation, so nothing is lost. The atoms:

| any type | `in`, `not-in` a set of keys of values (`simple.value_key`); `only`, `not-only` one value; `opaque`: what we cannot decide |
| numbers | `low`, `high` (limit, whether exclusive), `multiple`, `not-multiple` |
| strings | `longer`, `shorter` (inclusive), `pattern`, `not-pattern` |
| arrays | `longer`, `shorter`, `unique`, `repeating`, `items` (prefix, rest), `at` (index, formula), `some` (start, formula), `contains` (formula, least, most) |
| objects | `longer`, `shorter`, `has`, `lacks` a name, `members` (properties, patterns, rest), `names` (formula), `value` (name, formula), `some-member` (pattern or None, names and patterns that it is none of, formula), `some-name` (formula) |
"""  # noqa: E501 - a table

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.nodes import FALSE, TRUE
from mcp_contracts.schema.simple import atom_of, value_key

Formula = int | tuple  # type: ignore[type-arg]  # recursive, and of a shape for each atom

TYPES = ("string", "number", "boolean", "null", "array", "object")
"""The types of values, which exclude each other; an integer is a number that is a multiple of one."""

_OPPOSITES = {
    "in": "not-in",
    "multiple": "not-multiple",
    "pattern": "not-pattern",
    "unique": "repeating",
    "has": "lacks",
    "only": "not-only",
}
_OPPOSITES.update({opposite: tag for tag, opposite in _OPPOSITES.items()})


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All of some formulas."""
    kept = []
    for part in parts:
        if part == FALSE:
            return FALSE
        if part != TRUE:
            kept.append(part)
    return TRUE if not kept else kept[0] if len(kept) == 1 else ("and", tuple(kept))


def disjunction(parts: Iterable[Formula]) -> Formula:
    """At least one of some formulas."""
    kept = []
    for part in parts:
        if part == TRUE:
            return TRUE
        if part != FALSE:
            kept.append(part)
    return FALSE if not kept else kept[0] if len(kept) == 1 else ("or", tuple(kept))


def negation(formula: Formula) -> Formula:
    """The opposite of a formula."""
    if isinstance(formula, int):
        return -formula
    tag = formula[0]
    match tag:
        case "and":
            return disjunction([negation(part) for part in formula[1]])
        case "or":
            return conjunction([negation(part) for part in formula[1]])
        case "dual":
            return ("dual", formula[2], formula[1])
        case "opaque":
            return formula
        case "low" | "high":
            return ("high" if tag == "low" else "low", formula[1], not formula[2])
        case "longer":
            return ("shorter", formula[1] - 1) if formula[1] > 0 else FALSE
        case "shorter":
            return ("longer", formula[1] + 1)
        case "at":
            return disjunction([("shorter", formula[1]), ("at", formula[1], negation(formula[2]))])
        case "value":
            return disjunction([("lacks", formula[1]), ("value", formula[1], negation(formula[2]))])
        case "items":
            prefix, rest = formula[1:]
            positions = [_at(index, negation(part)) for index, part in enumerate(prefix)]
            return disjunction([*positions, _some(len(prefix), negation(rest))])
        case "contains":
            return _not_contains(*formula[1:])
        case "members":
            return disjunction(list(_violations(*formula[1:])))
        case "names" | "some-name":
            return ("some-name" if tag == "names" else "names", negation(formula[1]))
        case "some":
            return ("items", (TRUE,) * formula[1], negation(formula[2]))
        case "some-member":
            _, pattern, names, patterns, part = formula
            if pattern is not None:
                return ("members", (), ((pattern, negation(part)),), TRUE)
            allowed = tuple((name, TRUE) for name in sorted(names))
            return ("members", allowed, tuple((one, TRUE) for one in patterns), negation(part))
        case _:
            return (_OPPOSITES[tag], *formula[1:])


def _at(index: int, part: Formula) -> Formula:
    return FALSE if part == FALSE else ("at", index, part)


def _some(start: int, part: Formula) -> Formula:
    if part == FALSE:
        return FALSE
    return ("longer", start + 1) if part == TRUE else ("some", start, part)


def _not_contains(part: Formula, least: int, most: int | None) -> Formula:
    fewer = ("contains", part, 0, least - 1) if least > 0 else FALSE
    more = ("contains", part, most + 1, None) if most is not None else FALSE
    return disjunction([fewer, more])


def _violations(
    properties: tuple[tuple[str, Formula], ...], patterns: tuple[tuple[str, Formula], ...], rest: Formula
) -> Iterator[Formula]:
    for name, part in properties:
        if part != TRUE:
            yield ("value", name, negation(part)) if part != FALSE else ("has", name)
    for pattern, part in patterns:
        if part != TRUE:
            yield ("some-member", pattern, frozenset(), (), negation(part))
    if rest != TRUE:
        names = frozenset(name for name, _ in properties)
        yield ("some-member", None, names, tuple(pattern for pattern, _ in patterns), negation(rest))


def exactly(value: JsonValue) -> Formula:
    """What asks for one value of its own type."""
    if isinstance(value, list):
        size = len(value)
        items = ("items", tuple(_one_value(item) for item in value), TRUE)
        return conjunction([("longer", size), ("shorter", size), items])
    if isinstance(value, dict):
        members = ("members", tuple((name, _one_value(member)) for name, member in value.items()), (), FALSE)
        return conjunction([*(("has", name) for name in value), members])
    return ("in", frozenset({value_key(value)}))


def _one_value(value: JsonValue) -> Formula:
    """What asks for one value among all types."""
    return ("only", Held(value))


class Held:
    """A JSON value that can be hashed as JSON Schema compares it."""

    __slots__ = ("key", "value")

    def __init__(self, value: JsonValue) -> None:
        self.value = value
        self.key = value_key(value)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.key == other.key


def type_of(value: JsonValue) -> str:
    """The one of `TYPES` that a value has."""
    atom = atom_of(value)
    return "number" if atom in ("integer", "fraction") else atom
