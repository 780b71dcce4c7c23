"""The ways through a value to the places that are compared, and schemas for the values that have a property there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mcp_contracts.comparison.declared.places import Place
from mcp_contracts.contract import JsonValue

Pair = tuple[Place, Place]
Step = str | int | None
"""The name of a property, the index of an item (-1 for the others), or None for any property of a map."""

_MOST_DEFINITIONS = 200


class Ways:
    """The steps from each pair of places to the pairs inside. Several ways may lead to a pair."""

    def __init__(self) -> None:
        self.root: Pair | None = None
        self._outer: dict[Pair, list[tuple[Step, Pair]]] = {}

    def add(self, outer: Pair, step: Step, inner: Pair) -> None:
        """Add a step from a pair to one inside."""
        self._outer.setdefault(inner, []).append((step, outer))

    def values_with(self, pair: Pair, names: Sequence[str], is_possible: Callable[[Place], bool]) -> JsonValue:
        """Return a schema for values with properties at a pair of places, or False if no way to the pair is possible.

        `is_possible` says whether a place of the old schema may have a value. The items of an array are not
        distinguished, and past the bounds, the schema accepts everything, so it never accepts too little.
        """
        known: dict[Pair, str] = {}
        pending = [pair]
        while pending:
            one = pending.pop()
            if one not in known and is_possible(one[0]):
                known[one] = f"place-{len(known)}"
                pending.extend(outer for _, outer in self._outer.get(one, ()))
                if len(known) > _MOST_DEFINITIONS:
                    return True
        if self.root not in known:
            return False
        choices: dict[str, list[JsonValue]] = {place: [] for place in known.values()}
        choices[known[pair]].append({"type": "object", "required": list(names)})
        for one, place in known.items():
            for step, outer in self._outer.get(one, ()):
                if outer in known:
                    choices[known[outer]].append(_holding(step, {"$ref": f"#/$defs/{place}"}))
        definitions: dict[str, JsonValue] = {place: {"anyOf": held} for place, held in choices.items()}
        return {"$ref": f"#/$defs/{known[self.root]}", "$defs": definitions}


def _holding(step: Step, inner: JsonValue) -> JsonValue:
    if isinstance(step, str):
        return {"type": "object", "properties": {step: inner}, "required": [step]}
    if step is None:
        return {"type": "object", "not": {"additionalProperties": {"not": inner}}}
    return {"type": "array", "contains": inner}
