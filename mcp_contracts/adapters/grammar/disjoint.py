"""Prove that the branches of a `oneOf` are disjoint, so that it is equivalent to `anyOf`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from mcp_contracts.adapters.grammar.conjuncts import (
    Branch,
    Conjunct,
    Document,
    UnreadableError,
    disjunction_of,
    is_map,
    properties_of,
)
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import counterexample
from mcp_contracts.schema.budget import Budget

_MAXIMUM_BRANCHES = 40
_STEPS_PER_PAIR = 2_000


def are_disjoint(document: Document, around: Sequence[Conjunct], branches: Sequence[Branch], budget: Budget) -> bool:
    """Whether the branches are provably disjoint: none accepts a value that a grammar permits for another.

    `around` are the subschemas that apply with the branches. A grammar only permits the declared properties of an
    object. Past the budget, the answer is False.
    """
    if len(branches) > _MAXIMUM_BRANCHES:
        return False
    return all(
        _is_impossible([_with_definitions(document, schema) for _, schema in (one, other)], budget)
        or (_excludes(document, around, one, other, budget) and _excludes(document, around, other, one, budget))
        for one, other in combinations(branches, 2)
    )


def _is_impossible(schemas: Sequence[JsonValue], budget: Budget) -> bool:
    return not budget.is_spent and counterexample(schemas, (), budget.part(_STEPS_PER_PAIR)).answer == "yes"


def _excludes(document: Document, around: Sequence[Conjunct], one: Branch, other: Branch, budget: Budget) -> bool:
    """Whether one branch accepts no value that a grammar permits for the other."""
    names = _names(document, around, one)
    if names is None:
        return False
    closed: JsonValue = {"properties": dict.fromkeys(names, True), "additionalProperties": False}
    schemas = [schema for _, schema in (one, other)] + [_without_disjunctions(conjunct) for conjunct in around]
    whole = [_with_definitions(document, schema) for schema in schemas]
    return _is_impossible((*whole, closed), budget)


def _names(document: Document, around: Sequence[Conjunct], branch: Branch) -> tuple[str, ...] | None:
    """Return the names that a grammar permits for a branch, or None if they are not limited."""
    try:
        applying = document.applying(*branch)
    except UnreadableError:
        return None
    if applying is None:
        return None
    whole = (*around, *applying)
    return None if is_map(whole) or disjunction_of(whole) is not None else tuple(properties_of(whole))


def _without_disjunctions(conjunct: Conjunct) -> JsonValue:
    """Return a subschema without its disjunctions, and without keywords that were already followed."""
    return {
        keyword: value
        for keyword, value in conjunct.schema.items()
        if keyword not in ("anyOf", "oneOf", "allOf", "$ref")
    }


def _with_definitions(document: Document, schema: JsonValue) -> JsonValue:
    root = document.schema
    if not isinstance(schema, dict) or not isinstance(root, dict):
        return schema
    kept: dict[str, JsonValue] = {name: root[name] for name in ("$schema", "$defs", "definitions") if name in root}
    return {**kept, **schema}
