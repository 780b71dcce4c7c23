"""Keywords that negate their subschemas, rewritten by bounds: a schema that accepts too much, or too little.

A subschema that cannot be rewritten exactly gets two bounds: an upper one, which accepts everything that it should and
perhaps more, and a lower one, which accepts nothing that it should not. Under a negation they are exchanged. The parts
of an upper bound accept by upper bounds, and reject by lower ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from mcp_contracts.comparison.declared.places import PlaceTree
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.walk import escape

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
    """`if`, `then` and `else` by a bound; of the condition both bounds are given, that one first."""
    met, opposite = condition
    return {"anyOf": [{"allOf": [met, then]}, {"allOf": [{"not": opposite}, otherwise]}]}


def bound_choice(branches: Sequence[JsonValue], opposites: Sequence[JsonValue]) -> tuple[dict[str, JsonValue], bool]:
    """`oneOf` by a bound, of its branches by that bound and by the opposite one; too many of them may overlap.

    Also whether it says that they exclude each other.
    """
    if len(branches) > _MOST_EXCLUSIVE:
        return {"anyOf": list(branches)}, False
    return {
        "anyOf": [
            {"allOf": [branch, *({"not": other} for place, other in enumerate(opposites) if place != index)]}
            for index, branch in enumerate(branches)
        ]
    }, True


def silent(schema: JsonValue) -> JsonValue:
    """A schema that accepts the same values as another one, and evaluates nothing."""
    return {"not": {"not": schema}}


def survives_dropping(tree: PlaceTree, pointer: str) -> bool:
    """Whether a value that a subschema accepts is surely accepted when undeclared names inside are dropped.

    Everything that a schema asks for is declared by that, so only counts and negations are in the way.
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
    """The possible subschemas of a keyword; a value that only looks like one does no harm."""
    base = f"{place}/{keyword}"
    if isinstance(value, list):
        return [f"{base}/{index}" for index in range(len(value))]
    if isinstance(value, dict):
        return [base, *(f"{base}/{escape(name)}" for name in value)]
    return []
