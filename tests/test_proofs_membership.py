"""Exact laws for single values: which values a formula and its negation accept, and what a schema evaluates."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

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
from mcp_contracts.inclusion.decision import inclusion
from mcp_contracts.inclusion.evaluated import Evaluation
from mcp_contracts.inclusion.formulas import negation
from mcp_contracts.inclusion.graph import Graph
from mcp_contracts.inclusion.nodes import FALSE, TRUE, Origin
from mcp_contracts.schema.simple import value_key
from tests.proofs.oracle import Oracle

Schema = Any

ARRAYS: list[Any] = [list(items) for size in range(4) for items in product((1, 2), repeat=size)]
OBJECTS: list[Any] = [
    {name: value for name, value in zip(("a", "b", "ab"), values, strict=True) if value}
    for values in product((0, 1, 2), repeat=3)
]

# Formulas and their opposites

ONE = In(frozenset({value_key(1)}))
A = In(frozenset({value_key("a")}))
PARTS: tuple[Formula, ...] = (TRUE, FALSE, ONE)
OF_ARRAYS: list[Formula] = [
    *(AtLeast(size) for size in range(4)),
    *(AtMost(size) for size in range(3)),
    Unique(),
    Repeating(),
    *(ItemAt(position, part) for position in (0, 1, 2) for part in PARTS),
    *(SomeItem(start, part) for start in (0, 1, 2) for part in PARTS),
    *(Items(prefix, rest) for prefix in ((), (ONE,), (TRUE, ONE), (FALSE,), (ONE, FALSE)) for rest in PARTS),
    *(Contains(part, least, most) for part in PARTS for least in (0, 1, 2) for most in (None, 0, 1, 2)),
]
OF_OBJECTS: list[Formula] = [
    *(AtLeast(size) for size in range(3)),
    *(AtMost(size) for size in range(3)),
    *(one(name) for one in (Has, Lacks) for name in ("a", "b")),
    *(Value("a", part) for part in PARTS),
    *(
        Members(properties, patterns, rest)
        for properties in ((), (("a", ONE),), (("a", TRUE), ("b", FALSE)))
        for patterns in ((), (("^a", ONE),), (("b$", FALSE), ("^a", TRUE)))
        for rest in PARTS
    ),
    *(one(part) for one in (Names, SomeName) for part in (TRUE, FALSE, A)),
    *(SomeMember("^a", frozenset(), (), part) for part in PARTS),
    *(SomeMember(None, frozenset(names), ("b$",), part) for names in ("", "a") for part in PARTS),
]


def holds(formula: Formula, value: Any) -> bool:
    """Whether a formula accepts a value, according to its atoms."""
    match formula:
        case int():
            return formula == TRUE
        case And(parts):
            return all(holds(part, value) for part in parts)
        case Or(parts):
            return any(holds(part, value) for part in parts)
        case In(keys) | NotIn(keys):
            return (value_key(value) in keys) is isinstance(formula, In)
        case AtLeast(size):
            return len(value) >= size
        case AtMost(size):
            return len(value) <= size
        case _:
            return holds_of_items(formula, value) if isinstance(value, list) else holds_of_members(formula, value)


def holds_of_items(formula: Formula, value: list[Any]) -> bool:
    match formula:
        case Unique() | Repeating():
            return (len(set(value)) == len(value)) is isinstance(formula, Unique)
        case ItemAt(position, part):
            return len(value) > position and holds(part, value[position])
        case SomeItem(start, part):
            return any(holds(part, item) for item in value[start:])
        case Items(prefix, rest):
            return all(holds(prefix[at] if at < len(prefix) else rest, item) for at, item in enumerate(value))
        case Contains(part, least, most):
            count = sum(holds(part, item) for item in value)
            return count >= least and (most is None or count <= most)
    raise AssertionError(formula)


def holds_of_members(formula: Formula, value: dict[str, Any]) -> bool:
    match formula:
        case Has(name) | Lacks(name):
            return (name in value) is isinstance(formula, Has)
        case Value(name, part):
            return name in value and holds(part, value[name])
        case Members(properties, patterns, rest):
            for name, member in value.items():
                parts = [part for one, part in properties if one == name]
                parts += [part for pattern, part in patterns if re.search(pattern, name)]
                if not all(holds(part, member) for part in parts or [rest]):
                    return False
            return True
        case Names(part):
            return all(holds(part, name) for name in value)
        case SomeName(part):
            return any(holds(part, name) for name in value)
        case SomeMember(None, names, not_patterns, part):
            others = [name for name in value if not any(re.search(one, name) for one in not_patterns)]
            return any(name not in names and holds(part, value[name]) for name in others)
        case SomeMember(str(pattern), _, _, part):
            return any(bool(re.search(pattern, name)) and holds(part, member) for name, member in value.items())
    raise AssertionError(formula)


@pytest.mark.parametrize(("formulas", "values"), [(OF_ARRAYS, ARRAYS), (OF_OBJECTS, OBJECTS)])
def test_the_negation_of_a_formula_accepts_what_the_formula_does_not(
    formulas: list[Formula], values: list[Any]
) -> None:
    for formula in formulas:
        for value in values:
            assert holds(negation(formula), value) is not holds(formula, value), (formula, value)
            assert holds(negation(negation(formula)), value) is holds(formula, value), (formula, value)


OPPOSITES: list[tuple[Formula, Formula]] = [
    (TRUE, FALSE),
    (5, -5),
    (ONE, NotIn(ONE.keys)),
    (Only(Constant("a")), NotOnly(Constant("a"))),
    (Minimum(Fraction(1), False), Maximum(Fraction(1), True)),
    (Minimum(Fraction(1), True), Maximum(Fraction(1), False)),
    (MultipleOf(Fraction(2)), NotMultipleOf(Fraction(2))),
    (Matches("^a"), NotMatches("^a")),
    (Dual(5, And((6, 7))), Dual(And((6, 7)), 5)),
    (And((5, 6)), Or((-5, -6))),
]


@pytest.mark.parametrize(("one", "other"), OPPOSITES)
def test_an_atom_and_its_opposite_are_a_pair(one: Formula, other: Formula) -> None:
    assert (negation(one), negation(other)) == (other, one)


def test_what_cannot_be_decided_has_no_opposite() -> None:
    opaque = Opaque("pattern", Origin(0, "/pattern"))

    assert negation(opaque) == opaque


# What is evaluated

A_NAMED, B_NAMED, AB_NAMED = ({"properties": {name: True}} for name in ("a", "b", "ab"))
WITH_A, WITH_B, A_ONE = {"required": ["a"]}, {"required": ["b"]}, {"properties": {"a": {"const": 1}}, "required": ["a"]}
STARTS, ENDS = {"patternProperties": {"^a": True}}, {"patternProperties": {"b$": True}}
EVALUATING: list[Schema] = [
    {},
    A_NAMED,
    STARTS,
    {"additionalProperties": True},
    {"allOf": [A_NAMED, B_NAMED]},
    {"anyOf": [{**A_NAMED, **WITH_A}, {**B_NAMED, **WITH_B}, True]},
    {"oneOf": [{**A_NAMED, **WITH_A}, {**B_NAMED, **WITH_B}]},
    {"dependentSchemas": {"a": B_NAMED}, **A_NAMED},
    {"dependentSchemas": {"b": {"additionalProperties": True}}},
    {"if": A_ONE, "then": B_NAMED, "else": AB_NAMED},
    {"if": A_ONE, "then": {"additionalProperties": True}},
    {"if": WITH_B, "else": A_NAMED},
    {"not": {**A_NAMED, "required": ["ab"]}},
    {"anyOf": [{**WITH_A, "anyOf": [{**STARTS, **WITH_B}, B_NAMED]}, A_NAMED]},
    {"anyOf": [{**STARTS, **A_ONE}, {**ENDS, **WITH_B}, True]},
    {"allOf": [{"unevaluatedProperties": {"const": 1}}], **A_NAMED},
    {"allOf": [{"dependentSchemas": {"a": {"if": A_ONE, "then": STARTS}}}]},
    {"dependentSchemas": {"a": {"dependentSchemas": {"b": AB_NAMED}, **A_NAMED}}, **B_NAMED},
    {"anyOf": [{"dependentSchemas": {"a": {**A_NAMED, **B_NAMED}}, **WITH_A}, {"dependentSchemas": {"b": B_NAMED}}]},
    {
        "if": {"dependentSchemas": {"a": {"properties": {"a": {"const": 1}}}}},
        "then": {"dependentSchemas": {"b": B_NAMED}},
        "else": {"dependentSchemas": {"a": STARTS}},
    },
]
HOLDS_ONE, HOLDS_TWO = {"contains": {"const": 1}}, {"contains": {"const": 2}, "minContains": 0}
FIRST, SECOND, IS_ONE = {"prefixItems": [True]}, {"prefixItems": [True, True]}, {"prefixItems": [{"const": 1}]}
EVALUATING_ITEMS: list[Schema] = [
    {},
    FIRST,
    HOLDS_ONE,
    {"items": True},
    {"allOf": [FIRST, HOLDS_TWO]},
    {"anyOf": [{**SECOND, "minItems": 2}, FIRST]},
    {"anyOf": [{**HOLDS_ONE, "maxItems": 2}, {**HOLDS_TWO, "minItems": 2}]},
    {"oneOf": [{**HOLDS_ONE, "maxItems": 1}, {**SECOND, "minItems": 2}]},
    {"if": IS_ONE, "then": SECOND, "else": {"items": True}},
    {"if": HOLDS_ONE, "else": FIRST},
    {"not": {"items": {"const": 1}}},
    {"anyOf": [{"maxItems": 1, "anyOf": [{"items": True}, FIRST]}, {**IS_ONE, **HOLDS_TWO}]},
    {"allOf": [{"prefixItems": [True], "unevaluatedItems": {"const": 1}}]},
]


@pytest.mark.parametrize("rest", [False, {"const": 2}])
@pytest.mark.parametrize(
    ("keyword", "schemas", "values"),
    [("unevaluatedProperties", EVALUATING, OBJECTS), ("unevaluatedItems", EVALUATING_ITEMS, ARRAYS)],
)
def test_a_value_is_unevaluated_where_the_oracle_says_so(
    keyword: str, schemas: list[Schema], values: list[Any], rest: Schema
) -> None:
    for evaluating in schemas:
        schema = {**evaluating, keyword: rest}
        oracle = Oracle(schema)
        accepted = [value for value in values if oracle.accepts(value)]
        refused = [value for value in values if not oracle.accepts(value)]

        assert inclusion({"enum": accepted}, schema).answer == "yes", schema
        assert inclusion({"allOf": [{"enum": refused}, schema]}, False).answer == "yes", schema
        assert all(inclusion({"const": value}, schema).answer == "no" for value in refused[::4]), schema
        assert all(inclusion({"const": value}, {"not": schema}).answer == "no" for value in accepted[::4]), schema


@pytest.mark.parametrize(
    ("keyword", "branch"), [("unevaluatedProperties", "patternProperties"), ("unevaluatedItems", "contains")]
)
@pytest.mark.parametrize(("count", "is_told_apart"), [(8, True), (9, False)])
def test_the_ways_in_which_eight_branches_hold_are_distinguished(
    keyword: str, branch: str, count: int, is_told_apart: bool
) -> None:
    parts: list[dict[str, JsonValue]] = [{"pattern": f"^{index}"} for index in range(count)]
    held: list[JsonValue] = [
        {branch: part if branch == "contains" else {str(part["pattern"]): True}, "not": part} for part in parts
    ]
    graph = Graph({"anyOf": held, keyword: False})
    kind = "array" if branch == "contains" else "object"

    found = Evaluation(graph).constrain_unevaluated(graph[graph.root(0)], kind, FALSE)

    assert (found == Opaque(keyword, Origin(0, ""))) is not is_told_apart
