"""Rewrites keywords that negate their subschemas, with a bound for each: the schema accepts too much or too little.

A subschema that cannot be rewritten exactly gets two bounds: an upper bound, which accepts everything that it should
and perhaps more, and a lower bound, which accepts nothing that it should not. A negation exchanges the two. The parts
of an upper bound use upper bounds where they accept, and lower bounds where they reject.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from mcp_contracts.comparison.declared.places import PlaceTree
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape

_MOST_EXCLUSIVE = 16
_MOST_READ = 500
_TURNING = frozenset({"minProperties", "uniqueItems", "not", "if", "oneOf", "maxContains"})


class Bound(Enum):
    """The side on which a rewritten schema may err if it cannot be exact."""

    UPPER = "accepts all that it should"
    LOWER = "accepts nothing that it should not"

    @property
    def opposite(self) -> Bound:
        """The bound under a negation."""
        return Bound.LOWER if self is Bound.UPPER else Bound.UPPER


def bound_condition(
    condition: tuple[JsonValue, JsonValue], then: JsonValue, otherwise: JsonValue
) -> dict[str, JsonValue]:
    """Return a bound of `if`, `then` and `else`. The condition is given as both bounds, the requested one first."""
    met, opposite = condition
    return {"anyOf": [{"allOf": [met, then]}, {"allOf": [{"not": opposite}, otherwise]}]}


def bound_choice(branches: Sequence[JsonValue], opposites: Sequence[JsonValue]) -> tuple[dict[str, JsonValue], bool]:
    """Return a bound of `oneOf`, and whether its branches are disjoint.

    The branches are given as the requested bound and as the opposite one. The result is inexact if too many may
    overlap.
    """
    if len(branches) > _MOST_EXCLUSIVE:
        return {"anyOf": list(branches)}, False
    return {
        "anyOf": [
            {"allOf": [branch, *({"not": other} for place, other in enumerate(opposites) if place != index)]}
            for index, branch in enumerate(branches)
        ]
    }, True


def without_evaluation(schema: JsonValue) -> JsonValue:
    """Return a schema that accepts the same values as another one and evaluates nothing."""
    return {"not": {"not": schema}}


def survives_dropping(tree: PlaceTree, pointer: str) -> bool:
    """Whether a value that a subschema accepts is provably still accepted after undeclared names inside are dropped.

    A subschema declares the names that it requires, so only counts and negations can prevent this.
    """
    seen: set[str] = set()
    pending = [pointer]
    while pending:
        place = pending.pop()
        node = tree.at(place)
        if place in seen or not isinstance(node, dict):
            continue
        seen.add(place)
        if len(seen) > _MOST_READ or not _TURNING.isdisjoint(node):
            return False
        for keyword in node:
            target = tree.targets.get((place, keyword))
            pending.extend([target] if target is not None else _possible_subschemas(place, keyword, node[keyword]))
    return True


def _possible_subschemas(place: str, keyword: str, value: JsonValue) -> list[str]:
    """Return the possible subschemas of a keyword. A value that only resembles a subschema is harmless."""
    base = f"{place}/{keyword}"
    if isinstance(value, list):
        return [f"{base}/{index}" for index in range(len(value))]
    if isinstance(value, dict):
        return [base, *(f"{base}/{escape(name)}" for name in value)]
    return []
